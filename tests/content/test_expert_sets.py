"""Sets of several experts as one, and their verdicts for coefficients of agreement."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.content.expert_sets import ExpertSets, combined_sets, expert_ratings
from textassay.errors import DataError

ANN = ExpertSets(("call", "oxygen"), ("feed",), ("call",))
BEN = ExpertSets(("oxygen", "turn"), ("call",), ("oxygen",))
CEM = ExpertSets(("call",), ("feed", "turn"), ("call",))
ALL = {"Ann": ANN, "Ben": BEN, "Cem": CEM}


def test_majority_is_more_than_half() -> None:
    assert combined_sets(ALL) == ExpertSets(("call", "oxygen"), ("feed",), ("call",))
    # Of two experts both must agree.
    assert combined_sets({"Ann": ANN, "Ben": BEN}) == ExpertSets(("oxygen",), (), ())


def test_union_leaves_out_what_is_disputed() -> None:
    # call and turn are appropriate to some and inappropriate to others.
    assert combined_sets(ALL, "union") == ExpertSets(("oxygen",), ("feed",), ("oxygen",))


def test_adjudicated_is_taken_as_it_is() -> None:
    decided = ExpertSets(("turn",), (), ())
    assert combined_sets({**ALL, "adjudicated": decided}, "adjudicated") == decided
    assert combined_sets({**ALL, "adjudicated": decided}) == combined_sets(ALL)
    assert combined_sets({"adjudicated": decided}) == decided
    with pytest.raises(DataError, match="no row of the expert 'adjudicated'; add what was decided, or combine by"):
        combined_sets(ALL, "adjudicated")


def test_a_single_expert_is_taken_whole() -> None:
    odd = ExpertSets(("b", "a"), ("c",), ("b",))
    assert combined_sets({"": odd}) == combined_sets({"": odd}, "union") == odd


def test_verdicts() -> None:
    ratings = expert_ratings(
        {"1": {"Ann": ANN, "Ben": BEN}, "2": {"Ann": CEM, "adjudicated": CEM}}, ["call", "feed", "wait"]
    )
    assert ratings["Ann"] == [1, 2, 0, 1, 2, 0]
    assert ratings["Ben"][:3] == [2, 0, 0]
    assert all(map(math.isnan, ratings["Ben"][3:]))
    assert list(ratings) == ["Ann", "Ben"]


sets = st.tuples(*[st.sets(st.sampled_from("abcd"))] * 2).map(
    lambda both: ExpertSets(tuple(sorted(both[0])), tuple(sorted(both[1] - both[0])))
)


@given(st.lists(sets, min_size=1, max_size=5))
def test_sets_never_overlap_and_majority_is_part_of_what_any_says(views: list[ExpertSets]) -> None:
    experts = {str(number): view for number, view in enumerate(views)}
    for how in ("majority", "union"):
        found = combined_sets(experts, how)  # type: ignore[arg-type]
        assert not set(found.appropriate) & set(found.inappropriate)
    assert set(combined_sets(experts).appropriate) <= {action for view in views for action in view.appropriate}
