"""Libraries use the same instructions on every processor."""

import json
import os
import subprocess
import sys

import pytest

from beyond_accuracy_pipeline.workflow import portable_arithmetic
from beyond_accuracy_pipeline.workflow.portable_arithmetic import (
    DISABLED,
    VARIABLES,
    use_portable_arithmetic,
)

ASK = """
import json, numba, numpy
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from threadpoolctl import threadpool_info
import scipy.linalg

numpy.linalg.inv(numpy.eye(2))
known = [name for name in __cpu_dispatch__ if name.startswith(("AVX512", "X86_V4"))]
widest = [name for name in known if __cpu_features__[name]]
cores = {each["architecture"] for each in threadpool_info() if each["internal_api"] == "openblas"}
codegen = numba.core.registry.cpu_target.target_context.codegen()
print(json.dumps([widest, sorted(cores), codegen.magic_tuple()[1:]]))
"""


@pytest.fixture
def processor(tmp_path, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    file = tmp_path / "cpuinfo"
    file.write_text("processor\t: 0\nflags\t\t: fpu sse2 avx avx2 fma avx512f avx512vl\n")
    return file


@pytest.mark.parametrize(
    ("release", "disabled"), [("2.3.5", "AVX512F AVX512_SKX"), ("2.4.0rc1", "X86_V4")]
)
def test_what_is_set_stays(processor, monkeypatch, release, disabled):
    monkeypatch.setattr(portable_arithmetic, "version", {"numpy": release}.get)
    environment = {"OPENBLAS_CORETYPE": "Zen", "HOME": "/"}
    use_portable_arithmetic(environment, processor)
    assert environment.pop(DISABLED) == disabled
    assert environment == {**VARIABLES, "OPENBLAS_CORETYPE": "Zen", "HOME": "/"}


def test_nothing_is_asked_of_a_processor_that_lacks_it(processor, tmp_path, monkeypatch):
    environment = {}
    use_portable_arithmetic(environment, tmp_path / "no such file")
    processor.write_text(processor.read_text().replace("avx2", "").replace("avx512f", ""))
    use_portable_arithmetic(environment, processor)
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    processor.write_text("Features : avx2 fma")
    use_portable_arithmetic(environment, processor)
    assert environment == {}


def test_libraries_obey_without_a_warning():
    own = {*VARIABLES, DISABLED}
    environment = {name: value for name, value in os.environ.items() if name not in own}
    use_portable_arithmetic(environment)
    if "NUMBA_CPU_NAME" not in environment:
        pytest.skip("nothing is set on this processor")
    command = [sys.executable, "-W", "error::ImportWarning", "-c", ASK]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    widest, cores, target = json.loads(output.stdout)
    assert widest == []
    assert cores == ["Haswell"]
    assert target == ["haswell", "+avx2,+fma"]
