"""A registration as a document that a person completes and uploads to a registry such as OSF or AsPredicted."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from textassay.analysis.leading_test import LEADING
from textassay.design.plan import Plan
from textassay.sharing.registration import Registration, in_words
from textassay.study.model import ChoiceField, EmailField, NumberField, TextField
from textassay.study.planning import proofs
from textassay.study.study import Block, Study

_TEMPLATE = "registration.md"
_ORDERS = {
    "random": "trials in an order that is random for each participant",
    "williams": "order of trials balanced by Williams squares",
    "fixed": "trials in the order of the items table",
    "given": "trials in the order of the table that says who sees what",
}


_ROLES = {
    "participants": " (descriptive)",
    "details": " (secondary)",
    "published": " (only to be set beside published work)",
}
"""What an analysis is for, by its place in the report."""


def registration_document(registration: Registration, study: Study, plan: Plan) -> str:
    """The document, in Markdown."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 -- for this document only

    environment = Environment(  # noqa: S701 -- Markdown, not HTML
        loader=PackageLoader("textassay.sharing"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(_TEMPLATE).render(**_values(registration, study, plan))


def _values(registration: Registration, study: Study, plan: Plan) -> dict[str, Any]:
    content, file = registration.content, study.file
    smallest = file.analysis.smallest_difference
    return {
        "title": file.title,
        "when": registration.when,
        "version": content["textassay"],
        "checksum": content["checksum"],
        "simulated": content["participants"]["simulated"],
        "systems": study.systems,
        "items": len(study.items_in_order),
        "seed": file.seed,
        "hypotheses": file.registration.hypotheses,
        "exploratory": file.registration.exploratory,
        "remarks": file.registration.remarks,
        "blocks": [
            {
                "name": block.name,
                "title": block.task.title,
                "questions": block.task.questions(),
                "design": ", ".join(_design(block)),
            }
            for block in study.blocks
        ],
        "proofs": [
            {
                "where": f"{each.block}{f', {each.cohort}' if each.cohort else ''}: ",
                "squares": each.balance.squares,
                "trials": each.balance.trials,
                "exact": each.balance.exact,
                "lines": each.balance.lines,
            }
            for each in proofs(study, plan)
        ],
        "sample": list(_sample(study)),
        "rules": [
            {
                "name": rule.name,
                "meaning": " ".join((inspect.getdoc(rule) or "").partition("\n\n")[0].split()),
                "settings": in_words(rule.model_dump(mode="json")) if type(rule).model_fields else "",
            }
            for rule in study.rules
        ],
        "barring": list(_barring(study)),
        "alpha": f"{file.analysis.alpha:g}",
        "confidence": f"{100 * file.analysis.confidence:g} %",
        "smallest": ", ".join(f"{name} {size:g}" for name, size in smallest.items()),
        "leading": _leading(content["analyses"]),
        "analyses": [
            {
                "title": each["title"],
                "role": _ROLES.get(each["place"], ""),
                "methods": [_method(method) for method in each["methods"]],
            }
            for each in content["analyses"]
        ],
        "metrics": content["metrics"],
        "files": content["files"],
    }


def _design(block: Block) -> Iterator[str]:
    design = block.settings.design
    yield _ORDERS["given" if block.task.scheme().ordered else design.order]
    if design.items_per_participant is not None:
        yield f"{design.items_per_participant} items per participant"
    if design.group_by is not None:
        yield f"items with the same {design.group_by} in the same condition"
    if design.stratify is not None:
        yield f"items of each {design.stratify} in their share for every participant"
    if design.sittings > 1:
        yield f"{design.sittings} sittings"
    for count, what in (
        (len(block.practice), "practice trials first"),
        (len(block.task.attention_items()), "attention checks"),
        (design.repeats, "trials shown a second time"),
    ):
        if count:
            yield f"{count} {what}"


def _sample(study: Study) -> Iterator[str]:
    people = study.file.participants
    for cohort in study.cohorts:
        group = f" in cohort {cohort.name}" if cohort.name else ""
        yield f"{cohort.wanted} participants{group}, one for each list of the plan."
    yield "A list is filled when a participant who passes all rules below has completed it; others are replaced."
    yield f"A list is assigned again after {people.release_after_minutes} minutes without activity."
    if study.sittings > 1:
        yield f"Between two of the {study.sittings} sittings a list stays reserved for {people.days_reserved} days."
    if people.when_full == "close":
        yield "Recruiting stops when every list is filled. Results do not influence it."
    else:
        yield "When every list is filled, lists are assigned again. **TO ADD**: when recruiting stops."


def _barring(study: Study) -> Iterator[str]:
    """Answers in the questionnaire that end participation."""
    for field in study.file.questionnaire:
        match field:
            case NumberField():
                limits = (("below", field.exclude_below), ("above", field.exclude_above))
                said = [f"{word} {limit:g}" for word, limit in limits if limit is not None]
            case ChoiceField() | TextField() | EmailField():
                said = list(field.exclude)
        if said:
            yield f"`{field.name}` ({field.question}) {' or '.join(said)}."


def _leading(analyses: list[Mapping[str, Any]]) -> str:
    """The test that decides, which every recipe puts first."""
    results = [method for each in analyses if each["place"] == "results" for method in each["methods"]]
    first = next((each for each in results if each["method"] == LEADING), None)
    if first is None:
        return "**TO ADD**: which of the analyses below decides about the hypotheses."
    pairs = any(each["method"] == f"{LEADING}, Holm" for each in results)
    corrected = (
        " Pairs of systems are tested in the same way and corrected after Holm within each outcome." if pairs else ""
    )
    return (
        f"The hypotheses are decided by the test that comes first for each outcome: {_method(first)}.{corrected} The "
        "other models are shown beside it and decide nothing."
    )


def _method(method: Mapping[str, Any]) -> str:
    chosen = in_words(method["settings"]) if method["settings"] else ""
    return f"{method['method']} ({chosen})" if chosen else str(method["method"])
