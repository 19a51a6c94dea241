"""Any number of metrics and of systems in one table: `score_table`, and `score_aligned` for texts line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.metrics.columns import Interleaved, ItemNumbers, Repeated
from textassay.metrics.contract import Metric
from textassay.metrics.documents import Documents, scores_from_totals
from textassay.metrics.engine import DEFAULT_OPTIONS, ScoringOptions, measure
from textassay.metrics.scoring import Score, corpus_score, metric, needed_sources, score_from_statistics
from textassay.metrics.segments import Segments, TextSegments
from textassay.results import Record, Result
from textassay.text_block import OneEach


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable(Result):
    """Scores of several systems by several metrics."""

    items: Mapping[str, Sequence[str]] = field(repr=False)
    """For each system the items that it has a text for, in the order of its scores."""
    coverage: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict, repr=False)
    """The same for metrics that score something else than most do, such as annotations, which not all texts have."""
    scores: Mapping[str, Mapping[str, Score]] = field(repr=False)
    """Metric, then system, to its score."""
    documents: Mapping[str, Documents] = field(default_factory=dict, repr=False)
    """For each system the documents of its items, in the same order; none unless documents were named."""

    def rows(self) -> list[Record]:
        """The table `scores`: `item, system, metric, value, signature`; the rows of whole systems have no item."""
        return list(self.each_row())

    def each_row(self) -> Iterator[Record]:
        """The same, one row after the other, for there may be millions."""
        return (
            {"item": item, "system": system, "metric": name, "value": value, "signature": signature}
            for name, systems in self.scores.items()
            for system, result in systems.items()
            for signature in [result.signature]
            for item, value in chain(self._segments(name, system, result), [("", result.corpus)])
        )

    def frame_rows(self) -> list[Record]:
        """The table `scores`; see `rows`."""
        return self.rows()

    def items_of(self, metric: str, system: str) -> Sequence[str]:
        """The items of a system that a metric scored, in the order of its scores; none where it scored nothing."""
        return self.coverage.get(metric, self.items).get(system, ())

    def _segments(self, name: str, system: str, result: Score) -> Iterator[tuple[str, float]]:
        """Every item with its value; none where the segments' values were not kept, or where there are none."""
        if not len(result.segments) or not result.metric.has_segment_scores:
            return iter(())
        return zip(self.items_of(name, system), each_number(result.segments), strict=True)

    def joined(self, other: ScoreTable) -> ScoreTable:
        """This table and one of the same texts by other metrics, as one."""
        return replace(
            self,
            settings={**self.settings, "metrics": f"{self.settings['metrics']}, {other.settings['metrics']}"},
            warnings=tuple(dict.fromkeys((*self.warnings, *other.warnings))),
            items={**self.items, **{system: its for system, its in other.items.items() if system not in self.items}},
            coverage={
                **{name: self.coverage.get(name, self.items) for name in self.scores},
                **{name: other.coverage.get(name, other.items) for name in other.scores},
            },
            scores={**self.scores, **other.scores},
            documents={**other.documents, **self.documents},
        )

    def records(self) -> list[Record]:
        """The corpus score of each system by each metric, and those of its documents, if there are any."""
        return [
            {**record, "of": name, "by": system}
            for name, systems in self.scores.items()
            for system, result in systems.items()
            for record in result.records()
        ]


def score_table(  # noqa: PLR0913 -- a table of texts, column by column
    metrics: Sequence[str | Metric] | Mapping[str, Metric],
    items: Sequence[str],
    systems: Sequence[str],
    texts: Sequence[Any],
    references: Mapping[str, Sequence[Any]],
    *,
    sources: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    kind: type[Segments[Any]] = TextSegments,
    options: ScoringOptions = DEFAULT_OPTIONS,
) -> ScoreTable:
    """Score the texts of several systems; references are tokenised once for all of them.

    Args:
        metrics: Names or metrics; a mapping gives each its name in the table, for one metric with several settings.
        items: The item of each text.
        systems: The system of each text.
        texts: The texts, at most one for an item and a system.
        references: The references of each item; none where all metrics need none.
        sources: What the texts of each item were made from, for metrics that need it.
        documents: The document that each item belongs to, for scores per document.
        kind: What the values are if not texts; all metrics must take it.
        options: What is kept, which processes do the work, and the progress callback.

    Raises:
        DataError: an item has no reference or no document, or two texts have the same item and system.

    >>> table = score_table(["rouge-l"], ["1", "2"], ["A", "A"], ["a b", "c"], {"1": ["a b"], "2": ["d"]})
    >>> [(row["item"], row["system"], row["value"]) for row in table.rows()]
    [('1', 'A', 1.0), ('2', 'A', 0.0), ('', 'A', 0.5)]
    """
    chosen = metrics_by_name(metrics, kind)
    compares = any(one.needs_references for one in chosen.values())
    _check(items, systems, texts, references if compares else None)
    # Texts of one item side by side, so that its references fall into one chunk.
    place = {item: number for number, item in enumerate(dict.fromkeys(items))}
    order = sorted(range(len(texts)), key=lambda row: place[items[row]])
    ordered, names = [texts[row] for row in order], [f"item {items[row]}, system {systems[row]}" for row in order]
    if compares:
        segments = kind.checked(ordered, [references[items[row]] for row in order], names)
    else:
        segments = kind.alone(ordered, names)
    if any(one.needs_sources for one in chosen.values()):
        given = needed_sources(chosen.values(), sources)
        segments = segments.with_sources([given.get(items[row]) for row in order], names)
    rows: dict[str, list[int]] = {system: [] for system in systems}
    for position, row in enumerate(order):
        rows[systems[row]].append(position)
    its_documents = None if documents is None else _documents_of(documents, [items[row] for row in order])
    results, warnings = score_systems(chosen, segments, rows, options, its_documents)
    covered = {system: [items[order[position]] for position in positions] for system, positions in rows.items()}
    return ScoreTable(
        method="automatic scores",
        settings={"metrics": ", ".join(chosen), "systems": len(rows), "items": len(place)},
        warnings=(*warnings, *_uneven(covered, len(place))),
        items=covered,
        scores=results,
        documents=_of_systems(its_documents, rows),
    )


def _documents_of(documents: Mapping[str, str], items: Sequence[str]) -> Documents:
    without = [item for item in dict.fromkeys(items) if item not in documents]
    if without:
        raise DataError(f"item {without[0]} has no document; name the document of each item")
    return Documents.of_texts([documents[item] for item in items], len(items))


def _of_systems(documents: Documents | None, rows: Mapping[str, Sequence[int]]) -> dict[str, Documents]:
    return {} if documents is None else {system: documents.take(its) for system, its in rows.items()}


def score_systems(
    chosen: Mapping[str, Metric],
    segments: Segments[Any],
    rows: Mapping[str, Sequence[int]],
    options: ScoringOptions,
    documents: Documents | None = None,
) -> tuple[dict[str, dict[str, Score]], list[str]]:
    """All systems in one pass; a metric that first surveys the corpus goes system by system, since each is a corpus.

    Args:
        chosen: The metrics by their names in the table.
        segments: The texts of all systems.
        rows: Which segments are each system's.
        options: What is kept, and which processes do the work.
        documents: Which document each segment belongs to.
    """
    groups = np.zeros(len(segments), np.int64)
    for number, positions in enumerate(rows.values()):
        groups[np.asarray(positions, np.int64)] = number
    its_documents = _of_systems(documents, rows)
    width = 0 if documents is None else len(documents.names)
    numbers = None if documents is None else groups * width + documents.codes  # those of a system side by side
    at_once = [
        one
        for one in chosen.values()
        if (not one.two_passes or one.one_survey) and (documents is None or one.can_be_resampled)
    ]
    measured = measure(at_once, segments, groups, options, numbers)
    together = dict(zip(map(id, at_once), measured, strict=True))
    warnings = [warning for done in together.values() for warning in done.warnings]
    noted: dict[str, None] = {}
    results: dict[str, dict[str, Score]] = {name: {} for name in chosen}
    for name, one in chosen.items():
        for number, (system, positions) in enumerate(rows.items()):
            if id(one) not in together:
                its = segments if len(rows) == 1 else segments.take(positions)
                own = its_documents.get(system)
                codes = None if own is None else own.codes
                alone = measure([one], its, options=replace(options, progress=None), documents=codes)[0]
                warnings.extend(f"{system}: {warning}" for warning in alone.warnings)
                noted.update((f"{system}: {note}", None) for note in alone.note_on_identical())
                results[name][system] = corpus_score(one, alone, its, own)
            else:
                done = replace(together[id(one)], warnings=())  # they are of all systems together
                noted.update((f"{system}: {note}", None) for note in done.note_on_identical(number))
                of_documents = None
                if done.document_totals is not None:
                    totals = done.document_totals[number * width : (number + 1) * width]
                    of_documents = scores_from_totals(done.metric, totals, its_documents[system])
                kept = positions if options.keep else []
                results[name][system] = score_from_statistics(done, number, kept, of_documents)
    return results, [*warnings, *noted]


def metrics_by_name(
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
    items: Sequence[str], systems: Sequence[str], texts: Sequence[Any], references: Mapping[str, Sequence[Any]] | None
) -> None:
    if not len(items) == len(systems) == len(texts):
        raise UsageError(f"{len(items)} items, {len(systems)} systems, {len(texts)} texts; give one of each per row")
    for (item, system), count in Counter(zip(items, systems, strict=True)).items():
        if count > 1:
            raise DataError(f"item {item}, system {system}: {count} texts; keep one")
    without = [item for item in dict.fromkeys(items) if references is not None and not references.get(item)]
    if without:
        more = f" and {len(without) - 5} more" if len(without) > 5 else ""
        raise DataError(f"no reference for item {', '.join(without[:5])}{more}; add one, or drop the item")


def _uneven(covered: Mapping[str, Sequence[str]], items: int) -> list[str]:
    return [
        f"{system} has texts for {len(its)} of {items} items; its corpus score is over those only"
        for system, its in covered.items()
        if len(its) < items
    ]


def score_aligned(  # noqa: PLR0913 -- what is aligned, one by one
    metrics: Sequence[str | Metric] | Mapping[str, Metric],
    systems: Mapping[str, Sequence[Any]],
    references: Sequence[Any] | None = None,
    *,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    kind: type[Segments[Any]] = TextSegments,
    names: Sequence[Sequence[str]] | None = None,
    options: ScoringOptions = DEFAULT_OPTIONS,
) -> ScoreTable:
    """Score systems whose texts are in the same order as the references.

    Nothing is copied: texts and references are asked for slice by slice, so that sequences which read from a file
    keep the memory small. A text is called by its number, from 1.

    Args:
        metrics: Names or metrics; a mapping gives each its name in the table.
        systems: The texts of each system, as many as there are references.
        references: The reference of each text, or for each a list of any number but 0; none where no metric needs them.
        sources: What each text was made from, for metrics that need it.
        documents: The name of each text's document, for scores per document.
        kind: What the values are if not texts; all metrics must take it.
        names: For each system what to call its texts in messages, where the kind shows that.
        options: What is kept, and which processes do the work.

    >>> table = score_aligned(["rouge-l"], {"A": ["a b", "c"], "B": ["a", "d"]}, [["a b"], ["d"]])
    >>> [(row["item"], row["system"], round(row["value"], 2)) for row in table.rows()]
    [('1', 'A', 1.0), ('2', 'A', 0.0), ('', 'A', 0.5), ('1', 'B', 0.67), ('2', 'B', 1.0), ('', 'B', 0.83)]
    """
    chosen = metrics_by_name(metrics, kind)
    if not systems:
        raise UsageError("no system to score; give at least one")
    given = _references(chosen, references, len(next(iter(systems.values()))))
    n = len(given)
    for system, texts in systems.items():
        if len(texts) != n:
            raise DataError(f"{system} has {len(texts)} texts for {n} sets of references; they must match one by one")
    together = kind(Interleaved(list(systems.values())), Repeated(given, len(systems)))
    if names is not None:
        together = together.named(Interleaved(names))
    if isinstance(together, TextSegments) and any(one.needs_sources for one in chosen.values()):
        its = needed_sources(chosen.values(), sources)
        if len(its) != n:
            raise DataError(f"{len(its)} sources for {n} texts; they must match one by one")
        together = replace(together, sources=Repeated(its, len(systems)))
    rows = {system: range(number, n * len(systems), len(systems)) for number, system in enumerate(systems)}
    named = None if documents is None else Documents.of_texts(documents, n)
    repeated = None if named is None else named.take(np.repeat(np.arange(n), len(systems)))
    results, warnings = score_systems(chosen, together, rows, options, repeated)
    return ScoreTable(
        method="automatic scores",
        settings={"metrics": ", ".join(chosen), "systems": len(systems), "items": n},
        warnings=tuple(warnings),
        items=dict.fromkeys(systems, ItemNumbers(n)),
        scores=results,
        documents={} if named is None else dict.fromkeys(systems, named),
    )


def _references(chosen: Mapping[str, Metric], references: Sequence[Any] | None, n: int) -> Sequence[Sequence[Any]]:
    """The references of n texts, in lists; empty ones where there are none and none are needed."""
    if references is not None:
        return OneEach(list(references)) if isinstance(next(iter(references), None), str) else references
    for name, one in chosen.items():
        if one.needs_references:
            raise UsageError(f"{name} compares with references; give some")
    return [()] * n


def each_number(values: npt.NDArray[np.float64]) -> Iterator[float]:
    """The numbers one after the other, as Python has them; not all at once, for there may be millions."""
    for start in range(0, len(values), 10_000):
        yield from values[start : start + 10_000].tolist()
