"""What tables that were collected elsewhere lack, so that a screening rule can find nothing in them.

An export without personal columns is such a table: the hashes of e-mail addresses are not in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from textassay.answers.columns import UNSCORED
from textassay.screening.contract import Need
from textassay.screening.questionnaire import can_exclude
from textassay.study.model import EmailField
from textassay.study.study import Study
from textassay.tables.reader import Rows
from textassay.tables.schema import PARTICIPANTS

_EMAIL: Mapping[Need, str] = {"address": "", "plausible": "_plausible", "elsewhere": "_elsewhere"}
"""Ending of the column that holds it, behind the name of an e-mail field."""


def gaps(study: Study, tables: Sequence[Rows]) -> tuple[str, ...]:
    """For each rule that lacks something in the imported tables: the rule, what it lacks, and the remedy."""
    there = {table.schema.name: frozenset(table.columns) for table in tables}
    if not there:
        return ()
    return tuple(
        f"the rule {rule.name} has nothing to go by in the imported tables: {lack}"
        for rule in study.rules
        for lack in _lacking(study, rule.needs, there)
    )


def _lacking(study: Study, need: Need | None, there: Mapping[str, Collection[str]]) -> Iterator[str]:
    if need == "checks":
        names = dict.fromkeys(block.task.schema.name for block in study.blocks if block.task.attention_items())
        missing = [name + UNSCORED for name in names if name in there and name + UNSCORED not in there]
        if missing:
            it = "it" if len(missing) == 1 else "them"
            yield f"attention checks stand in {' and '.join(missing)}; import {it} too"
    elif need is not None:
        columns = there.get(PARTICIPANTS.name)
        missing = list(_columns(study, need))
        if columns is None and missing:
            yield f"there is no table {PARTICIPANTS.name}; import it too"
        elif any(name not in (columns or ()) for name in missing):
            named = ", ".join(repr(name) for name in missing if name not in (columns or ()))
            yield f"no column {named} in {PARTICIPANTS.name}; if it comes from an export, export with --personal"


def _columns(study: Study, need: Need) -> Iterator[str]:
    """The columns of the participants table that a rule goes by."""
    for field in study.file.questionnaire:
        if need in _EMAIL:
            if isinstance(field, EmailField):
                yield field.name + _EMAIL[need]
        elif can_exclude(field):
            yield f"{field.name}_domain" if isinstance(field, EmailField) else field.name
