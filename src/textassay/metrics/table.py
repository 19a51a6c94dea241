"""`score_table`: any number of metrics, any number of systems, one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.metrics.contract import Metric
from textassay.metrics.engine import USUAL, Plan, measure
from textassay.metrics.scoring import Score, metric, scored
from textassay.metrics.segments import Segments, TextSegments
from textassay.results import Record, Result


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable(Result):
    """Scores of several systems by several metrics."""

    items: Mapping[str, Sequence[str]] = field(repr=False)
    """For each system the items that it has a text for, in the order of its scores."""
    scores: Mapping[str, Mapping[str, Score]] = field(repr=False)
    """Metric, then system, to its score."""

    def rows(self) -> list[Record]:
        """The table `scores`: `item, system, metric, value, signature`; the rows of whole systems have no item."""
        return [
            {"item": item, "system": system, "metric": name, "value": value, "signature": signature}
            for name, systems in self.scores.items()
            for system, result in systems.items()
            for signature in [result.signature]
            for item, value in [*self._segments(system, result), ("", result.corpus)]
        ]

    def frame_rows(self) -> list[Record]:
        """The table `scores`; see `rows`."""
        return self.rows()

    def _segments(self, system: str, result: Score) -> Iterator[tuple[str, float]]:
        """Every item with its value; none where the segments' values were not kept."""
        kept = self.items[system] if len(result.segments) else ()
        return zip(kept, result.segments.tolist(), strict=True)

    def beside(self, other: ScoreTable) -> ScoreTable:
        """This table and one of the same texts by other metrics, as one."""
        return replace(
            self,
            settings={**self.settings, "metrics": f"{self.settings['metrics']}, {other.settings['metrics']}"},
            warnings=tuple(dict.fromkeys((*self.warnings, *other.warnings))),
            scores={**self.scores, **other.scores},
        )

    def records(self) -> list[Record]:
        """The corpus score of each system by each metric."""
        return [
            {**record, "of": name, "by": system}
            for name, systems in self.scores.items()
            for system, result in systems.items()
            for record in result.records()
        ]


def score_table(
    metrics: Sequence[str | Metric] | Mapping[str, Metric],
    items: Sequence[str],
    systems: Sequence[str],
    texts: Sequence[Any],
    references: Mapping[str, Sequence[Any]],
    *,
    kind: type[Segments[Any]] = TextSegments,
    plan: Plan = USUAL,
) -> ScoreTable:
    """Score the texts of several systems; references are tokenised once for all of them.

    Args:
        metrics: Names or metrics; a mapping gives each its name in the table, for one metric with several settings.
        items: The item of each text.
        systems: The system of each text.
        texts: The texts, at most one for an item and a system.
        references: The references of each item.
        kind: What the values are if not texts; all metrics must take it.
        plan: What is kept, who works, and who is told of it.

    Raises:
        DataError: an item has no reference, or two texts have the same item and system.

    >>> table = score_table(["rouge-l"], ["1", "2"], ["A", "A"], ["a b", "c"], {"1": ["a b"], "2": ["d"]})
    >>> [(row["item"], row["system"], row["value"]) for row in table.rows()]
    [('1', 'A', 1.0), ('2', 'A', 0.0), ('', 'A', 0.5)]
    """
    chosen = named(metrics, kind)
    _check(items, systems, texts, references)
    # Texts of one item side by side, so that its references fall into one chunk.
    place = {item: number for number, item in enumerate(dict.fromkeys(items))}
    order = sorted(range(len(texts)), key=lambda row: place[items[row]])
    segments = kind.checked(
        [texts[row] for row in order],
        [references[items[row]] for row in order],
        [f"item {items[row]}, system {systems[row]}" for row in order],
    )
    rows: dict[str, list[int]] = {system: [] for system in systems}
    for position, row in enumerate(order):
        rows[systems[row]].append(position)
    results, warnings = score_systems(chosen, segments, rows, plan)
    covered = {system: [items[order[position]] for position in positions] for system, positions in rows.items()}
    return ScoreTable(
        method="automatic scores",
        settings={"metrics": ", ".join(chosen), "systems": len(rows), "items": len(place)},
        warnings=(*warnings, *_uneven(covered, len(place))),
        items=covered,
        scores=results,
    )


def score_systems(
    chosen: Mapping[str, Metric], segments: Segments[Any], rows: Mapping[str, Sequence[int]], plan: Plan
) -> tuple[dict[str, dict[str, Score]], list[str]]:
    """All systems in one go; a metric that first surveys the corpus goes system by system, since each is a corpus.

    Args:
        chosen: The metrics by their names in the table.
        segments: The texts of all systems.
        rows: Which segments are each system's.
        plan: What is kept, and who works.
    """
    groups = np.zeros(len(segments), np.int64)
    for number, positions in enumerate(rows.values()):
        groups[np.asarray(positions, np.int64)] = number
    at_once = [one for one in chosen.values() if not one.two_passes]
    together = dict(zip(map(id, at_once), measure(at_once, segments, groups, plan), strict=True))
    warnings = [warning for done in together.values() for warning in done.warnings]
    results: dict[str, dict[str, Score]] = {name: {} for name in chosen}
    for name, one in chosen.items():
        for number, (system, positions) in enumerate(rows.items()):
            if one.two_passes:
                alone = measure([one], segments.take(positions), plan=replace(plan, progress=None))[0]
                warnings.extend(f"{system}: {warning}" for warning in alone.warnings)
                results[name][system] = scored(alone)
            else:
                done = replace(together[id(one)], warnings=())  # they are of all systems together
                results[name][system] = scored(done, number, positions if plan.keep else [])
    return results, warnings


def named(
    metrics: Sequence[str | Metric] | Mapping[str, Metric], kind: type[Segments[Any]] = TextSegments
) -> dict[str, Metric]:
    """The metrics by their names in the table; all of them take that kind of segments."""
    if isinstance(metrics, str):
        raise UsageError(f"metrics is the string {metrics!r}; give a list: [{metrics!r}]")
    if isinstance(metrics, Mapping):
        chosen = dict(metrics)
    else:
        made = [metric(one) if isinstance(one, str) else one for one in metrics]
        twice = [name for name, count in Counter(one.name for one in made).items() if count > 1]
        if twice:
            raise UsageError(f"{twice[0]} is given twice; give a mapping from a name of your own to each metric")
        chosen = {one.name: one for one in made}
    for name, one in chosen.items():
        if one.takes is not kind:
            raise UsageError(
                f"{name} takes {one.takes.kind}, not {kind.kind}, and cannot score a table of {kind.kind}s"
            )
    return chosen


def _check(
    items: Sequence[str], systems: Sequence[str], texts: Sequence[Any], references: Mapping[str, Sequence[Any]]
) -> None:
    if not len(items) == len(systems) == len(texts):
        raise UsageError(f"{len(items)} items, {len(systems)} systems, {len(texts)} texts; give one of each a row")
    for (item, system), count in Counter(zip(items, systems, strict=True)).items():
        if count > 1:
            raise DataError(f"item {item}, system {system}: {count} texts; keep one")
    without = [item for item in dict.fromkeys(items) if not references.get(item)]
    if without:
        more = f" and {len(without) - 5} more" if len(without) > 5 else ""
        raise DataError(f"no reference for item {', '.join(without[:5])}{more}; add one, or drop the item")


def _uneven(covered: Mapping[str, Sequence[str]], items: int) -> list[str]:
    return [
        f"{system} has texts for {len(its)} of {items} items; its corpus score is over those only"
        for system, its in covered.items()
        if len(its) < items
    ]
