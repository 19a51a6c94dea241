"""Which participant judges which text, where every text gets a given number of judgements.

Each participant gets about the same number of texts, the conditions (systems, or pairs of them) in the proportion in
which there are texts, and no item twice. Beyond that, any two participants should share about as many texts as any
other two, since agreement is measured on shared texts: pairs of participants who share many tell little that is new.

The first deal is that of `assignment` where every item has a text in every condition: it balances the conditions within
participants exactly. Where texts are missing, conditions are dealt in proportion, and texts are swapped until nobody
has an item twice. Then texts of one condition change hands wherever that makes the numbers of shared texts more even
(their sum is given, so the sum of their squares falls), and wherever it joins two groups of participants who share no
text with each other. A swap within one condition changes none of the counts that were balanced before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import accumulate, combinations, islice, product
from typing import Generic

from textassay.design.assignment import C, Cell, assign_lists
from textassay.design.overlap import sharing_groups
from textassay.design.strata import Strata
from textassay.errors import DataError
from textassay.seeds import Stream

_TRIES = 40
"""Swaps that are tried for one participant and text before another one has its turn."""
_PASSES = 30
_IDLE = 4
"""Passes without a gain after which the search ends."""


def participants_needed(texts: int, judgements: int, per_participant: int) -> int:
    """How many participants it takes.

    >>> participants_needed(1000, 4, 20), participants_needed(1001, 4, 20)
    (200, 201)
    """
    return -(-texts * judgements // per_participant)


def even_sizes(texts: int, judgements: int, per_participant: int) -> list[int]:
    """How many texts each participant judges; the numbers differ by at most one.

    >>> even_sizes(7, 3, 5)
    [5, 4, 4, 4, 4]
    """
    total, slots = texts * judgements, participants_needed(texts, judgements, per_participant)
    return [total // slots + (slot < total % slots) for slot in range(slots)]


def deal(
    cells: Sequence[Cell[C]],
    sizes: Sequence[int],
    stream: Stream,
    *,
    items_twice: bool = False,
    strata: Strata | None = None,
) -> list[list[Cell[C]]]:
    """The texts of each participant; no two texts differ by more than one in how many judgements they get.

    >>> cells = [Cell(item, system) for item in "ijkl" for system in "AB"]
    >>> dealt = deal(cells, even_sizes(len(cells), 2, 4), Stream(1, "example"))
    >>> len(dealt), sorted(Counter(cell for hand in dealt for cell in hand).values())
    (4, [2, 2, 2, 2, 2, 2, 2, 2])

    Args:
        cells: The texts: an item and the condition in which it is shown.
        sizes: How many texts each participant judges.
        stream: Of random draws.
        items_twice: Whether a participant may judge several texts of one item.
        strata: Kinds of items of which each participant judges its share.

    Raises:
        DataError: nobody can judge so many without seeing a text, or an item, twice.
    """
    most = len(cells) if items_twice else len({cell.item for cell in cells})
    largest = max(sizes)
    if largest > most:
        what = "texts" if items_twice else "items, and nobody is to see an item twice"
        raise DataError(f"{largest} texts for each participant, but there are only {most} {what}")
    first = _first_deal(cells, sizes, stream) if strata is None else _stratified_deal(cells, sizes, strata, stream)
    alike = [(cell.condition, strata and strata.of[cell.item]) for cell in cells]
    hands = _Hands(list(cells), first, alike, items_twice=items_twice)
    hands.separate(stream.child("separate"))
    if hands.clashes:
        raise DataError(
            f"no way was found to deal {len(cells)} texts of {most} items to {len(sizes)} participants, {largest} "
            "each, without giving somebody an item twice; lower texts_per_participant, or allow an item twice"
        )
    hands.level(stream.child("level"))
    hands.join(stream.child("join"))
    return [[cells[text] for text in hand] for hand in hands.hands]


def _first_deal(cells: Sequence[Cell[C]], sizes: Sequence[int], stream: Stream) -> list[list[int]]:
    number = {cell: place for place, cell in enumerate(cells)}
    items, conditions = list(dict.fromkeys(x.item for x in cells)), list(dict.fromkeys(x.condition for x in cells))
    complete = all(Cell(*each) in number for each in product(items, conditions))
    if complete and max(sizes) <= len(items):
        dealt = assign_lists(items, conditions, sizes, stream.child("square"))
        return [[number[cell] for cell in hand] for hand in dealt]
    order = _in_proportion(cells, sum(sizes), stream)
    ends = list(accumulate(sizes))
    return [order[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def _stratified_deal(cells: Sequence[Cell[C]], sizes: Sequence[int], strata: Strata, stream: Stream) -> list[list[int]]:
    def alone(own: Sequence[Cell[C]], numbers: Sequence[int], draws: Stream) -> list[list[Cell[C]]]:
        return [[own[text] for text in hand] for hand in _first_deal(own, numbers, draws)]

    number = {cell: place for place, cell in enumerate(cells)}
    return [[number[cell] for cell in hand] for hand in strata.assign_cells(cells, sizes, stream, alone)]


def _in_proportion(cells: Sequence[Cell[C]], total: int, stream: Stream) -> list[int]:
    """Texts as often as they are judged, so that the conditions are spread evenly over the sequence."""
    rounds = -(-total // len(cells))
    order = [text for turn in range(rounds) for text in stream.child("texts", turn).permutation(len(cells))]
    of_condition: dict[C, list[int]] = defaultdict(list)
    for text in order[:total]:
        of_condition[cells[text].condition].append(text)
    placed = []
    for rank, copies in enumerate(stream.child("conditions").shuffled(list(of_condition.values()))):
        placed += [((place + 0.5) / len(copies), rank, text) for place, text in enumerate(copies)]
    return [text for _, _, text in sorted(placed, key=lambda each: each[:2])]


class _Hands(Generic[C]):
    """The texts in each participant's hand, and what follows from them; a swap keeps it all up to date."""

    def __init__(
        self, cells: list[Cell[C]], hands: list[list[int]], alike: Sequence[Hashable], *, items_twice: bool
    ) -> None:
        self.hands = hands
        # what nobody may have twice
        self._of = list(range(len(cells))) if items_twice else _numbered([cell.item for cell in cells])
        conditions = _numbered(alike)  # in one stratum, where there are some
        self._held = [Counter(self._of[text] for text in hand) for hand in hands]
        self._holders: list[list[int]] = [[] for _ in cells]
        self._alike: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """By condition the places in hands, which swaps leave as they are."""
        for person, hand in enumerate(hands):
            for place, text in enumerate(hand):
                self._holders[text].append(person)
                self._alike[conditions[text]].append((person, place))
        self._condition = conditions
        self._of_item: dict[int, list[int]] = defaultdict(list)
        for text, item in enumerate(self._of):
            self._of_item[item].append(text)
        self._shared: Counter[tuple[int, int]] = Counter()
        self._full = min(map(len, hands)) >= len(set(self._of))
        """Whether everybody has everything, in one condition: then no single text can change hands."""

    @property
    def clashes(self) -> int:
        """How often somebody has something twice."""
        return sum(count - 1 for held in self._held for count in held.values() if count)

    # --- nobody has an item twice -----------------------------------------------------------------------------

    def separate(self, stream: Stream) -> None:
        """Swap texts until nobody has an item twice, or as few as can be found have."""
        for _ in range(_PASSES):
            crowded = [
                (person, place)
                for person, hand in enumerate(self.hands)
                for place, text in enumerate(hand)
                if self._held[person][self._of[text]] > 1
            ]
            if not crowded:
                return
            for person, place in crowded:
                if self._held[person][self._of[self.hands[person][place]]] > 1:
                    self._move_away(person, place, stream)

    def _move_away(self, person: int, place: int, stream: Stream) -> None:
        """The first swap that leaves fewer clashes, or else one that leaves as many, from where others may help."""
        level = None
        for other, there in self._partners(self.hands[person][place], stream, all_of_them=True):
            change = self._clashes_after(person, place, other, there)
            if change < 0:
                self._swap(person, place, other, there)
                return
            if change == 0 and level is None and other != person:
                level = (other, there)
        if level is not None:
            self._swap(person, place, *level)

    def _clashes_after(self, person: int, place: int, other: int, there: int) -> int:
        if person == other:
            return 0
        mine, theirs = self._of[self.hands[person][place]], self._of[self.hands[other][there]]
        if mine == theirs:
            return 0
        own, their = self._held[person], self._held[other]
        return (own[theirs] > 0) + (their[mine] > 0) - (own[mine] > 1) - (their[theirs] > 1)

    # --- any two share about as many texts as any other two ---------------------------------------------------

    def level(self, stream: Stream) -> None:
        """Swap texts as long as that makes the numbers of shared texts more even."""
        self._shared = Counter(pair for people in self._holders for pair in combinations(sorted(people), 2))
        people = len(self.hands)
        if people < 3:
            return
        every, pairs = sum(self._shared.values()), people * (people - 1) // 2
        least, most = every // pairs, -(-every // pairs)
        without = 0
        for _ in range(_PASSES):
            close = sorted(pair for pair, count in self._shared.items() if count > most)
            gains = sum(self._part(*pair, stream) for pair in close if self._shared[pair] > most)
            if least and not self._full:
                far = [pair for pair in combinations(range(people), 2) if self._shared[pair] < least]
                gains += sum(self._introduce(*pair, stream) for pair in far if self._shared[pair] < least)
            without = 0 if gains else without + 1
            if without == _IDLE:
                return

    def _part(self, one: int, other: int, stream: Stream) -> bool:
        """Give a text that both have to somebody else, where that is a gain."""
        common = sorted(set(self.hands[one]) & set(self.hands[other]))
        for text in stream.shuffled(common):
            for person in (one, other):
                place = self.hands[person].index(text)
                if any(self._improve(person, place, *partner) for partner in self._partners(text, stream)):
                    return True
                if any(self._trade(person, text, *offer) for offer in islice(self._offers(person, text), _TRIES)):
                    return True
        # A swap that changes nothing in sum may open the way to one that does.
        for text in common:
            place = self.hands[one].index(text)
            if any(self._improve(one, place, *partner, by=0) for partner in self._partners(text, stream)):
                return False
        return False

    def _offers(self, person: int, text: int) -> Iterator[tuple[int, int, int, int]]:
        """Others who have the item in a condition for which the person could give them the first one back.

        Where everybody sees every item, no single swap is possible: two persons then exchange two items, so that both
        keep their items and their numbers of conditions. Each offer is the other person, the other's text of the item,
        the person's text to be given for it, and what comes back.
        """
        mine = {(self._of[own], self._condition[own]): own for own in self.hands[person]}
        for theirs in self._of_item[self._of[text]]:
            back = [own for (_, condition), own in mine.items() if condition == self._condition[theirs]]
            for other in self._holders[theirs] if theirs != text else ():
                alike = (own for own in self.hands[other] if self._condition[own] == self._condition[text])
                held = {self._of[own]: own for own in alike}
                yield from ((other, theirs, own, held[self._of[own]]) for own in back if self._of[own] in held)

    def _trade(self, person: int, text: int, other: int, theirs: int, own: int, back: int) -> bool:
        """Exchange two texts for two where that is a gain."""
        taken = set(self.hands[person]) & {theirs, back} or set(self.hands[other]) & {text, own}
        if other == person or taken:
            return False
        hand, their = self.hands[person], self.hands[other]
        swaps = [  # each within its condition
            (person, hand.index(text), other, their.index(back)),
            (person, hand.index(own), other, their.index(theirs)),
        ]
        gain = self._gain(*swaps)
        for swap in swaps if gain > 0 else ():
            self._swap(*swap)
        return gain > 0

    def _introduce(self, one: int, other: int, stream: Stream) -> bool:
        """Give one of the two a text that the other has, where that is a gain."""
        for person, friend in ((one, other), (other, one)):
            for text in stream.shuffled(self.hands[friend]):
                for holder in self._holders[text]:
                    there = self.hands[holder].index(text)
                    alike = [
                        place
                        for place, own in enumerate(self.hands[person])
                        if self._condition[own] == self._condition[text]
                    ]
                    if holder != friend and any(self._improve(person, place, holder, there) for place in alike):
                        return True
        return False

    def _improve(self, person: int, place: int, other: int, there: int, *, by: int = 1) -> bool:
        """Swap where that is allowed and a gain."""
        better = self._allowed(person, place, other, there) and self._gain((person, place, other, there)) >= by
        if better:
            self._swap(person, place, other, there)
        return better

    def _allowed(self, person: int, place: int, other: int, there: int) -> bool:
        mine, theirs = self.hands[person][place], self.hands[other][there]
        return (
            person != other
            and mine != theirs
            and self._clashes_after(person, place, other, there) <= 0
            and other not in self._holders[mine]
            and person not in self._holders[theirs]
        )

    def _gain(self, *swaps: tuple[int, int, int, int]) -> int:
        """By how much the sum of squares of the numbers of shared texts falls."""
        changes: Counter[tuple[int, int]] = Counter()
        for swap in swaps:
            for pair, change in self._changes(*swap):
                changes[pair] += change
        return -sum(change * (change + 2 * self._shared[pair]) for pair, change in changes.items())

    def _changes(self, person: int, place: int, other: int, there: int) -> Iterator[tuple[tuple[int, int], int]]:
        with_mine, with_theirs = self._holders[self.hands[person][place]], self._holders[self.hands[other][there]]
        for someone in with_mine:
            if someone != person and someone not in with_theirs:
                yield _pair(person, someone), -1
                yield _pair(other, someone), 1
        for someone in with_theirs:
            if someone != other and someone not in with_mine:
                yield _pair(other, someone), -1
                yield _pair(person, someone), 1

    # --- no two groups without a common text --------------------------------------------------------------------

    def join(self, stream: Stream) -> None:
        """Swap texts between groups of participants who share none."""
        for _ in range(len(self.hands)):
            group_of = sharing_groups(self.hands)
            if len(set(group_of)) == 1 or not self._bridge(group_of, stream):
                return

    def _bridge(self, group_of: Sequence[int], stream: Stream) -> bool:
        for person, hand in enumerate(self.hands):
            for place, text in enumerate(hand):
                if len(self._holders[text]) < 2:
                    continue
                for other, there in self._partners(text, stream):
                    apart = group_of[other] != group_of[person]
                    if apart and self._allowed(person, place, other, there):
                        self._swap(person, place, other, there)
                        return True
        return False

    # ------------------------------------------------------------------------------------------------------------

    def _partners(self, text: int, stream: Stream, *, all_of_them: bool = False) -> Iterator[tuple[int, int]]:
        """Places in hands that hold texts of the same condition, from a random one on."""
        alike = self._alike[self._condition[text]] if not self._full else []
        if not alike:
            return
        if all_of_them or len(alike) <= _TRIES:
            start = stream.below(len(alike))
            yield from alike[start:]
            yield from alike[:start]
        else:
            for _ in range(_TRIES):
                yield alike[stream.below(len(alike))]

    def _swap(self, person: int, place: int, other: int, there: int) -> None:
        if self._shared:
            for pair, change in list(self._changes(person, place, other, there)):
                self._shared[pair] += change
        mine, theirs = self.hands[person][place], self.hands[other][there]
        self.hands[person][place], self.hands[other][there] = theirs, mine
        for loser, winner, text in ((person, other, mine), (other, person, theirs)):
            self._holders[text].remove(loser)
            self._holders[text].append(winner)
            self._held[loser][self._of[text]] -= 1
            self._held[winner][self._of[text]] += 1


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _numbered(labels: Sequence[Hashable]) -> list[int]:
    """The labels as numbers from 0."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]
