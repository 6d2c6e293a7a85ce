"""The same bits on every x86-64 processor with AVX2: libraries are told which instructions to use.

By default OpenBLAS, NumPy and numba take the widest that a processor has, which sums in another
order. Where a method starts from what was rounded otherwise, such as the random core sets of
`CoreVectorMachine`, values then differ by much more than a last digit.
"""

import platform
from collections.abc import MutableMapping
from pathlib import Path

VARIABLES = {
    "OPENBLAS_CORETYPE": "Haswell",
    # Names of NumPy from 2.4 on, and those before.
    "NPY_DISABLE_CPU_FEATURES": (
        "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
    ),
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+avx2,+fma",
}


def use_portable_arithmetic(
    environment: MutableMapping[str, str], processor: Path = Path("/proc/cpuinfo")
) -> None:
    """Set the variables, but those that are set, for processes that are started from now on.

    Nothing is done on other processors, nor where the file that describes this one is not there.
    """
    if platform.machine() in ("x86_64", "AMD64") and {"avx2", "fma"} <= _flags(processor):
        for name, value in VARIABLES.items():
            environment.setdefault(name, value)


def _flags(processor: Path) -> set[str]:
    try:
        lines = processor.read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    line = next((line for line in lines if line.startswith("flags")), "")
    return set(line.partition(":")[2].split())
