"""ROUGE-L by known answers; test_rouge.py holds it against rouge-score."""

from __future__ import annotations

import numpy as np
import pytest
from rouge_texts import made_up_pairs

from textassay.errors import UsageError
from textassay.kernels import compiled
from textassay.metrics import score


def test_worked_example() -> None:
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


def test_stemming() -> None:
    # "killed" and "kill" have the same stem, so all four words are in common.
    result = score("rouge-l", ["police kill the gunman"], [["police killed the gunman"]], stem=True)
    assert result.segments.tolist() == [1.0]


def test_several_references() -> None:
    # Against "a b": P = R = F = 1. Against "a b c d": L = 2, P = 1, R = 1/2, F = 2/3. Against "x": 0.
    references = [["x", "a b c d", "a b"], ["a b c d"]]
    best = score("rouge-l", ["a b", "a b"], references)
    assert best.segments.tolist() == pytest.approx([1, 2 / 3])
    assert best.parts["reference_words"].tolist() == [2, 4]
    mean = score("rouge-l", ["a b", "a b"], references, multi="mean")
    assert mean.segments.tolist() == pytest.approx([5 / 9, 2 / 3])  # (0 + 2/3 + 1)/3
    assert mean.parts["recall"].tolist() == pytest.approx([0.5, 0.5])  # (0 + 1/2 + 1)/3
    assert mean.corpus == pytest.approx((5 / 9 + 2 / 3) / 2)
    pooled = score("rouge-l", ["a b", "a b"], references, multi="pooled")
    assert pooled.parts["recall"].tolist() == pytest.approx([4 / 7, 0.5])  # (0 + 2 + 2)/(1 + 4 + 2)
    assert pooled.parts["precision"].tolist() == pytest.approx([4 / 6, 1])
    assert pooled.statistics.dtype == np.int32
    jackknife = score("rouge-l", ["a b", "a b"], references, multi="jackknife")
    # Left out in turn: "x" leaves 1 as the best, "a b c d" leaves 1, "a b" leaves 2/3.
    assert jackknife.segments.tolist() == pytest.approx([(1 + 1 + 2 / 3) / 3, 2 / 3])
    assert jackknife.parts["recall"].tolist() == pytest.approx([(1 + 1 + 1 / 2) / 3, 1 / 2])
    for result in (best, mean, pooled, jackknife):
        assert f"nrefs:1-3|multi:{result.metric.settings.signature_fields()['multi']}|" in result.signature


def test_first_of_equally_good_references_is_taken() -> None:
    # F is 2/3 for both: precision 1/2, recall 1 against "a"; the same numbers turned round against "a b c d".
    result = score("rouge-l", ["a b"], [["a", "a b c d"]])
    assert result.parts["reference_words"].tolist() == [1]


def test_an_empty_reference_counts_in_the_mean() -> None:
    assert score("rouge-l", ["a"], [["a", ""]], multi="mean").segments.tolist() == [0.5]


@pytest.mark.long
def test_text_of_100_000_words() -> None:
    text = " ".join(str(number) for number in range(100_000))
    assert score("rouge-l", [text], [[text]]).segments.tolist() == [1.0]


# --- ROUGE-Lsum by known answers; test_rouge.py holds it against rouge-score ----------------------------------------


def test_worked_example_sum() -> None:
    # Lin (2004), section 3.2: r = w1 w2 w3 w4 w5, c1 = w1 w2 w6 w7 w8, c2 = w1 w3 w8 w9 w5. The union of the longest
    # common subsequences is w1 w2 w3 w5: recall 4/5, precision 4/10.
    result = score("rouge-lsum", ["w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"], [["w1 w2 w3 w4 w5"]])
    assert (result.parts["recall"][0], result.parts["precision"][0]) == (0.8, 0.4)
    assert result.statistics.tolist() == [[4, 10, 5]]
    assert result.statistics.dtype == np.int32


def test_lines_without_words_are_nothing() -> None:
    plain = score("rouge-lsum", ["a b\nc"], [["c\na b"]])
    spread = score("rouge-lsum", ["\n\na b\n \n…\nc\n"], [["\nc\n\na b"]])
    assert plain.statistics.tolist() == spread.statistics.tolist() == [[3, 3, 3]]


def test_one_sentence_gives_rouge_l() -> None:
    pairs = [(hyp.replace("\n", " "), [ref.replace("\n", " ") for ref in refs]) for hyp, refs in made_up_pairs(200, 8)]
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert np.array_equal(score("rouge-lsum", *texts).statistics, score("rouge-l", *texts).statistics)


def test_sentences_can_be_found_by_rules() -> None:
    # Two sentences in another order; the full stop of the title ends none.
    hypothesis, reference = "Dr. Ada came. She stayed.", "She stayed. Dr. Ada came."
    assert score("rouge-lsum", [hypothesis], [[reference]]).segments.tolist() == pytest.approx([3 / 5])
    found = score("rouge-lsum", [hypothesis], [[reference]], sentences="split")
    assert found.segments.tolist() == [1.0]
    assert "|sentences:split|lang:en|" in found.signature


def test_order_of_sentences_makes_no_difference() -> None:
    sentences = ["one two three", "four five", "six one"]
    forward, backward = "\n".join(sentences), "\n".join(sentences[::-1])
    assert score("rouge-lsum", [forward], [[backward]]).segments.tolist() == [1.0]


def test_text_of_100_000_words_sum() -> None:
    words = 100_000 if compiled() else 20_000  # the fallback would take ten seconds
    text = " ".join(str(number) for number in range(words))
    assert score("rouge-lsum", [text], [[text]]).segments.tolist() == [1.0]


def test_coco_takes_best_precision_and_best_recall() -> None:
    # pycocoevalcap's Rouge gives the same for 1,500 random texts. Here: precision 2/3 by the first reference, recall 1
    # by the second; F = 2.44·2/3·1 / (1 + 1.44·2/3).
    result = score("rouge-l-coco", ["a b c"], [["a b d e", "a"]])
    assert result.parts["precision"].tolist() == pytest.approx([2 / 3])
    assert result.parts["recall"].tolist() == [1]
    assert result.segments.tolist() == pytest.approx([2.44 * (2 / 3) / (1 + 1.44 * (2 / 3))], rel=1e-12)


def test_coco_without_words_or_with_beta_1() -> None:
    assert score("rouge-l-coco", ["", "a"], [["a"], [""]]).segments.tolist() == [0, 0]
    plain = score("rouge-l", ["the cat sat"], [["the cat is"]]).segments
    assert score("rouge-l-coco", ["the cat sat"], [["the cat is"]], beta=1.0).segments == pytest.approx(plain)
    with pytest.raises(UsageError, match="beta is -1"):
        score("rouge-l-coco", ["a"], [["a"]], beta=-1.0)


def test_texts_of_one_line_are_told() -> None:
    text = "One. Two."
    assert any("as in rouge-l" in each for each in score("rouge-lsum", [text], [[text]]).warnings)
    assert score("rouge-lsum", ["One.\nTwo.", "No more than one."], [[text], [text]]).warnings == ()
    assert score("rouge-lsum", [text], [[text]], sentences="split").warnings == ()
