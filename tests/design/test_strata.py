"""Items of several kinds, each in its share for every participant: recounted."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.design.assignment import Cell
from textassay.design.between import Between
from textassay.design.overlap import sharing_groups
from textassay.design.schemes import Dealing, GroupRotation, Rotation, Scheme
from textassay.design.strata import Strata, shares
from textassay.seeds import Stream


def strata_of(*sizes: int) -> Strata:
    return Strata("kind", {f"i{kind}{item}": f"k{kind}" for kind, size in enumerate(sizes) for item in range(size)})


def spread(counts: Counter[object], cases: object) -> int:
    numbers = [counts[case] for case in cases]  # type: ignore[attr-defined]
    return max(numbers) - min(numbers)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_shares_are_proportions_rounded(counts: list[int], sizes: list[int]) -> None:
    found = shares(counts, sizes)
    assert [sum(row) for row in found] == sizes
    for place, count in enumerate(counts):
        for row, size in zip(found, sizes, strict=True):
            assert abs(row[place] - size * count / sum(counts)) <= 1
        assert abs(sum(row[place] for row in found) - sum(sizes) * count / sum(counts)) < 1


@pytest.mark.parametrize(
    ("sizes", "systems", "slots", "size"),
    [
        ((6, 6), "AB", 8, 6),
        ((6, 6), "ABC", 9, 12),
        ((4, 8), "AB", 6, 6),
        ((5, 7, 9), "ABC", 12, 21),
        ((4, 4, 4), "AB", 6, 3),
    ],
)
def test_each_participant_sees_its_share_of_every_kind_and_the_systems_evenly(
    sizes: tuple[int, ...], systems: str, slots: int, size: int
) -> None:
    strata = strata_of(*sizes)
    hands = Rotation(list(strata.of), systems, size, strata).assign(slots, Stream(5, "test"))
    for hand in hands:
        assert len({cell.item for cell in hand}) == len(hand) == size
        assert spread(Counter(cell.condition for cell in hand), systems) <= 1
        for kind, count in enumerate(sizes):
            own = [cell for cell in hand if strata.of[cell.item] == f"k{kind}"]
            assert abs(len(own) - size * count / sum(sizes)) < 1
            assert spread(Counter(cell.condition for cell in own), systems) <= 1
    shown = Counter(cell for hand in hands for cell in hand)
    for kind in range(len(sizes)):  # as if each kind were a study of its own
        cells = [Cell(item, system) for item, system in product(strata.of, systems) if strata.of[item] == f"k{kind}"]
        assert spread(shown, cells) <= 1


@pytest.mark.parametrize("gaps", [False, True])
def test_texts_are_dealt_in_strata(gaps: bool) -> None:
    strata = strata_of(12, 24)
    every = [Cell(item, system) for item, system in product(strata.of, "ABC")]
    cells = [cell for place, cell in enumerate(every) if not gaps or place % 4]
    scheme = Dealing(cells, 3, 12, strata=strata)
    hands = scheme.assign(scheme.participants, Stream(2, "test"))
    assert Counter(cell for hand in hands for cell in hand) == dict.fromkeys(cells, 3)
    for hand in hands:
        assert len({cell.item for cell in hand}) == len(hand)
        assert abs(sum(strata.of[cell.item] == "k0" for cell in hand) - len(hand) / 3) < 1
        assert spread(Counter(cell.condition for cell in hand), "ABC") <= (2 if gaps else 1)
    assert len(set(sharing_groups(hands))) == 1


GROUPS = {name: (f"{name}1", f"{name}2") for name in "abcdefgh"}
KINDS = Strata("kind", {item: "xy"[name > "d"] for name, items in GROUPS.items() for item in items})
SINGLE = [Cell(items[0], system) for items in GROUPS.values() for system in "AB"]


@pytest.mark.parametrize("scheme", [GroupRotation(GROUPS, "AB", KINDS), Between(SINGLE, 4, KINDS)])
def test_groups_and_systems_between_participants_have_strata_too(scheme: Scheme[str]) -> None:
    strata = scheme.strata
    assert strata is not None
    for hand in scheme.assign(8, Stream(2, "test")):
        kinds = Counter((strata.of[cell.item], cell.condition) for cell in hand)
        assert set(kinds.values()) == ({4} if isinstance(scheme, GroupRotation) else {2})


def test_it_is_counted_and_told() -> None:
    strata = strata_of(4, 8)
    scheme = Rotation(list(strata.of), "AB", 6, strata)
    balance = scheme.balance(scheme.assign(8, Stream(1, "test")))
    assert balance.squares.endswith("; of each kind a participant sees its share (k0 2, k1 4)")
    lines = {line.what: (line.least, line.most) for line in balance.lines}
    assert lines["kind k0, for one participant"] == (2, 2)
    assert lines["a system with kind k1, for one participant"] == (2, 2)
    assert balance.exact
