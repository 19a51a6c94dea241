"""The same analysis with all participants and after exclusions, side by side."""

from __future__ import annotations

from textassay.results import Analysis, Record, Table

_COMPARED = ("mean", "F", "W", "mean W within evaluators", "significant pairs")
"""Statistics that are set side by side, in this order."""

_Key = tuple[str, str, str]


def compare_exclusions(everyone: Analysis, kept: Analysis) -> Table:
    """Means, F and W of two analyses in one table.

    Args:
        everyone: The analysis of all participants.
        kept: The analysis of those who were not excluded.
    """
    before, after = _by_key(everyone), _by_key(kept)
    keys = sorted(before | after, key=lambda key: (_first_seen(key, before, after), _COMPARED.index(key[1])))
    rows = [
        (criterion, statistic, by, *_figures(before.get(key)), *_figures(after.get(key)))
        for key in keys
        for criterion, statistic, by in [key]
    ]
    return Table(
        "with-and-without-exclusions",
        "Results with and without exclusions",
        ("Criterion", "Statistic", "Of", "All", "All: n", "All: p", "Kept", "Kept: n", "Kept: p"),
        tuple(rows),
        note="All: every participant. Kept: those who were not excluded.",
    )


def _by_key(analysis: Analysis) -> dict[_Key, Record]:
    return {
        (record["of"], record["statistic"], record["by"]): record
        for record in analysis.records()
        if record["statistic"] in _COMPARED
    }


def _first_seen(key: _Key, *tables: dict[_Key, Record]) -> int:
    """Place of the criterion in the first table that has it: criteria keep their order."""
    criteria = list(dict.fromkeys(criterion for table in tables for criterion, _, _ in table))
    return criteria.index(key[0])


def _figures(record: Record | None) -> tuple[float | None, int | None, float | None]:
    return (record["value"], record["n"], record["p"]) if record else (None, None, None)
