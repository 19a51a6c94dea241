"""WER and CER equal jiwer 4.0.0, with all counts."""

from __future__ import annotations

import random

import jiwer
import numpy as np
import pytest
from edited_words import edited_pair
from hypothesis import given
from made_up_segments import ADVERSARIAL_TEXT, made_up_segments

from textassay.metrics import score

COUNTS = ("hits", "substitutions", "deletions", "insertions")
PROCESS = {"wer": jiwer.process_words, "cer": jiwer.process_characters}


def agree(metric: str, pairs: list[tuple[str, str]]) -> None:
    """Pairs of hypothesis and reference: every segment, and the corpus."""
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    ours = score(metric, hypotheses, [[reference] for reference in references])
    expected = [PROCESS[metric](reference, hypothesis) for hypothesis, reference in pairs]
    assert ours.segments == pytest.approx([getattr(one, metric) for one in expected], abs=1e-12)
    for kind in COUNTS:
        assert ours.parts[kind].tolist() == [getattr(one, kind) for one in expected]
    corpus = PROCESS[metric](references, hypotheses)
    assert ours.corpus == pytest.approx(getattr(corpus, metric), abs=1e-12)
    assert [ours.corpus_parts[kind] for kind in COUNTS] == [getattr(corpus, kind) for kind in COUNTS]


def spaced(text: str) -> str:
    """With plain spaces: jiwer does not part words at a single tab or line break."""
    return " ".join(text.split())


@pytest.mark.parametrize("metric", ["wer", "cer"])
def test_equals_jiwer_on_made_up_texts(metric: str) -> None:
    segments = made_up_segments(500, 31)
    agree(metric, [(spaced(hypothesis), spaced(reference)) for hypothesis, refs in segments for reference in refs])


def test_equals_jiwer_on_edited_texts() -> None:
    draw = random.Random(2)
    pairs = [edited_pair(draw, 60, words) for words in (2, 5, 40) for _ in range(700)]
    agree("wer", [(" ".join(map(str, hypothesis)), " ".join(map(str, reference))) for hypothesis, reference in pairs])


@pytest.mark.parametrize("metric", ["wer", "cer"])
@given(ADVERSARIAL_TEXT, ADVERSARIAL_TEXT)
def test_equals_jiwer_on_adversarial_texts(metric: str, hypothesis: str, reference: str) -> None:
    agree(metric, [(spaced(hypothesis), spaced(reference))])


def test_white_space_inside_a_text_is_a_character() -> None:
    agree("cer", [(" a\tb  c ", "a b c\n"), ("ab", "a b")])


@pytest.mark.parametrize("metric", ["wer", "cer"])
def test_empty_references_count_each_insertion(metric: str) -> None:
    agree(metric, [("x y", ""), ("", ""), ("", "x")])
    agree(metric, [("x y", "")])
    result = score(metric, ["x y", ""], [[""], [""]])
    assert result.segments.tolist() == [2.0 if metric == "wer" else 3.0, 0.0]
    assert any("2 references are empty" in warning for warning in result.warnings)


def test_lowest_rate_of_several_references() -> None:
    # Rates 1/2 and 2/5: the second is lower although it takes more edits.
    result = score("wer", ["a b c"], [["a b", "a b c d e"]])
    assert result.segments.tolist() == [0.4]
    assert {kind: int(result.parts[kind][0]) for kind in COUNTS} == dict(zip(COUNTS, (3, 0, 2, 0), strict=True))


def test_mean_rate_of_several_references() -> None:
    result = score("wer", ["a b c", "x"], [["a b", "a b c d e"], ["x"]], multi="mean")
    assert result.segments == pytest.approx([(0.5 + 0.4) / 2, 0])
    assert result.corpus == pytest.approx(0.225)
    assert "corpus:mean" in result.signature


def test_corpus_pools_edits_and_lengths() -> None:
    # One edit in one word, none in three.
    result = score("wer", ["a", "b c d"], [["x"], ["b c d"]])
    assert result.corpus == 0.25
    sums = np.array([[3, 1, 0, 0], [0, 0, 0, 2]])
    assert result.metric.from_sums(sums, 2).tolist() == [0.25, 2.0]


def test_lowercase() -> None:
    assert score("cer", ["The"], [["the"]], lowercase=True).corpus == 0
    assert score("cer", ["The"], [["the"]]).corpus == pytest.approx(1 / 3)


# --- CER; its equality with jiwer is shown in `test_error_rate.py` --------------------------------------------------


def test_by_hand() -> None:
    # "the mat" to "a mat": t substituted, h and e deleted, of seven characters.
    result = score("cer", ["a mat"], [[" the mat "]])
    assert result.corpus == pytest.approx(3 / 7)
    assert result.corpus_parts == {"hits": 4, "substitutions": 1, "deletions": 2, "insertions": 0}


def test_characters_beyond_the_first_plane_are_one_each() -> None:
    assert score("cer", ["\U0001f600\U0001f601"], [["\U0001f600\U0001f602"]]).corpus == 0.5


# --- WER; its equality with jiwer is shown in `test_error_rate.py` --------------------------------------------------


def test_known_answer_above_one() -> None:
    # One substitution and two insertions for one word of the reference.
    result = score("wer", ["b c d"], [["a"]])
    assert result.corpus == 3.0
    assert result.corpus_parts == {"hits": 0, "substitutions": 1, "deletions": 0, "insertions": 2}


def test_any_white_space_parts_words() -> None:
    assert score("wer", ["a\tb\u00a0c\n d"], [["a b c d"]]).corpus == 0


def test_signature() -> None:
    signature = score("wer", ["a"], [["a"]]).signature
    assert signature.startswith("wer|nrefs:1|multi:best|case:mixed|corpus:pooled|scale:0-inf|version:")
