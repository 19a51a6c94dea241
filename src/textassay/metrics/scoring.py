"""`score`: one metric, one list of hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from textassay import catalogue
from textassay.errors import UsageError
from textassay.metrics.contract import Metric, Statistics
from textassay.metrics.documents import Documents, DocumentScores, scores_from_totals, scores_of_each_alone
from textassay.metrics.engine import MetricStatistics, ScoringOptions, measure, number_range
from textassay.metrics.segments import Segments, TextSegments
from textassay.results import Record, Result
from textassay.workers import Progress

T = TypeVar("T")


Recipe = Callable[[str], Any]
"""From the name of a field that is not computed yet to its value."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Score(Result):
    """What a metric says of a list of hypotheses.

    Parts are computed when they are first asked for; of a single pair and of metrics with a quick way to their scores,
    so is all but the scores.
    """

    segments: npt.NDArray[np.float64]
    """One number per hypothesis; none where the corpus score alone was asked for, nan where there is only that."""
    corpus: float
    """One number for all."""
    n: int
    """How many hypotheses there are."""
    parts: Mapping[str, npt.NDArray[Any]] = field(repr=False)
    """What the segments' numbers are made of (precision, recall, counts): an array each."""
    corpus_parts: Mapping[str, float]
    """What the corpus number is made of."""
    statistics: Statistics = field(repr=False)
    """The sufficient statistics, (segments × k), for resampling."""
    metric: Metric = field(repr=False)
    """The metric that made them."""
    documents: DocumentScores | None = field(default=None, repr=False)
    """One number per document, if documents were named."""

    @classmethod
    def later(cls, recipe: Recipe, **known: Any) -> Self:
        """A score of which some fields are known, and a recipe for all others."""
        made = cls.__new__(cls)
        made.__dict__.update(known, _recipe=recipe)
        return made

    def __getstate__(self) -> dict[str, Any]:
        # The recipe stays here; what is stored or sent has every field.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def signature(self) -> str:
        """All that the numbers depend on, in one line, with the release of the metric's own package."""
        signed = "|".join(f"{key}:{value}" for key, value in self.settings.items())
        return f"{self.method}|{signed}|version:{self.metric.version()}"

    def records(self) -> list[Record]:
        """The corpus score with its parts; then the scores of documents, if there are any."""
        corpus = self.record(self.method, self.corpus, of="corpus", n=self.n)
        documents = () if self.documents is None else self.documents.each()
        return [
            {**corpus, **self.corpus_parts},
            *(
                {**self.record(self.method, value, of="document", n=n), "document": name}
                for name, value, n in documents
            ),
        ]

    def frame_rows(self) -> list[Record]:
        """One row per hypothesis with its score and what that is made of; without segments, the corpus score."""
        if not len(self.segments):
            return self.records()[:1]
        parts = {name: values for name, values in self.parts.items() if values.shape == self.segments.shape}
        columns = {"segment": np.arange(1, self.n + 1), self.method: self.segments, **parts}
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]


class _Later:
    """A field of a score: what is stored, else what the recipe gives, which is then stored."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, made: Score | None, owner: type[Score]) -> Any:
        if made is None:
            return self
        found = made.__dict__["_recipe"](self._name)
        return made.__dict__.setdefault(self._name, found)


for _field in fields(Score):  # after the class is made, which would take them for default values
    setattr(Score, _field.name, _Later(_field.name))


def metric(name: str, **settings: Any) -> Metric:
    """The metric of that name in the catalogue, whatever its case, ready for use.

    Raises:
        UsageError: there is no such metric, or it has no such setting.
    """
    return metric_class(name)(**settings)


def metric_class(name: str) -> type[Metric]:
    """The class of that metric.

    Raises:
        UsageError: there is no such metric, or what another package gives under that name is none.
    """
    found = catalogue.find("metric", catalogue.meant("metric", name))
    if not (isinstance(found, type) and issubclass(found, Metric)):
        shown = getattr(found, "__name__", type(found).__name__)
        raise UsageError(
            f"the metric {name!r} is {shown}, which is no subclass of textassay.metrics.Metric; "
            "update or uninstall the package that adds it"
        )
    return found


def score(
    name: str | Metric,
    hypotheses: Sequence[Any],
    references: Sequence[Any] | None = None,
    *,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    rows: Sequence[str] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Score:
    """Score hypotheses against their references.

    Args:
        name: A metric's name in the catalogue, or a metric.
        hypotheses: One per segment.
        references: For each hypothesis its reference, or for each its own list of references, of any length but 0; a
            metric that compares with nothing needs none.
        sources: What each hypothesis was made from, for metrics that need it; others ignore it.
        documents: The name of each hypothesis's document, for scores per document.
        rows: Names for the hypotheses, shown in error messages.
        progress: Called with the number of segments done and the number of all.
        **settings: The metric's settings.

    Raises:
        UsageError: the lists or the settings have the wrong form; the message has the remedy.
        DataError: a hypothesis or a reference is missing; the message names the row.

    >>> result = score("rouge-l", ["the cat sat on the mat", "a dog"], [["the cat is on the mat"], ["a dog", "dogs"]])
    >>> result.segments.round(4).tolist(), round(result.corpus, 4)
    ([0.8333, 1.0], 0.9167)
    >>> result.signature.rpartition("|")[0]
    'rouge-l|nrefs:1-2|multi:best|tok:unicode-words|stem:no|stop:kept|unicode:15.1|corpus:mean|scale:0-1'
    """
    if isinstance(name, Metric) and settings:
        raise UsageError(
            f"{name.name} is already constructed; pass its settings ({', '.join(settings)}) when making it"
        )
    chosen = name if isinstance(name, Metric) else metric(name, **settings)
    if rows is None and progress is None and documents is None and _one_pair(chosen, hypotheses, references):
        lone = _lone_score(chosen, hypotheses[0], list(references[0]) if references else [])
        if lone is not None:
            return lone
    if references is None and not chosen.needs_references:
        segments = chosen.takes.alone(hypotheses, rows)
    else:
        segments = chosen.takes.checked(hypotheses, references, rows)
    if chosen.needs_sources:
        segments = segments.with_sources(needed_sources([chosen], sources), rows)
    if documents is None and progress is None and len(segments):
        quick = chosen.quick_scores(segments)
        if quick is not None:
            known = {"method": chosen.name, "n": len(segments), "metric": chosen, "documents": None}
            return Score.later(_WhenAsked(chosen, segments), segments=quick[0], corpus=quick[1], **known)
    return _usual_score(chosen, segments, documents, progress)


def _usual_score(
    chosen: Metric,
    segments: Segments[Any],
    documents: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Score:
    named = None if documents is None else Documents.of_texts(documents, len(segments))
    codes = None if named is None else named.codes
    measured = measure([chosen], segments, options=ScoringOptions(progress=progress), documents=codes)[0]
    noted = replace(measured, warnings=(*measured.warnings, *measured.note_on_identical()))
    return corpus_score(chosen, noted, segments, named)


def corpus_score(
    chosen: Metric, measured: MetricStatistics, segments: Segments[Any], documents: Documents | None = None
) -> Score:
    """Scores of segments that are one corpus, and of its documents."""
    if documents is None or measured.document_totals is None:  # the latter where there are no segments
        return score_from_statistics(measured)
    if chosen.can_be_resampled:
        found = scores_from_totals(measured.metric, measured.document_totals, documents)
    else:
        found = scores_of_each_alone(chosen, segments, documents)
    return score_from_statistics(measured, documents=found)


def _one_pair(chosen: Metric, hypotheses: Any, references: Any) -> bool:
    """Whether this is one text with its references in lists, so that nothing is left to check."""
    return (
        type(hypotheses) is type(references) is list
        and len(hypotheses) == len(references) == 1
        and type(references[0]) is list
        and {str} == {type(hypotheses[0]), *map(type, references[0])}
        and len(references[0]) > 0
        and chosen.takes is TextSegments
        and not chosen.needs_sources
    )


def _lone_score(chosen: Metric, hypothesis: str, references: list[str]) -> Score | None:
    """The score of one pair by the metric's quick way, if it has one; all else comes the usual way when asked for."""
    value = chosen.one_value(hypothesis, references)
    if value is None:
        return None
    return Score.later(_LonePair(chosen, value, hypothesis, references), method=chosen.name, n=1, metric=chosen)


class _LonePair:
    """The recipe of one pair's score."""

    def __init__(self, chosen: Metric, value: float, hypothesis: str, references: list[str]) -> None:
        self._chosen = chosen
        self._value = value
        self._texts = hypothesis, references
        self._rest = _WhenAsked(chosen, TextSegments([hypothesis], [references]))

    def __call__(self, field_name: str) -> Any:
        if field_name == "segments":
            return np.array([self._value])
        if field_name == "corpus":
            found = self._chosen.one_corpus_value(self._value, *self._texts)
            if found is not None:
                return found
        return self._rest(field_name)


class _WhenAsked:
    """The recipe of a score whose numbers came a quick way: all else comes the usual way, once it is asked for."""

    def __init__(self, chosen: Metric, segments: Segments[Any]) -> None:
        self._chosen = chosen
        self._segments = segments

    def __call__(self, field_name: str) -> Any:
        if field_name == "settings":  # for the signature nothing has to be measured
            numbers = np.diff(self._segments.first_reference)
            return self._chosen.signature_fields(number_range(int(numbers.min()), int(numbers.max())))
        return getattr(self._usual, field_name)

    @cached_property
    def _usual(self) -> Score:
        return _usual_score(self._chosen, self._segments)


def needed_sources(metrics: Iterable[Metric], sources: T | None) -> T:
    """The sources, which some of the metrics need.

    Raises:
        UsageError: there are none; the message names the metric.
    """
    if sources is None:
        name = next(each.name for each in metrics if each.needs_sources)
        raise UsageError(f"{name} needs the source of each text, what it was made from; give sources")
    return sources


def score_from_statistics(
    measured: MetricStatistics,
    group: int = 0,
    rows: Sequence[int] | None = None,
    documents: DocumentScores | None = None,
) -> Score:
    """Scores from statistics: those of one group, which has these rows; by default there is one group only."""
    chosen, n, sums = measured.metric, int(measured.counts[group]), measured.totals[group]
    statistics, segments = measured.statistics, measured.scores
    if rows is not None:
        its = np.asarray(rows, np.int64)
        statistics = statistics[its] if segments is None else statistics
        segments = None if segments is None else segments[its]

    def later(field_name: str) -> Mapping[str, Any]:
        if field_name == "settings":
            return chosen.signature_fields(measured.nrefs(group))
        if field_name == "parts":
            return chosen.segment_parts(statistics)
        parts = chosen.corpus_parts(sums, max(n, 1))
        return parts if n else dict.fromkeys(parts, float("nan"))

    return Score.later(
        later,
        method=chosen.name,
        warnings=measured.warnings,
        segments=chosen.segment_scores(statistics) if segments is None else segments,
        corpus=float(chosen.from_sums(sums, n)) if n else float("nan"),
        n=n,
        statistics=statistics,
        metric=chosen,
        documents=documents,
    )
