"""CIDEr and CIDEr-D equal figures of pycocoevalcap 1.2 and a slow implementation with dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments

from textassay.errors import UsageError
from textassay.metrics import TextSegments, metric, score

Gram = tuple[str, ...]


def grams(text: str, n: int) -> Counter[Gram]:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


@cache  # the same for the compiled loops and for the fallbacks
def slow_cider(segments: tuple[tuple[str, tuple[str, ...]], ...], *, clipped: bool) -> list[float]:
    """By the definition in the docstring of cider.py, one n-gram after the other."""
    documents = Counter(
        gram for _, references in segments for gram in {g for r in references for n in range(1, 5) for g in grams(r, n)}
    )

    def vector(text: str, n: int) -> dict[Gram, float]:
        return {
            gram: times * (math.log(len(segments)) - math.log(max(documents[gram], 1)))
            for gram, times in grams(text, n).items()
        }

    def similarity(hypothesis: str, reference: str, n: int) -> float:
        ours, theirs = vector(hypothesis, n), vector(reference, n)
        product = sum(
            (min(ours[gram], theirs[gram]) if clipped else ours[gram]) * theirs[gram] for gram in ours.keys() & theirs
        )
        norms = math.hypot(*ours.values()) * math.hypot(*theirs.values())
        bigrams = [max(len(text.split()) - 1, 0) for text in (hypothesis, reference)]
        penalty = math.exp(-((bigrams[0] - bigrams[1]) ** 2) / 72) if clipped else 1
        return penalty * product / norms if norms else 0.0

    return [
        10 * sum(similarity(hypothesis, each, n) for each in references for n in range(1, 5)) / 4 / len(references)
        for hypothesis, references in segments
    ]


def agrees(segments: list[Segment]) -> None:
    for name, clipped in (("cider", False), ("cider-d", True)):
        result = score(name, [hyp for hyp, _ in segments], [refs for _, refs in segments], tokeniser="none")
        expected = slow_cider(tuple((hyp, tuple(refs)) for hyp, refs in segments), clipped=clipped)
        assert result.segments.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert result.corpus == pytest.approx(sum(expected) / len(expected), rel=1e-9, abs=1e-9)


def test_equal_slow_implementation() -> None:
    agrees(made_up_segments(300, seed=3))


@settings(max_examples=25)
@given(ADVERSARIAL_SEGMENTS)
def test_equal_slow_implementation_on_adversarial_unicode(segments: list[Segment]) -> None:
    agrees(segments)


def test_figures_of_pycocoevalcap() -> None:
    # What its CiderScorer gives for these tokens; there it is called CIDEr, but it clips and penalises: CIDEr-D.
    hypotheses = ["a man rides a horse", "two dogs two dogs two dogs", "a plate of food", "train"]
    references = [
        ["a man riding a horse on a beach", "a man rides a brown horse"],
        ["two dogs play", "dogs playing in the snow", "two brown dogs"],
        ["a plate of food on a table"],
        ["a train at a station", "train"],
    ]
    result = score("cider-d", hypotheses, references, tokeniser="none")
    assert result.segments.tolist() == pytest.approx(
        [4.319609737925114, 0.6621287448170323, 6.022283542995943, 1.811973718686506], rel=1e-12
    )


def test_by_hand() -> None:
    # Two documents. "b" is in one (idf ln 2), "a" in both (idf 0); "a b" is in one. As vectors of words the hypothesis
    # "b" and its reference "a b" have cosine 1; it has no bigram, so the other orders are 0: 10 · (1 + 0 + 0 + 0) / 4.
    # CIDEr-D: one bigram less, so times exp(-1/72).
    for name, factor in (("cider", 1.0), ("cider-d", math.exp(-1 / 72))):
        result = score(name, ["b", "a"], [["a b"], ["a c"]])
        assert result.segments.tolist() == pytest.approx([2.5 * factor, 0])
        assert result.parts["similarity_1"].tolist() == pytest.approx([factor, 0])
        assert result.corpus == pytest.approx(1.25 * factor)


def test_repeating_a_rare_word_pays_in_cider_only() -> None:
    references = [["a zebra grazes"], ["a horse"], ["a cow"]]
    once = ["zebra", "a horse", "a cow"]
    again = ["zebra zebra zebra", "a horse", "a cow"]
    assert score("cider", again, references).segments[0] == score("cider", once, references).segments[0]
    assert score("cider-d", again, references).segments[0] < score("cider-d", once, references).segments[0]


def test_one_segment_has_no_idf() -> None:
    result = score("cider", ["a b"], [["a b"]])
    assert result.corpus == 0
    assert "segment is the whole corpus" in result.warnings[0]


def test_chunks_share_document_frequencies(monkeypatch: pytest.MonkeyPatch) -> None:
    segments = made_up_segments(60, seed=3)
    given = [hyp for hyp, _ in segments], [refs for _, refs in segments]
    whole = score("cider-d", *given)
    monkeypatch.setattr("textassay.metrics.contract.Metric.chunk", 7)
    assert score("cider-d", *given).segments.tolist() == pytest.approx(whole.segments.tolist(), rel=1e-12)


def test_document_frequencies_of_a_file(tmp_path: Path) -> None:
    # The same frequencies as counted in the references above; "a b c" alone is listed, its beginnings are not.
    path = tmp_path / "df.tsv"
    path.write_text("documents\t2\na\t2\nb\t1\nc\t1\na b\t1\na c\t1\na b c\t1\n", encoding="utf-8")
    result = score("cider", ["b", "a"], [["a b"], ["a c"]], document_frequencies=str(path))
    assert result.segments.tolist() == score("cider", ["b", "a"], [["a b"], ["a c"]]).segments.tolist()
    assert "|df:sha256-" in result.signature
    alone = score("cider", ["b"], [["a b"]], document_frequencies=str(path))
    assert alone.segments.tolist() == pytest.approx([2.5])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: write 'documents'"),
        ("a b\t3\n", "line 1: write 'documents'"),
        ("documents\t2\na b 1\n", "line 2: 'a b 1' is not an n-gram, a tab and a whole number"),
        ("documents\t2\na  b\t1\n", "line 2"),
        ("documents\t2\na\t3\n", "line 2: 'a' is in 3 of 2 documents"),
    ],
)
def test_mistakes_in_the_file_are_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "df.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        metric("cider", document_frequencies=str(path))


def test_missing_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        metric("cider", document_frequencies=str(tmp_path / "none.tsv"))


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="max_order is 0"):
        metric("cider", max_order=0)
    with pytest.raises(UsageError, match="sigma is 0"):
        metric("cider-d", sigma=0.0)


def test_statistics_need_a_survey() -> None:
    with pytest.raises(UsageError, match="needs to see the corpus first"):
        metric("cider").statistics(TextSegments(["a"], [["a"]]))
