"""A design that suits the texts: how many each participant judges, how many participants there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from textassay.design.assignment import Cell
from textassay.design.schemes import Dealing
from textassay.errors import DataError
from textassay.prose import numbered
from textassay.seeds import Stream
from textassay.study.study import Block, Study

_MINUTES = 20.0
"""How long one participant works on the texts, at most."""
_MOST = 40
"""Trials of one participant, at most; after more, people no longer read closely."""
_FEWEST_PEOPLE = 12
_JUDGEMENTS = 3
"""Judgements of a text, where texts are dealt."""
_LOOKED_AT = 40
_TRIED = 10_000
"""Judgements up to which a design is tried out; larger ones have enough ways to be dealt."""
MANY_PEOPLE = 300
"""Beyond this many participants a sample of the items is the better study."""


@dataclass(frozen=True)
class DesignChoice:
    """A design and why it was chosen."""

    lines: str
    """Of the block in the study file."""
    wanted: int | None
    """Number of participants; nothing where it follows."""
    why: str
    """Comment on the number of participants."""
    participants: int


def choose_design(study: Study) -> DesignChoice:
    """Choose the design of a study with one block, which has the default design so far."""
    (block,) = study.blocks
    task = block.task
    cells, conditions, items = task.cells(), len(task.conditions()), len(study.items_in_order)
    most = _most_trials(block, cells)
    if len(cells) == items * conditions and items <= most and items % conditions == 0:
        return _rotation(items, conditions, task.condition_label)
    size, judgements = _dealing(block, cells, most)
    if len(cells) == items * conditions and items <= most and size * 2 < items:
        return _rotation(items, conditions, task.condition_label)
    people = -(-len(cells) * judgements // size)
    what = "text" if task.condition_label == "system" else "comparison"
    judged = f"{judgements} judgement{'s' if judgements > 1 else ''}"
    lines = [
        "    design:",
        f"      judgements_per_text: {judgements}     # each of the {numbered(len(cells), what)} gets {judged}",
        f"      texts_per_participant: {size}  # nobody sees two texts of one item",
    ]
    follows = f"{numbered(people, 'participant')} are needed, which follows from the design below"
    return DesignChoice("\n".join(lines), None, follows, people)


def _most_trials(block: Block, cells: Sequence[Cell[tuple[str, ...]]]) -> int:
    """How many trials fit the time of one participant, judged by the length of some texts."""
    task = block.task
    sample = cells[:: max(1, len(cells) // _LOOKED_AT)]
    (trials,) = task.trials([sample], Stream(1, "design"))
    seconds = fmean(task.expected_seconds(trial) for trial in trials) if trials else 1.0
    return max(4, min(_MOST, int(_MINUTES * 60 / max(seconds, 1.0))))


def _rotation(items: int, conditions: int, label: str) -> DesignChoice:
    """Each participant sees each item once; over participants each item comes in all conditions equally often."""
    fewest = max(_FEWEST_PEOPLE, min(_JUDGEMENTS * conditions, MANY_PEOPLE))
    wanted = -(-fewest // conditions) * conditions
    why = "any number will do"
    if conditions > 1:
        why = f"with {numbered(conditions, label)}, a multiple of {conditions} gives exact balance"
    shown = f"each participant sees each of the {numbered(items, 'item')} once"
    lines = f"    design: {{order: random}}   # {shown}; 'textassay check' shows the balance"
    return DesignChoice(lines, wanted, why, wanted)


def _dealing(block: Block, cells: Sequence[Cell[tuple[str, ...]]], most: int) -> tuple[int, int]:
    """Texts of one participant and judgements of a text; small designs are tried out."""
    conditions, items = len({cell.condition for cell in cells}), len({cell.item for cell in cells})
    stream = Stream(1, "plan", "", block.name).child("assignment")
    fallback = None
    for size, judgements in _sizes(len(cells), conditions, items, most):
        fallback = fallback or (size, judgements)
        scheme = Dealing(cells, judgements, size)
        if len(cells) * judgements > _TRIED:
            return size, judgements
        try:
            scheme.assign(scheme.participants, stream)
        except DataError:
            continue
        return size, judgements
    return fallback or (1, _JUDGEMENTS)


def _sizes(cells: int, conditions: int, items: int, most: int) -> Iterator[tuple[int, int]]:
    """Texts of one participant and judgements of a text, the best first: those with which nothing is left over.

    >>> next(_sizes(60, 3, 20, 40))  # 20 items, nobody sees one twice; 60 × 3 judgements are 10 people × 18 texts
    (18, 3)
    """
    largest = max(1, min(items, most, cells * _JUDGEMENTS))
    steps = conditions if conditions <= largest else 1
    sizes = [size for size in range(largest - largest % steps, 0, -steps) if size * 4 >= largest * 3]
    for judgements in (_JUDGEMENTS, _JUDGEMENTS + 1, _JUDGEMENTS + 2):
        for size in sizes:
            if cells * judgements % size == 0 and cells >= size:
                yield size, judgements
    # Something is left over: some participants get one text fewer.
    yield from ((size, _JUDGEMENTS) for size in (*sizes[:1], *range(largest, 0, -1)))
