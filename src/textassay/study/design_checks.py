"""What must hold of who sees what: the design of each block, the number of participants, texts that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from textassay.design.balance import cell_label
from textassay.design.between import Between
from textassay.design.own_plan import OwnPlan
from textassay.design.schemes import Scheme
from textassay.known_names import remedy
from textassay.prose import numbered
from textassay.study.model import Design, Problems
from textassay.study.study import Block, Study

_DEALT = ("judgements_per_text", "texts_per_participant", "items_twice")
_ROTATED = ("items_per_participant", "group_by")


def design_problems(study: Study, block: Block, *, items_are_sound: bool) -> Problems:
    """Problems of a block's design: path below the block, and message with remedy."""
    design = block.settings.design
    columns = [(key, getattr(design, key)) for key in ("group_by", "stratify")]
    asked = [(key, column) for key, column in columns if column is not None and items_are_sound]
    lacking = [(("design", key), message) for key, column in asked for message in _column(study, column)]
    found = [*_contradictions(design)] or ([] if lacking else [*_sizes(study, block)])
    yield from ((("design", *path), message) for path, message in found)
    yield from lacking
    if design.group_by is not None and items_are_sound and not lacking:
        yield from ((("design", key), message) for key, message in _grouping(study, block, design.group_by))


_INSTEAD = {
    "plan": ("the table of design.plan says who sees what", {*_DEALT, *_ROTATED, "everyone", "between", "stratify"}),
    "everyone": ("every participant sees every text (everyone: all)", {*_DEALT, *_ROTATED, "between", "stratify"}),
    "between": ("each participant sees one system only (between: systems)", {*_DEALT, "group_by"}),
}
"""Settings that make a kind of design of their own: what they say, and with which others they cannot be."""


def _contradictions(design: Design) -> Problems:
    """Settings of different kinds of design, and settings that lack their other half."""
    for kind, (says, others) in _INSTEAD.items():
        used = [name for name in type(design).model_fields if name in others and getattr(design, name)]
        if getattr(design, kind) is not None and used:
            yield (used[0],), f"{says}, so this cannot be set; remove one of them"
            return
    if design.judgements_per_text is None:
        lonely = [name for name in _DEALT if getattr(design, name)]
        if lonely:
            yield (lonely[0],), "this belongs to judgements_per_text, which is missing; add it"
        return
    if design.texts_per_participant is None:
        yield ("judgements_per_text",), "texts_per_participant is missing; add how many texts one participant judges"
    for name in (name for name in _ROTATED if getattr(design, name)):
        yield (name,), f"judgements_per_text deals texts, not whole items; remove it or {name}"


def _sizes(study: Study, block: Block) -> Problems:
    design, items, scheme = block.settings.design, len(study.items_in_order), _scheme(block)
    if scheme is None:
        return
    if isinstance(scheme, OwnPlan):
        if scheme.in_order and design.order == "williams":
            yield ("order",), "the table of design.plan gives positions; remove them there, or remove 'order'"
        if not all(scheme.lists):
            return
    elif design.between is not None and not block.task.cells():
        yield ("between",), "no item has texts of all systems that a trial shows; add texts"
        return
    per_slot = scheme.fewest_per_participant
    if design.judgements_per_text is not None:
        yield from _dealing(block, design.judgements_per_text)
    elif design.items_per_participant and design.items_per_participant > items:
        got = design.items_per_participant
        yield ("items_per_participant",), f"got {got}, but there are only {items} items; lower it"
        return
    if design.sittings > per_slot:
        what = numbered(per_slot, "trial")
        yield ("sittings",), f"got {design.sittings}, but a participant has {what} in this block; lower it"
    if design.repeats > per_slot // 2:
        yield (
            ("repeats",),
            f"got {design.repeats}, but at most half of the {per_slot} trials can be repeated; lower it",
        )


def _dealing(block: Block, judgements: int) -> Problems:
    design, cells = block.settings.design, block.task.cells()
    per_slot = design.texts_per_participant or 0
    what = f"{cell_label(block.task.condition_label)}s"
    items = len({cell.item for cell in cells})
    if not cells:
        yield ("judgements_per_text",), "no item has texts of all systems that a trial shows; add texts"
    elif per_slot > len(cells):
        yield ("texts_per_participant",), f"got {per_slot}, but there are only {len(cells)} {what}; lower it"
    elif per_slot > items and not design.items_twice:
        message = f"got {per_slot}, but there are only {items} items, and nobody sees an item twice"
        yield ("texts_per_participant",), f"{message}; lower it, or set items_twice: true"
    elif judgements * len(cells) < per_slot:
        yield ("judgements_per_text",), f"{judgements * len(cells)} judgements are fewer than one participant gives"


def wanted_problems(study: Study, *, texts_are_sound: bool) -> Problems:
    """Whether the number of participants is given, or follows from the design, and the two agree."""
    people = study.file.participants
    dealing = [block for block in study.blocks if _gives_number(block)]
    if not people.cohorts and people.wanted is None and not any(map(_asks_for_number, study.file.blocks)):
        yield ("participants", "wanted"), "'wanted' is missing; add how many participants are to complete the study"
    if not texts_are_sound or any([*_contradictions(block.settings.design)] for block in dealing):
        return
    yield from _between(study)
    needed = {block.name: scheme.participants or 0 for block in dealing if (scheme := _scheme(block)) is not None}
    for block in (block for block in dealing if block.name in needed):
        own = needed[block.name]
        words = block.task.scheme().in_words(own, block.task.condition_label)
        where = f"block {block.name!r}" if len(study.blocks) > 1 else "the design"
        for path, wanted in _wanted(study, max(needed.values())):
            if wanted != own:
                told = f"got {wanted}, but {where} takes {numbered(own, 'participant')} ({words})"
                yield path, f"{told}; write {own}, or change the design"


def _between(study: Study) -> Problems:
    """Whether there are participants for every system, where each sees one only."""
    for block in study.blocks:
        scheme = _scheme(block) if block.settings.design.between is not None else None
        if isinstance(scheme, Between) and scheme.cells:
            groups = numbered(len(scheme.items), block.task.condition_label)
            for path, wanted in _wanted(study, len(scheme.items)):
                if wanted < len(scheme.items):
                    message = f"got {wanted}, but there are {groups}, and each participant sees one only"
                    yield path, f"{message}; write a multiple of {len(scheme.items)}"


def _gives_number(block: Block) -> bool:
    """Whether the number of participants follows from the design."""
    return block.settings.design.judgements_per_text is not None or block.plan_rows is not None


def _asks_for_number(block: Mapping[str, Any]) -> bool:
    """The same of a block as it is written, in which something else may be wrong."""
    design = block.get("design")
    return isinstance(design, dict) and ("judgements_per_text" in design or "plan" in design)


def _scheme(block: Block) -> Scheme[Any] | None:
    """How texts are shared out; nothing where there is nothing to share, which the task's own checks tell."""
    try:
        return block.task.scheme()
    except ValueError:
        return None


def _wanted(study: Study, needed: int) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Each number of participants that the study file gives, or the one that follows from the design."""
    people = study.file.participants
    for index, cohort in enumerate(people.cohorts):
        yield ("participants", "cohorts", index, "wanted"), cohort.wanted
    if not people.cohorts:
        yield ("participants", "wanted"), people.wanted or needed


def missing_texts(study: Study) -> list[tuple[str, str]]:
    """Texts without which the study cannot be planned: a block that rotates systems needs them all."""
    designs = [block.settings.design for block in study.blocks]
    if designs and all(each.everyone or each.judgements_per_text or each.plan or each.between for each in designs):
        return []
    every = product(study.items_in_order, study.systems)
    return [(item, system) for item, system in every if (item, system) not in study.texts]


def _column(study: Study, column: str) -> Iterator[str]:
    """Whether every item has a value in a column of the items table."""
    if not study.items:
        yield f"column {column!r} is expected in the items table, but the study has none; add tables.items"
        return
    columns = list(next(iter(study.items.values())).values)
    if column not in columns:
        yield f"the items table has no column {column!r}; {remedy(column, columns)}; or add it"
        return
    empty = [item for item in study.items_in_order if item in study.items and not study.items[item].get(column)]
    if empty:
        yield f"item {empty[0]!r} has no value in column {column!r} of the items table; fill in its group"


def _grouping(study: Study, block: Block, column: str) -> Iterator[tuple[str, str]]:
    design = block.settings.design
    if design.items_per_participant is not None:
        message = "participants see whole groups, so the number of items cannot be set; remove items_per_participant"
        yield "group_by", message
    kinds = {item: kind for kind, items in (study.groups(design.stratify) or {}).items() for item in items}
    for group, items in (study.groups(column) or {}).items():
        own = list(dict.fromkeys(kinds[item] for item in items if kinds))
        if len(own) > 1:
            remedy = "give all items of a group the same"
            yield "stratify", f"group {group!r} has items of several {design.stratify} ({', '.join(own)}); {remedy}"
            return
