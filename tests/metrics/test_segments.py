"""Segments: parts of them, counts of references, and one encoding for all that share a tokeniser."""

from __future__ import annotations

from textassay.metrics import Splitter, TextSegments, Tokeniser, tokeniser


def segments() -> TextSegments:
    return TextSegments.checked(["a b", "c", ""], [["a"], ["a b", "c"], ["x", "y", "a b"]])


def test_first_reference_counts_them() -> None:
    assert segments().first_reference.tolist() == [0, 1, 3, 6]


def test_chunks_are_all_of_it_in_order() -> None:
    chunks = list(segments().chunks(2))
    assert [len(chunk) for chunk in chunks] == [2, 1]
    assert [text for chunk in chunks for text in chunk.hypotheses] == ["a b", "c", ""]
    assert chunks[1].first_reference.tolist() == [0, 3]


def test_tokens_number_texts_and_pairs() -> None:
    encoded = segments().tokens(tokeniser("unicode-words"))
    # Distinct texts in the order of their first appearance: "a b", "c", "", "a", "x", "y".
    assert encoded.hypotheses.tolist() == [0, 1, 2]
    assert encoded.references.tolist() == [3, 0, 1, 4, 5, 0]
    assert encoded.paired_hypotheses.tolist() == [0, 1, 1, 2, 2, 2]
    assert encoded.texts.lengths.tolist() == [2, 1, 0, 1, 1, 1]


def test_a_text_is_tokenised_once_for_all_that_share_a_tokeniser() -> None:
    seen: list[str] = []

    def split(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    given = segments()
    first = given.tokens(Tokeniser(Splitter(split)))
    assert given.tokens(Tokeniser(Splitter(split))) is first
    assert seen == ["a", "b", "c", "x", "y"]  # each distinct piece of text
    given.tokens(Tokeniser(Splitter(split), stem=True))
    assert len(seen) == 10
    for chunk in given.chunks(1):  # what was learnt from all serves every part
        chunk.tokens(Tokeniser(Splitter(split)))
    assert len(seen) == 10
