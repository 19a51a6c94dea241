"""ROUGE-W by known answers and by the formula; tests/kernels/test_weighted_lcs.py has the recurrence."""

from __future__ import annotations

import numpy as np
import pytest
from rouge_texts import made_up_pairs

from textassay.errors import UsageError
from textassay.kernels.lcs import weighted_lcs
from textassay.metrics import metric, score, tokeniser


def test_worked_example() -> None:
    # Lin (2004), section 4: X = ABCDEFG, Y1 = ABCDHIK, Y2 = AHBKCID with f(k) = k²: 0.571 = √(16/49), 0.286 = √(4/49).
    result = score("rouge-w", ["a b c d h i k", "a h b k c i d"], [["a b c d e f g"]] * 2, weight=2.0)
    assert result.segments.tolist() == pytest.approx([4 / 7, 2 / 7], rel=1e-12)
    assert result.parts["weighted_lcs"].tolist() == [16, 4]


def test_equals_the_formula() -> None:
    words = tokeniser("unicode-words").words
    for hypothesis, references in made_up_pairs(60, seed=5):
        a, b = words(hypothesis), words(references[0])
        if not a or not b:
            continue
        numbers = {word: number for number, word in enumerate({*a, *b})}
        tokens = [numbers[word] for word in a + b]
        weight = weighted_lcs(tokens, [0, len(a), len(a) + len(b)], [0], [1], 1.2)[0]
        precision, recall = ((weight / len(text) ** 1.2) ** (1 / 1.2) for text in (a, b))
        expected = 2 * precision * recall / (precision + recall) if weight else 0
        assert score("rouge-w", [hypothesis], [references[:1]]).segments[0] == pytest.approx(expected, rel=1e-12)


def test_weight_1_gives_rouge_l() -> None:
    pairs = made_up_pairs(100, seed=6)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    assert score("rouge-w", *texts, weight=1.0).segments == pytest.approx(score("rouge-l", *texts).segments, rel=1e-12)


def test_texts_are_never_better_than_perfect() -> None:
    texts = [" ".join(map(str, range(n))) for n in range(1, 120)]
    result = score("rouge-w", texts, [[text] for text in texts])
    assert result.segments == pytest.approx(np.ones(len(texts)), rel=1e-12)
    assert result.segments.max() <= 1


def test_weights_are_signed_and_checked() -> None:
    assert "|w:1.2|" in score("rouge-w", ["a"], [["a"]]).signature
    with pytest.raises(UsageError, match=r"rouge-w: weight is 0\.5; it must be at least 1"):
        metric("rouge-w", weight=0.5)
