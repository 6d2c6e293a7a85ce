"""Code that a wheel brings is loaded where it was made for, and else compiled as without it."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import llvmlite.binding
import numpy as np
import pytest
from numba import njit

from beyond_accuracy import compilation
from beyond_accuracy.compilation_target import NEEDED_FEATURES, VARIABLES

SOURCE = """
from numba import njit

@njit(cache=True)
def total(x):
    sum = 0.0
    for value in x:
        sum += value
    return sum
"""

# `number` and `text` are brought; what is asked for is the sum of floats, in a process of its own.
PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from beyond_accuracy.compilation import BroughtFirst, brought_file, use_brought

package, folder, task = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
sys.path.insert(0, str(package))
from kernel import total

if task.startswith("use"):
    use_brought(total, package, folder)
value = total(np.arange(4.0))
if task == "bring":
    brought = BroughtFirst(total._cache, brought_file(total, package, folder))
    for signature, result in total.overloads.items():
        brought.bring(signature, result)
print(value, *(sum(each.values()) for each in (total.stats.cache_hits, total.stats.cache_misses)))
"""

pytestmark = pytest.mark.skipif(
    not all(llvmlite.binding.get_host_cpu_features().get(name) for name in NEEDED_FEATURES),
    reason="code is brought for other processors",
)


def run(place, task, **variables):
    """What a process prints: the sum, and how often it loaded and compiled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**kept, "NUMBA_CACHE_DIR": str(place / "own"), **variables}
    command = [sys.executable, "-c", PROGRAM, place / "package", place / "brought", task]
    done = subprocess.run(command, env=environment, text=True, capture_output=True, check=False)
    assert ("damaged compiled code" in done.stderr) == ("damaged" in task)
    assert done.stderr == "" or "damaged" in task
    return done.stdout.split()


LOADED, COMPILED = ["6.0", "1", "0"], ["6.0", "0", "1"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    place = tmp_path_factory.mktemp("made")
    (place / "package").mkdir()
    (place / "package" / "kernel.py").write_text(SOURCE)
    assert run(place, "bring", **VARIABLES) == COMPILED
    return place


@pytest.fixture
def place(made, tmp_path):
    """A package with brought code, elsewhere and installed later; nothing is compiled yet."""
    for name in ("package", "brought"):
        shutil.copytree(made / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    os.utime(tmp_path / "package" / "kernel.py", (0, 0))
    return tmp_path


def brought(place, suffix):
    (file,) = (place / "brought").rglob(f"*{suffix}")
    return file


@pytest.mark.parametrize("variables", [{}, VARIABLES], ids=["any processor", "as asked"])
def test_brought_code_is_loaded(place, variables):
    assert run(place, "use", **variables) == LOADED
    assert not list((place / "own").rglob("*.nbc"))


@pytest.mark.parametrize(
    "variables",
    [
        {"NUMBA_CPU_NAME": "generic"},
        {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2"},
        {"NUMBA_BOUNDSCHECK": "1"},
    ],
    ids=lambda variables: " ".join(variables),
)
def test_who_asks_for_other_code_gets_it(place, variables):
    assert run(place, "use", **variables) == COMPILED


def change_source(place):
    with (place / "package" / "kernel.py").open("a") as stream:
        stream.write("# changed\n")


def cut_data(place):
    content = brought(place, ".nbc").read_bytes()
    brought(place, ".nbc").write_bytes(content[: len(content) // 2])


def flip_a_bit(place):
    content = bytearray(brought(place, ".nbc").read_bytes())
    content[len(content) // 2] ^= 8
    brought(place, ".nbc").write_bytes(content)


def replace_index(place):
    brought(place, ".nbi").write_bytes(b"no pickle")


def other_numba(place):
    content = brought(place, ".nbi").read_bytes()[:-32]
    # The version, a pickle of its own, is followed by that of stamp and index.
    rest = content[content.index(b".", content.index(b"\x94")) + 1 :]
    assert pickle.loads(rest[rest.index(b"\x80") :])
    content = pickle.dumps("0.1") + rest
    brought(place, ".nbi").write_bytes(content + hashlib.sha256(content).digest())


def no_data(place):
    brought(place, ".nbc").unlink()


def none_brought(place):
    shutil.rmtree(place / "brought")


@pytest.mark.parametrize("change", [change_source, other_numba, no_data, none_brought])
def test_what_does_not_fit_is_compiled(place, change):
    change(place)
    assert run(place, "use") == COMPILED


@pytest.mark.parametrize("damage", [cut_data, flip_a_bit, replace_index])
def test_what_is_damaged_is_compiled_and_named(place, damage):
    damage(place)
    assert run(place, "use what is damaged") == COMPILED


@pytest.fixture
def function(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "own"))
    compilation._is_for_this_process.cache_clear()
    yield njit(cache=True)(np_sum)
    compilation._is_for_this_process.cache_clear()


def np_sum(x):
    return x.sum()


def test_a_processor_that_lacks_an_instruction_takes_none(function, tmp_path, monkeypatch):
    features = dict.fromkeys(NEEDED_FEATURES, True)
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    assert compilation._is_for_this_process()
    compilation._is_for_this_process.cache_clear()
    features["bmi2"] = False
    assert not compilation._is_for_this_process()


def test_another_numba_inside_does_no_harm(function, tmp_path):
    del function._cache._impl
    compilation.use_brought(function, Path(__file__).parent, tmp_path)
    assert not isinstance(function._cache, compilation.BroughtFirst)


def test_code_for_another_processor_is_not_brought(function, tmp_path, monkeypatch):
    function(np.zeros(3))
    folder = tmp_path / "brought"
    compilation.use_brought(function, Path(__file__).parent, folder)
    ((signature, result),) = function.overloads.items()
    monkeypatch.setattr(compilation, "CPU_NAME", "another")
    with pytest.raises(ValueError, match="not for another"):
        function._cache.bring(signature, result)
    assert not folder.exists()
