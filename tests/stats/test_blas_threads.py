"""BLAS uses one thread within a fit, and as many as before afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
import scipy.linalg  # noqa: F401 -- brings a BLAS of its own
from threadpoolctl import ThreadpoolController, threadpool_limits

from textassay import stats
from textassay.stats.blas_threads import one_blas_thread
from textassay.stats.mixed import reml_search
from textassay.stats.newton import FunctionValue, LikelihoodPoint, climb, maximise


def blas_threads() -> set[int]:
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def three_threads() -> Iterator[None]:
    if not blas_threads():
        pytest.skip("threadpoolctl does not know the BLAS of this platform")
    with threadpool_limits(3, "blas"):
        yield


def test_searches_use_one_thread_and_restore_the_number() -> None:
    seen = []

    def coin(at: np.ndarray) -> LikelihoodPoint:  # three heads, one tail, log odds
        seen.append(blas_threads())
        p = 1 / (1 + np.exp(-at[0]))
        return LikelihoodPoint(3 * np.log(p) + np.log(1 - p), np.array([3 - 4 * p]), np.array([[4 * p * (1 - p)]]))

    def bell(at: np.ndarray) -> FunctionValue:
        seen.append(blas_threads())
        return FunctionValue(float(-np.cosh(at[0] - 3)), -np.sinh(at - 3))

    assert maximise(coin, np.zeros(1)).converged
    climb(bell, np.zeros(1))
    assert len(seen) > 4
    assert all(threads == {1} for threads in seen)
    assert blas_threads() == {3}


def test_mixed_models_use_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    descend = reml_search._descend
    monkeypatch.setattr(reml_search, "_descend", lambda *given: seen.append(blas_threads()) or descend(*given))
    rng = np.random.default_rng(1)
    people = np.repeat(np.arange(6), 4)
    y = rng.normal(size=24) + rng.normal(size=6)[people]
    stats.mixed_model(y, fixed={"system": list("abcd") * 6}, random={"participant": [str(p) for p in people]})
    assert seen
    assert all(threads == {1} for threads in seen)
    assert blas_threads() == {3}


def test_fits_in_several_threads_leave_the_number_as_it_was() -> None:
    inside, leave = threading.Barrier(2), threading.Event()

    def fit() -> None:
        with one_blas_thread, one_blas_thread:
            inside.wait(timeout=30)
            leave.wait(timeout=30)

    other = threading.Thread(target=fit)
    with one_blas_thread:
        other.start()
        inside.wait(timeout=30)
        assert blas_threads() == {1}
    assert blas_threads() == {3}
    leave.set()
    other.join()
    assert blas_threads() == {3}


def test_a_failed_fit_restores_the_number() -> None:
    with pytest.raises(ValueError, match="no fit"), one_blas_thread:
        raise ValueError("no fit")
    assert blas_threads() == {3}
