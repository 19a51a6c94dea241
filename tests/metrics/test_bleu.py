"""BLEU equals sacreBLEU, compiled and plain."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments
from sacrebleu.metrics.bleu import BLEU  # 2.6.0

from textassay.errors import UsageError
from textassay.kernels.choice import VARIABLE
from textassay.metrics import metric, score

TOLERANCE = 1e-9
SMOOTHINGS: list[dict[str, Any]] = [
    {"smoothing": "exp"},
    {"smoothing": "none"},
    {"smoothing": "floor"},
    {"smoothing": "floor", "smoothing_value": 0.03},
    {"smoothing": "add-k"},
    {"smoothing": "add-k", "smoothing_value": 0.5},
]
VARIANTS: list[dict[str, Any]] = [
    *SMOOTHINGS,
    *[{"tokeniser": name} for name in ("intl", "char", "none")],
    *[{"lowercase": True}, {"effective_order": "always"}, {"effective_order": "never"}, {"max_order": 2}],
    {"max_order": 6, "tokeniser": "char", "lowercase": True, "smoothing": "floor"},
]

BOTH_INSIDE = pytest.mark.parametrize("kernels", ["compiled"], indirect=True)
"""For tests that try compiled loops and fallbacks themselves: the peer's slow scores are then made once."""


def sacrebleu(*, effective_order: bool, given: dict[str, Any]) -> BLEU:
    return BLEU(
        lowercase=given.get("lowercase", False),
        tokenize=given.get("tokeniser", "13a"),
        smooth_method=given.get("smoothing", "exp"),
        smooth_value=given.get("smoothing_value"),
        max_ngram_order=given.get("max_order", 4),
        effective_order=effective_order,
    )


def largest_difference(segments: list[Segment], given: dict[str, Any]) -> float:
    """From sacreBLEU, in score, precisions, brevity penalty and lengths, of every segment and of the corpus.

    With the compiled loop and with its fallback.
    """
    where = given.get("effective_order", "segments")
    by_sentence = sacrebleu(effective_order=where != "never", given=given)
    most = max(len(refs) for _, refs in segments)
    streams = [[refs[k] if k < len(refs) else None for _, refs in segments] for k in range(most)]
    theirs = [by_sentence.sentence_score(hyp, refs) for hyp, refs in segments]
    corpus = sacrebleu(effective_order=where == "always", given=given)
    theirs.append(corpus.corpus_score([hyp for hyp, _ in segments], streams))  # type: ignore[arg-type]
    names = [f"precision_{n}" for n in range(1, given.get("max_order", 4) + 1)]
    names += ["brevity_penalty", "hypothesis_words", "reference_words"]
    expected = np.array([[one.score, *one.precisions, one.bp, one.sys_len, one.ref_len] for one in theirs])
    differences = []
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            ours = score("bleu", [hyp for hyp, _ in segments], [refs for _, refs in segments], **given)
        found = np.column_stack([ours.segments, *(ours.parts[name] for name in names)])
        found = np.vstack([found, [ours.corpus, *(ours.corpus_parts[name] for name in names)]])
        differences.append(np.abs(found - expected).max())
    return float(max(differences))


@BOTH_INSIDE
@pytest.mark.parametrize("given", VARIANTS, ids=lambda given: "-".join(map(str, given.values())))
def test_equals_sacrebleu(given: dict[str, Any]) -> None:
    assert largest_difference(made_up_segments(200, seed=len(str(given))), given) <= TOLERANCE


@pytest.mark.long
@BOTH_INSIDE
def test_equals_sacrebleu_on_hundreds() -> None:
    assert largest_difference(made_up_segments(800, seed=5), {}) <= TOLERANCE


@BOTH_INSIDE
@settings(max_examples=40)
@given(ADVERSARIAL_SEGMENTS, st.sampled_from(VARIANTS))
def test_equals_sacrebleu_on_adversarial_unicode(segments: list[Segment], given: dict[str, Any]) -> None:
    assert largest_difference(segments, given) <= TOLERANCE


def test_known_answers_of_smoothing() -> None:
    # sacreBLEU 2.6.0, sentence_bleu: 5/6, 3/5, 1/4 and 0/3 matches.
    def bleu(**given: Any) -> float:
        return float(score("bleu", ["the cat sat on the mat"], [["the cat is on the mat"]], **given).segments[0])

    assert bleu() == pytest.approx(37.9918, abs=5e-5)
    assert bleu(smoothing="floor") == pytest.approx(25.4066, abs=5e-5)
    assert bleu(smoothing="add-k") == pytest.approx(48.5492, abs=5e-5)
    assert bleu(smoothing="none") == 0


def test_known_answers_of_effective_order() -> None:
    # sacreBLEU 2.6.0: three equal tokens make 100 with effective order and 0 without.
    for where, segment, corpus in (("segments", 100, 0), ("always", 100, 100), ("never", 0, 0)):
        result = score("bleu", ["a b c"], [["a b c"]], effective_order=where)
        assert result.segments.tolist() == [segment]
        assert result.corpus == corpus


def test_parts_by_hand() -> None:
    # "a b c" in "a b d e": 2 of 3 words, 1 of 2 pairs, 0 of 1 triple; BP = exp(1 - 4/3).
    result = score("bleu", ["a b c"], [["a b d e"]], max_order=3, smoothing="floor", smoothing_value=0.25)
    parts = {name: values.tolist() for name, values in result.parts.items()}
    assert parts["precision_1"] == pytest.approx([200 / 3])
    assert parts["precision_2"] == [50]
    assert parts["precision_3"] == [25]
    assert parts["brevity_penalty"] == pytest.approx([np.exp(-1 / 3)])
    assert parts["ratio"] == [0.75]
    assert result.segments.tolist() == pytest.approx([100 * np.exp(-1 / 3) * (2 / 3 * 1 / 2 * 1 / 4) ** (1 / 3)])
    assert result.statistics.tolist() == [[2, 1, 0, 3, 2, 1, 3, 4]]
    assert result.statistics.dtype == np.int32
    assert result.corpus_parts["ratio"] == 0.75
    assert result.corpus_parts["totals_2"] == 2


def test_several_references() -> None:
    # Pooled: both words match, each in one reference; closest lengths are 1 and 3, and the shorter is taken.
    # One at a time, with words alone: "a" gives 1/2 without penalty, "b c d" gives 1/2 · exp(1 - 3/2).
    pooled, best, mean = (
        score("bleu", ["a b"], [["b c d", "a"]], multi=multi, max_order=1) for multi in ("pooled", "best", "mean")
    )
    assert pooled.segments.tolist() == pytest.approx([100])
    assert pooled.parts["reference_words"].tolist() == [1]
    assert best.segments.tolist() == pytest.approx([50])
    assert best.parts["reference_words"].tolist() == [1]
    assert mean.segments.tolist() == pytest.approx([(50 + 50 * np.exp(-0.5)) / 2])
    assert mean.corpus == mean.segments[0]
    assert "|multi:mean|" in mean.signature
    assert "|corpus:mean|" in mean.signature
    assert "|corpus:pooled|" in best.signature


def test_corpus_of_best_pools_the_chosen_counts() -> None:
    segments = [pair for pair in made_up_segments(200, seed=8) if len(pair[1]) > 1]
    hypotheses, references = [hyp for hyp, _ in segments], [refs for _, refs in segments]
    chosen = [max(refs, key=lambda ref: score("bleu", [hyp], [[ref]]).segments[0]) for hyp, refs in segments]
    expected = score("bleu", hypotheses, [[ref] for ref in chosen])
    best = score("bleu", hypotheses, references, multi="best")
    assert best.segments == pytest.approx(expected.segments)
    assert best.corpus == pytest.approx(expected.corpus)


def test_many_resamples_at_once_equal_one_by_one() -> None:
    result = score("bleu", *zip(*made_up_segments(50, seed=3), strict=True))
    bleu, statistics = result.metric, result.statistics
    draw = np.random.default_rng(1)
    rows = draw.integers(0, 50, (20, 50))
    weights = np.stack([np.bincount(each, minlength=50) for each in rows])
    together = bleu.from_sums(weights @ bleu.summands(statistics), 50)
    assert together.tolist() == [bleu.corpus_score(statistics[each]) for each in rows]


def test_chunks_change_nothing() -> None:
    hypotheses, references = zip(*made_up_segments(100, seed=4), strict=True)
    whole = score("bleu", hypotheses, references)
    small = type("Small", (type(whole.metric),), {"chunk": 7})
    assert score(small(), hypotheses, references).statistics.tolist() == whole.statistics.tolist()


def test_empty_texts() -> None:
    result = score("bleu", ["", "a", ""], [["a"], [""], [""]])
    assert result.segments.tolist() == [0, 0, 0]
    assert result.parts["brevity_penalty"].tolist() == [0, 1, 1]
    assert np.isnan(result.parts["ratio"]).tolist() == [False, True, True]
    assert result.warnings == (
        "bleu: 2 hypotheses contain no words and score 0",
        "bleu: 2 references contain no words; a ratio to them is undefined",
    )


@pytest.mark.long
def test_100_000_words() -> None:
    words = random.Random(2).choices([f"w{k}" for k in range(20_000)], k=100_000)
    result = score("bleu", [" ".join(words)], [[" ".join(words[:50_000])]])
    assert result.parts["matches_1"].tolist() == [50_000]
    assert result.parts["matches_4"].tolist() == [49_997]


def test_signature_shows_the_smoothing_value() -> None:
    assert "|smooth:exp|value:-|" in score("bleu", ["a"], [["a"]]).signature
    assert "|smooth:floor|value:0.1|" in score("bleu", ["a"], [["a"]], smoothing="floor").signature
    assert "|smooth:add-k|value:1|" in score("bleu", ["a"], [["a"]], smoothing="add-k").signature


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_order": 0}, "max_order is 0; it must be at least 1"),
        ({"smoothing_value": 0.5}, "smoothing 'exp' takes no value; leave smoothing_value out"),
        ({"smoothing": "floor", "smoothing_value": -1}, "smoothing_value is -1; it must be at least 0"),
        ({"smoothing": "floor", "smoothing_value": 2.0}, "smoothing_value is 2; with floor give a number from 0 to 1"),
        ({"smoothing": "laplace"}, "choose one of: exp, floor, add-k, none"),
        ({"tokeniser": "rouge-score"}, "choose one of: 13a, intl, char, none"),
    ],
)
def test_mistakes_are_explained(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metric("bleu", **given)


def test_scripts_without_spaces_are_told() -> None:
    pair = ["我今天早上在公园里看见了一只白色的小猫"], [["今天早上我在公园里看见了一只小白猫"]]
    result = score("bleu", *pair)
    assert result.corpus == 0
    assert any("1 hypotheses are in a script without spaces" in each for each in result.warnings)
    assert score("bleu", *pair, tokeniser="char").warnings == ()
    assert "2 hypotheses are in a script" in score("bleu", ["我爱北京", "你好"], [["我爱上海"], ["你好吗"]]).warnings[0]
    assert score("bleu", ["東京"], [["京都"]], tokeniser="ja-mecab").warnings == ()  # one word of two characters
    spaced = " ".join(pair[0][0])
    assert score("bleu", [spaced], [[spaced]]).warnings == ()
    assert score("bleu", ["Donaudampfschifffahrtsgesellschaftskapitän"], [["Kapitän"]]).warnings == ()


def test_empty_reference_is_a_reference_as_in_sacrebleu() -> None:
    # sacreBLEU 2.6 gives 100 and, for None in the place of the empty text, 36.78794.
    reference = "a b c d e f g h"
    assert score("bleu", ["a b c d"], [[reference, ""]]).corpus == pytest.approx(100)
    assert score("bleu", ["a b c d"], [[reference]]).corpus == pytest.approx(36.78794, abs=1e-5)
