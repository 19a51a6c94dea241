"""chrF and chrF++ equal sacreBLEU, compiled and plain."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments
from sacrebleu.metrics.chrf import CHRF  # 2.6.0

from textassay.errors import UsageError
from textassay.kernels.choice import VARIABLE
from textassay.metrics import metric, score

TOLERANCE = 1e-9
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *[("chrf", {}), ("chrf++", {}), ("chrf", {"word_order": 1}), ("chrf++", {"char_order": 0})],
    *[("chrf", {"lowercase": True}), ("chrf++", {"lowercase": True, "whitespace": True})],
    *[("chrf", {"whitespace": True}), ("chrf", {"eps_smoothing": True}), ("chrf++", {"eps_smoothing": True})],
    *[("chrf", {"beta": 1}), ("chrf", {"beta": 3.0}), ("chrf", {"beta": 0}), ("chrf", {"char_order": 3})],
]

BOTH_INSIDE = pytest.mark.parametrize("kernels", ["compiled"], indirect=True)
"""For tests that try compiled loops and fallbacks themselves: the peer's slow scores are then made once."""


def largest_difference(segments: list[Segment], name: str, given: dict[str, Any]) -> float:
    """From sacreBLEU, of every segment and of the corpus, with the compiled loop and with its fallback."""
    chrf = CHRF(**{"word_order": 2 if name == "chrf++" else 0, **given})
    most = max(len(refs) for _, refs in segments)
    streams = [[refs[k] if k < len(refs) else None for _, refs in segments] for k in range(most)]
    theirs = [chrf.sentence_score(hyp, refs).score for hyp, refs in segments]
    theirs.append(chrf.corpus_score([hyp for hyp, _ in segments], streams).score)  # type: ignore[arg-type]
    differences = []
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            ours = score(name, [hyp for hyp, _ in segments], [refs for _, refs in segments], **given)
        differences.append(np.abs(np.array([*ours.segments, ours.corpus]) - theirs).max())
    return float(max(differences))


@BOTH_INSIDE
@pytest.mark.parametrize(("name", "given"), VARIANTS, ids=str)
def test_equals_sacrebleu(name: str, given: dict[str, Any]) -> None:
    assert largest_difference(made_up_segments(200, seed=len(str(given))), name, given) <= TOLERANCE


@pytest.mark.long
@BOTH_INSIDE
@pytest.mark.parametrize("name", ["chrf", "chrf++"])
def test_equals_sacrebleu_on_hundreds(name: str) -> None:
    assert largest_difference(made_up_segments(500, seed=6), name, {}) <= TOLERANCE


@BOTH_INSIDE
@settings(max_examples=40)
@given(ADVERSARIAL_SEGMENTS, st.sampled_from(VARIANTS))
def test_equals_sacrebleu_on_adversarial_unicode(segments: list[Segment], variant: tuple[str, dict[str, Any]]) -> None:
    assert largest_difference(segments, *variant) <= TOLERANCE


def test_by_hand() -> None:
    # "abc" and "abd": 2 of 3 characters, 1 of 2 pairs, 0 of 1 triple; orders 4 to 6 are omitted.
    # P = R = (2/3 + 1/2 + 0) / 3 = 7/18, so F is the same for every beta. As one word of chrF++: 0 of 1.
    result = score("chrf", ["a bc"], [["abd"]])
    assert result.segments.tolist() == pytest.approx([100 * 7 / 18])
    assert result.parts["precision"].tolist() == pytest.approx([100 * 7 / 18])
    assert result.statistics.dtype == np.int32
    assert result.statistics[0, :9].tolist() == [3, 3, 2, 2, 2, 1, 1, 1, 0]
    plus = score("chrf++", ["abc"], [["abd"]])
    assert plus.segments.tolist() == pytest.approx([100 * (2 / 3 + 1 / 2) / 4])
    # Smoothed, F of each of six orders: 2/3, 1/2, and next to nothing four times.
    assert score("chrf", ["abc"], [["abd"]], eps_smoothing=True).segments.tolist() == pytest.approx([700 / 36])


def test_hypothesis_is_not_blamed_for_orders_that_the_reference_lacks() -> None:
    result = score("chrf", ["abcdef"], [["ab"]], char_order=3)
    assert result.statistics.tolist() == [[6, 2, 2, 5, 1, 1, 0, 0, 0]]


def test_beta_weighs_recall() -> None:
    # One character of four: P = 1, R = 1/4. F with beta 2: 5·1·(1/4) / (4·1 + 1/4) = 5/17; with beta 0 it is P.
    for beta, expected in ((2, 5 / 17), (1, 2 / 5), (0, 1)):
        found = score("chrf", ["a"], [["abcd"]], beta=beta).segments
        assert found.tolist() == pytest.approx([100 * expected])


def test_several_references() -> None:
    # Characters alone: "ab" gives 100; "ab" in "abcd" P = 1, R = 1/2, F = 5·(1/2) / (4 + 1/2) = 5/9.
    best, mean = (
        score("chrf", ["ab"], [["abcd", "ab", "ab"]], multi=multi, char_order=1) for multi in ("best", "mean")
    )
    assert best.segments.tolist() == [100]
    assert best.parts["reference_characters_1"].tolist() == [2]
    assert mean.segments.tolist() == pytest.approx([(500 / 9 + 200) / 3])
    assert mean.corpus == mean.segments[0]
    assert "|corpus:mean|" in mean.signature


def test_many_resamples_at_once_equal_one_by_one() -> None:
    result = score("chrf++", *zip(*made_up_segments(50, seed=3), strict=True))
    chrf, statistics = result.metric, result.statistics
    rows = np.random.default_rng(1).integers(0, 50, (20, 50))
    weights = np.stack([np.bincount(each, minlength=50) for each in rows])
    together = chrf.from_sums(weights @ chrf.summands(statistics), 50)
    assert together.tolist() == [chrf.corpus_score(statistics[each]) for each in rows]


def test_empty_texts() -> None:
    result = score("chrf", ["", "a", " \n"], [["a"], [""], [""]])
    assert result.segments.tolist() == [0, 0, 0]
    assert result.warnings == ("chrf: 2 hypotheses are empty and score 0", "chrf: 2 references are empty")


@pytest.mark.long
def test_100_000_words() -> None:
    text = " ".join(random.Random(2).choices([f"w{k}" for k in range(20_000)], k=100_000))
    assert score("chrf++", [text], [[text]]).segments.tolist() == [100]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"char_order": -1}, "char_order is -1; it must be at least 0"),
        ({"beta": -2.0}, "beta is -2; it must be at least 0"),
        ({"beta": float("nan")}, "beta is nan; it must be at least 0"),
        ({"char_order": 0}, "char_order and word_order are both 0"),
    ],
)
def test_mistakes_are_explained(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metric("chrf", **given)
