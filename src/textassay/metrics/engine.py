"""From segments to statistics, chunk by chunk, for any number of metrics at once, here or on other processors."""

from __future__ import annotations

import logging
import pickle
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Metric, Statistics
from textassay.metrics.segments import Segments
from textassay.workers import HERE, Progress, Workers

LOG = logging.getLogger(__name__)

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ScoringOptions:
    """What is kept of the segments, who does the work, and what is told of its progress."""

    keep: bool = True
    """Whether the statistics of every segment are kept, for its own score and for resampling; else sums only."""
    workers: Workers = HERE
    progress: Progress | None = None
    scores_only: bool = False
    """Whether of what is kept the segments' scores are enough, a number each: without resampling, and without parts."""


DEFAULT_OPTIONS = ScoringOptions()


@dataclass(frozen=True, eq=False)
class MetricStatistics:
    """What a metric made of all segments, which are of one group or of several (systems)."""

    metric: Metric
    """The metric, which knows the corpus if it takes two passes."""
    statistics: Statistics
    """One row per segment; no rows where they were not kept."""
    scores: Floats | None
    """One per segment, where these were kept in place of statistics."""
    totals: npt.NDArray[Any]
    """(groups × columns): the metric's `summands` summed over each group."""
    counts: Ints
    """Segments in each group."""
    references: Ints
    """(groups × 2): the fewest and the most references that a segment of the group has."""
    identical: Ints
    """Hypotheses of each group that are one of their references, to the last character."""
    warnings: tuple[str, ...]
    document_totals: npt.NDArray[Any] | None = None
    """(documents × columns): the same sums over each document, if there are any."""

    def note_on_identical(self, group: int = 0) -> tuple[str, ...]:
        """What a reader must know where most hypotheses of a group are their references; it is true of every metric."""
        same, n = int(self.identical[group]), int(self.counts[group])
        if n < 2 or 4 * same < 3 * n or not self.metric.needs_references:
            return ()
        seen = (
            f"{same} of {n} hypotheses are identical to one of their references, so that scores say little about them"
        )
        return (f"{seen}; check that no references were given as hypotheses",)

    def nrefs(self, group: int) -> str:
        """How many references the segments have, for the signature: `1`, or `1-3` where they differ."""
        return number_range(*self.references[group].tolist())


def number_range(low: int, high: int) -> str:
    """Both numbers, or the one that both are.

    >>> number_range(1, 1), number_range(1, 3)
    ('1', '1-3')
    """
    return str(low) if low == high else f"{low}-{high}"


@dataclass(frozen=True, eq=False)
class ChunkStatistics:
    """What one metric made of one chunk."""

    statistics: Statistics
    """Empty where only sums or scores are kept."""
    scores: Floats | None
    """Those of the segments, where these are kept."""
    totals: npt.NDArray[Any] | None
    """Sums, unless statistics are kept, which have them."""
    remarks: Counter[str]
    documents: Ints | None = None
    """The documents of the chunk's segments, each once, if there are any."""
    document_totals: npt.NDArray[Any] | None = None
    """Sums over each of these."""


ChunkTask = tuple[Segments[Any], Ints, Ints | None]
"""A chunk, the group of each of its segments and, if there are any, the document of each."""
ChunkResult = tuple[int, Ints, list[ChunkStatistics]]
"""How many segments, how many in each group are identical to a reference, and what each metric made of them."""


def measure(
    metrics: Sequence[Metric],
    segments: Segments[Any],
    groups: Ints | None = None,
    options: ScoringOptions = DEFAULT_OPTIONS,
    documents: Ints | None = None,
) -> list[MetricStatistics]:
    """Statistics of every metric; a chunk is tokenised once for all metrics that share a tokeniser, then forgotten.

    Args:
        metrics: All of them at once.
        segments: Their texts may be sequences that read a chunk from a file when it is asked for.
        groups: The number of each segment's group, from 0; all segments are one group by default. A metric of two
            passes takes all segments for one corpus.
        options: What is kept, and which processes do the work.
        documents: The number of each segment's document, from 0: sums over each document are made too. There may be
            many thousands of them, of which a chunk has few.
    """
    if not metrics:
        return []
    codes = np.zeros(len(segments), np.int64) if groups is None else groups
    size = min(metric.chunk for metric in metrics)
    ready = [_surveyed(metric, segments, size, options) if metric.two_passes else metric for metric in metrics]
    n_groups = int(codes.max(initial=0)) + 1
    references = np.tile([np.iinfo(np.int64).max, 0], (n_groups, 1))
    n_documents = 0 if documents is None else int(documents.max(initial=-1)) + 1
    gathered = [_Collector(metric, n_documents) for metric in ready]
    tasks = _with_codes(segments.chunks(size), codes, documents, references)
    done = 0
    identical = np.zeros(n_groups, np.int64)
    for n, same, portions in options.workers.map(_work(ready, n_groups, options), tasks):
        for each, portion in zip(gathered, portions, strict=True):
            each.add(portion)
        identical += same
        done += n
        if options.progress is not None:
            options.progress(done, len(segments))
    counts = np.bincount(codes, minlength=n_groups)
    references[counts == 0] = 0
    LOG.debug("measured %d texts with %s", len(segments), ", ".join(metric.name for metric in metrics))
    described = _Described(counts, references, identical)
    return [each.measured(segments, codes, described) for each in gathered]


def _with_codes(
    chunks: Iterator[Segments[Any]], codes: Ints, documents: Ints | None, references: Ints
) -> Iterator[ChunkTask]:
    """Each chunk with its groups and documents; counts references in passing."""
    start = 0
    for chunk in chunks:
        its = codes[start : start + len(chunk)]
        numbers = np.diff(chunk.first_reference)
        if len(numbers) and numbers[0] == numbers.min() == numbers.max():  # the usual case, at a fraction of the time
            its_groups = np.flatnonzero(np.bincount(its))
            references[its_groups, 0] = np.minimum(references[its_groups, 0], numbers[0])
            references[its_groups, 1] = np.maximum(references[its_groups, 1], numbers[0])
        else:
            np.minimum.at(references[:, 0], its, numbers)
            np.maximum.at(references[:, 1], its, numbers)
        yield chunk, its, None if documents is None else documents[start : start + len(chunk)]
        start += len(chunk)


def _work(metrics: list[Metric], groups: int, options: ScoringOptions) -> Callable[[ChunkTask], ChunkResult]:
    """What is to be done with every chunk, in a form that can go where it is done."""
    if options.workers == HERE:
        return _Worker(metrics, groups, keep=options.keep, scores_only=options.scores_only)
    return partial(_elsewhere, options.workers.portable((metrics, groups, options.keep, options.scores_only)))


class _Worker:
    """Metrics, and what was learnt from earlier chunks."""

    def __init__(self, metrics: list[Metric], groups: int, *, keep: bool, scores_only: bool) -> None:
        self._metrics = metrics
        self._groups = groups
        self._keep_statistics = keep and not scores_only
        self._keep_scores = keep and scores_only
        self._memory: dict[Any, Any] = {}

    def __call__(self, task: ChunkTask) -> ChunkResult:
        chunk, codes, documents = task[0].remembering(self._memory), task[1], task[2]
        found = chunk.identical()
        same = np.bincount(codes[:0] if found is None else codes[found], minlength=self._groups)
        return len(chunk), same, [self._portion(metric, chunk, codes, documents) for metric in self._metrics]

    def _portion(self, metric: Metric, chunk: Segments[Any], codes: Ints, documents: Ints | None) -> ChunkStatistics:
        statistics, remarks = metric.statistics(chunk), Counter(metric.remarks(chunk))
        by_document = (None, None) if documents is None else _document_totals(metric, statistics, documents)
        if self._keep_statistics:
            return ChunkStatistics(statistics, None, None, remarks, *by_document)
        scores = metric.segment_scores(statistics) if self._keep_scores else None
        totals = _totals(metric, statistics, codes, self._groups)
        return ChunkStatistics(statistics[:0], scores, totals, remarks, *by_document)


def _elsewhere(work: bytes, task: ChunkTask) -> ChunkResult:
    return _worker(work, threading.get_ident())(task)


@lru_cache(maxsize=4)
def _worker(work: bytes, thread: int) -> _Worker:
    """The worker of this thread, the same from chunk to chunk: a model is loaded once, and pieces are remembered."""
    del thread
    metrics, groups, keep, scores_only = pickle.loads(work)  # noqa: S301 -- pickled by `measure` itself
    return _Worker(metrics, groups, keep=keep, scores_only=scores_only)


def _totals(metric: Metric, statistics: Statistics, codes: Ints, groups: int) -> npt.NDArray[Any]:
    # Columns side by side, since NumPy then adds in pairs, which keeps a sum of a million values right to the end.
    summands = np.ascontiguousarray(metric.summands(statistics).T)
    return np.stack([summands[:, codes == group].sum(axis=1) for group in range(groups)])


def _document_totals(metric: Metric, statistics: Statistics, documents: Ints) -> tuple[Ints, npt.NDArray[Any]]:
    """The documents of a chunk, each once, and the sums over each."""
    order = np.argsort(documents, kind="stable")
    first = np.flatnonzero(np.diff(documents[order], prepend=-1))
    summands = np.ascontiguousarray(metric.summands(statistics).T[:, order])
    whole = summands.dtype.kind in "bi"  # counts of a segment may be small numbers; their sum is not
    sums = np.add.reduceat(summands, first, axis=1, dtype=np.int64 if whole else summands.dtype)
    return documents[order[first]], sums.T


@dataclass(frozen=True)
class _Described:
    """What is known of the segments of each group without a metric; see `MetricStatistics`."""

    counts: Ints
    references: Ints
    identical: Ints


class _Collector:
    """The portions of one metric, put together in order."""

    def __init__(self, metric: Metric, documents: int) -> None:
        self._metric = metric
        self._n_documents = documents
        self._document_totals: npt.NDArray[Any] | None = None
        self._rows: list[Statistics] = []
        self._scores: list[Floats] = []
        self._totals: list[npt.NDArray[Any]] = []
        self._remarks: Counter[str] = Counter()

    def add(self, portion: ChunkStatistics) -> None:
        self._remarks.update(portion.remarks)
        if portion.totals is None:
            self._rows.append(portion.statistics)
        else:
            self._totals = [sum(self._totals, start=portion.totals)]
        if portion.scores is not None:
            self._scores.append(portion.scores)
        if portion.document_totals is not None:
            its = portion.document_totals
            if self._document_totals is None:
                self._document_totals = np.zeros((self._n_documents, its.shape[1]), its.dtype)
            self._document_totals[portion.documents] += its

    def measured(self, segments: Segments[Any], codes: Ints, groups: _Described) -> MetricStatistics:
        # Without segments there is no chunk, but the metric still knows its columns.
        statistics = np.concatenate(self._rows or [self._metric.statistics(segments.take([]))])
        totals = self._totals[0] if self._totals else _totals(self._metric, statistics, codes, len(groups.counts))
        warnings = _warnings(self._metric, self._remarks, int(groups.counts.sum()))
        scores = np.concatenate(self._scores) if self._scores else None
        known = (groups.counts, groups.references, groups.identical, warnings, self._document_totals)
        return MetricStatistics(self._metric, statistics, scores, totals, *known)


def _surveyed(metric: Metric, segments: Segments[Any], size: int, options: ScoringOptions) -> Metric:
    return metric.with_survey(list(options.workers.map(metric.survey, segments.chunks(size))))


def _warnings(metric: Metric, remarks: Counter[str], n: int) -> tuple[str, ...]:
    if n == 0:
        return (f"{metric.name}: no segments, so the corpus score is undefined",)
    return tuple(f"{metric.name}: {count} {remark}" for remark, count in remarks.items() if count)
