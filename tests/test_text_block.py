"""Blocks of texts are what lists of the same texts are, only without the strings."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.metrics import metric
from textassay.metrics.engine import measure
from textassay.metrics.segments import TextSegments
from textassay.text_block import OneEach, TextBlock, all_texts, identical_texts, most_characters

# Pieces about as long as what the compiled loop compares at once, white space of all kinds, and what 13a joins.
PIECES = st.sampled_from(
    ["a", "b", "Über", "x" * 8, "x" * 9, "x" * 16, "x" * 17, "x" * 16 + "y", "我爱", "<skipped>", "a-", "e.g.", "3.5,"]
)
SPACES = st.sampled_from([" ", "  ", "", "\t", "\u3000", "\x85", "\u2028"])
TEXTS = st.lists(st.tuples(PIECES, SPACES), max_size=6).map(lambda parts: "".join(map("".join, parts)))


def block(texts: list[str], end: str = "\n") -> TextBlock:
    lines = [(text + end).encode() for text in texts]
    return TextBlock(b"".join(lines), np.cumsum([0, *map(len, lines)]))


@given(st.lists(TEXTS, max_size=5), st.sampled_from(["\n", "\r\n"]), st.integers(-6, 6), st.integers(-6, 6))
def test_a_block_is_a_sequence_of_its_texts(texts: list[str], end: str, start: int, stop: int) -> None:
    made = block(texts, end)
    assert (list(made), len(made), made) == (texts, len(texts), texts)
    assert made != [*texts, "more"]
    assert made[start:stop] == texts[start:stop]
    assert made[start:stop:2] == texts[start:stop:2]
    assert [made[row] for row in range(-len(texts), len(texts))] == texts * 2
    assert pickle.loads(pickle.dumps(made[start:stop])) == texts[start:stop]
    assert TextBlock.joined([made, made[start:stop], made]) == [*texts, *texts[start:stop], *texts]
    assert [*OneEach(made)[start:stop]] == [[text] for text in texts[start:stop]]
    assert made.one_line.replace("\r", "") == "".join(f"{text} " for text in texts)
    assert all(most >= len(text) for most, text in zip(most_characters(made), texts, strict=True))


def test_only_blocks_become_a_block() -> None:
    texts = ["a b", "c"]
    assert isinstance(all_texts(block(texts), OneEach(block(texts))), TextBlock)
    assert all_texts(block(texts), [["x", "y"], ["z"]]) == [*texts, "x", "y", "z"]


@pytest.mark.parametrize(
    ("name", "given_settings"),
    [
        ("bleu", {}),
        ("bleu", {"tokeniser": "intl", "lowercase": True}),
        ("bleu", {"lowercase": True}),
        ("chrf", {}),
        ("rouge-l", {}),
        ("exact-match", {}),
    ],
)
@settings(max_examples=40)
@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), end=st.sampled_from(["\n", "\r\n"]))
def test_scores_are_those_of_the_strings(
    name: str, given_settings: dict[str, object], pairs: list[tuple[str, str]], end: str
) -> None:
    hypotheses, references = ([*column] for column in zip(*pairs, strict=True))
    strings = TextSegments(hypotheses, [[reference] for reference in references])
    blocks = TextSegments(block(hypotheses, end), OneEach(block(references, end)))
    chosen = metric(name, **given_settings)
    one, other = measure([chosen], strings)[0], measure([chosen], blocks)[0]
    np.testing.assert_array_equal(one.statistics, other.statistics)
    np.testing.assert_array_equal(one.references, other.references)
    assert one.warnings == other.warnings


@given(st.lists(st.tuples(TEXTS, TEXTS | st.none()), max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_identical_texts_are_found_in_blocks_as_in_lists(pairs: list[tuple[str, str | None]], end: str) -> None:
    texts, references = [text for text, _ in pairs], [text if other is None else other for text, other in pairs]
    expected = [text == other for text, other in zip(texts, references, strict=True)]
    assert identical_texts(block(texts), OneEach(block(references, end))).tolist() == expected
    assert identical_texts(texts, [["", reference] for reference in references]).tolist() == [
        same or not text for same, text in zip(expected, texts, strict=True)
    ]
