"""What every metric in the catalogue promises, whoever wrote it."""

from __future__ import annotations

import inspect
import math
import pickle
import random
import re
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from _pythons_scores import settings_of
from annotations import annotated, case
from parses import parsed

from textassay import catalogue
from textassay import metrics as library
from textassay.errors import DataError, UsageError
from textassay.kernels.choice import VARIABLE
from textassay.metrics import Metric, Score, Settings, metric

NAMES = catalogue.names("metric")
SAMPLES: dict[str, tuple[list[Any], list[list[Any]], Any]] = {
    "text": (
        [
            "the cat sat on the mat",
            "a dog, a dog!",
            "Ein Übel",
            "我爱北京",
            "",
            "walked home",
            "x y z",
            "one two three four",
        ],
        [
            ["the cat is on the mat", "a cat sat"],
            ["a dog", "the dog"],
            ["Ein Übel", "kein Übel"],
            ["我爱上海"],
            ["not empty"],
            ["walking home"],
            [""],
            ["four three two one", "one two four", "one"],
        ],
        "",
    ),
    "order": (
        [list("abcd"), list("bacd"), list("dcba"), [1, 2, 3], list("abcde"), list("ab"), list("caebd"), [3, 1, 2, 4]],
        [
            [list("abcd"), list("abdc")],
            [list("abcd"), list("bacd")],
            [list("abcd"), list("abdc")],
            [[3, 1, 2]],
            [list("edcba")],
            [list("ba")],
            [list("abcde")],
            [[1, 2, 3, 4], [4, 3, 2, 1], [1, 3, 2, 4]],
        ],
        None,
    ),
    "parse": (
        [
            parsed("the>2:det dog>3:nsubj barks>0:root"),
            parsed("the>2:det dog>3:obj barks>0:root .>3:punct"),
            parsed("dogs>2:nsubj:pass bitten>0:root by>4:case cats>2:obl"),
            parsed("it>2:expl rains>0:root | it>2:nsubj snows>0:root"),
            parsed("the>2:det doctor>3:nsubj gives>0:root the>5:det drug>3:obj to>8:case the>8:det baby>3:obl"),
            parsed("dogs>2:nsubj bark>0:root"),
            parsed("a>2:det b>0:root"),
            parsed("x>3:nsubj y>3:obj z>0:root"),
        ],
        [
            [parsed("the>2:det dog>3:nsubj barks>0:root"), parsed("a>2:det dog>3:nsubj barks>0:root")],
            [parsed("the>2:det dog>3:nsubj barks>0:root .>3:punct"), parsed("dogs>2:nsubj bark>0:root")],
            [parsed("cats>2:nsubj bite>0:root dogs>2:obj"), parsed("dogs>2:nsubj:pass bitten>0:root")],
            [parsed("it>2:expl rains>0:root | it>2:expl snows>0:root")],
            [parsed("the>2:det doctor>3:nsubj gives>0:root the>5:det baby>3:iobj a>7:det drug>3:obj")],
            [parsed("bark>0:root dogs>1:nsubj")],
            [parsed("b>0:root a>1:det")],
            [parsed("z>0:root"), parsed("y>2:nsubj z>0:root x>2:obj"), parsed("x>2:nsubj y>0:root")],
        ],
        parsed(""),
    ),
    "annotation": (
        [
            annotated("fall rise"),
            annotated("rise*3"),
            annotated("fall rise", "STARTS 14:15 0", "CAUSE 0 1"),
            annotated("trend"),
            annotated("calm calm fall"),
            annotated("rise | fall"),
            annotated("steep-fall rise", "BEFORE 0 1"),
            annotated("calm"),
        ],
        [
            [annotated("fall rise"), annotated("rise fall")],
            [annotated("rise*2"), annotated("fall*2 rise")],
            [annotated("fall rise", "CAUSE 0 1"), annotated("rise fall", "STARTS 14:15 1")],
            [annotated("steep-fall")],
            [annotated("fall")],
            [annotated("rise fall")],
            [annotated("fall rise", "BEFORE 0 1", "AFTER 1 0")],
            [annotated("rise"), annotated("calm calm"), annotated("calm | calm")],
        ],
        annotated(""),
    ),
    "case": (
        [
            case("fall rise"),
            case("rise*3"),
            case("steep-fall"),
            case("fall", "on(tube)"),
            case("calm fall*2"),
            case("rise fall"),
            case("fall | rise", "on(tube)"),
            case("rise calm"),
        ],
        [[case("fall"), case("rise")]] * 3 + [[case("fall")]] * 4 + [[case("rise"), case("calm"), case("fall")]],
        None,
    ),
}
"""Kind of input → hypotheses, references, and a value that is empty (None where a value cannot be)."""


CASES = [
    pytest.param(name, given, id="-".join([name, *map(str, given.values())]))
    for name in NAMES
    for given in settings_of(name)
]


def sample(name: str) -> tuple[list[Any], list[list[Any]], Any]:
    kind = catalogue.find("metric", name).takes.kind
    assert kind in SAMPLES, f"give this test a sample of the kind {kind!r}"
    return SAMPLES[kind]


def sources_of(hypotheses: list[Any]) -> list[str]:
    """A source for each text, which can be read as a table too: two entries, of which the text has some words."""
    return [f"name|||{hypothesis} today\tplace|||on the small mat" for hypothesis in hypotheses]


def score(name: str | Metric, hypotheses: list[Any], references: Any = None, **given: Any) -> Score:
    """`textassay.metrics.score`, with sources for metrics that need them."""
    kind = type(name) if isinstance(name, Metric) else catalogue.find("metric", name)
    sources = {"sources": sources_of(hypotheses)} if kind.needs_sources else {}
    return library.score(name, hypotheses, references, **{**sources, **given})


@pytest.mark.parametrize("name", NAMES)
def test_class_says_what_it_is(name: str) -> None:
    found = catalogue.find("metric", name)
    assert issubclass(found, Metric)
    assert found.name == name
    assert found.corpus_is in ("mean", "pooled", "whole")
    assert found.scale[0] < found.scale[1]
    assert inspect.getdoc(found)
    assert inspect.getdoc(inspect.getmodule(found))


@pytest.mark.parametrize("name", NAMES)
def test_settings_are_frozen_signed_and_have_defaults(name: str) -> None:
    kind = catalogue.find("metric", name).Settings
    assert issubclass(kind, Settings)
    assert is_dataclass(kind)
    made = kind()  # every setting has a default
    signs = [each.metadata.get("sign", each.name) for each in fields(kind)]
    assert list(made.signature_fields()) == signs
    assert len(set(signs)) == len(signs)
    for each in fields(kind):
        with pytest.raises(AttributeError):
            setattr(made, each.name, each.default)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_settings_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{re.escape(name)} has no setting 'no_such_setting'; it has: "):
        metric(name, no_such_setting=1)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_scores_have_the_right_form(name: str, given: dict[str, Any]) -> None:
    hypotheses, references, _ = sample(name)
    result = score(name, hypotheses, references, **given)
    low, high = metric(name).scale
    assert result.segments.dtype == np.float64
    assert result.segments.shape == (len(hypotheses),)
    if result.metric.has_segment_scores:
        assert np.all((result.segments >= low) & (result.segments <= high))
    else:
        assert np.isnan(result.segments).all()
    assert low <= result.corpus <= high
    assert all(len(part) == len(hypotheses) for part in result.parts.values())
    assert len(result.statistics) == len(hypotheses)
    assert result.statistics.ndim == 2
    assert result.statistics.dtype in (np.int32, np.float64)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_signature_names_settings_scale_and_version(name: str, given: dict[str, Any]) -> None:
    hypotheses, references, _ = sample(name)
    signature = score(name, hypotheses, references, **given).signature
    made = metric(name, **given)
    parts = signature.split("|")
    assert parts[:2] == [name, "nrefs:1-3"]
    assert parts[-1] == f"version:{made.version()}"
    assert any(part.startswith("scale:") for part in parts)
    for key, value in made.settings.signature_fields().items():
        assert f"{key}:{value}" in parts


@pytest.mark.parametrize("name", NAMES)
def test_different_settings_have_different_signatures(name: str) -> None:
    hypotheses, references, _ = sample(name)
    signatures = {score(name, hypotheses[:1], references[:1], **given).signature for given in settings_of(name)}
    assert len(signatures) == len(settings_of(name))


def best_value(name: str) -> float:
    made = metric(name)
    if made.best is not None:
        return made.best
    return made.scale[1] if made.higher_is_better else made.scale[0]


def compares(name: str) -> bool:
    return bool(catalogue.find("metric", name).needs_references)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        each
        for each in CASES
        if compares(str(each.values[0]))
        and math.isfinite(best_value(str(each.values[0])))
        and not catalogue.find("metric", str(each.values[0])).needs_sources  # perfect is what suits the source too
        and each.values != ("rouge-w", {"mode": "1.5.5"})  # the program weighs weights again: at best recall is below 1
    ],
)
def test_a_text_like_its_reference_is_perfect(name: str, given: dict[str, Any]) -> None:
    # Some tokenisers drop other scripts; some settings want four words to be happy with.
    values = sample(name)[0]
    hypotheses = [
        value for value in values if not isinstance(value, str) or (value.isascii() and len(value.split()) >= 4)
    ]
    best = best_value(name)
    result = score(name, hypotheses, [[text] for text in hypotheses], **given)
    assert result.segments == pytest.approx(np.full(len(hypotheses), best))
    assert result.corpus == pytest.approx(best)


UNEVEN: dict[str, tuple[Any, Any]] = {
    "text": ("the small cat sat on the mat", "today the cat sat on the mat next to the small dog"),
    "case": (case("fall rise"), case("rise")),
    "annotation": (annotated("fall rise trend"), annotated("steep-fall calm", "STARTS 14:15 0")),
    "order": (list("bacd"), list("abcd")),
    "parse": (
        parsed("small>2:amod cats>3:nsubj eat>0:root mice>3:obj"),
        parsed("cats>4:nsubj do>4:aux not>4:advmod eat>0:root small>6:amod mice>4:obj"),
    ),
}
"""Kind of input → a value and a reference of another length, so that precision and recall differ."""


@pytest.mark.parametrize(("name", "given"), CASES)
def test_corpus_of_one_segment_is_made_of_what_the_segment_is_made_of(name: str, given: dict[str, Any]) -> None:
    hypothesis, reference = UNEVEN[catalogue.find("metric", name).takes.kind]
    found = score(name, [hypothesis], [[reference]], **given)
    own = {part: found.parts[part].tolist()[0] for part in found.corpus_parts if part in found.parts}
    assert {part: found.corpus_parts[part] for part in own} == pytest.approx(own)


@pytest.mark.parametrize(("name", "given"), [each for each in CASES if sample(str(each.values[0]))[2] is not None])
def test_empty_values_have_a_defined_score(name: str, given: dict[str, Any]) -> None:
    hypotheses, _, empty = sample(name)
    result = score(name, [empty, hypotheses[0], empty], [[hypotheses[0]], [empty], [empty]], **given)
    assert not np.isnan(result.segments if result.metric.has_segment_scores else result.corpus).any()
    assert result.warnings, "count empty texts in `remarks`, so that they are reported"


@pytest.mark.parametrize("name", NAMES)
def test_order_of_segments_does_not_matter(name: str) -> None:
    hypotheses, references, _ = sample(name)
    order = random.Random(1).sample(range(len(hypotheses)), len(hypotheses))
    straight = score(name, hypotheses, references)
    mixed = score(name, [hypotheses[k] for k in order], [references[k] for k in order])
    assert mixed.segments == pytest.approx(straight.segments[order], rel=1e-12, nan_ok=True)
    close = 0.2 if name == "compression-ratio" else 1e-12  # what came before makes what follows smaller
    assert mixed.corpus == pytest.approx(straight.corpus, rel=close)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_scores_follow_from_statistics_alone(name: str, given: dict[str, Any]) -> None:
    hypotheses, references, _ = sample(name)
    result = score(name, hypotheses, references, **given)
    made, statistics = result.metric, result.statistics
    assert np.array_equal(made.segment_scores(statistics), result.segments, equal_nan=True)
    assert made.corpus_score(statistics) == result.corpus
    assert math.isnan(made.corpus_score(statistics[:0]))
    # Two resamples at once give what each gives alone.
    weights = np.array([[1] * len(hypotheses), [len(hypotheses)] + [0] * (len(hypotheses) - 1)])
    together = made.from_sums(weights @ made.summands(statistics), len(hypotheses))
    assert together == pytest.approx([made.corpus_score(np.repeat(statistics, row, axis=0)) for row in weights])


@pytest.mark.parametrize(("name", "given"), CASES)
def test_twin_gives_the_same(name: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses, references, _ = sample(name)
    monkeypatch.setenv(VARIABLE, "auto")
    compiled = score(name, hypotheses, references, **given)
    monkeypatch.setenv(VARIABLE, "python")
    plain = score(name, hypotheses, references, **given)
    assert np.array_equal(compiled.statistics, plain.statistics)
    assert np.array_equal(compiled.segments, plain.segments, equal_nan=True)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_one_is_the_score_of_the_only_segment(
    name: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = metric(name, **given)
    hypotheses, references, _ = sample(name)
    for hypothesis, its, source in zip(hypotheses, references, sources_of(hypotheses), strict=True):
        expected = score(made, [hypothesis], [its]).segments
        for kernels in ("auto", "python"):
            monkeypatch.setenv(VARIABLE, kernels)
            one = made.one(hypothesis, its, source=source if made.needs_sources else None)
            assert np.array_equal([one], expected, equal_nan=True)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_score_of_one_pair_is_that_of_the_usual_way(name: str, given: dict[str, Any]) -> None:
    made = metric(name, **given)
    hypotheses, references, _ = sample(name)
    for place, (hypothesis, its) in enumerate(zip(hypotheses, references, strict=True)):
        quick = score(made, [hypothesis], [its])
        usual = score(made, (hypothesis,), [its])  # a tuple is checked and scored like many
        assert quick.corpus == usual.corpus or (math.isnan(quick.corpus) and math.isnan(usual.corpus))
        assert np.array_equal(quick.statistics, usual.statistics, equal_nan=True)
        assert quick.warnings == usual.warnings
        if place == 0:  # what is made of these numbers is made in one way
            assert repr(quick) == repr(usual)
            assert quick.to_json() == usual.to_json()
            assert pickle.loads(pickle.dumps(quick)).signature == usual.signature


@pytest.mark.parametrize("name", NAMES)
def test_inputs_stay_as_they_were(name: str) -> None:
    hypotheses, references, _ = sample(name)
    before = pickle.dumps((hypotheses, references))
    score(name, hypotheses, references)
    assert pickle.dumps((hypotheses, references)) == before


@pytest.mark.parametrize("name", NAMES)
def test_references_matter_to_those_metrics_that_need_them(name: str) -> None:
    hypotheses, references, _ = sample(name)
    if compares(name):
        with pytest.raises(UsageError, match="give one list of references for each hypothesis"):
            score(name, hypotheses)
    else:
        alone, beside = score(name, hypotheses), score(name, hypotheses, references)
        assert np.array_equal(alone.segments, beside.segments, equal_nan=True)
        assert alone.corpus == beside.corpus


@pytest.mark.parametrize("name", NAMES)
def test_metric_can_travel_to_another_process(name: str) -> None:
    hypotheses, references, _ = sample(name)
    made = metric(name)
    copy = pickle.loads(pickle.dumps(made))
    assert score(copy, hypotheses, references).corpus == score(made, hypotheses, references).corpus


@pytest.mark.parametrize("name", NAMES)
def test_one_reference_each_need_not_be_in_a_list(name: str) -> None:
    hypotheses, references, _ = sample(name)
    ones = [each[0] for each in references]
    flat, listed = score(name, hypotheses, ones), score(name, hypotheses, [[each] for each in ones])
    assert np.array_equal(flat.segments, listed.segments, equal_nan=True)


@pytest.mark.parametrize("name", NAMES)
def test_mistakes_with_references_are_explained(name: str) -> None:
    hypotheses, references, _ = sample(name)
    one = references[0][0]
    mistakes: list[tuple[Any, type[Exception], str]] = [
        (one if isinstance(one, str) else 7, UsageError, "give one list of references for each hypothesis"),
        ([one] * (len(hypotheses) - 1), UsageError, "give one for each, or a list of them for each"),
        (references[:-1], UsageError, "give one list of references for each hypothesis"),
        ([[one] * len(hypotheses)] * 2, UsageError, "references look transposed"),
        ([*references[:-1], []], DataError, r"references\[7\] \(row 7\): no reference"),
        ([*references[:-1], [None]], DataError, r"references\[7\]\[0\] \(row 7\): missing"),
    ]
    rows = [f"row {number}" for number in range(len(hypotheses))]
    for wrong, error, message in mistakes:
        with pytest.raises(error, match=message):
            score(name, hypotheses, wrong, rows=rows)


@pytest.mark.parametrize("name", NAMES)
def test_sources_are_checked_where_they_are_needed_and_ignored_elsewhere(name: str) -> None:
    hypotheses, references, _ = sample(name)
    sources = sources_of(hypotheses)
    if not catalogue.find("metric", name).needs_sources:
        plain = score(name, hypotheses, references)
        np.testing.assert_array_equal(score(name, hypotheses, references, sources=sources).segments, plain.segments)
        return
    mistakes: list[tuple[Any, type[Exception], str]] = [
        (None, UsageError, f"{name} needs the source of each text"),
        (sources[0], UsageError, "give a list, one text per hypothesis"),
        (sources[:-1], UsageError, "8 hypotheses but 7 sources"),
        ([*sources[:-1], None], DataError, r"sources\[7\] \(row 7\): missing"),
        ([*sources[:-1], 7], UsageError, r"sources\[7\] \(row 7\) is int 7"),
    ]
    rows = [f"row {number}" for number in range(len(hypotheses))]
    for wrong, error, message in mistakes:
        with pytest.raises(error, match=message):
            score(name, hypotheses, references, rows=rows, sources=wrong)
