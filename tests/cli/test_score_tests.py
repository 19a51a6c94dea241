"""What is asked for on the command line reaches intervals and tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from score_tables import Ratio, score_of, table_of

from textassay.cli.score_tests import Uncertainty, UncertaintyOptions, check_tests, uncertainty
from textassay.errors import UsageError
from textassay.metrics import ScoreTable

ALL = {"ci": True, "paired_bs": True, "paired_ar": True}


@pytest.fixture(scope="module")
def table() -> ScoreTable:
    rows = np.arange(40)
    hits = {"A": rows % 7, "B": rows % 5, "C": rows % 3}
    scores = {name: score_of(Ratio(), np.stack([own, np.full(40, 10)], axis=1)) for name, own in hits.items()}
    return table_of({"ratio": scores})


def drawn(table: ScoreTable, of_study: int, **asked: Any) -> Uncertainty:
    """Everything that can be drawn; `of_study` is the study's seed."""
    return uncertainty(table, UncertaintyOptions(**{**ALL, **asked}), seed=of_study, quiet=True)


def records(found: Uncertainty) -> str:
    return repr([record for result in found.results for record in result.records()])


def test_nothing_is_drawn_unless_asked_for(table: ScoreTable) -> None:
    assert uncertainty(table, UncertaintyOptions(), seed=1, quiet=True) == Uncertainty()


def test_seed_is_the_given_one_even_if_it_is_0(table: ScoreTable) -> None:
    for given in (0, 3):
        found = drawn(table, 5, seed=given, resamples=99)
        assert {result.settings["seed"] for result in found.results} == {given}
        assert records(found) == records(drawn(table, given, resamples=99))


def test_seed_is_that_of_the_study_if_none_is_given(table: ScoreTable) -> None:
    found = drawn(table, 5, resamples=99)
    assert {result.settings["seed"] for result in found.results} == {5}
    assert records(found) != records(drawn(table, 6, resamples=99))


@pytest.mark.parametrize(("asked", "draws"), [({}, [1000, 1000, 10000]), ({"resamples": 50}, [50, 50, 50])])
def test_number_of_draws(table: ScoreTable, asked: dict[str, Any], draws: list[int]) -> None:
    assert [result.settings["draws"] for result in drawn(table, 1, **asked).results] == draws


def test_confidence_is_that_of_the_intervals(table: ScoreTable) -> None:
    found = drawn(table, 1, resamples=99, confidence=0.9)
    assert found.intervals is not None
    assert found.intervals.settings["confidence"] == 0.9


def test_baseline_and_all_pairs(table: ScoreTable) -> None:
    def pairs(**asked: Any) -> list[set[str]]:
        (test,) = drawn(table, 1, ci=False, paired_ar=False, resamples=99, **asked).tests
        return [{pair.first, pair.second} for pair in test.pairs["ratio"]]

    assert pairs() == [{"A", "B"}, {"A", "C"}]
    assert pairs(baseline="B") == [{"A", "B"}, {"B", "C"}]
    assert pairs(all_pairs=True) == [{"A", "B"}, {"A", "C"}, {"B", "C"}]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"baseline": "A"}, "--baseline applies to tests"),
        ({"all_pairs": True}, "--all-pairs applies to tests"),
        ({"resamples": 9}, "--resamples applies to resampling"),
        ({"as_sacrebleu": True}, "--as-sacrebleu applies to resampling"),
        ({"ci": True, "resamples": 0}, "--resamples must be 1 or more"),
        ({"ci": True, "confidence": 1.0}, "--confidence must lie between 0 and 1"),
        ({"ci": True, "confidence": 0.0}, "--confidence must lie between 0 and 1"),
        ({"paired_bs": True, "all_pairs": True, "baseline": "A"}, "--all-pairs has no baseline"),
        ({"paired_ar": True, "baseline": "C"}, "--baseline C: there is no system 'C'; use one of: A, B"),
    ],
)
def test_flags_that_lead_nowhere_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_tests(UncertaintyOptions(**asked), ["A", "B"])


def test_one_system_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="there is only A"):
        check_tests(UncertaintyOptions(paired_bs=True), ["A"])
    check_tests(UncertaintyOptions(ci=True, resamples=1), ["A"])
