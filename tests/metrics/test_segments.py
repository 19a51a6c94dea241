"""Segments: parts of them, counts of references, and one encoding for all that share a tokeniser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import DataError, UsageError
from textassay.metrics import Splitter, TextSegments, Tokeniser, tokeniser
from textassay.metrics.sentences import sentence_splitter


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


# --- Wrong hypotheses and references: each message names the place, what was seen, and the remedy -------------------


FORM = "give one list of references for each hypothesis: [[ref, …], [ref, …], …]"
TRANSPOSED = "one list per reference set becomes one list per hypothesis by list(zip(*references))"
GIVE_TEXT = "give its text, or remove the row"
GIVE_ONE = "give at least one, or remove the row"


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: all this happens before any loop runs."""


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("a b", [["a"]], "hypotheses is str 'a b'; give a list, one text per segment"),
        (None, [["a"]], "hypotheses is NoneType None; give a list, one text per segment"),
        ({"x": "a"}, [["a"]], "hypotheses is dict {'x': 'a'}; give a list, one text per segment"),
        (["a"], "a b", f"references is str 'a b'; {FORM}"),
        (["a"], 7, f"references is int 7; {FORM}"),
        (["a", "b"], ["a"], "2 hypotheses but 1 references; give one for each, or a list of them for each"),
        (["a", "b"], ["a", ["b"]], "references[1] is list ['b']; it must be a text (str)"),
        (["a", "b"], [["a"], "b"], f"references[1] is str 'b'; {FORM}"),
        (["a", "b", "c"], [["a"], ["b"]], f"3 hypotheses but 2 lists of references; {FORM}"),
        ([], [["b"]], f"0 hypotheses but 1 lists of references; {FORM}"),
        (
            ["a", "b", "c"],
            [["a", "b", "c"], ["d", "e", "f"]],
            f"references look transposed: 2 lists of 3 for 3 hypotheses; {TRANSPOSED}",
        ),
        (["a"], np.array([["a"], ["b"]]), f"references look transposed: 2 lists of 1 for 1 hypotheses; {TRANSPOSED}"),
        ([["a"]], [["a"]], "hypotheses[0] is list ['a']; it must be a text (str)"),
        (["a", 5], [["a"], ["b"]], "hypotheses[1] is int 5; it must be a text (str)"),
        (["a", b"b"], [["a"], ["b"]], "hypotheses[1] is bytes b'b'; it must be a text (str)"),
        (["a"], [["a", ["b"]]], "references[0][1] is list ['b']; it must be a text (str)"),
    ],
)
def test_wrong_form(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        TextSegments.checked(hypotheses, references)
    assert str(caught.value) == message


@pytest.mark.parametrize("listed", [list, tuple, iter, np.array, pd.Series])
def test_one_reference_each(listed: Callable[[list[str]], Any]) -> None:
    flat = TextSegments.checked(["a", "b"], listed(["c", "d"]))
    assert [list(each) for each in flat.references] == [["c"], ["d"]]
    assert flat.first_reference.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", None], [["a"], ["b"]], f"hypotheses[1] (i2/B): missing (None); {GIVE_TEXT}"),
        (["a", "b"], ["a", None], f"references[1] (i2/B): missing (None); {GIVE_TEXT}"),
        (["a", np.nan], [["a"], ["b"]], f"hypotheses[1] (i2/B): missing (nan); {GIVE_TEXT}"),
        (["a", pd.NA], [["a"], ["b"]], f"hypotheses[1] (i2/B): missing (<NA>); {GIVE_TEXT}"),
        (["a", "b"], [["a"], []], f"references[1] (i2/B): no reference (an empty list); {GIVE_ONE}"),
        (["a", "b"], [["a"], None], f"references[1] (i2/B): no reference (None); {GIVE_ONE}"),
        (["a", "b"], [["a"], np.nan], f"references[1] (i2/B): no reference (nan); {GIVE_ONE}"),
        (["a", "b"], [["a"], ["b", None]], f"references[1][1] (i2/B): missing (None); {GIVE_TEXT}"),
    ],
)
def test_missing_values_name_the_row(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        TextSegments.checked(hypotheses, references, ["i1/A", "i2/B"])
    assert str(caught.value) == message
    with pytest.raises(DataError) as caught:
        TextSegments.checked(hypotheses, references)
    assert str(caught.value) == message.replace(" (i2/B)", "")


def test_row_names_must_fit() -> None:
    with pytest.raises(UsageError, match="1 row names for 2 hypotheses; give one each"):
        TextSegments.checked(["a", "b"], [["a"], ["b"]], ["i1"])


def test_long_values_are_cut() -> None:
    with pytest.raises(UsageError) as caught:
        TextSegments.checked("x" * 1000, [])
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (("a", "b"), (("a",), ("b",))),
        (np.array(["a", "b"]), np.array([["a"], ["b"]])),
        (pd.Series(["a", "b"], index=[7, 9]), pd.Series([["a"], ["b"]], index=[7, 9])),
        (iter(["a", "b"]), zip(["a", "b"], strict=True)),
    ],
)
def test_any_list_of_the_right_form_is_taken(hypotheses: Any, references: Any) -> None:
    segments = TextSegments.checked(hypotheses, references)
    assert list(segments.hypotheses) == ["a", "b"]
    assert [list(each) for each in segments.references] == [["a"], ["b"]]


# --- Texts as sentences ---------------------------------------------------------------------------------------------


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
