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


# ROUGE-1.5.5.pl -d -n 1 -x -w 1.2 -z SPL, one sentence per line: recall, precision, F. 600 such texts were equal.
PRINTED = [
    ("aa bb cc dd ee ff gg", "aa bb cc dd ee ff gg", 0.67761, 1.0, 0.80783),
    ("aa bb\naa aa bb aa aa bb aa\naa aa bb", "bb bb bb\nbb bb aa aa aa bb bb bb aa", 0.33524, 0.49459, 0.39962),
    (
        "cc aa bb cc bb aa\ncc bb cc aa dd",
        "cc dd bb dd aa bb aa\nbb cc aa aa\ncc bb dd bb bb dd dd",
        0.28162,
        0.66409,
        0.39551,
    ),
    ("ee aa\naa aa aa aa ee\ncc bb ee dd bb ee aa bb aa\ncc dd ee", "cc cc cc aa dd", 0.52987, 0.19239, 0.28229),
    ("cc", "bb bb bb\naa aa", 0.0, 0.0, 0.0),
    ("dd bb dd aa aa ee ff dd\nff dd ee", "ee dd cc dd bb aa bb aa", 0.35362, 0.38981, 0.37083),
    ("bb aa", "dd ee aa ee ee ee", 0.11647, 0.5, 0.18893),
    ("cc bb cc cc cc aa\nbb", "cc bb\naa cc bb aa cc bb cc\ncc bb cc bb cc bb", 0.23551, 0.71373, 0.35416),
    (
        "dd hh\ngg ee dd ee gg gg\nff ff gg dd hh bb ee cc bb",
        "gg bb ee ee ee\nee ee gg dd ff dd dd hh dd\ndd ff hh bb\ngg bb",
        0.30134,
        0.50413,
        0.37721,
    ),
]


def test_equals_the_program() -> None:
    result = score("rouge-w", [case[0] for case in PRINTED], [[case[1]] for case in PRINTED], mode="1.5.5")
    found = np.column_stack([result.parts["recall"], result.parts["precision"], result.segments])
    assert found == pytest.approx(np.array([case[2:] for case in PRINTED]), abs=1.1e-5)
    assert "|mode:1.5.5|" in result.signature


def test_text_without_words_scores_0_in_both_modes() -> None:
    for mode in ("paper", "1.5.5"):
        result = score("rouge-w", ["", "a", "..."], [["a"], [""], [""]], mode=mode)
        assert result.segments.tolist() == [0, 0, 0]


def test_texts_of_one_line_are_told() -> None:
    text = "One. Two."
    told = [score("rouge-w", [text], [[text]], mode=mode).warnings for mode in ("1.5.5", "paper")]
    assert [any("several sentences in one line" in each for each in warnings) for warnings in told] == [True, False]
    assert score("rouge-w", [text], [[text]], mode="1.5.5", sentences="split").warnings == ()
