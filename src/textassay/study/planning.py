"""The plan of a study: made once from its seed, stored with the study, and read from there afterwards."""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from textassay.design.assignment import Cell
from textassay.design.balance import Balance, BalanceLine
from textassay.design.order import williams_square
from textassay.design.plan import Plan, Slot, Trial
from textassay.errors import DataError, Problem, ProblemsError, StudyError
from textassay.seeds import Stream
from textassay.study.model import Cohort, Design
from textassay.study.own_plan import own_lists
from textassay.study.study import Block, Study
from textassay.tables.text_files import read_text
from textassay.tables.writer import write_lines

LOG = logging.getLogger(__name__)

WORDS_A_SECOND = 3.5
"""How fast people read: about 210 words a minute, slower than for pleasure."""
_SECONDS_A_QUESTION = 8.0


@dataclass(frozen=True)
class BlockBalance:
    """The balance proof of one block in one cohort."""

    block: str
    cohort: str
    balance: Balance


def draw_plan(study: Study) -> Plan:
    """Draw the plan: the same study file gives the same plan anywhere."""
    slots: list[Slot] = []
    for cohort in study.cohorts:
        by_block = []
        for block in study.blocks:
            stream = Stream(study.file.seed, "plan", cohort.name, block.name)
            cells = block.task.assign(cohort.wanted, stream)
            by_block.append(block.task.trials(cells, stream))
        orders = _block_orders(study, cohort)
        for index in range(cohort.wanted):
            trials = tuple(trial for place in orders[index] for trial in by_block[place][index])
            slots.append(Slot(len(slots) + 1, cohort.name, trials))
    return Plan(slots, design_digest(study))


def _block_orders(study: Study, cohort: Cohort) -> list[list[int]]:
    """The order of the blocks for each slot: as in the file, or rows of Williams squares, shuffled in each set."""
    count = len(study.blocks)
    if study.file.block_order == "fixed":
        return [list(range(count))] * cohort.wanted
    stream = Stream(study.file.seed, "plan", cohort.name, "block order")
    names, square = stream.permutation(count), williams_square(count)
    orders: list[list[int]] = []
    while len(orders) < cohort.wanted:
        rows = stream.child("set", len(orders)).shuffled(square)
        orders += [[names[symbol] for symbol in row] for row in rows]
    return orders[: cohort.wanted]


def stored_plan(study: Study) -> Plan:
    """The study's plan: read where it is stored, drawn and stored where it is not.

    Raises:
        StudyError: the stored plan cannot be read, or the study's design has changed since it was drawn.
    """
    path = study.plan_path
    if not path.exists():
        plan = draw_plan(study)
        write_lines(path, plan.lines())
        LOG.debug("drew a plan of %d slots from seed %d: %s", len(plan.slots), study.file.seed, path)
        return plan
    try:
        plan = _read_plan(path)
    except ProblemsError as error:
        raise StudyError(error.problems) from None
    except DataError as error:
        raise StudyError([Problem(path.name, 0, 0, "", str(error))]) from None
    if plan.made_from != design_digest(study):
        message = (
            "the plan was made from another design, seed, or set of items and systems than the study has now; "
            "restore them, or copy the study into a new directory without plan.json and answers.db"
        )
        raise StudyError([Problem(path.name, 0, 0, "", message)])
    return plan


def _read_plan(path: Path) -> Plan:
    """A stored plan, slot by slot where it is laid out as it was written, which takes a tenth of the memory."""
    with suppress(OSError), path.open(encoding="utf-8", newline="") as file:
        plan = Plan.from_file(file)
        if plan is not None:
            return plan
    return Plan.from_json(read_text(path, path.name))


def proofs(study: Study, plan: Plan) -> list[BlockBalance]:
    """The balance of each block in each cohort, counted on the plan as it is."""
    found = []
    for cohort in study.cohorts:
        slots = [*map(plan.slot, plan.numbers(cohort.name))]
        for block in study.blocks:
            cells = [[Cell(trial.item, trial.systems) for trial in main_trials(slot, block.name)] for slot in slots]
            carry_over = block.settings.design.order == "williams"
            counted = block.task.scheme().balance(cells, carry_over=carry_over, name=block.task.condition_label)
            found.append(BlockBalance(block.name, cohort.name, counted))
    return found


def block_places(study: Study, plan: Plan) -> dict[str, BalanceLine]:
    """How often each block is in each position, by cohort; empty where their order is fixed."""
    if study.file.block_order == "fixed" or len(study.blocks) < 2:
        return {}
    found = {}
    for cohort in study.cohorts:
        orders = [
            dict.fromkeys(trial.block for trial in plan.slot(number).trials) for number in plan.numbers(cohort.name)
        ]
        counts = Counter((place, block) for order in orders for place, block in enumerate(order))
        cases = [counts[place, block.name] for place in range(len(study.blocks)) for block in study.blocks]
        found[cohort.name] = BalanceLine("a block in each place, over participants", min(cases), max(cases))
    return found


def minutes(study: Study, slot: Slot) -> float:
    """Estimated duration of a slot: pages, questionnaire and trials."""
    return Timing(study).minutes(slot)


class Timing:
    """Estimated durations; a trial that several slots share is estimated once."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._blocks: dict[str, Block] = {block.name: block for block in study.blocks}
        self._seconds: dict[tuple[str, str, str, tuple[str, ...]], float] = {}
        pages = [*study.pages.values(), *(block.instructions or "" for block in study.blocks)]
        words = sum(len(page.split()) for page in pages)
        self._around = words / WORDS_A_SECOND + _SECONDS_A_QUESTION * len(study.file.questionnaire)

    def minutes(self, slot: Slot) -> float:
        """Minutes that a slot takes."""
        return (self._around + sum(map(self._trial, slot.trials))) / 60

    def _trial(self, trial: Trial) -> float:
        key = (trial.block, trial.kind, trial.item, trial.systems)
        if key not in self._seconds:
            block = self._blocks[trial.block]
            self._seconds[key] = block.task.expected_seconds(trial)
        return self._seconds[key]


def main_trials(slot: Slot, block: str) -> list[Trial]:
    """The slot's trials of a block without practice, checks and repeats."""
    return [trial for trial in slot.trials if trial.block == block and trial.kind == "main"]


def design_digest(study: Study) -> str:
    """Digest of what the plan depends on; texts may still be corrected after it was drawn."""
    parts: Mapping[str, object] = {
        "seed": study.file.seed,
        "cohorts": [(cohort.name, cohort.wanted) for cohort in study.cohorts],
        "items": study.items_in_order,
        "systems": study.systems,
        "blocks": [
            (
                block.name,
                block.task.name,
                _digested(block.settings.design),
                list(block.practice),
                list(block.task.attention_items()),
                *_beyond(study, block),
            )
            for block in study.blocks
        ],
    }
    if study.file.block_order != "fixed":
        parts = {**parts, "block_order": study.file.block_order}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


_NEWER = ("everyone", "judgements_per_text", "texts_per_participant", "items_twice", "between", "stratify")
"""Settings that earlier releases did not have: unless they are used, the digest is what it was."""


def _digested(design: Design) -> dict[str, object]:
    """What a plan depends on; breaks and sittings change no trial; groups and tables are added with what is in them."""
    found = design.model_dump(exclude={"break_every", "group_by", "plan", "sittings"})
    return {name: value for name, value in found.items() if name not in _NEWER or value}


def _beyond(study: Study, block: Block) -> list[object]:
    """What else a block's plan depends on; empty for one system per trial without groups, so that older plans fit."""
    conditions = list(block.task.conditions())
    design = block.settings.design
    kinds = study.groups(design.stratify)
    if block.plan_rows is not None:
        lists = own_lists(block.plan_rows, study.systems, conditions)
        return [[[(cell.item, cell.condition) for cell in own] for own in lists.cells], *filter(None, [lists.ordered])]
    if design.everyone is not None or design.judgements_per_text is not None or design.between is not None:
        cells = block.task.cells()
        return [[(cell.item, cell.condition) for cell in cells], *filter(None, [block.task.plan_inputs(), kinds])]
    single = conditions == [(system,) for system in study.systems]
    groups = study.groups(block.settings.design.group_by)
    rests_on = block.task.plan_inputs()
    return [*([] if single else [conditions]), *(part for part in (groups, rests_on, kinds) if part is not None)]
