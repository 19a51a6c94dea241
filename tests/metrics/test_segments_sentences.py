"""Texts as sentences."""

from __future__ import annotations

import pytest

from textassay.metrics import TextSegments, tokeniser
from textassay.metrics.segments import sentence_splitter


def test_lines_and_rules() -> None:
    text = "Dr. Ada came. She stayed.\nAll night."
    assert list(sentence_splitter("newline", "en")(text)) == ["Dr. Ada came. She stayed.", "All night."]
    found = [sentence.strip() for sentence in sentence_splitter("split", "en")(text)]
    assert found == ["Dr. Ada came.", "She stayed.", "All night."]


@pytest.mark.parametrize("how", ["newline", "split"])
def test_a_text_without_sentences_has_none(how: str) -> None:
    assert list(sentence_splitter(how, "en")("")) == []


def test_segments_know_their_sentences() -> None:
    segments = TextSegments.checked(["a b\nc", ""], [["c\nc d"], ["a b", "e"]])
    split = sentence_splitter("newline", "en")
    sentences = segments.sentences(tokeniser("unicode-words"), split)
    # Hypotheses first: "a b", "c"; nothing; then references: "c", "c d"; "a b"; "e".
    assert sentences.first_sentence.tolist() == [0, 2, 2, 4, 5, 6]
    of_rows = [sentences.texts.tokens[slice(*sentences.texts.offsets[row : row + 2])] for row in sentences.texts.rows]
    words = [" ".join(sentences.texts.words[token] for token in tokens) for tokens in of_rows]
    assert words == ["a b", "c", "c", "c d", "a b", "e"]
    assert sentences.lengths.tolist() == [3, 0, 3, 2, 1]
    assert segments.sentences(tokeniser("unicode-words"), split) is sentences
    assert segments.sentences(tokeniser("none"), split) is not sentences
