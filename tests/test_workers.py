"""Who does long work; other processes and clusters are tested with what they are used for (`metrics.engine`)."""

from __future__ import annotations

import pytest

from textassay.errors import UsageError
from textassay.workers import HERE, Workers


def test_this_process_works_through_portions_as_they_are_asked_for() -> None:
    asked: list[int] = []
    results = HERE.map(lambda portion: asked.append(portion) or portion * 2, [1, 2, 3])
    assert (next(results), asked) == (2, [1])
    assert list(results) == [4, 6]


@pytest.mark.parametrize(
    ("jobs", "address", "message"),
    [
        (0, "", "0 jobs; give a number of processes from 1 on, or -1 for one per core"),
        (-2, "", "-2 jobs; give a number"),
        (2, "tcp://127.0.0.1:1", "a cluster has its own workers; give one of the two"),
        (1, "tcp://127.0.0.1:1", r"no Dask scheduler answers at tcp://127.0.0.1:1 \(.+\); check the address"),
        (1, "nonsense://x", "no Dask scheduler answers at nonsense://x"),
    ],
)
def test_wrong_workers(jobs: int, address: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.workers._PATIENCE", 1)
    with pytest.raises(UsageError, match=message):
        list(Workers(jobs, address).map(str, [1]))
