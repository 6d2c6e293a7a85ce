"""Make results identical on every x86-64 processor with AVX2.

By default OpenBLAS, NumPy and numba use the widest instructions of a processor, and so add numbers
in another order. Methods that amplify rounding, such as the random core sets of
`CoreVectorMachine`, then differ by much more than the last digit.
"""

import platform
from collections.abc import MutableMapping
from importlib.metadata import version
from pathlib import Path

VARIABLES = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+avx2,+fma",
}
DISABLED = "NPY_DISABLE_CPU_FEATURES"

# Instruction sets by NumPy's name, with the processor's flag: from NumPy 2.4, and before. NumPy
# warns of unknown names, and of instruction sets that the processor lacks.
_WIDE = {"X86_V4": "avx512vl", "AVX512_ICL": "avx512_vpopcntdq", "AVX512_SPR": "avx512_fp16"}
_WIDE_BEFORE = {
    "AVX512F": "avx512f",
    "AVX512CD": "avx512cd",
    "AVX512_SKX": "avx512vl",
    "AVX512_CLX": "avx512_vnni",
    "AVX512_CNL": "avx512vbmi",
    "AVX512_ICL": "avx512_vpopcntdq",
    "AVX512_SPR": "avx512_fp16",
}


def use_portable_arithmetic(
    environment: MutableMapping[str, str], processor: Path = Path("/proc/cpuinfo")
) -> None:
    """Set variables in `environment` that limit later processes to AVX2 instructions.

    Variables that are set already are kept. If the file `processor` shows that the processor lacks
    AVX2 or FMA, nothing is set.
    """
    flags = _flags(processor)
    if platform.machine() not in ("x86_64", "AMD64") or not {"avx2", "fma"} <= flags:
        return
    for name, value in VARIABLES.items():
        environment.setdefault(name, value)
    release = tuple(int(part) for part in version("numpy").split(".")[:2])
    wide = _WIDE if release >= (2, 4) else _WIDE_BEFORE
    if disabled := [name for name, flag in wide.items() if flag in flags]:
        environment.setdefault(DISABLED, " ".join(disabled))


def _flags(processor: Path) -> set[str]:
    try:
        lines = processor.read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    line = next((line for line in lines if line.startswith("flags")), "")
    return set(line.partition(":")[2].split())
