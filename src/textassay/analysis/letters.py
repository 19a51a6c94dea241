"""Many systems at a glance: letters instead of a table of all pairs (compact letter display, Piepho 2004)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from textassay.results import Analysis, Record, Table
from textassay.stats.group_comparisons import compact_letters

MANY = 15
"""With more systems, nobody reads a table of all their pairs."""
_MOST_ROWS = 500
"""A terminal shows no table with more."""
_NEEDED = {"First", "Second", "Significant", "Winner"}
_NOTE = (
    "The best first. Systems that share a letter do not differ significantly; Better than and Worse than count those "
    "that do."
)
_FOLDED = "The differences of all pairs, with their intervals, are folded below, and complete in their files."


def with_letters(analysis: Analysis, where: str = _FOLDED) -> Analysis:
    """The analysis with letters before each table of all pairs of many systems, which is folded then.

    Args:
        analysis: The analysis.
        where: Where the differences of all pairs are found.
    """
    if analysis.place != "results":
        return analysis
    return replace(analysis, tables=tuple(shown for table in analysis.tables for shown in _shown(table, where)))


def without_long_tables(analysis: Analysis, where: str) -> Analysis:
    """The analysis without tables too long for a terminal: all pairs of many systems, hundreds of participants.

    Args:
        analysis: The analysis.
        where: Where those tables are found; a note says so.
    """
    long = [each for each in analysis.tables if len(_compared(each)) > MANY or len(each.rows) > _MOST_ROWS]
    if not long:
        return analysis
    named = "; ".join(f"{table.title} ({len(table.rows):,} rows)" for table in long)
    kept = tuple(table for table in analysis.tables if table not in long)
    return replace(analysis, tables=kept, warnings=(*analysis.warnings, f"not shown: {named}. {where}"))


def _compared(table: Table) -> list[str]:
    """The systems of a table of pairs."""
    return _systems(table.records()) if {"First", "Second"} <= set(table.columns) else []


def _shown(table: Table, where: str) -> Iterator[Table]:
    first = table.columns.index("First") if set(table.columns) >= _NEEDED else math.inf
    measures: dict[tuple[object, ...], list[Record]] = {}
    for row, record in zip(table.rows, table.records(), strict=True) if first <= 1 else ():
        measures.setdefault(row[: int(first)], []).append(record)
    if table.detail or not any(len(_systems(pairs)) > MANY for pairs in measures.values()):
        yield table
        return
    yield Table(
        f"letters-{table.name}",
        f"{table.title}, as letters",
        (*table.columns[: int(first)], "System", "Letters", "Better than", "Worse than"),
        tuple((*measure, *line) for measure, pairs in measures.items() for line in _lines(pairs)),
        note=f"{_NOTE} {where}".strip(),
        subject=table.subject,
    )
    yield replace(table, detail=True)


def _systems(pairs: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(str(pair[side]) for pair in pairs for side in ("First", "Second")))


def _lines(pairs: Sequence[Record]) -> Iterator[tuple[str, str, int, int]]:
    """Each system with its letters, and how many it is better and worse than; the best first."""
    names = _systems(pairs)
    place, ahead = {name: index for index, name in enumerate(names)}, _ahead(pairs)
    different = [(place[str(pair["First"])], place[str(pair["Second"])]) for pair in pairs if pair["Significant"]]
    letters = compact_letters([ahead[name] for name in names], different)
    won, lost = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for pair in (pair for pair in pairs if pair["Winner"]):
        won[str(pair["Winner"])] += 1
        lost[str(pair["Second"] if pair["Winner"] == pair["First"] else pair["First"])] += 1
    for name in sorted(names, key=lambda name: -ahead[name]):
        yield name, letters[place[name]], won[name], lost[name]


def _ahead(pairs: Sequence[Record]) -> dict[str, float]:
    """How far each system is ahead of the others, by the sum of its differences; more is better."""
    sums, wins = dict.fromkeys(_systems(pairs), 0.0), 0.0
    for pair in pairs:
        ratio = pair.get("Ratio")
        gap = pair.get("Difference") if ratio is None else math.log(ratio)
        if gap is None or math.isnan(gap):
            continue
        sums[str(pair["First"])] += gap
        sums[str(pair["Second"])] -= gap
        wins += math.copysign(1, gap) * ((pair["Winner"] == pair["First"]) - (pair["Winner"] == pair["Second"]))
    return {name: -each for name, each in sums.items()} if wins < 0 else sums  # where the lower is the better
