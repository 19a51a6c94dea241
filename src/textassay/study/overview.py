"""What a study will be like: its counts, its balance and how long it takes, as `textassay check` shows them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textassay.design.assignment import Cell
from textassay.design.balance import cell_label
from textassay.design.order import williams_set
from textassay.design.overlap import measure_overlap
from textassay.design.plan import Plan, Slot
from textassay.design.schemes import GroupRotation, Rotation, judgements_in_words
from textassay.prose import numbered
from textassay.results import Table
from textassay.study.design_warnings import design_warnings
from textassay.study.interface_messages import language_warnings
from textassay.study.markdown_texts import markdown_warnings
from textassay.study.planning import BlockBalance, Timing, block_places, main_trials, proofs
from textassay.study.study import Block, Study

_LONG = 60
"""Minutes after which few people still read carefully."""


@dataclass(frozen=True)
class StudyOverview:
    """What a study will be like."""

    counts: Table
    """Items, systems, participants and trials: one row per block and cohort."""
    balance: Table
    """How often everything occurs: minimum, maximum, and whether these are equal."""
    time: Table
    """Minutes that a participant needs: one row per cohort."""
    proofs: tuple[BlockBalance, ...]
    """The balance of each block in each cohort, for programs."""
    warnings: tuple[str, ...]
    """What does not prevent the study but should be known before it starts."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in the order in which they are shown."""
        return (self.counts, self.balance, self.time)


def overview(study: Study, plan: Plan) -> StudyOverview:
    """Look at a study and its plan."""
    found, minutes = proofs(study, plan), _minutes(study, plan)
    return StudyOverview(
        _counts(study, plan, found),
        _balance(study, plan, found),
        _time(study, minutes),
        tuple(found),
        tuple(_warnings(study, plan, found, max(map(max, minutes.values())))),
    )


def plan_warnings(study: Study, plan: Plan) -> tuple[str, ...]:
    """The warnings alone, for those who show nothing else of the plan."""
    most = max(map(max, _minutes(study, plan).values()))
    return tuple(_warnings(study, plan, proofs(study, plan), most))


def _minutes(study: Study, plan: Plan) -> dict[str, list[float]]:
    """Minutes of each slot, by cohort."""
    timing = Timing(study)
    return {
        cohort.name: [timing.minutes(plan.slot(number)) for number in plan.numbers(cohort.name)]
        for cohort in study.cohorts
    }


def _counts(study: Study, plan: Plan, found: Sequence[BlockBalance]) -> Table:
    rows = []
    for proof in found:
        slots = _slots(plan, proof.cohort)
        kinds = Counter(trial.kind for trial in slots[0].trials if trial.block == proof.block)
        items, systems = study.items_in_order, study.systems
        of_each = (kinds["main"], kinds["practice"], kinds["repeat"], kinds["check"])
        rows.append((*_place(study, proof), len(items), len(systems), len(slots), *of_each, proof.balance.trials))
    columns = ("items", "systems", "participants", "trials", "practice", "repeats", "checks", "trials in all")
    lists = "; ".join(dict.fromkeys(_in_words(study, plan, proof) for proof in found))
    note = f"The plan: {lists}. Trials are counted for one participant; those in all are the main ones."
    return Table("plan", "Plan", (*_place_columns(study), *columns), tuple(rows), note)


def _in_words(study: Study, plan: Plan, proof: BlockBalance) -> str:
    """The plan of a block in one sentence; Latin squares alone do not say how many judgements there are."""
    block, words = study.block(proof.block), proof.balance.squares
    scheme = block.task.scheme()
    if not isinstance(scheme, (Rotation, GroupRotation)) or len(scheme.conditions) == 1:
        return words
    trials = [main_trials(slot, block.name) for slot in _slots(plan, proof.cohort)]
    hands = [[Cell(trial.item, trial.systems) for trial in own] for own in trials]
    judged = judgements_in_words(hands, len(block.task.cells()), cell_label(block.task.condition_label))
    return f"{judged} ({words})"


def _balance(study: Study, plan: Plan, found: Sequence[BlockBalance]) -> Table:
    lines = [(_place(study, proof), line) for proof in found for line in proof.balance.lines]
    cohorts = bool(study.file.participants.cohorts)
    for cohort, line in block_places(study, plan).items():
        lines.append(((cohort, "all") if cohorts else ("all",), line))
    rows = tuple((*place, line.what, line.least, line.most, line.exact) for place, line in lines)
    columns = (*_place_columns(study), "how often comes", "least", "most", "exact")
    shared = [_shared(study, plan, proof) for proof in found]
    note = " ".join(["Counted on the plan itself, main trials only.", *dict.fromkeys(filter(None, shared))])
    return Table("balance", "Balance", columns, rows, note)


def _shared(study: Study, plan: Plan, proof: BlockBalance) -> str:
    """How many texts two participants have in common, and how well their agreement will be known."""
    slots = _slots(plan, proof.cohort)
    if len(slots) < 2:
        return ""
    judged = study.block(proof.block).task.judged
    shown = [
        [each for trial in main_trials(slot, proof.block) for each in judged(trial.item, trial.systems)]
        for slot in slots
    ]
    found = measure_overlap(shown)
    if not found.shared_texts:
        return ""  # of which there is a warning
    numbers = f"{found.least}" if found.least == found.most else f"{found.least} to {found.most}"
    if found.least is None:
        numbers = f"{found.mean:.1f}"
    single = all(len(systems) == 1 for _, systems in shown[0])
    width = found.agreement_known_to()
    known = f"; an intraclass correlation of .5 will be known to about ± {width:.2f}" if single else ""
    if math.isnan(width):
        known = ", too few to know how far they agree"
    what = ("text" if single else "comparison") + ("" if numbers == "1" else "s")
    where = _named(study, proof)
    mean = " on average" if found.least is None else ""
    return f"{where}{'any' if where else 'Any'} two participants share {numbers} {what}{mean}{known}."


def _reserved(study: Study) -> str:
    return numbered(study.file.participants.days_reserved, "day")


def _time(study: Study, minutes: dict[str, list[float]]) -> Table:
    named = any(minutes)
    rows = tuple(
        (*((cohort,) if named else ()), max(1, round(min(each))), math.ceil(max(each)))
        for cohort, each in minutes.items()
    )
    columns = (*(("cohort",) if named else ()), "minutes from", "minutes to")
    note = "About, for one participant: reading all pages and texts at 210 words a minute, and answering."
    if study.sittings > 1:
        note += f" In {study.sittings} sittings: a slot stays reserved for {_reserved(study)} between them."
    return Table("time", "Time", columns, rows, note)


def _warnings(study: Study, plan: Plan, found: Sequence[BlockBalance], most_minutes: float) -> Iterator[str]:
    for proof in found:
        where = _named(study, proof)
        if not proof.balance.exact:
            remedies = ", or with ".join(map(str, proof.balance.remedies))
            told = f"it would be with {remedies}" if remedies else "the table shows by how much"
            yield f"{where}the balance is not exact; {told}"
        found_wanting = design_warnings(study.block(proof.block), _slots(plan, proof.cohort))
        yield from (where + warning for warning in found_wanting)
    for cohort, line in block_places(study, plan).items():
        if not line.exact:
            where = f"cohort {cohort!r}: " if cohort else ""
            remedy = f"it would be with a multiple of {williams_set(len(study.blocks))} participants"
            yield f"{where}the order of the blocks is not exactly balanced; {remedy}"
    for block in study.blocks:
        yield from _breaks(block, plan.slots[0])
        yield from block.task.warnings()
    for rule in study.rules:
        yield from rule.warnings(study, plan)
    if len(study.systems) == 1:
        yield f"there is only one system ({study.systems[0]!r}), so there is nothing to compare"
    yield from language_warnings(study)
    yield from markdown_warnings(study)
    if most_minutes / study.sittings > _LONG:
        several = f" in {study.sittings} sittings" if study.sittings > 1 else ""
        long = f"it takes up to {math.ceil(most_minutes)} minutes{several}"
        remedy = "design.items_per_participant makes the lists shorter, design.sittings splits them into several visits"
        yield f"{long}; {remedy}"


def _breaks(block: Block, slot: Slot) -> Iterator[str]:
    every = block.settings.design.break_every
    trials = sum(trial.block == block.name and trial.kind != "practice" for trial in slot.trials)
    if every is not None and every >= trials:
        yield f"block {block.name!r}: no break is offered, since it has {trials} trials and break_every is {every}"


def _slots(plan: Plan, cohort: str) -> list[Slot]:
    return [*map(plan.slot, plan.numbers(cohort))]


def _place_columns(study: Study) -> tuple[str, ...]:
    return ("cohort", "block") if study.file.participants.cohorts else ("block",)


def _place(study: Study, proof: BlockBalance) -> tuple[str, ...]:
    return (proof.cohort, proof.block) if study.file.participants.cohorts else (proof.block,)


def _named(study: Study, proof: BlockBalance) -> str:
    cohort = f"cohort {proof.cohort!r}, " if proof.cohort else ""
    return f"{cohort}block {proof.block!r}: " if len(study.blocks) > 1 or cohort else ""
