"""Rankings as choices: who was left, who was taken, who was above whom."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.preferences.rankings import read_rankings, stages_of

NAN = math.nan


def stages(rankings, *, last=False):
    found = stages_of(read_rankings(rankings, None, last=last))
    name = np.array(list("abcd"))[: found.left.shape[1]]
    return [("".join(name[left]), "".join(name[taken])) for left, taken in zip(found.left, found.taken, strict=True)]


def test_a_complete_ranking_is_a_choice_for_every_place_but_the_last():
    assert stages([[2, 1, 3]]) == [("abc", "b"), ("ac", "a")]


def test_systems_without_rank_are_not_there_or_come_last():
    assert stages([[2, 1, NAN]]) == [("ab", "b")]
    assert stages([[2, 1, NAN]], last=True) == [("abc", "b"), ("ac", "a")]
    assert stages([[1, NAN, NAN]]) == []
    assert stages([[1, NAN, NAN]], last=True) == [("abc", "a")]


def test_a_tie_is_a_choice_of_several():
    assert stages([[1, 2, 2, 3]]) == [("abcd", "a"), ("bcd", "bc")]
    assert stages([[1, 1]]) == [("ab", "ab")]
    assert stages_of(read_rankings([[1, 1, 1, 2, 2]], None, last=False)).tie_sizes == (2, 3)


ranks = st.one_of(st.integers(1, 4).map(float), st.just(NAN))


@given(st.lists(st.lists(ranks, min_size=4, max_size=4), min_size=1, max_size=8), st.booleans())
def test_orders_are_those_of_a_plain_loop(rows, last):
    above, tied = read_rankings(rows, None, last=last).orders()
    for i in range(4):
        for j in range(4):
            if i == j:
                continue
            pairs = [(row[i], row[j]) for row in rows]
            expected = sum(a < b or (last and not math.isnan(a) and math.isnan(b)) for a, b in pairs)
            assert above[i, j] == expected
            assert tied[i, j] == sum(a == b for a, b in pairs)


@given(st.lists(st.lists(ranks, min_size=4, max_size=4), min_size=1, max_size=8), st.booleans())
def test_every_telling_ranking_has_a_choice(rows, last):
    data = read_rankings(rows, None, last=last)
    first_choices = stages_of(data)
    assert (len(first_choices.left) > 0) == bool(data.telling.any())
    assert not np.any(first_choices.taken & ~first_choices.left)
