"""The processors that compiled code is made for where it has to run, or to round, on any of them.

Imports no numba, which reads the variables when it is imported.
"""

CPU_NAME = "haswell"
CPU_FEATURES = "+avx2,+fma"
VARIABLES = {"NUMBA_CPU_NAME": CPU_NAME, "NUMBA_CPU_FEATURES": CPU_FEATURES}

# What code for Haswell may use beyond SSE4.2, as LLVM names it. Virtual machines may hide some.
NEEDED_FEATURES = frozenset(
    ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")
)
