from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from textassay.seeds import Stream
from textassay.tasks.ranking.sets import MOST_SETS, system_sets


@given(n=st.integers(2, 26), data=st.data())
def test_every_system_is_in_equally_many_sets(n: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(2, min(n, 7)))
    systems = [f"s{number}" for number in range(n)]
    sets = system_sets(systems, size, Stream(data.draw(st.integers(0, 99)), "sets"))
    assert all(len(set(each)) == size for each in sets)
    assert len({frozenset(each) for each in sets}) == len(sets)
    counts = Counter(system for each in sets for system in each)
    assert len(counts) == n
    assert len(set(counts.values())) == 1
    # the order within a set is that of the systems, so that a set has one name
    assert all(list(each) == sorted(each, key=systems.index) for each in sets)


def test_all_sets_where_they_are_few() -> None:
    systems = ["a", "b", "c", "d"]
    assert system_sets(systems, 3, Stream(1, "sets")) == list(combinations(systems, 3))
    assert system_sets(systems, 4, Stream(1, "sets")) == [("a", "b", "c", "d")]


def test_pairs_meet_about_equally_often_where_sets_are_many() -> None:
    systems = [f"s{number}" for number in range(18)]
    assert math.comb(18, 5) == 8568 > MOST_SETS
    sets = system_sets(systems, 5, Stream(3, "sets"))
    assert len(sets) == 4 * 18
    met = Counter(pair for each in sets for pair in combinations(each, 2))
    # 72 sets of 10 pairs for 153 pairs: 4.7 each on average
    assert {met[pair] for pair in combinations(systems, 2)} == {4, 5}
