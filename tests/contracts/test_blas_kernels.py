"""The statistics give the same figures whatever the processor: their examples and known answers under several kernels.

OpenBLAS chooses its loops by the processor, and so does numpy. Sums are added up in another order then, and last digits
differ: an example that printed 1.5 on one machine printed 1.5000000000000002 on another. Each kernel runs in a process
of its own, because it is chosen when the library is loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parents[2]
KERNELS = {"Prescott": "SSE3", "Haswell": "FMA3", "Zen": "FMA3", "SkylakeX": "AVX512_SKX"}
"""Kernel of OpenBLAS → what the processor must be able to do for it."""
PLAIN = "Prescott"
"""The kernel of old processors; numpy's own loops for newer ones are switched off with it."""
SELECTION = [
    "src/textassay/stats",
    "tests/contracts/test_every_statistic.py::test_equals_its_witness",
]
"""The examples in docs/reference/statistics.md are those of the docstrings."""


# That no figure of an example lies halfway between two roundings is tested where the examples run (steady_digits.py).
@pytest.mark.parametrize("kernel", KERNELS)
def test_examples_and_known_answers_hold(kernel: str) -> None:
    if not __cpu_features__.get(KERNELS[kernel]):
        pytest.skip(f"this processor has no {KERNELS[kernel]}")
    loaded = loaded_core(kernel)
    if not loaded:
        pytest.skip("numpy does not use OpenBLAS here")
    if loaded == loaded_core(""):
        pytest.skip("all other tests run with this kernel here")
    if kernel == "Zen" and loaded == loaded_core("Haswell"):
        pytest.skip("this build of OpenBLAS has the same kernel for Zen and Haswell")
    newer = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)] if kernel == PLAIN else []
    found = run(
        kernel,
        ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *SELECTION],
        NPY_DISABLE_CPU_FEATURES=" ".join(newer),
    )
    assert found.returncode == 0, f"under {kernel}:\n{found.stdout[-3000:]}\n{found.stderr[-1000:]}"


def loaded_core(kernel: str) -> str:
    """What OpenBLAS says that it loads for a kernel, without one by itself; empty where numpy has another library."""
    shown = run(kernel, ["-c", "import numpy"], OPENBLAS_VERBOSE="2").stderr
    return next((line for line in shown.splitlines() if line.startswith("Core: ")), "")


def run(kernel: str, arguments: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "1", **more}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
