"""A study changed to other numbers of participants and items, with the same design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.study.model import MOST_PARTICIPANTS, Participants
from textassay.study.study import Block, Study
from textassay.tables.reader import Row, Rows

_COPY = "+"
"""Separator between the name of an item and the number of its copy."""


@dataclass(frozen=True)
class ResizedStudy:
    """A study reduced to one block, with other numbers."""

    study: Study
    notes: tuple[str, ...]
    """What else had to be changed."""

    @property
    def block(self) -> Block:
        """Its block."""
        return self.study.blocks[0]


def resize_study(study: Study, block: Block, participants: int | None, items: int | None) -> ResizedStudy:
    """The study with that block only and the given numbers of participants and items; None keeps the study's number.

    Fewer items are a random subset; smaller subsets are part of larger ones. More items are copies under other names:
    texts, properties and questions are copied, random effects are new. Repeats are omitted, as they say nothing about
    systems.

    Raises:
        UsageError: There are fewer participants than cohorts, or too many.
    """
    changed = replace(study, blocks=(block,))
    notes: list[str] = []
    if participants is not None:
        people = _people(study, participants)
        changed = replace(changed, file=study.file.model_copy(update={"participants": people}))
    if items is not None and items != len(study.items_in_order):
        column = block.settings.design.group_by
        changed = _with_items(changed, _chosen(study, column, items), column)
        if items > len(study.items_in_order):
            notes.append(f"{items} items: the study has {len(study.items_in_order)}; the others are copies of those")
    fitted, more = _with_design(changed)
    return ResizedStudy(fitted, (*notes, *more))


def _people(study: Study, participants: int) -> Participants:
    """Settings for that many participants, in cohorts that keep their shares."""
    settings = study.file.participants
    if not 1 <= participants <= MOST_PARTICIPANTS:
        raise UsageError(f"{participants} participants; ask for 1 to {MOST_PARTICIPANTS}")
    if not settings.cohorts:
        return settings.model_copy(update={"wanted": participants})
    if participants < len(settings.cohorts):
        raise UsageError(
            f"{participants} participants for {len(settings.cohorts)} cohorts; ask for at least one per cohort"
        )
    wanted = _shared_out(participants, [cohort.wanted for cohort in settings.cohorts])
    cohorts = [
        cohort.model_copy(update={"wanted": count}) for cohort, count in zip(settings.cohorts, wanted, strict=True)
    ]
    return settings.model_copy(update={"cohorts": cohorts})


def _shared_out(whole: int, weights: Sequence[int]) -> list[int]:
    """Whole numbers in proportion to the weights, each at least 1 (Sainte-Laguë).

    >>> _shared_out(10, [1, 3])
    [3, 7]
    >>> _shared_out(3, [1, 100])
    [1, 2]
    """
    counts = [1] * len(weights)
    for _ in range(whole - len(weights)):
        # the next one goes where weight / (2 count + 1) is greatest
        shares = [weight / (2 * count + 1) for weight, count in zip(weights, counts, strict=True)]
        counts[shares.index(max(shares))] += 1
    return counts


def _chosen(study: Study, column: str | None, items: int) -> dict[str, tuple[str, int]]:
    """Names of the items → the original item, and the number of the copy; 1 is the item itself."""
    if items < 1:
        raise UsageError(f"{items} items; ask for at least 1")
    groups = list((study.groups(column) or {item: (item,) for item in study.items_in_order}).values())
    drawn = [item for group in Stream(study.file.seed, "power", "items").shuffled(groups) for item in group]
    copies = [(item, number) for number in range(1, -(-items // len(drawn)) + 1) for item in drawn][:items]
    place = {item: number for number, item in enumerate(study.items_in_order)}
    copies.sort(key=lambda copy: (copy[1], place[copy[0]]))  # keeps the order of the study
    return {_copy_name(item, number): (item, number) for item, number in copies}


def _copy_name(name: str, number: int) -> str:
    return name if number == 1 else f"{name}{_COPY}{number}"


def _with_items(study: Study, chosen: Mapping[str, tuple[str, int]], column: str | None) -> Study:
    named = {name: item for name, (item, _) in chosen.items()}

    def texts(by_text: Mapping[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        own: dict[str, dict[str, Any]] = {}
        for (item, system), text in by_text.items():
            own.setdefault(item, {})[system] = text
        return {(name, system): text for name, item in named.items() for system, text in own.get(item, {}).items()}

    def copied(name: str) -> Row:
        item, number = chosen[name]
        row = study.items[item]
        group = {column: _copy_name(str(row.get(column)), number)} if column is not None else {}
        return _of_item(name, row, **group)

    block = study.blocks[0]
    tables = {key: _rows(rows, named, study) for key, rows in block.tables.items()}
    who = block.plan_rows and _rows(block.plan_rows, named, study)
    return replace(
        study,
        blocks=(replace(block, tables=tables, plan_rows=who),),
        texts=texts(study.texts),
        units=texts(study.units),
        text_rows={key: tuple(_of_item(key[0], row) for row in rows) for key, rows in texts(study.text_rows).items()},
        items={name: copied(name) for name, item in named.items() if item in study.items},
        references={name: study.references[item] for name, item in named.items() if item in study.references},
    )


def _of_item(name: str, row: Row, **more: str) -> Row:
    """The row with the name of another item."""
    return replace(row, values={**row.values, "item": name, **more})


def _rows(rows: Rows, named: Mapping[str, str], study: Study) -> Rows:
    """A block's own table with the rows of the chosen items, and rows that belong to no item."""
    if "item" not in rows.columns:
        return rows
    items = set(study.items_in_order)
    own: dict[str, list[Row]] = {}
    for row in rows:
        own.setdefault(row["item"], []).append(row)
    kept = [row for row in rows if row["item"] not in items]
    found = [_of_item(name, row) for name, item in named.items() for row in own.get(item, ())]
    return replace(rows, rows=(*kept, *found))


def _with_design(study: Study) -> tuple[Study, list[str]]:
    """The design without repeats, and with no more items per participant than there are."""
    block, notes = study.blocks[0], []
    design = block.settings.design.model_copy(update={"repeats": 0})
    most = max(len(study.items_in_order), len(block.task.conditions()))
    if design.items_per_participant is not None and design.items_per_participant > most:
        notes.append(f"{most} items: a participant sees them all, instead of {design.items_per_participant}")
        design = design.model_copy(update={"items_per_participant": None})
    settings = block.settings.model_copy(update={"design": design})
    return replace(study, blocks=(replace(block, settings=settings),)), notes
