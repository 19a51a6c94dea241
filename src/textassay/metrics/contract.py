"""The contract of a metric: what it takes, and how segments become statistics and statistics become scores.

A metric is one file with one class and one line in the catalogue; another package's joins through an entry point of
the group `textassay.metrics`. Scoring makes one instance per run and calls, in this order,

1. `survey` for each chunk and `with_survey` once, if `two_passes` (NIST weighs n-grams by the whole corpus first);
2. `statistics` for each chunk of at most `chunk` segments: a row each, all that is kept of each segment;
3. `segment_scores`, `corpus_score` and their parts, from the statistics alone, so that intervals and tests can
   resample rows without looking at a text again.

A metric with a model loads it when first asked for statistics and keeps it in the instance; `chunk` is its batch and
the device one of its settings.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

import textassay
from textassay.errors import UsageError
from textassay.known_names import did_you_mean
from textassay.metrics.segments import Segments, TextSegments
from textassay.metrics.tokenisers.registry import FOR_LANGUAGES, signed_tokeniser, tokeniser
from textassay.metrics.tokenisers.trained import is_trained

Statistics = npt.NDArray[Any]
"""Sufficient statistics, (segments × k): int32 where they are counts, float64 where they are not."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """Base of every metric's settings."""

    def signature_fields(self) -> dict[str, str]:
        """Each setting under its short name, as the signature shows it."""
        shown = {}
        for each in fields(self):
            value = getattr(self, each.name)
            words = each.metadata.get("words") or {True: "yes", False: "no"}
            shown[each.metadata.get("sign", each.name)] = (
                words[value] if isinstance(value, bool) else signature_value(value)
            )
        return shown


def signature_value(value: object) -> str:
    """A value as a signature shows it; a number in all its digits, but 2 and 2.0 are one.

    >>> signature_value(2), signature_value(2.0), signature_value(0.1), signature_value("best")
    ('2', '2', '0.1', 'best')
    """
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


@cache
def package_version(module: str) -> str:
    """The release of the installed package that has this top module."""
    if module != "textassay":
        from importlib.metadata import packages_distributions, version  # noqa: PLC0415 -- few metrics are from elsewhere

        for distribution in packages_distributions().get(module, ()):
            return version(distribution)
    return textassay.__version__


@dataclass(frozen=True)
class Limits:
    """Between which numbers a setting lies; where there is no limit, any finite number will do."""

    least: float = -math.inf
    most: float = math.inf
    without: bool = False
    """Whether the limits themselves are excluded."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return self != NO_LIMITS

    def __contains__(self, value: float) -> bool:
        if self.without:
            return self.least < value < self.most
        return self.least <= value <= self.most and math.isfinite(value)

    def __str__(self) -> str:
        """In words.

        >>> print(Limits(1), Limits(0, 1), Limits(0, without=True), Limits(0, 1, without=True), sep=", ")
        at least 1, from 0 to 1, more than 0, between 0 and 1
        """
        if self.most < math.inf:
            before, between = ("between", "and") if self.without else ("from", "to")
            return f"{before} {self.least:g} {between} {self.most:g}"
        return f"{'more than' if self.without else 'at least'} {self.least:g}"


NO_LIMITS = Limits()


def setting(
    default: Any,
    *,
    sign: str,
    choices: Iterable[str] = (),
    limits: Limits = NO_LIMITS,
    holds: str = "",
    unset: str = "",
    words: Mapping[bool, str] | None = None,
) -> Any:
    """A field of a metric's settings: what is declared here is checked, signed, and shown by `list` and in the docs.

    Args:
        default: Its usual value; a given one must be of the same type.
        sign: Its name in the signature.
        choices: The values that it can have, if they can be listed.
        limits: Between which numbers it lies, if it is one.
        holds: What a text holds that is none of a few choices, such as the path of a file.
        unset: What applies unless a value is given, where the default (nan, or an empty text) does not say it.
        words: What the signature says for True and False.
    """
    more = {key: value for key, value in (("limits", limits), ("holds", holds), ("unset", unset)) if value}
    return field(default=default, metadata={"sign": sign, "choices": tuple(choices), "words": words, **more})


def tokeniser_setting(*choices: str) -> Any:
    """The setting `tokeniser`, the first choice being the usual one.

    There are always more: those for some languages, which may need something installed, or a file, for whose path FILE
    stands at the end of a choice.
    """
    return field(default=choices[0], metadata={"sign": "tok", "choices": choices, "words": None, "more": FOR_LANGUAGES})


def checked_settings(metric: str, kind: type[Settings], given: Mapping[str, Any]) -> Settings:
    """The settings of a metric from what a caller gave.

    Raises:
        UsageError: a name or a value that the metric does not have; the message lists those it has.
    """
    known = {each.name: each for each in fields(kind)}
    for name, value in given.items():
        if name not in known:
            near = did_you_mean(name, known)
            raise UsageError(f"{metric} has no setting {name!r}; it has: {', '.join(known) or 'none'}{near}")
        choices = known[name].metadata.get("choices", ())
        if choices and value not in choices and not _is_one_more(known[name], value):
            all_of_them = (*choices, *known[name].metadata.get("more", ()))
            near = did_you_mean(value, all_of_them)
            raise UsageError(f"{metric}: {name} is {value!r}; choose one of: {', '.join(all_of_them)}{near}")
        wanted = type(known[name].default)
        number_for_number = wanted is float and type(value) is int
        if type(value) is not wanted and not number_for_number:
            usual = known[name].default
            raise UsageError(f"{metric}: {name} is {value!r}; it must be of type {wanted.__name__}, like {usual!r}")
        _check_limits(metric, known[name], value)
    floats = {name for name, each in known.items() if type(each.default) is float}
    return kind(**{name: float(value) if name in floats else value for name, value in given.items()})


def _is_one_more(declared: Field[Any], value: Any) -> bool:
    """Whether the value is one of the further choices; a tokeniser that is not installed is refused right here."""
    more: tuple[str, ...] = declared.metadata.get("more", ())
    named = isinstance(value, str) and any(
        value == each or (each.endswith("FILE") and value.startswith(each.removesuffix("FILE"))) for each in more
    )
    if named and is_trained(value):
        tokeniser(value)
    return named


def _check_limits(metric: str, declared: Field[Any], value: Any) -> None:
    """Refuse a number outside its limits; nan where that means that none is given."""
    limits: Limits = declared.metadata.get("limits", NO_LIMITS)
    usual: Any = declared.default
    if type(value) not in (int, float) or value in limits or (math.isnan(value) and math.isnan(usual)):
        return
    wanted = str(limits) if limits else "a finite number"
    raise UsageError(f"{metric}: {declared.name} is {signature_value(value)}; it must be {wanted}")


class Metric(ABC):
    """Base of every metric."""

    name: ClassVar[str]
    """As in the catalogue: lower case, words joined by hyphens."""
    takes: ClassVar[type[Segments[Any]]] = TextSegments
    """The kind of segments that it scores."""
    needs_references: ClassVar[bool] = True
    """Whether it compares with references; one that only looks at the hypothesis is given none, or ignores them."""
    needs_sources: ClassVar[bool] = False
    """Whether it looks at what each text was made from: the text that was simplified or summarised, or a table."""
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    """Lowest and highest value, as in the reference implementation; infinity where there is no highest."""
    higher_is_better: ClassVar[bool] = True
    best: ClassVar[float | None] = None
    """The best value where it is neither end of the scale, as 1 is for a ratio of lengths: the nearer the better."""
    Settings: ClassVar[type[Settings]] = Settings
    """What can be chosen."""
    corpus_is: ClassVar[str] = "mean"
    """How the corpus score comes about, for the signature: `mean` of segments, or `pooled` counts."""
    two_passes: ClassVar[bool] = False
    """Whether `survey` has to see the whole corpus before `statistics`."""
    one_survey: ClassVar[bool] = False
    """Whether one survey serves all systems, as that of names does; else each system is a corpus of its own."""
    chunk: ClassVar[int] = 10_000
    """The most segments at a time: bounds the memory, and is the batch of a metric with a model."""

    def __init__(self, **settings: Any) -> None:
        self.settings = checked_settings(self.name, self.Settings, settings)

    @property
    def has_segment_scores(self) -> bool:
        """Whether a segment has a score of its own; a measure of the whole output may have none, only `from_sums`."""
        return True

    @property
    def can_be_resampled(self) -> bool:
        """Whether `from_sums` of other segments than all, each once, means anything.

        Not for the diversity of an output: a resample has some texts twice, and is less diverse for that alone.
        """
        return True

    def survey(self, segments: Any) -> Any:
        """What is needed of one chunk before the second pass can begin."""
        raise NotImplementedError(f"{self.name} says that it takes two passes but has no survey")

    def with_survey(self, surveys: Sequence[Any]) -> Self:
        """A metric that knows the whole corpus, from the surveys of all its chunks."""
        raise NotImplementedError(f"{self.name} says that it takes two passes but does not use its surveys")

    def one(self, hypothesis: Any, references: Any = None, *, source: Any = None) -> float:
        """The score of one hypothesis: that of the only segment if it were scored alone, without all the rest.

        For a score per call, as in a reward loop; many at once are scored faster together. Calls from several threads
        are safe for the metrics of textassay.

        Args:
            hypothesis: One value of the kind that the metric takes.
            references: Its references in a list, or one text; a metric that compares with nothing needs none.
            source: What the hypothesis was made from, for metrics that need it; others ignore it.

        Raises:
            UsageError: a value is not of the kind that the metric takes, or the source is missing.
            DataError: the hypothesis, a reference or all references are missing.

        >>> from textassay.metrics import metric
        >>> wer = metric("wer")
        >>> wer.one("the cat sat", "the cat sat down"), wer.one("the cat sat", ["a cat", "the cat sat down"])
        (0.25, 0.25)
        """
        alone = references is None and not self.needs_references
        listed = [] if alone else self.takes.listed_references(hypothesis, references)
        if not self.needs_sources:
            value = self.one_value(hypothesis, listed)
            if value is not None:
                return value
        segments = self.takes.alone([hypothesis]) if alone else self.takes.checked([hypothesis], [listed])
        if self.needs_sources:
            if source is None:
                raise UsageError(f"{self.name} needs the source of the text, what it was made from; give source")
            segments = segments.with_sources([source])
        knowing = self.with_survey([self.survey(segments)]) if self.two_passes else self
        return float(knowing.segment_scores(knowing.statistics(segments))[0])

    def one_value(self, hypothesis: Any, references: Sequence[Any]) -> float | None:
        """The value of `one` by a quicker way than arrays of one row, if the metric has one; the very same number."""
        del hypothesis, references
        return None

    def one_corpus_value(self, value: float, hypothesis: Any, references: Sequence[Any]) -> float | None:
        """The corpus score where this is the only segment and `one_value` gave its value; None if arrays must tell."""
        del hypothesis, references
        return value

    def quick_scores(self, segments: Any) -> tuple[Floats, float] | None:
        """The scores of all segments, of which there is at least one, and of the corpus, the very same numbers.

        For a metric that is as quick as the counting of its remarks and references: those are left until asked for.
        """
        del segments
        return None

    @abstractmethod
    def statistics(self, segments: Any) -> Statistics:
        """One row per segment; `segments` is of the kind that the metric takes."""

    @abstractmethod
    def segment_scores(self, statistics: Statistics) -> Floats:
        """One value per row; nan where undefined."""

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """What the value is made of (precision, recall, counts): an array each, one entry per row."""
        del statistics
        return {}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Columns whose sums over the rows are all that the corpus score and its parts need."""
        return self.segment_scores(statistics)[:, None]

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """Corpus scores from sums of `summands` over n rows, (…, columns) to (…): many resamples at once."""
        return np.asarray(sums[..., 0] / n, dtype=np.float64)

    def corpus_score(self, statistics: Statistics) -> float:
        """The value for all rows together; nan for no rows."""
        if len(statistics) == 0:
            return float("nan")
        return float(self.from_sums(self.summands(statistics).sum(axis=0), len(statistics)))

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """What the corpus value is made of, from sums of `summands` over n rows, of which there is at least one."""
        del sums, n
        return {}

    def remarks(self, segments: Any) -> Mapping[str, int]:
        """What a reader must know of one chunk, with how many segments it concerns; summed over chunks."""
        del segments
        return {}

    def oriented(self, values: npt.ArrayLike) -> Floats:
        """The values with their sign changed where lower is better, so that higher is always better."""
        scores = np.asarray(values, dtype=np.float64)
        if self.best is not None:
            return -np.abs(scores - self.best)
        return scores if self.higher_is_better else -scores

    def version(self) -> str:
        """Release of the package that the metric comes from; of this one for a class in no installed package."""
        return package_version(type(self).__module__.partition(".")[0])

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """Everything that the score depends on, for the signature."""
        low, high = (f"{limit:g}" for limit in self.scale)
        best = {} if self.best is None else {"best": f"{self.best:g}"}
        return {
            "nrefs": nrefs,
            **self.settings.signature_fields(),
            **signed_tokeniser(getattr(self.settings, "tokeniser", "")),
            "corpus": self.corpus_is,
            "scale": f"{low}-{high}",
            **best,
        }


class MeanOfDefined(Metric):
    """A metric whose first statistic is its value; segments without one are left out of the corpus score."""

    def segment_scores(self, statistics: Statistics) -> Floats:
        """The values."""
        return np.asarray(statistics[:, 0], dtype=np.float64)

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Values, and how many segments have one."""
        defined = ~np.isnan(statistics[:, 0])
        return np.stack([np.where(defined, statistics[:, 0], 0.0), defined], axis=1)

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The mean over the segments that have a value; nan where none has."""
        del n
        values, defined = sums[..., 0], sums[..., 1]
        return np.asarray(np.divide(values, defined, out=np.full(np.shape(values), np.nan), where=defined > 0))
