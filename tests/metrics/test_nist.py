"""NIST equals mteval-v13a's published figures and a slow implementation with dictionaries."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments

from textassay.errors import UsageError
from textassay.metrics import TextSegments, metric, score, tokeniser
from textassay.metrics.nist import Nist

Gram = tuple[str, ...]


def grams(words: list[str], n: int) -> Counter[Gram]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


@cache  # the same for the compiled loops and for the fallbacks
def slow_nist(segments: tuple[tuple[str, tuple[str, ...]], ...], max_order: int = 5) -> tuple[list[float], float]:
    """By the definition in the docstring of nist.py, one n-gram after the other."""
    words = tokeniser("13a").words
    corpus = [(words(hyp), [words(ref) for ref in refs]) for hyp, refs in segments]
    counts: Counter[Gram] = Counter()
    for _, refs in corpus:
        for ref in refs:
            counts[()] += len(ref)
            for n in range(1, max_order + 1):
                counts.update(grams(ref, n))
    rows = []
    for hyp, refs in corpus:
        info, totals = [], []
        for n in range(1, max_order + 1):
            highest: Counter[Gram] = Counter()
            for ref in refs:
                highest |= grams(ref, n)
            matches = grams(hyp, n) & highest
            info.append(sum(times * math.log2(counts[gram[:-1]] / counts[gram]) for gram, times in matches.items()))
            totals.append(max(len(hyp) - n + 1, 0))
        rows.append([*info, *totals, len(hyp), sum(map(len, refs)) / len(refs)])

    def value(row: list[float]) -> float:
        total = sum(row[n] / max(row[max_order + n], 1) for n in range(max_order))
        ratio = min(1, row[-2] / row[-1]) if row[-1] else 1
        return total * math.exp(-math.log(2) / math.log(1.5) ** 2 * math.log(ratio) ** 2) if ratio else 0.0

    return [value(row) for row in rows], value([sum(column) for column in zip(*rows, strict=True)])


def agrees(segments: list[Segment]) -> None:
    result = score("nist", [hyp for hyp, _ in segments], [refs for _, refs in segments])
    by_segment, corpus = slow_nist(tuple((hyp, tuple(refs)) for hyp, refs in segments))
    assert result.segments.tolist() == pytest.approx(by_segment, rel=1e-12, abs=1e-12)
    assert result.corpus == pytest.approx(corpus, rel=1e-12, abs=1e-12)


def test_equals_slow_implementation() -> None:
    agrees(made_up_segments(1500, seed=9))


@settings(max_examples=40)
@given(ADVERSARIAL_SEGMENTS)
def test_equals_slow_implementation_on_adversarial_unicode(segments: list[Segment]) -> None:
    agrees(segments)


def test_by_hand() -> None:
    # Words of all references: a a b c, so a tells log2(4/2) = 1, b and c 2 bits; "a b" follows every second a: 1 bit.
    # "a b": (1 + 2)/2 + 1/1. "c" of "c a": 2/1, and the penalty for one word of two: exp(-b·ln(1/2)²).
    result = score("nist", ["a b", "c"], [["a b"], ["c a"]], tokeniser="none")
    penalty = math.exp(-math.log(2) / math.log(1.5) ** 2 * math.log(2) ** 2)
    assert result.segments.tolist() == pytest.approx([2.5, 2 * penalty])
    assert result.parts["information_1"].tolist() == [1.5, 2]
    assert result.parts["penalty"].tolist() == pytest.approx([1, penalty])
    # Summed: 5 bits of words over 3, 1 bit of pairs over 1, three words of four.
    short = math.exp(-math.log(2) / math.log(1.5) ** 2 * math.log(3 / 4) ** 2)
    assert result.corpus == pytest.approx((5 / 3 + 1) * short)
    assert result.corpus_parts["hypothesis_words"] == 3


def test_two_thirds_of_the_length_cost_half() -> None:
    assert score("nist", ["a b"], [["a b c"]]).parts["penalty"].tolist() == pytest.approx([0.5])


def test_reference_length_is_the_mean() -> None:
    assert score("nist", ["a b"], [["a b", "a", "a b c d e"]]).parts["reference_words"].tolist() == pytest.approx(
        [8 / 3]
    )


def test_chunks_change_nothing() -> None:
    # Words get other numbers in every chunk; the merged counts must not care.
    hypotheses, references = zip(*made_up_segments(120, seed=4), strict=True)
    whole = score("nist", hypotheses, references)
    small = type("Small", (Nist,), {"chunk": 7})
    assert score(small(), hypotheses, references).statistics == pytest.approx(whole.statistics, rel=1e-12)


def test_chunks_may_come_from_different_encoders() -> None:
    segments = made_up_segments(60, seed=5)
    parts = [TextSegments(*zip(*segments[k::3], strict=True)) for k in range(3)]
    made = metric("nist")
    knowing = made.with_survey([made.survey(part) for part in parts])
    rows = np.concatenate([knowing.statistics(part) for part in parts])
    mixed = [segment for k in range(3) for segment in segments[k::3]]
    assert rows == pytest.approx(score("nist", *zip(*mixed, strict=True)).statistics, rel=1e-12)


def test_a_metric_that_knows_its_corpus_can_travel() -> None:
    result = score("nist", ["a b c"], [["a b d"]])
    copy = pickle.loads(pickle.dumps(result.metric))
    assert copy.statistics(TextSegments(["a b c"], [["a b d"]])).tolist() == result.statistics.tolist()


def test_made_metric_stays_as_it_was() -> None:
    made = metric("nist")
    first = score(made, ["a b"], [["a b"]]).corpus
    score(made, ["x y z"], [["a b c"]])
    assert score(made, ["a b"], [["a b"]]).corpus == first
    with pytest.raises(UsageError, match="nist needs to see the corpus first"):
        made.statistics(TextSegments(["a"], [["a"]]))


def test_empty_texts() -> None:
    result = score("nist", ["", "a", ""], [["a"], [""], [""]])
    assert result.segments.tolist() == [0, 0, 0]
    assert result.warnings == ("nist: 2 hypotheses contain no words and score 0", "nist: 2 references contain no words")


def test_many_resamples_at_once_equal_one_by_one() -> None:
    result = score("nist", *zip(*made_up_segments(50, seed=3), strict=True))
    nist, statistics = result.metric, result.statistics
    rows = np.random.default_rng(1).integers(0, 50, (20, 50))
    weights = np.stack([np.bincount(each, minlength=50) for each in rows])
    together = nist.from_sums(weights @ nist.summands(statistics), 50)
    assert together == pytest.approx([nist.corpus_score(statistics[each]) for each in rows], rel=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [({"max_order": 0}, "max_order is 0; it must be at least 1"), ({"tokeniser": "x"}, "choose one of: 13a, intl")],
)
def test_mistakes_are_explained(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metric("nist", **given)


def test_lower_case_as_in_mteval() -> None:
    # mteval-v13a resolves entities, then lowers A to Z: Ä stays, and &AMP; is no entity but three tokens.
    same = score("nist", ["ÄRGER &AMP; Co"], [["Ärger & amp ; co"]], lowercase=True)
    assert same.corpus_parts["information_1"] == pytest.approx(math.log2(5))  # all five words match
    assert same.corpus_parts["hypothesis_words"] == 5
    other = score("nist", ["Ä b"], [["ä b"]], lowercase=True, max_order=1)
    assert other.segments.tolist() == pytest.approx([0.5])  # b has an information of log2(2 / 1), in one of two words


def test_padding_is_that_by_empty_references() -> None:
    hypotheses = ["a b c", "the cat", "x y"]
    references = [["a b c d e", "a b"], ["the cat sat on the mat"], ["x y z", "y", "x z y w"]]
    padded = [[*each, *[""] * (3 - len(each))] for each in references]
    found = score("nist", hypotheses, references, padded=True)
    assert found.segments.tolist() == pytest.approx(score("nist", hypotheses, padded).segments.tolist(), rel=1e-12)
    assert found.corpus == pytest.approx(score("nist", hypotheses, padded).corpus, rel=1e-12)
    assert found.corpus > score("nist", hypotheses, references).corpus
    assert "|padded:yes|" in found.signature
