"""What all ROUGE metrics share; those that rouge-score has equal it, compiled and plain."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_texts import ADVERSARIAL_PAIRS, PEER, TOLERANCE, Pairs, made_up_pairs, our_scores, peer_scores

from textassay.errors import UsageError
from textassay.kernels.choice import VARIABLE
from textassay.metrics import score
from textassay.metrics.rouge import scores_of

NAMES = (
    "rouge-1",
    "rouge-2",
    "rouge-l",
    "rouge-lsum",
    "rouge-n",
    "rouge-s",
    "rouge-s4",
    "rouge-su",
    "rouge-su4",
    "rouge-w",
)

BOTH_INSIDE = pytest.mark.parametrize("kernels", ["compiled"], indirect=True)
"""For tests that try compiled loops and fallbacks themselves: the peer's slow scores are then made once."""


def largest_difference(pairs: Pairs, *, stem: bool) -> float:
    """From rouge-score, over ROUGE-1, 2, L and Lsum, F, precision and recall, compiled and with fallbacks."""
    expected = peer_scores(pairs, stem=stem)
    differences = []
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            differences += [np.abs(our_scores(name, pairs, stem=stem) - expected[name]).max() for name in PEER]
    return float(np.max(differences))


# benchmarks/_metrics_rouge.py does the same on 20,000 pairs.
@BOTH_INSIDE
@pytest.mark.parametrize(("stem", "n"), [(False, 800), (True, 400)])
def test_equals_rouge_score(n: int, *, stem: bool) -> None:
    assert largest_difference(made_up_pairs(n, seed=20 + stem), stem=stem) <= TOLERANCE


@BOTH_INSIDE
@settings(max_examples=40)
@given(ADVERSARIAL_PAIRS, st.booleans())
def test_equals_rouge_score_on_adversarial_unicode(pairs: Pairs, stem: bool) -> None:
    assert largest_difference(pairs, stem=stem) <= TOLERANCE


@BOTH_INSIDE
@given(ADVERSARIAL_PAIRS, st.sampled_from(NAMES))
def test_fallback_gives_the_same(pairs: Pairs, name: str) -> None:
    statistics = []
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            statistics.append(score(name, [hyp for hyp, _ in pairs], [refs for _, refs in pairs]).statistics)
    assert np.array_equal(*statistics)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["Ein Übel für größere Bären.", "Съешь ещё этих булок", "我爱自然语言处理", "हिन्दी में लिखा", "ภาษาไทย"]
)
def test_other_scripts(name: str, text: str) -> None:
    assert score(name, [text], [[text]]).segments == pytest.approx([1.0], abs=1e-12)


def test_rouge_score_gives_nothing_for_other_scripts() -> None:
    assert RougeScorer(["rougeL"]).score("我爱北京", "我爱北京")["rougeL"].fmeasure == 0
    assert score("rouge-l", ["我爱北京"], [["我爱北京"]], tokeniser="rouge-score").segments.tolist() == [0]


def test_stop_words_are_left_out() -> None:
    # Left are cat, sat, mat and cat, mat: two of three, two of two.
    result = score("rouge-1", ["the cat sat on the mat"], [["a cat is under that mat"]], stop_words="textassay-en")
    assert result.segments.tolist() == pytest.approx([0.8])
    assert "|stop:textassay-en|" in result.signature


def test_stop_words_of_a_file_are_signed_by_its_digest(tmp_path: Path) -> None:
    # ROUGE-1.5.5 -s with its own list gave the same as this package with that list as a file, on 400 random texts.
    path = tmp_path / "stop.txt"
    path.write_text("The\n\nsat \ndon't\n", encoding="utf-8")
    result = score("rouge-1", ["the cat sat on the mat"], [["A cat is on the Mat"]], stop_words=str(path))
    # Left are cat, on, mat and a, cat, is, on, mat.
    assert result.corpus_parts == pytest.approx({"precision": 1, "recall": 3 / 5})
    assert f"|stop:sha256-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}|" in result.signature


def test_stop_words_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("für".encode("latin-1"))
    for name in (tmp_path / "none.txt", tmp_path / "latin"):
        with pytest.raises(UsageError, match="choose kept, textassay-en, or a UTF-8 file with one word per line"):
            score("rouge-1", ["a"], [["a"]], stop_words=str(name))


@pytest.mark.parametrize("name", NAMES)
def test_texts_with_too_few_words_score_0_and_are_counted(name: str) -> None:
    result = score(name, ["", "…", "a b c", ""], [["a b"], ["a b"], [""], [""]])
    assert result.segments.tolist() == [0, 0, 0, 0]
    assert result.parts["precision"].tolist() == [0, 0, 0, 0]
    few = {"rouge-2": "fewer than 2 words", "rouge-s": "fewer than 2 words", "rouge-s4": "fewer than 2 words"}
    few |= {"rouge-su": "fewer than 2 words", "rouge-su4": "fewer than 2 words"}
    which = few.get(name, "no words")
    assert result.warnings == (
        f"{name}: 3 hypotheses contain {which} and score 0",
        f"{name}: 2 references contain {which}",
    )


@pytest.mark.parametrize("multi", ["best", "mean", "pooled", "jackknife"])
@pytest.mark.parametrize("name", NAMES)
def test_one_reference_is_the_same_by_every_policy(name: str, multi: str) -> None:
    pairs = [(hyp, refs[:1]) for hyp, refs in made_up_pairs(40, seed=4)]
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert score(name, *texts, multi=multi).segments == pytest.approx(score(name, *texts).segments, rel=1e-12)


# A share of words is 0 or no smaller than one in all the words that there can be.
SHARES = st.just(0.0) | st.floats(2.0**-31, 1)


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1))
def test_f_lies_between_precision_and_recall(both: list[tuple[float, float]]) -> None:
    f, precision, recall = scores_of(*np.array(both).T).T
    assert np.all(f >= np.minimum(precision, recall) * (1 - 1e-12) - 1e-300)
    assert np.all(f <= np.maximum(precision, recall) * (1 + 1e-12))
