"""Coverage, density and compression: by hand, and by a slow search through every place of the source."""

from __future__ import annotations

import random

import pytest

from textassay.metrics import score, score_aligned

NAMES = ("fragment-coverage", "fragment-density", "summary-compression")


def test_by_hand() -> None:
    # "the cat" and "on the mat" are copied, "lies" is not: 5 of 6 words; (2² + 3²) / 6; 9 words for 6.
    summary, source = "The cat lies on the mat", "now the cat sat down on the mat again"
    values = [score(name, [summary], sources=[source]).corpus for name in NAMES]
    assert values == pytest.approx([5 / 6, 13 / 6, 9 / 6])


def test_the_search_goes_on_after_a_match() -> None:
    # At the first "a" of the source "a a" matches; the search goes on behind it, and so does not see "a a b" from the
    # second "a" on. Fragments are "a a" and "b", as in the paper's figure 3: (4 + 1) / 3.
    assert score("fragment-density", ["a a b"], sources=["a a a b"]).corpus == pytest.approx(5 / 3)


def slow_fragments(summary: list[str], source: list[str]) -> list[int]:
    """Figure 3 of the paper, with two indices."""
    found = []
    i = 0
    while i < len(summary):
        longest, j = 0, 0
        while j < len(source):
            k = 0
            while i + k < len(summary) and j + k < len(source) and summary[i + k] == source[j + k]:
                k += 1
            longest, j = max(longest, k), j + max(k, 1)
        found += [longest] * (longest > 0)
        i += max(longest, 1)
    return found


def test_equal_slow_search() -> None:
    draw = random.Random(1)
    summaries, sources = (
        [" ".join(draw.choices("abcd", k=draw.randint(0, most))) for _ in range(1000)] for most in (12, 40)
    )
    fragments = [slow_fragments(one.split(), other.split()) for one, other in zip(summaries, sources, strict=True)]
    words = [max(len(summary.split()), 1) for summary in summaries]
    expected = {
        "fragment-coverage": [sum(each) / n for each, n in zip(fragments, words, strict=True)],
        "fragment-density": [sum(k * k for k in each) / n for each, n in zip(fragments, words, strict=True)],
        "summary-compression": [
            len(source.split()) / n if summary else 0
            for summary, source, n in zip(summaries, sources, words, strict=True)
        ],
    }
    for name in NAMES:
        result = score(name, summaries, sources=sources, tokeniser="none")
        assert result.segments.tolist() == pytest.approx(expected[name])
        assert result.corpus == pytest.approx(sum(expected[name]) / 1000)


def test_no_references_are_needed() -> None:
    table = score_aligned(NAMES, {"A": ["a b"], "B": ["c"]}, sources=["a b d"])
    assert [table.scores[name]["A"].corpus for name in NAMES] == [1, 2, 1.5]
    assert [table.scores[name]["B"].corpus for name in NAMES] == [0, 0, 3]
