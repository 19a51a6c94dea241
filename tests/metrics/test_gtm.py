"""GTM by the answers of the original program; tests/kernels/test_gtm.py has the definition written out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from rouge_texts import made_up_pairs

from textassay.errors import UsageError
from textassay.metrics import metric, score

# F by the program GTM 1.4 (Java), rounded to six digits.
PROGRAM = [
    ("a b c d e f", ["a b x c d e f"], {1.0: 0.923077, 1.5: 0.753003, 2.0: 0.688021, 3.0: 0.640026}),
    ("the cat sat on the mat", ["the cat is on the mat"], {1.0: 0.833333, 2.0: 0.600925, 3.0: 0.545178}),
    ("c d a b", ["a b c d"], {1.0: 1.0, 2.0: 0.707107}),
    ("a b c x c d", ["a b c d", "c d a b q"], {1.0: 0.857143, 2.0: 0.638877}),
]
CORPUS = [*((hypothesis, references) for hypothesis, references, _ in PROGRAM[:3]), ("x y z", ["p q r"])]


@pytest.mark.parametrize(("hypothesis", "references", "expected"), PROGRAM)
def test_equals_the_program(hypothesis: str, references: list[str], expected: dict[float, float]) -> None:
    found = {e: score("gtm", [hypothesis], [references], exponent=e).segments[0] for e in expected}
    assert found == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(("exponent", "expected"), [(1.0, 0.769231), (2.0, 0.559288)])
def test_corpus_equals_the_program(exponent: float, expected: float) -> None:
    result = score("gtm", [hyp for hyp, _ in CORPUS], [refs for _, refs in CORPUS], exponent=exponent)
    assert result.corpus == pytest.approx(expected, abs=5e-7)
    precision, recall = result.corpus_parts["precision"], result.corpus_parts["recall"]
    assert 2 * precision * recall / (precision + recall) == pytest.approx(result.corpus, rel=1e-12)


def test_exponent_1_gives_rouge_1() -> None:
    pairs = made_up_pairs(400, seed=12)
    texts = [hyp for hyp, _ in pairs], [refs[:1] for _, refs in pairs]
    gtm, rouge = score("gtm", *texts, tokeniser="unicode-words"), score("rouge-1", *texts)
    assert gtm.segments == pytest.approx(rouge.segments, rel=1e-12)
    assert gtm.parts["recall"] == pytest.approx(rouge.parts["recall"], rel=1e-12)


def test_a_higher_exponent_is_never_kinder() -> None:
    pairs = made_up_pairs(200, seed=13)
    texts = [hyp for hyp, _ in pairs], [refs for _, refs in pairs]
    steps = [score("gtm", *texts, exponent=e).segments for e in (1.0, 1.5, 2.0, 3.0)]
    assert all(np.all(high <= low + 1e-12) for low, high in pairwise(steps))


def test_case_is_kept_unless_given_up() -> None:
    assert score("gtm", ["The cat."], [["the cat."]]).segments.tolist() == [0.5]
    lowered = score("gtm", ["The cat."], [["the cat."]], lower=True)
    assert lowered.segments.tolist() == [1.0]
    assert "|multi:concatenated|tok:none|case:lower|e:1" in lowered.signature


def test_statistics_are_match_size_and_lengths() -> None:
    # Runs of two and one, mean reference length 3.5: √(4 + 1), 4 words, 3.5 words.
    result = score("gtm", ["a b x c"], [["a b y", "c z z z"]], exponent=2.0)
    assert result.statistics == pytest.approx(np.array([[5**0.5, 4, 3.5]]))
    assert result.statistics.dtype == np.float64


def test_texts_without_words() -> None:
    result = score("gtm", ["", "a", ""], [["a"], ["", ""], [""]])
    assert result.segments.tolist() == [0, 0, 0]
    assert result.warnings == ("gtm: 2 hypotheses contain no words and score 0", "gtm: 3 references contain no words")


@pytest.mark.parametrize("text", ["Съешь ещё этих булок", "我 爱 自然 语言", "हिन्दी में लिखा"])
def test_other_scripts(text: str) -> None:
    assert score("gtm", [text], [[text]], exponent=2.0).segments.tolist() == [1.0]


def test_exponents_below_1_are_refused() -> None:
    with pytest.raises(UsageError, match=r"gtm: exponent is 0\.5; it must be at least 1"):
        metric("gtm", exponent=0.5)
