"""The kinds of design: how texts are shared out to participants.

- `Rotation`: each participant sees each item once, and over participants items come in all conditions (Latin squares);
- `GroupRotation`: the same with groups of items that stay in one condition for one participant;
- `Everyone`: every participant sees every text;
- `Dealing`: every text gets a number of judgements, every participant a number of texts;
- `Between` (in `between.py`): each participant sees the texts of one system only;
- `OwnPlan` (in `own_plan.py`): a table says who sees what.

A *cell* is an item in a condition: one text, or the texts of several systems that are shown together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from typing_extensions import override

from textassay.design.assignment import C, Cell, assign
from textassay.design.balance import (
    Balance,
    BalanceLine,
    Numbers,
    Remedy,
    balance_lines,
    cell_label,
    find_remedies,
    group_remedies,
    squares_in_words,
)
from textassay.design.dealing import deal, even_sizes, participants_needed
from textassay.design.strata import Strata
from textassay.prose import numbered
from textassay.seeds import Stream


class Scheme(ABC, Generic[C]):
    """How texts are shared out."""

    strata: Strata | None = None
    """The kinds of items of which each participant sees its share, where the design has some."""

    @abstractmethod
    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        """The cells of each slot, before they are put in order."""

    @property
    def participants(self) -> int | None:
        """How many participants it takes; nothing where any number will do."""
        return None

    @property
    @abstractmethod
    def per_participant(self) -> int:
        """How many trials one participant has at most."""

    @property
    def fewest_per_participant(self) -> int:
        """How many trials one participant has at least."""
        return self.per_participant

    @property
    def ordered(self) -> bool:
        """Whether it says in which order trials are shown; else the order is drawn."""
        return False

    @abstractmethod
    def in_words(self, slots: int, name: str) -> str:
        """The plan in the words of the literature, with its numbers.

        Args:
            slots: How many participants there are.
            name: What a condition is called, such as `system` or `pair of systems`.
        """

    def remedies(self, slots: int, *, carry_over: bool) -> tuple[Remedy, ...]:
        """Which numbers would make the balance exact, where it is not."""
        del slots, carry_over
        return ()

    @abstractmethod
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        """How often items and conditions occur in the slots."""

    def balance(self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system") -> Balance:
        """The proof of balance, counted on the slots themselves.

        >>> slots = [[Cell("i", "A"), Cell("j", "B")], [Cell("i", "B"), Cell("j", "A")]]
        >>> Rotation(["i", "j"], ["A", "B"], 2).balance(slots).exact
        True

        Args:
            slots: For each slot, its cells in the order in which they are shown.
            carry_over: Whether the order is meant to balance which condition follows which.
            name: What a condition is called, such as `system` or `pair of systems`.
        """
        lines, words = self.lines(slots, carry_over=carry_over, name=name), self.in_words(len(slots), name)
        exact, strata = all(line.exact for line in lines), self.strata
        if strata is not None:  # remedies know nothing of strata
            lines, words = (*lines, *strata.lines(slots, name)), words + strata.in_words(slots)
        remedies = () if exact or strata is not None else self.remedies(len(slots), carry_over=carry_over)
        return Balance(lines, words, sum(map(len, slots)), remedies)


@dataclass(frozen=True)
class Rotation(Scheme[C]):
    """Each participant sees each item once; over participants each item comes in all conditions."""

    items: Sequence[str]
    conditions: Sequence[C]
    size: int
    """Trials of one participant."""
    strata: Strata | None = None

    @property
    @override
    def per_participant(self) -> int:
        return self.size

    @override
    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        if self.strata is not None:
            return self.strata.assign(self.items, self.conditions, [self.size] * slots, stream)
        return assign(self.items, self.conditions, slots, self.size, stream)

    @override
    def in_words(self, slots: int, name: str) -> str:
        """The plan in words.

        >>> Rotation(["i", "j"], [("A", "B", "C")], 2).in_words(5, "set of systems")
        '5 lists of 2 pages, each with all 3 texts of an item'
        """
        (first, *others) = self.conditions
        if cell_label(name) == "page" and not others:
            texts = len(first) if isinstance(first, tuple) else 1
            return f"{numbered(slots, 'list')} of {numbered(self.size, 'page')}, each with all {texts} texts of an item"
        return squares_in_words(self._numbers(slots), name)

    @override
    def remedies(self, slots: int, *, carry_over: bool) -> tuple[Remedy, ...]:
        return find_remedies(self._numbers(slots, carry_over=carry_over))

    @override
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        return balance_lines(self.items, self.conditions, slots, carry_over=carry_over, name=name)

    def _numbers(self, slots: int, *, carry_over: bool = False) -> Numbers:
        return Numbers(len(self.items), len(self.conditions), slots, self.size, carry_over)


@dataclass(frozen=True)
class GroupRotation(Scheme[C]):
    """A rotation over groups of items: one participant sees all items of a group in the same condition."""

    groups: Mapping[str, Sequence[str]]
    conditions: Sequence[C]
    strata: Strata | None = None

    @property
    @override
    def per_participant(self) -> int:
        return sum(map(len, self.groups.values()))

    @override
    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        groups, size = list(self.groups), len(self.groups)
        if self.strata is None:
            dealt = assign(groups, self.conditions, slots, size, stream)
        else:
            kinds = {group: self.strata.of[items[0]] for group, items in self.groups.items()}
            dealt = replace(self.strata, of=kinds).assign(groups, self.conditions, [size] * slots, stream)
        return [[Cell(item, cell.condition) for cell in slot for item in self.groups[cell.item]] for slot in dealt]

    @override
    def in_words(self, slots: int, name: str) -> str:
        words = squares_in_words(self._numbers(slots), name, "group of items")
        return f"{words}, over groups of items" if "Latin" in words else words

    @override
    def remedies(self, slots: int, *, carry_over: bool) -> tuple[Remedy, ...]:
        return group_remedies(self._numbers(slots, carry_over=carry_over))

    @override
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        items = [item for group in self.groups.values() for item in group]
        return balance_lines(items, self.conditions, slots, carry_over=carry_over, name=name, groups=self.groups)

    def _numbers(self, slots: int, *, carry_over: bool = False) -> Numbers:
        return Numbers(len(self.groups), len(self.conditions), slots, len(self.groups), carry_over)


@dataclass(frozen=True)
class Everyone(Scheme[C]):
    """Every participant sees every text."""

    cells: Sequence[Cell[C]]

    @property
    @override
    def per_participant(self) -> int:
        return len(self.cells)

    @override
    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        del stream
        return [list(self.cells)] * slots

    @override
    def in_words(self, slots: int, name: str) -> str:
        people = f"each of {slots} participants sees" if slots > 1 else "the one participant sees"
        return f"{people} {_all_of(self.cells, name)}"

    @override
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        return lines_of_cells(self.cells, slots, carry_over=carry_over, name=name)


@dataclass(frozen=True)
class Dealing(Scheme[C]):
    """Every text gets a number of judgements."""

    cells: Sequence[Cell[C]]
    judgements: int
    """Of each text."""
    size: int
    """Texts of one participant, at most."""
    items_twice: bool = False
    """Whether one participant may see several texts of an item."""
    strata: Strata | None = None

    @property
    @override
    def participants(self) -> int:
        return participants_needed(len(self.cells), self.judgements, self.size)

    @property
    @override
    def per_participant(self) -> int:
        return self.size

    @property
    @override
    def fewest_per_participant(self) -> int:
        return min(even_sizes(len(self.cells), self.judgements, self.size), default=0)

    def assign(self, slots: int, stream: Stream) -> list[list[Cell[C]]]:
        """The cells of each slot; with more or fewer slots than it takes, texts get more or fewer judgements.

        Raises:
            DataError: they cannot be dealt so.
        """
        even = even_sizes(len(self.cells), self.judgements, self.size)
        sizes = even if slots == len(even) else [self.size] * slots
        return deal(self.cells, sizes, stream, items_twice=self.items_twice, strata=self.strata)

    @override
    def remedies(self, slots: int, *, carry_over: bool) -> tuple[Remedy, ...]:
        del slots
        total, systems = len(self.cells) * self.judgements, len({cell.condition for cell in self.cells})
        fitting = [size for size in range(systems, 2 * self.size + 1, systems) if total % size == 0]
        if len(self.cells) % systems:
            return ()
        below, above = [each for each in fitting if each < self.size], [each for each in fitting if each > self.size]
        return tuple(
            Remedy(
                Numbers(len(self.cells) // systems, systems, total // size, size, carry_over),
                f"texts_per_participant {size} ({numbered(total // size, 'participant')})",
            )
            for size in (*below[-1:], *above[:1])
        )

    @override
    def lines(
        self, slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool = False, name: str = "system"
    ) -> tuple[BalanceLine, ...]:
        return lines_of_cells(self.cells, slots, carry_over=carry_over, name=name)

    def in_words(self, slots: int, name: str) -> str:
        """The plan in words.

        >>> cells = [Cell(str(item), "A") for item in range(1000)]
        >>> Dealing(cells, 4, 20).in_words(200, "system")
        '200 people × 20 texts = 4,000 judgements: each of the 1,000 texts gets 4'
        >>> Dealing(cells[:99], 3, 20).in_words(15, "system")
        '12 people × 20 texts + 3 people × 19 texts = 297 judgements: each of the 99 texts gets 3'
        """
        what = cell_label(name)
        size, more = divmod(len(self.cells) * self.judgements, slots)
        people = people_times_texts([size + (slot < more) for slot in range(slots)], what)
        if len(self.cells) == 1:
            return f"{people}: the one {what} gets them all"
        return f"{people}: each of the {len(self.cells):,} {what}s gets {self.judgements}"


_MOST_SIZES = 3
"""Numbers of texts per participant that are listed one by one."""


def people_times_texts(sizes: Sequence[int], what: str) -> str:
    """How many people judge how many texts, and how many judgements that makes.

    >>> people_times_texts([20, 20, 19], "text"), people_times_texts([5, 6, 7, 8], "text")
    ('2 people × 20 texts + 1 person × 19 texts = 59 judgements', '4 people × 5 to 8 texts = 26 judgements')
    """
    counts = sorted(Counter(sizes).items(), reverse=True)
    parts = [f"{f'{people} people' if people > 1 else '1 person'} × {numbered(size, what)}" for size, people in counts]
    told = " + ".join(parts)
    if len(parts) > _MOST_SIZES:
        told = f"{len(sizes)} people × {min(sizes)} to {numbered(max(sizes), what)}"
    return f"{told} = {sum(sizes):,} judgement{'s' * (sum(sizes) != 1)}"


def judgements_in_words(hands: Sequence[Sequence[Cell[C]]], cells: int, what: str) -> str:
    """How many people judge how many texts, and how often each text is judged, counted.

    >>> a, b = Cell("i", "A"), Cell("i", "B")
    >>> judgements_in_words([[a, b], [a]], 2, "text")
    '1 person × 2 texts + 1 person × 1 text = 3 judgements: each of the 2 texts gets 1 or 2'

    Args:
        hands: What each participant sees.
        cells: How many texts (or comparisons, or pages) there are.
        what: What one of them is called.
    """
    shown = Counter(cell for hand in hands for cell in hand)
    least, most = min(shown.values()), max(shown.values())
    gets = f"{least}" if least == most else f"{least} {'or' if most == least + 1 else 'to'} {most}"
    unseen = cells - len(shown)
    each = f"each of {'' if unseen else 'the '}{numbered(len(shown), what)}" if len(shown) > 1 else f"the one {what}"
    nobody = f", and {unseen} of the {numbered(cells, what)} {'is' if unseen == 1 else 'are'} shown to nobody"
    return f"{people_times_texts(list(map(len, hands)), what)}: {each} gets {gets}{nobody * bool(unseen)}"


def lines_of_cells(
    cells: Sequence[Cell[C]], slots: Sequence[Sequence[Cell[C]]], *, carry_over: bool, name: str
) -> tuple[BalanceLine, ...]:
    """How often everything occurs, where not every item is there in every condition."""
    items = list(dict.fromkeys(cell.item for cell in cells))
    conditions = list(dict.fromkeys(cell.condition for cell in cells))
    lines = balance_lines(items, conditions, slots, cells=cells, carry_over=carry_over, name=name)
    if cell_label(name) != "page" or len(cells) == len(items) * len(conditions):
        return lines
    # Sets that come with some items only are no conditions: what is to be balanced are the systems in them.
    return tuple(line for line in lines if not line.what.startswith(f"a {name}"))


def _all_of(cells: Sequence[Cell[C]], name: str) -> str:
    items, conditions = len({cell.item for cell in cells}), len({cell.condition for cell in cells})
    whole = items * conditions == len(cells)
    made_of = (
        f" ({numbered(items, 'item')} × {numbered(conditions, name)})" if whole else f" of {numbered(items, 'item')}"
    )
    what = cell_label(name)
    if len(cells) == 1:
        return f"the one {what}"
    return f"{'both' if len(cells) == 2 else f'all {len(cells):,}'} {what}s{made_of}"
