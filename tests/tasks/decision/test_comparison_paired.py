"""Paired t-tests of all pairs of systems, by hand."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from scipy import stats

from textassay.tasks.decision.comparison import PairedTests, paired_tests

VALUES = {"a": [0.1, 0.4, 0.5, 0.2], "b": [0.3, 0.5, 0.9, 0.4], "c": [0.9, 0.8, 0.7, 1.0]}


def compared(values: dict[str, list[float]], **options: float) -> PairedTests:
    rows = [(f"p{n}", system, value) for system, own in values.items() for n, value in enumerate(own)]
    frame = pd.DataFrame(rows, columns=["participant", "system", "P"])
    return paired_tests(frame, "P", order=list(values), alpha=options.get("alpha", 0.05), of="P")


def test_each_pair_is_a_paired_t_test_and_holm_corrects_all() -> None:
    found = compared(VALUES)
    by_hand = {
        (first, second): stats.ttest_rel(VALUES[first], VALUES[second])
        for first, second in [("a", "b"), ("a", "c"), ("b", "c")]
    }
    assert [(pair.first, pair.second) for pair in found.pairs] == list(by_hand)
    assert [pair.test_value for pair in found.pairs] == pytest.approx([test.statistic for test in by_hand.values()])
    p = {name: float(test.pvalue) for name, test in by_hand.items()}
    last, holm = 0.0, {}
    for rank, name in enumerate(sorted(p, key=p.__getitem__)):
        last = max(last, min(1.0, (3 - rank) * p[name]))
        holm[name] = last
    assert [pair.p_raw for pair in found.pairs] == pytest.approx(list(p.values()))
    assert [pair.p for pair in found.pairs] == pytest.approx([holm[name] for name in by_hand])
    assert [pair.significant for pair in found.pairs] == [holm[name] < 0.05 for name in by_hand]


def test_intervals_hold_together() -> None:
    found = compared(VALUES, alpha=0.1)
    interval = stats.ttest_rel(VALUES["a"], VALUES["b"]).confidence_interval(1 - 0.1 / 3)
    assert found.pairs[0].ci == pytest.approx((interval.low, interval.high))


def test_several_answers_of_a_participant_are_one_mean() -> None:
    twice = {system: [*values, *values] for system, values in VALUES.items()}
    rows = [(f"p{n % 4}", system, value) for system, own in twice.items() for n, value in enumerate(own)]
    frame = pd.DataFrame(rows, columns=["participant", "system", "P"])
    found = paired_tests(frame, "P", order=list(VALUES), alpha=0.05, of="P")
    assert [pair.test_value for pair in found.pairs] == pytest.approx(
        [pair.test_value for pair in compared(VALUES).pairs]
    )


def test_whoever_lacks_a_system_counts_where_both_are_there() -> None:
    found = compared({"a": [0.1, 0.4, 0.5, 0.2], "b": [0.3, 0.5]})
    assert found.pairs[0].n == 2


def test_equal_differences_have_no_t_and_say_why() -> None:
    found = compared({"a": [0.0, 0.5, 1.0], "b": [0.25, 0.75, 1.25]})
    assert math.isnan(found.pairs[0].test_value)
    assert found.warnings[0].startswith("a − b: t is undefined: the differences do not vary")
    assert found.records()[-1]["value"] == 0


def test_one_system_has_no_pairs() -> None:
    found = compared({"a": [0.1, 0.2]})
    assert len(found.pairs) == 0
    assert found.records()[0]["pairs"] == 0
