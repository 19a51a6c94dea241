"""ROUGE-L equals rouge-score, compiled and plain; and does what rouge-score does not."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from textassay.kernels.choice import VARIABLE
from textassay.metrics import score

ORACLE = {stem: RougeScorer(["rougeL"], use_stemmer=stem) for stem in (False, True)}  # rouge-score 0.1.2
TOLERANCE = 1e-12


@pytest.fixture(params=["auto", "python"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Every test twice: with the compiled loop where there is one, and with its twin."""
    monkeypatch.setenv(VARIABLE, request.param)
    return request.param


def made_up_pairs(n: int, seed: int) -> list[tuple[str, list[str]]]:
    """Hypotheses with one to three references of their own: shuffled, cut, grown and respelt copies, of any length."""
    draw = random.Random(seed)
    endings = ["", "s", "ed", "ing", "ly", "ational", "ness", "ies", "'s", "-", ",", ".", "é", "ß", "İ"]
    stems = ["".join(draw.choices("abcdefghiklmnoprstuvwyé1", k=draw.randint(1, 7))) for _ in range(300)]
    words = [stem + draw.choice(endings) for stem in stems for _ in range(3)]

    def text(length: int) -> list[str]:
        return [words[int(draw.random() ** 2 * len(words))] for _ in range(length)]

    def changed(source: list[str]) -> str:
        kept = [word.title() if draw.random() < 0.2 else word for word in source if draw.random() < 0.8]
        if kept and draw.random() < 0.5:
            cut = draw.randrange(len(kept))
            kept = kept[cut:] + text(draw.randint(0, 5)) + kept[:cut]
        return draw.choice([" ", "  ", "\n", " - "]).join(kept)

    pairs = []
    for _ in range(n):
        hypothesis = text(draw.choice([0, 1, 2, 5, 10, 20, 30, 70]))
        pairs.append((" ".join(hypothesis), [changed(hypothesis) for _ in range(draw.choice([1, 1, 2, 3]))]))
    return pairs


def against_oracle(pairs: list[tuple[str, list[str]]], *, stem: bool) -> float:
    """The largest difference from rouge-score in F, precision and recall."""
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    ours = score("rouge-l", hypotheses, references, tokeniser="rouge-score", stem=stem)
    theirs = [ORACLE[stem].score_multi(refs, hyp)["rougeL"] for hyp, refs in pairs]
    expected = np.array([(one.fmeasure, one.precision, one.recall) for one in theirs])
    found = np.stack([ours.segments, ours.parts["precision"], ours.parts["recall"]], axis=1)
    return float(np.abs(found - expected).max())


@pytest.mark.parametrize("stem", [False, True])
def test_equals_rouge_score(kernel: str, *, stem: bool) -> None:
    # benchmarks/metrics.py does the same on more pairs; here 2,500 for each of four ways.
    assert against_oracle(made_up_pairs(2500, seed=20 + stem), stem=stem) <= TOLERANCE


ADVERSARIAL = st.text(
    st.one_of(
        st.sampled_from("aAbB 0_-'\n\x00\x1c\x85\xa0İıKſßÄéé٣²½Ⅷ中ไ한אם\u200d\u202e\ufeff\ud800\U0001f469"),
        st.characters(codec=None, exclude_categories=()),
    ),
    max_size=40,
)


@settings(max_examples=200)
@given(st.lists(st.tuples(ADVERSARIAL, st.lists(ADVERSARIAL, min_size=1, max_size=3)), min_size=1), st.booleans())
def test_equals_rouge_score_on_adversarial_unicode(pairs: list[tuple[str, list[str]]], stem: bool) -> None:
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            assert against_oracle(pairs, stem=stem) <= TOLERANCE


@settings(max_examples=100)
@given(st.lists(st.tuples(ADVERSARIAL, st.lists(ADVERSARIAL, min_size=1, max_size=3)), min_size=1))
def test_twin_gives_the_same(pairs: list[tuple[str, list[str]]]) -> None:
    statistics = []
    for choice in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, choice)
            result = score("rouge-l", [hyp for hyp, _ in pairs], [refs for _, refs in pairs])
            statistics.append(result.statistics)
    assert np.array_equal(*statistics)


def test_worked_example(kernel: str) -> None:
    # Lin (2004), section 3.1, with beta 1: "police kill the gunman" shares police-the-gunman with "police killed the
    # gunman", 3 of 4 words; "the gunman kill police" shares the-gunman, 2 of 4.
    hypotheses = ["police kill the gunman", "the gunman kill police"]
    result = score("rouge-l", hypotheses, [["police killed the gunman"]] * 2)
    assert result.segments.tolist() == [0.75, 0.5]
    assert result.corpus == 0.625
    assert result.parts["lcs"].tolist() == [3, 2]
    assert result.parts["precision"].tolist() == result.parts["recall"].tolist() == [0.75, 0.5]
    assert result.corpus_parts == {"precision": 0.625, "recall": 0.625}
    assert result.statistics.dtype == np.int32


def test_stemming(kernel: str) -> None:
    # "killed" and "kill" have the same stem, so all four words are in common.
    result = score("rouge-l", ["police kill the gunman"], [["police killed the gunman"]], stem=True)
    assert result.segments.tolist() == [1.0]


def test_several_references(kernel: str) -> None:
    # Against "a b": P = R = F = 1. Against "a b c d": L = 2, P = 1, R = 1/2, F = 2/3. Against "x": 0.
    references = [["x", "a b c d", "a b"], ["a b c d"]]
    best = score("rouge-l", ["a b", "a b"], references)
    assert best.segments.tolist() == pytest.approx([1, 2 / 3])
    assert best.parts["reference_words"].tolist() == [2, 4]
    mean = score("rouge-l", ["a b", "a b"], references, multi="mean")
    assert mean.segments.tolist() == pytest.approx([5 / 9, 2 / 3])  # (0 + 2/3 + 1)/3
    assert mean.parts["recall"].tolist() == pytest.approx([0.5, 0.5])  # (0 + 1/2 + 1)/3
    assert mean.corpus == pytest.approx((5 / 9 + 2 / 3) / 2)
    assert "nrefs:1-3|multi:best|" in best.signature
    assert "nrefs:1-3|multi:mean|" in mean.signature


def test_first_of_equally_good_references_is_taken(kernel: str) -> None:
    # F is 2/3 for both: precision 1/2, recall 1 against "a"; the same numbers turned round against "a b c d".
    result = score("rouge-l", ["a b"], [["a", "a b c d"]])
    assert result.parts["reference_words"].tolist() == [1]


@pytest.mark.parametrize(
    "text", ["Ein Übel für größere Bären.", "Съешь ещё этих булок", "我爱自然语言处理", "हिन्दी में लिखा", "ภาษาไทย"]
)
def test_other_scripts(kernel: str, text: str) -> None:
    assert score("rouge-l", [text], [[text]]).segments.tolist() == [1.0]


def test_rouge_score_gives_nothing_for_other_scripts() -> None:
    assert ORACLE[False].score("我爱北京", "我爱北京")["rougeL"].fmeasure == 0
    assert score("rouge-l", ["我爱北京"], [["我爱北京"]], tokeniser="rouge-score").segments.tolist() == [0]


def test_texts_without_words_score_0_and_are_counted(kernel: str) -> None:
    result = score("rouge-l", ["", "…", "a", ""], [["a"], ["a"], [""], [""]])
    assert result.segments.tolist() == [0, 0, 0, 0]
    assert result.parts["precision"].tolist() == [0, 0, 0, 0]
    assert result.warnings == ("rouge-l: 3 hypotheses have no word and score 0", "rouge-l: 2 references have no word")
    assert score("rouge-l", ["a"], [["a", ""]], multi="mean").segments.tolist() == [0.5]


def test_text_of_100_000_words() -> None:
    text = " ".join(str(number) for number in range(100_000))
    assert score("rouge-l", [text], [[text]]).segments.tolist() == [1.0]
