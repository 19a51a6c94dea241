"""F1 and exact match of answers, as SQuAD's official script has them."""

from __future__ import annotations

import re
import string
from collections import Counter

import pytest
from hypothesis import given, settings
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments

from textassay.metrics import score


def words(answer: str) -> list[str]:
    """By the description in the paper, in another order of steps than the tokeniser's."""
    kept = "".join(sign.lower() for sign in answer if sign not in string.punctuation)
    kept = answer.lower() if not set(answer) & set(string.punctuation) else kept
    return re.sub(r"(?<!\w)(the|an|a)(?!\w)", "", kept).split()


def slow_f1(answer: str, reference: str) -> float:
    ours, theirs = words(answer), words(reference)
    return 200 * (Counter(ours) & Counter(theirs)).total() / ((len(ours) + len(theirs)) or 1)


def agrees(segments: list[Segment]) -> None:
    texts, references = [hyp for hyp, _ in segments], [refs for _, refs in segments]
    f1 = [max(slow_f1(hyp, ref) for ref in refs) for hyp, refs in segments]
    match = [100.0 * any(words(hyp) == words(ref) for ref in refs) for hyp, refs in segments]
    assert score("squad-f1", texts, references).segments.tolist() == pytest.approx(f1, rel=1e-12)
    assert score("squad-exact-match", texts, references).segments.tolist() == match


def test_equal_slow_implementation() -> None:
    agrees(made_up_segments(1000, seed=2))


@settings(max_examples=25)
@given(ADVERSARIAL_SEGMENTS)
def test_equal_slow_implementation_on_adversarial_unicode(segments: list[Segment]) -> None:
    # A capital sigma at the end of a word has another small letter than elsewhere; the slow words go letter by letter.
    agrees([(hyp.replace("Σ", "s"), [ref.replace("Σ", "s") for ref in refs]) for hyp, refs in segments])


def test_by_hand() -> None:
    # "cat sat" and "cat sat down": 2 of 2 and 2 of 3 words, F1 = 4/5. "cats" is another word.
    result = score("squad-f1", ["The cat sat.", "cats"], [["a Cat sat down", "cat"], ["cat"]])
    assert result.segments.tolist() == pytest.approx([80, 0])
    assert [result.parts[name][0] for name in ("precision", "recall")] == pytest.approx([100, 200 / 3])
    assert result.corpus == pytest.approx(40)


def test_answers_without_words() -> None:
    texts, references = ["", "the", "x", ""], [["."], ["!"], [""], ["x"]]
    assert score("squad-exact-match", texts, references).segments.tolist() == [100, 100, 0, 0]
    assert score("squad-f1", texts, references).segments.tolist() == [0, 0, 0, 0]
    assert score("squad-f1", texts, references, version="2.0").segments.tolist() == [100, 100, 0, 0]
