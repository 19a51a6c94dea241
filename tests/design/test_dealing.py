"""Dealing texts to participants: recounted here from the hands alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.design.assignment import Cell
from textassay.design.dealing import deal as dealt_to
from textassay.design.dealing import even_sizes, participants_needed
from textassay.errors import DataError
from textassay.seeds import Stream

Hands = list[list[Cell[str]]]


def table(items: int, systems: int) -> list[Cell[str]]:
    return [Cell(f"i{item}", f"s{system}") for item in range(items) for system in range(systems)]


def deal(
    cells: list[Cell[str]], judgements: int, per_participant: int, stream: Stream, *, items_twice: bool = False
) -> Hands:
    sizes = even_sizes(len(cells), judgements, per_participant)
    return dealt_to(cells, sizes, stream, items_twice=items_twice)


def shared(hands: Hands) -> Counter[int]:
    """How many pairs of participants share so many texts."""
    return Counter(len(set(one) & set(other)) for one, other in combinations(hands, 2))


def reached(hands: Hands) -> int:
    """How many participants can be reached from the first over texts in common."""
    seen, waiting = {0}, [0]
    while waiting:
        here = set(hands[waiting.pop()])
        found = [person for person, hand in enumerate(hands) if person not in seen and here & set(hand)]
        seen |= set(found)
        waiting += found
    return len(seen)


@settings(deadline=None, max_examples=60)
@given(
    items=st.integers(3, 20),
    systems=st.integers(1, 4),
    judgements=st.integers(1, 5),
    share=st.floats(0.1, 1.0),
    gaps=st.integers(0, 6),
    seed=st.integers(0, 1000),
)
def test_every_text_has_its_judgements_and_nobody_an_item_twice(
    items: int, systems: int, judgements: int, share: float, gaps: int, seed: int
) -> None:
    stream = Stream(seed, "test")
    cells = stream.shuffled(table(items, systems))[: max(items, items * systems - gaps)]
    per_participant = max(1, int(share * len({cell.item for cell in cells}) / 2))
    hands = deal(cells, judgements, per_participant, stream)
    assert Counter(cell for hand in hands for cell in hand) == dict.fromkeys(cells, judgements)
    assert len(hands) == participants_needed(len(cells), judgements, per_participant)
    sizes = {len(hand) for hand in hands}
    assert max(sizes) <= per_participant
    assert max(sizes) - min(sizes) <= 1
    assert all(len({cell.item for cell in hand}) == len(hand) for hand in hands)


@settings(deadline=None, max_examples=30)
@given(
    items=st.integers(4, 16),
    systems=st.integers(2, 4),
    judgements=st.integers(1, 4),
    per_participant=st.integers(2, 16),
)
def test_systems_are_balanced_within_participants_where_no_text_is_missing(
    items: int, systems: int, judgements: int, per_participant: int
) -> None:
    hands = deal(table(items, systems), judgements, min(per_participant, items), Stream(1, "test"))
    for hand in hands:
        counts = Counter(cell.condition for cell in hand)
        numbers = [counts[f"s{system}"] for system in range(systems)]
        assert max(numbers) - min(numbers) <= 1


def test_systems_with_few_texts_are_spread_over_participants() -> None:
    cells = [Cell(f"i{item}", "often" if item % 4 else "seldom") for item in range(80)]
    hands = deal(cells, 3, 12, Stream(1, "test"))
    counts = [Counter(cell.condition for cell in hand) for hand in hands]
    assert {count["seldom"] for count in counts} == {3}


@pytest.mark.parametrize(
    ("items", "systems", "judgements", "per_participant", "least", "most"),
    [
        (250, 4, 4, 20, 0, 1),  # 6,000 shared texts over 19,900 pairs
        (50, 3, 3, 30, 4, 5),  # 450 over 105
        (10, 3, 3, 10, 1, 4),  # everybody sees every item: 90 over 36, and only exchanges of two items are possible
    ],
)
def test_any_two_share_about_as_many_texts_as_any_other_two(
    items: int, systems: int, judgements: int, per_participant: int, least: int, most: int
) -> None:
    hands = deal(table(items, systems), judgements, per_participant, Stream(1, "test"))
    found = shared(hands)
    assert least <= min(found) <= max(found) <= most


def test_participants_are_connected_by_texts_in_common() -> None:
    # dealt in turn, the same four people would have the same texts each time
    hands = deal([Cell(f"i{item}", "s") for item in range(8)], 2, 2, Stream(3, "test"))
    assert reached(hands) == len(hands) == 8


def test_the_same_seed_gives_the_same_hands() -> None:
    assert deal(table(12, 3), 3, 9, Stream(5, "test")) == deal(table(12, 3), 3, 9, Stream(5, "test"))
    assert deal(table(12, 3), 3, 9, Stream(5, "test")) != deal(table(12, 3), 3, 9, Stream(6, "test"))


def test_items_may_come_twice_where_allowed() -> None:
    hands = deal(table(5, 4), 3, 20, Stream(1, "test"), items_twice=True)
    assert [sorted(Counter(hand).values()) for hand in hands] == [[1] * 20] * 3


@pytest.mark.parametrize(
    ("per_participant", "items_twice", "message"),
    [
        (6, False, "6 texts for each participant, but there are only 5 items, and nobody is to see an item twice"),
        (11, True, "11 texts for each participant, but there are only 10 texts"),
    ],
)
def test_too_many_texts_for_a_participant_are_refused(per_participant: int, items_twice: bool, message: str) -> None:
    with pytest.raises(DataError, match=message):
        dealt_to(table(5, 2), [per_participant] * 3, Stream(1, "test"), items_twice=items_twice)


def test_what_cannot_be_dealt_is_refused_with_a_remedy() -> None:
    # one item has four texts, the other one: two hands of two texts cannot keep them apart
    cells = [*(Cell("i", f"s{system}") for system in range(4)), Cell("j", "s0")]
    with pytest.raises(DataError, match="without giving somebody an item twice; lower texts_per_participant"):
        deal(cells, 2, 2, Stream(1, "test"))


@pytest.mark.parametrize("gaps", [0, 3])
def test_any_number_of_participants_judges_all_texts_about_equally_often(gaps: int) -> None:
    cells = table(12, 3)[gaps:]
    counts = Counter(cell for hand in dealt_to(cells, [9] * 7, Stream(1, "test")) for cell in hand)
    assert set(counts) == set(cells)
    assert max(counts.values()) - min(counts.values()) <= 1
