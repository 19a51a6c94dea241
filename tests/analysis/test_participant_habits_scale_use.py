"""End aversion, range and skewness, by hand and against scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from textassay.analysis.judgements import read_judgements
from textassay.analysis.participant_habits import scale_use, scale_use_table, skewness


def test_by_hand(small):
    # p: 1 2 3 4 on 1 to 5: one of four at an end; q: 5 4 2 1: two of four. Both are symmetrical about their means.
    found = scale_use(read_judgements(small), "clarity", (1, 5))
    p, q = found.evaluators
    assert (p.at_ends, q.at_ends, found.at_ends) == (0.25, 0.5, 0.375)
    assert (p.least, p.most, q.least, q.most) == (1, 4, 1, 5)
    assert (p.mean, p.sd) == (2.5, pytest.approx(math.sqrt(5 / 3)))
    assert (p.skew, q.skew) == (pytest.approx(0), pytest.approx(0))
    assert found.never == 0
    assert found.in_words() == "clarity: 38 % of the answers are at an end, and 0 of 2 never use one"


def test_every_answer_counts_once_in_the_share_at_the_ends(small):
    found = scale_use(read_judgements(small.iloc[:6]), "clarity", (1, 5))  # p: one of 1 2 3 4; q: one of 5 4
    assert found.at_ends == pytest.approx(2 / 6)


def test_those_who_avoid_the_ends_are_counted(small):
    found = scale_use(read_judgements(small), "clarity", (0, 100))
    assert (found.at_ends, found.never) == (0, 2)
    assert [record["value"] for record in found.records()] == [0, 2, pytest.approx(0)]


def test_excluded_are_marked_and_not_counted(small):
    found = scale_use(read_judgements(small), "clarity", (1, 5), excluded=["q"])
    assert [each.excluded for each in found.evaluators] == [False, True]
    assert found.at_ends == 0.25
    table = scale_use_table([found])
    assert [row["Excluded"] for row in table.records()] == [False, True]
    assert "clarity: 25 % of the answers are at an end, and 0 of 1 never use one" in table.note
    assert [record["n"] for record in found.records()] == [4, 1, 1]  # answers of p; p
    assert [row["Share at the ends"] for row in table.records()] == [0.25, 0.5]


def test_few_or_equal_answers_have_no_skewness(small):
    found = scale_use(read_judgements(small.assign(value=3)), "clarity", (1, 5))
    assert math.isnan(found.skew)
    assert "the skewness of 2 of 2 evaluators is undefined" in found.warnings[0]
    assert math.isnan(skewness([1, 2]))


@given(st.lists(st.integers(1, 7), min_size=3, max_size=30).filter(lambda values: len(set(values)) > 1))
def test_skewness_is_scipys(values):
    assert skewness(values) == pytest.approx(float(scipy_stats.skew(values, bias=False)), abs=1e-9)
    assert skewness(-np.array(values)) == pytest.approx(-skewness(values), abs=1e-9)
