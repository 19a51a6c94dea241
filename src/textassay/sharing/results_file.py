"""What came out of a study as plain values for `results.json`: every record and table, at full precision.

JSON has no word for undefined and infinite numbers: they are the texts `NaN`, `Infinity` and `-Infinity`, so that they
are told from cells without a value, which are null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from textassay.report.summary import Findings, ParticipantsSummary, RegistrationSummary, Section
from textassay.results import Table

NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})
"""Numbers that JSON has no word for, as they are written."""


def results_of(found: Findings) -> dict[str, Any]:
    """All results of a study in plain values; the same study gives the same values.

    `participants`, `methods`, `registration` and `design` describe who answered, what was done, registered and planned;
    `analyses` are those of the report in its order, `scores` the rows of the scores table.
    """
    summary = found.summary
    exclusions = [summary.exclusions] if summary.exclusions is not None else []
    return {
        "participants": {
            "figures": exact(_participant_figures(summary.participants)),
            "tables": [_table(table) for table in (*exclusions, *summary.participants.demographics)],
        },
        "methods": [f"{paragraph.heading}: {paragraph.text}" for paragraph in summary.methods.paragraphs],
        "registration": exact(_registration(summary.registration)),
        "design": exact([asdict(design) for design in summary.designs]),
        "analyses": [_analysis(section) for section in found.sections],
        "scores": exact(found.scores),
    }


def results_text(results: Mapping[str, Any]) -> str:
    """The results as JSON: one value per line, so that other tools can compare two files, too."""
    return json.dumps(results, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _registration(summary: RegistrationSummary | None) -> list[Any]:
    """What the report says of the registration: sentences, then what is different, a row each."""
    if summary is None:
        return []
    return [*summary.sentences, *(summary.changes.rows if summary.changes is not None else ())]


def _participant_figures(summary: ParticipantsSummary) -> dict[str, Any]:
    return {
        "by status": summary.by_status,
        "included": summary.included,
        "excluded": summary.excluded,
        "by rule": summary.reasons,
        "wanted": summary.wanted,
        "median minutes": summary.minutes,
        "minutes": summary.minutes_range,
    }


def _analysis(section: Section) -> dict[str, Any]:
    analysis = section.analysis
    return {
        "name": analysis.name,
        "block": section.block,
        "title": analysis.title,
        "headlines": [headline.text for headline in analysis.headlines],
        "warnings": [*analysis.cautions, *analysis.warnings],
        "records": exact(analysis.records()),
        "tables": [_table(table) for table in analysis.tables],
    }


def _table(table: Table) -> dict[str, Any]:
    return {"name": table.name, "title": table.title, "columns": list(table.columns), "rows": exact(table.rows)}


def exact(value: Any) -> Any:
    """The value as JSON has it, without loss.

    >>> exact({"ci": (0.1, float("inf")), "p": float("nan"), "n": None})
    {'ci': [0.1, 'Infinity'], 'p': 'NaN', 'n': None}
    """
    if isinstance(value, Mapping):
        return {str(key): exact(part) for key, part in value.items()}
    if hasattr(value, "tolist"):  # an array or a number of NumPy
        return exact(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (int, float, str)):
        return value
    if isinstance(value, Iterable):
        return [exact(part) for part in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
