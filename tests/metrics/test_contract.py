"""The contract fits more than the metrics at hand: pooled counts, two passes, a model, another kind of input."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.metrics import Metric, Segments, TextSegments, score
from textassay.metrics.contract import Floats, Settings, Statistics, checked_settings, setting
from textassay.metrics.table import score_table


class WordsRight(Metric):
    """Pooled: words of the hypothesis that stand in the first reference, over all words of the hypothesis."""

    name = "words-right"
    scale = (0.0, 100.0)
    corpus_is = "pooled"

    def statistics(self, segments: TextSegments) -> Statistics:
        pairs = zip(segments.hypotheses, segments.references, strict=True)
        counts = [(sum(w in refs[0].split() for w in hyp.split()), len(hyp.split())) for hyp, refs in pairs]
        return np.array(counts, dtype=np.int32).reshape(-1, 2)

    def segment_scores(self, statistics: Statistics) -> Floats:
        return self.from_sums(statistics, 1)

    def summands(self, statistics: Statistics) -> Statistics:
        return statistics

    def from_sums(self, sums: Statistics, n: int) -> Floats:
        return 100.0 * sums[..., 0] / sums[..., 1]


class RareWords(Metric):
    """Two passes: words are weighed by how rare they are in all references, as NIST does with n-grams."""

    name = "rare-words"
    two_passes = True
    chunk = 2

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        super().__init__()
        self.weights = weights or {}

    def survey(self, segments: TextSegments) -> Counter[str]:
        return Counter(word for refs in segments.references for ref in refs for word in ref.split())

    def with_survey(self, surveys: Sequence[Counter[str]]) -> RareWords:
        counts = sum(surveys, Counter())
        return RareWords({word: math.log2(counts.total() / count) for word, count in counts.items()})

    def statistics(self, segments: TextSegments) -> Statistics:
        sums = [sum(self.weights.get(word, 0) for word in hyp.split()) for hyp in segments.hypotheses]
        return np.array(sums).reshape(-1, 1)

    def segment_scores(self, statistics: Statistics) -> Floats:
        return statistics[:, 0]


@dataclass(frozen=True)
class ModelSettings(Settings):
    device: str = setting("cpu", sign="device")


class Model(Metric):
    """As a neural metric would be: a model loaded once, batches of a fixed size, one float a segment."""

    name = "model"
    Settings = ModelSettings
    settings: ModelSettings
    scale = (-math.inf, math.inf)
    chunk = 3

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.loads = 0
        self.batches: list[int] = []

    @cached_property
    def model(self) -> dict[str, float]:
        self.loads += 1
        return {"a": 0.25, "b": -1.5}

    def statistics(self, segments: TextSegments) -> Statistics:
        self.batches.append(len(segments))
        return np.array([[self.model.get(hyp, math.nan)] for hyp in segments.hypotheses]).reshape(-1, 1)

    def segment_scores(self, statistics: Statistics) -> Floats:
        return statistics[:, 0]

    def version(self) -> str:
        return "7.1"


@dataclass(frozen=True, eq=False)
class OrderSegments(Segments[tuple[str, ...]]):
    kind: ClassVar[str] = "order"
    value_type: ClassVar[type] = tuple


class SameFirst(Metric):
    """On orders: whether the first unit is right."""

    name = "same-first"
    takes = OrderSegments

    def statistics(self, segments: OrderSegments) -> Statistics:
        pairs = zip(segments.hypotheses, segments.references, strict=True)
        return np.array([[any(hyp[0] == ref[0] for ref in refs)] for hyp, refs in pairs], dtype=np.int32)

    def segment_scores(self, statistics: Statistics) -> Floats:
        return statistics[:, 0].astype(float)


def test_pooled_counts() -> None:
    # Segments 1 of 2 and 3 of 3 right: 50 and 100; together 4 of 5.
    result = score(WordsRight(), ["a x", "a b c"], [["a"], ["a b c"]])
    assert result.segments.tolist() == [50.0, 100.0]
    assert result.corpus == 80.0
    assert result.signature.startswith("words-right|nrefs:1|corpus:pooled|scale:0-100|version:")


def test_many_resamples_at_once() -> None:
    metric = WordsRight()
    statistics = score(metric, ["a x", "a b c", "q"], [["a"], ["a b c"], ["r"]]).statistics
    weights = np.array([[1, 1, 1], [3, 0, 0], [0, 2, 1]])
    together = metric.from_sums(weights @ metric.summands(statistics), 3)
    alone = [metric.corpus_score(np.repeat(statistics, row, axis=0)) for row in weights]
    assert together.tolist() == pytest.approx(alone)


def test_two_passes_over_all_chunks() -> None:
    # Words of all references: a a b c, so log2(4/2) = 1 for a, 2 for b and c; chunks hold two segments.
    result = score(RareWords(), ["a", "b c", "a b", "z"], [["a"], ["a"], ["b"], ["c"]])
    assert result.segments.tolist() == [1, 4, 3, 0]
    assert result.statistics.dtype == np.float64


def test_two_passes_are_made_for_each_system() -> None:
    # System B has only item 2, whose references hold two words once each: weight 1. For A there are four words.
    table = score_table(
        [RareWords()], ["1", "2", "2"], ["A", "A", "B"], ["a", "b", "b"], {"1": ["a", "c"], "2": ["b d"]}
    )
    values = {(row["item"], row["system"]): row["value"] for row in table.rows()}
    assert values == {("1", "A"): 2, ("2", "A"): 2, ("", "A"): 2, ("2", "B"): 1, ("", "B"): 1}


def test_model_is_loaded_once_and_fed_in_batches() -> None:
    metric = Model(device="cuda:1")
    result = score(metric, ["a", "b"] * 4, [["a"]] * 8)
    assert (metric.loads, metric.batches) == (1, [3, 3, 2])
    assert result.corpus == pytest.approx(-0.625)
    assert result.signature == "model|nrefs:1|device:cuda:1|corpus:mean|scale:-inf-inf|version:7.1"


def test_undefined_segments_stay_undefined() -> None:
    result = score(Model(), ["a", "?"], [["a"]] * 2)
    assert math.isnan(result.segments[1])
    assert math.isnan(result.corpus)


def test_another_kind_of_input() -> None:
    result = score(SameFirst(), [("a", "b"), ("b", "a")], [[("a", "b")], [("a", "b"), ("c", "a")]])
    assert result.segments.tolist() == [1, 0]


def test_survey_must_be_there_for_two_passes() -> None:
    class Forgetful(WordsRight):
        name = "forgetful"
        two_passes = True

    with pytest.raises(NotImplementedError, match="forgetful says that it takes two passes but has no survey"):
        score(Forgetful(), ["a"], [["a"]])


# --- Settings: checked by name, value and type; shown in the signature ----------------------------------------------


@dataclass(frozen=True)
class Made(Settings):
    order: int = setting(4, sign="n")
    weight: float = setting(0.5, sign="w")
    lower: bool = setting(default=False, sign="case", words={True: "lower", False: "mixed"})
    smooth: str = setting("exp", sign="smooth", choices=("exp", "floor"))
    plain: bool = False


def test_signed_in_order_and_in_words() -> None:
    assert Made(lower=True).signature_fields() == {
        "n": "4",
        "w": "0.5",
        "case": "lower",
        "smooth": "exp",
        "plain": "no",
    }


def test_a_whole_number_for_a_float_is_that_float_with_the_same_signature() -> None:
    whole, broken = (checked_settings("made", Made, {"weight": value}) for value in (2, 2.0))
    assert (type(whole.weight), whole.signature_fields(), whole.signature_fields()["w"]) == (
        float,
        broken.signature_fields(),
        "2",
    )


def test_numbers_that_differ_are_signed_differently() -> None:
    assert Made(weight=1.0000001).signature_fields() != Made(weight=1.0).signature_fields()


def test_given_values_are_used() -> None:
    assert checked_settings("made", Made, {"order": 2, "weight": 1}) == Made(order=2, weight=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ordr": 2}, "made has no setting 'ordr'; it has: order, weight, lower, smooth, plain; did you mean 'order'?"),
        ({"smooth": "add"}, "made: smooth is 'add'; choose one of: exp, floor"),
        ({"order": "2"}, "made: order is '2'; it must be of type int, like 4"),
        ({"order": True}, "made: order is True; it must be of type int, like 4"),
        ({"lower": 1}, "made: lower is 1; it must be of type bool, like False"),
        ({"weight": True}, "made: weight is True; it must be of type float, like 0.5"),
    ],
)
def test_wrong_settings(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked_settings("made", Made, given)
    assert str(caught.value) == message


def test_metric_without_settings_says_so() -> None:
    with pytest.raises(UsageError, match="made has no setting 'x'; it has: none"):
        checked_settings("made", Settings, {"x": 1})
