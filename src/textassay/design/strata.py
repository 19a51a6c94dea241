"""Items of several kinds: each participant sees every kind in proportion, and the conditions evenly within each.

How many items of each kind (*stratum*) a participant sees is the number in proportion, rounded up or down. Within each
stratum items and conditions are assigned as they would be alone. That leaves the conditions uneven over all trials of a
participant where the rounding of several strata adds up: then texts of one stratum change hands between participants
until no exchange makes the numbers more even. No exchange changes how often a text is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic

from textassay.design.assignment import C, Cell, assign_lists
from textassay.design.balance import BalanceLine
from textassay.seeds import Stream

_PASSES = 20
_PARTNERS = 40
"""Other participants who are asked for one exchange."""
_GIVE_UP = 2
"""Times that no exchange was found for a participant, after which none is looked for."""
_MOST_NAMED = 8
"""Strata that are listed one by one."""


@dataclass(frozen=True)
class Strata:
    """Which item is of which kind."""

    column: str
    """What the kinds are called: the column of the items table."""
    of: Mapping[str, str]
    """By item its stratum."""

    def assign(
        self, items: Sequence[str], conditions: Sequence[C], sizes: Sequence[int], stream: Stream
    ) -> list[list[Cell[C]]]:
        """Cells for each slot: each item at most once, over slots in all conditions.

        >>> strata = Strata("kind", {"i": "news", "j": "news", "k": "sport", "l": "sport"})
        >>> slots = strata.assign("ijkl", "AB", [2, 2, 2, 2], Stream(1, "example"))
        >>> {tuple(sorted(strata.of[cell.item] for cell in slot)) for slot in slots}
        {('news', 'sport')}
        """
        cells = [Cell(item, condition) for item, condition in product(items, conditions)]

        def alone(own: Sequence[Cell[C]], numbers: Sequence[int], draws: Stream) -> list[list[Cell[C]]]:
            return assign_lists(list(dict.fromkeys(cell.item for cell in own)), conditions, numbers, draws)

        return self.assign_cells(cells, sizes, stream, alone)

    def assign_cells(
        self,
        cells: Sequence[Cell[C]],
        sizes: Sequence[int],
        stream: Stream,
        alone: Callable[[Sequence[Cell[C]], Sequence[int], Stream], list[list[Cell[C]]]],
    ) -> list[list[Cell[C]]]:
        """The same for any cells.

        Args:
            cells: What there is to be shown.
            sizes: Trials of each slot.
            stream: Of random draws.
            alone: How the cells of one stratum are assigned to slots of which each takes some.
        """
        kinds = list(dict.fromkeys(self.of[cell.item] for cell in cells))
        by_kind = {kind: [cell for cell in cells if self.of[cell.item] == kind] for kind in kinds}
        numbers = shares([len(own) for own in by_kind.values()], sizes)
        hands: list[list[Cell[C]]] = [[] for _ in sizes]
        for place, own in enumerate(by_kind.values()):
            taking = [slot for slot, share in enumerate(numbers) if share[place]]
            dealt = alone(own, [numbers[slot][place] for slot in taking], stream.child("stratum", place))
            for slot, part in zip(taking, dealt, strict=True):
                hands[slot] += part
        return _Exchange(self.of, cells, hands).evened(stream.child("even"))

    def lines(self, slots: Sequence[Sequence[Cell[C]]], name: str) -> Iterator[BalanceLine]:
        """How many trials of each stratum a participant has, and how many of them in each condition."""
        kinds = list(dict.fromkeys(self.of[cell.item] for slot in slots for cell in slot))
        conditions = list(dict.fromkeys(cell.condition for slot in slots for cell in slot))
        for kind in kinds[:_MOST_NAMED]:
            shown = [[cell.condition for cell in slot if self.of[cell.item] == kind] for slot in slots]
            numbers = list(map(len, shown))
            yield BalanceLine(f"{self.column} {kind}, for one participant", min(numbers), max(numbers))
            if len(conditions) > 1:
                counts = [own.count(condition) for own in shown for condition in conditions]
                what = f"a {name} with {self.column} {kind}, for one participant"
                yield BalanceLine(what, min(counts), max(counts))

    def in_words(self, slots: Sequence[Sequence[Cell[C]]]) -> str:
        """How many of each a participant sees."""
        kinds = list(dict.fromkeys(self.of.values()))
        numbers = {kind: [sum(self.of[cell.item] == kind for cell in slot) for slot in slots] for kind in kinds}
        told = ", ".join(f"{kind} {_from_to(each)}" for kind, each in list(numbers.items())[:_MOST_NAMED])
        more = ", …" if len(kinds) > _MOST_NAMED else ""
        return f"; of each {self.column} a participant sees its share ({told}{more})"


def _from_to(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least}" if least == most else f"{least} {'or' if most == least + 1 else 'to'} {most}"


def shares(counts: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """For each slot how many of its trials are of each stratum: in proportion, rounded up or down.

    The sums over slots are in proportion, too (a table with given margins: Ryser 1957).

    >>> shares([2, 4], [3, 3]), shares([1, 1], [3, 3])
    ([[1, 2], [1, 2]], [[2, 1], [1, 2]])

    Args:
        counts: Texts of each stratum.
        sizes: Trials of each slot.
    """
    whole, total = sum(counts), sum(sizes)
    found = [[size * count // whole for count in counts] for size in sizes]
    exact = [total * count / whole for count in counts]
    wanted = [total * count // whole for count in counts]
    for place in sorted(range(len(counts)), key=lambda place: (wanted[place] - exact[place], place))[
        : total - sum(wanted)
    ]:
        wanted[place] += 1
    left = [want - sum(row[place] for row in found) for place, want in enumerate(wanted)]
    for size, row in zip(sizes, found, strict=True):
        for place in sorted(range(len(counts)), key=lambda place: -left[place])[: size - sum(row)]:
            row[place] += 1
            left[place] -= 1
    return found


class _Exchange(Generic[C]):
    """Exchanges of texts of one stratum between participants, until the conditions are even for each."""

    def __init__(self, of: Mapping[str, str], cells: Sequence[Cell[C]], hands: list[list[Cell[C]]]) -> None:
        self._of, self._hands = of, hands
        conditions = Counter(cell.condition for cell in cells)
        both = Counter((of[cell.item], cell.condition) for cell in cells)
        self._share: dict[Hashable, float] = {key: count / len(cells) for key, count in (conditions + both).items()}
        self._conditions = list(conditions)
        self._counts = [Counter[Hashable]() for _ in hands]
        self._items = [Counter(cell.item for cell in hand) for hand in hands]
        for slot, hand in enumerate(hands):
            for cell in hand:
                self._counts[slot].update((cell.condition, (of[cell.item], cell.condition)))

    def evened(self, stream: Stream) -> list[list[Cell[C]]]:
        """The hands, after as many exchanges as help."""
        failed: Counter[int] = Counter()
        for turn in range(_PASSES):
            draws = stream.child(turn)
            uneven = [slot for slot in range(len(self._hands)) if failed[slot] < _GIVE_UP and self._uneven(slot)]
            failed.update(slot for slot in uneven if not self._improve(slot, draws.child(slot)))
            if not uneven:
                break
        return self._hands

    def _excess(self, slot: int, key: Hashable) -> float:
        return self._counts[slot][key] - self._share.get(key, 0.0) * len(self._hands[slot])

    def _uneven(self, slot: int) -> bool:
        excess = [self._excess(slot, condition) for condition in self._conditions]
        return max(excess) - min(excess) > 1 + 1e-9

    def _improve(self, slot: int, stream: Stream) -> bool:
        hand = self._hands[slot]
        others = stream.permutation(len(self._hands))[:_PARTNERS]
        for place in range(len(hand)):
            for other in (each for each in others if each != slot):
                for there in range(len(self._hands[other])):
                    if self._gain(slot, place, other, there) > 1e-9:
                        self._swap(slot, place, other, there)
                        return True
        return False

    def _gain(self, slot: int, place: int, other: int, there: int) -> float:
        """By how much the squares of what is too many or too few fall; nothing where the exchange is not allowed."""
        mine, theirs = self._hands[slot][place], self._hands[other][there]
        if mine.condition == theirs.condition or self._of[mine.item] != self._of[theirs.item]:
            return 0.0
        if mine.item != theirs.item and (self._items[slot][theirs.item] or self._items[other][mine.item]):
            return 0.0
        if mine.item == theirs.item and max(self._items[slot][mine.item], self._items[other][mine.item]) > 1:
            return 0.0
        kind, gain = self._of[mine.item], 0.0
        for loser, gives, takes in ((slot, mine, theirs), (other, theirs, mine)):
            for lost, won in (
                (gives.condition, takes.condition),
                ((kind, gives.condition), (kind, takes.condition)),
            ):
                gain += 2 * (self._excess(loser, lost) - self._excess(loser, won)) - 2
        return gain

    def _swap(self, slot: int, place: int, other: int, there: int) -> None:
        mine, theirs = self._hands[slot][place], self._hands[other][there]
        self._hands[slot][place], self._hands[other][there] = theirs, mine
        for loser, gives, takes in ((slot, mine, theirs), (other, theirs, mine)):
            self._counts[loser].subtract((gives.condition, (self._of[gives.item], gives.condition)))
            self._counts[loser].update((takes.condition, (self._of[takes.item], takes.condition)))
            self._items[loser].subtract((gives.item,))
            self._items[loser].update((takes.item,))
