from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from textassay.design.sets import MOST_SETS, cut_into_pages, page_sizes, system_sets
from textassay.seeds import Stream


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


@given(n=st.integers(2, 9), most=st.integers(2, 5), items=st.integers(1, 12), seed=st.integers(0, 99))
def test_pages_hold_every_text_once(n: int, most: int, items: int, seed: int) -> None:
    systems = tuple(f"s{number}" for number in range(n))
    texts = tuple((f"i{number}", systems[: n - number % 2]) for number in range(items))
    cells = cut_into_pages(texts, most, seed, "pages")
    shown = Counter((cell.item, system) for cell in cells for system in cell.condition)
    assert shown == Counter((item, system) for item, own in texts for system in own)
    for item, own in texts:
        sizes = [len(cell.condition) for cell in cells if cell.item == item]
        assert sizes == page_sizes(len(own), most)
        assert max(sizes) <= most
        assert max(sizes) - min(sizes) <= 1


def test_pairs_meet_about_equally_often_on_pages() -> None:
    systems = ("a", "b", "c", "d", "e", "f")
    cells = cut_into_pages(tuple((f"i{number}", systems) for number in range(20)), 3, 4, "pages")
    met = Counter(pair for cell in cells for pair in combinations(cell.condition, 2))
    # 20 items of 2 pages of 3 pairs for 15 pairs: 8 each
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 2
    # the same cells at every call, and others with another seed
    assert cells != cut_into_pages(tuple((f"i{number}", systems) for number in range(20)), 3, 5, "pages")
