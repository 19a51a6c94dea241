"""Designs that can be run but cannot answer the question, or only with difficulty: counted on the plan itself."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from textassay.design.plan import Slot, Trial
from textassay.prose import listed, numbered
from textassay.study.planning import main_trials
from textassay.study.study import Block

_FEW_BETWEEN = 8
"""Participants of a system below which only large differences between people's systems are found."""


def design_warnings(block: Block, slots: Sequence[Slot]) -> Iterator[str]:
    """What the answers to a block will not tell, in one cohort.

    Args:
        block: The block.
        slots: The slots of the cohort.
    """
    shown = [main_trials(slot, block.name) for slot in slots]
    yield from _unshared(block, shown)
    if any(len(trial.systems) > 1 for trials in shown for trial in trials):
        yield from _apart("comparison", [trial.systems for trials in shown for trial in trials])
    else:
        yield from _one_at_a_time(shown)


def _unshared(block: Block, shown: Sequence[Sequence[Trial]]) -> Iterator[str]:
    """Whether any two participants see the same text."""
    judged = block.task.judged
    seen = Counter(each for trials in shown for trial in trials for each in judged(trial.item, trial.systems))
    if not seen or max(seen.values()) > 1:
        return
    every = {each for cell in block.task.cells() for each in judged(cell.item, cell.condition)}
    enough = math.ceil(2 * len(every) * len(shown) / seen.total())
    remedy = f"with {enough} participants everything is seen twice"
    if block.settings.design.judgements_per_text is not None:
        remedy = "with judgements_per_text: 2 each text is seen twice"
    elif block.plan_rows is not None:
        remedy = f"show some texts to several participants in {block.settings.design.plan}"
    yield (
        "no two participants see the same text, so agreement on single texts (alpha, intraclass "
        f"correlation, leave-one-out) cannot be computed; {remedy}"
    )


def _one_at_a_time(shown: Sequence[Sequence[Trial]]) -> Iterator[str]:
    """Systems that cannot be told from the people who see them, or that nothing connects with others."""
    by_person = [list(dict.fromkeys(trial.systems[0] for trial in trials)) for trials in shown]
    by_item: dict[str, list[str]] = defaultdict(list)
    for trial in (trial for trials in shown for trial in trials):
        by_item[trial.item].append(trial.systems[0])
    people = Counter(system for own in by_person for system in own)
    single = all(len(own) == 1 for own in by_person)
    if len(people) > 1 and single:
        fewest = min(people.values())
        alone = [system for system, count in people.items() if count == 1]
        if alone:
            whose = f"{listed(alone)} {'is' if len(alone) == 1 else 'are'} seen by one participant each"
            yield (
                f"systems cannot be told from people: each participant sees one system only, and {whose}; with several "
                "participants for each system, or several systems for each participant, they can"
            )
        elif fewest < _FEW_BETWEEN:
            yield (
                f"systems are compared between people, and one has {numbered(fewest, 'participant')} only, so that "
                "large differences alone will be found; 'textassay power' says how many it takes"
            )
    apart = [] if single else [*_apart("participant", by_person)]
    if not apart and any(len(set(own)) > 1 for own in by_item.values()):
        apart = [*_apart("item", by_item.values())]
    yield from apart


_CONNECT = {
    "participant": "show some participants texts of both",
    "item": "show some items in both",
    "comparison": "compare some systems of both",
}


def _apart(unit: str, groups: Iterable[Sequence[str]]) -> Iterator[str]:
    """Parts of the design between which no chain of units leads."""
    parts: list[set[str]] = []
    for systems in groups:
        met = [part for part in parts if part & set(systems)]
        parts = [part for part in parts if part not in met] + [set(systems).union(*met)]
    if len(parts) > 1:
        named = " | ".join(sorted(", ".join(sorted(part)) for part in parts))
        yield (
            f"the design falls into parts that share no {unit} ({named}); systems of different parts will not be "
            f"compared; {_CONNECT[unit]}"
        )
