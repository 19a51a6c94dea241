"""Pieces and their numbers: what `str.split` finds, with the compiled loop and with its fallback."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE, compiled
from textassay.kernels.numbering import PADDING, PieceTable, by_identity, expand, first_seen
from textassay.text_block import TextBlock

# Every kind of white space, neighbours of theirs in UTF-8, letters of one to four bytes, half a surrogate pair, NUL.
SIGNS = "ab \t\n\x0b\x1c\x1f\x85\xa0\u1680\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u2060\u3000\u3001Âã€𝄞\ud800\x00é"
TEXTS = st.lists(st.text(st.sampled_from(SIGNS), max_size=30) | st.text(max_size=10), max_size=8)


def table(kernel: str) -> PieceTable:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return PieceTable()


@pytest.mark.parametrize("kernel", ["auto", "python"])
@given(st.lists(TEXTS, max_size=3))
def test_pieces_are_those_of_split(kernel: str, calls: list[list[str]]) -> None:
    made, known = table(kernel), []
    for texts in calls:
        numbers, offsets = made.number(texts)
        known.extend(made.pieces(len(known)))
        assert numbers.dtype == np.int32
        assert len(made) == len(known) == len(set(known))
        for k, text in enumerate(texts):
            assert [known[number] for number in numbers[offsets[k] : offsets[k + 1]].tolist()] == text.split()


@given(TEXTS)
def test_fallback_gives_the_same_numbers(texts: list[str]) -> None:
    for one, other in zip(table("auto").number(texts), table("python").number(texts), strict=True):
        assert list(one) == list(other)


def test_every_white_space_of_unicode_and_no_other_character() -> None:
    texts = [f"a{chr(code)}b" for code in range(sys.maxunicode + 1)]
    _, offsets = table("auto").number(texts)
    assert np.flatnonzero(np.diff(offsets) == 2).tolist() == [
        code for code in range(sys.maxunicode + 1) if chr(code).isspace()
    ]


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_table_grows(kernel: str) -> None:
    made = table(kernel)
    pieces = [f"piece{number}" for number in range(50_000)]
    texts = [" ".join(pieces), " ".join(reversed(pieces)), "x" * 300_000]
    numbers, offsets = made.number(texts)
    assert offsets.tolist() == [0, 50_000, 100_000, 100_001]
    assert made.pieces() == [*pieces, "x" * 300_000]
    assert numbers.tolist() == [*range(50_000), *reversed(range(50_000)), 50_000]
    assert made.number(texts)[0].tolist() == numbers.tolist()
    assert made.pieces(50_001) == []


def test_a_block_may_end_with_the_spaces_that_the_loop_reads() -> None:
    data, bounds = "a rose\nist schön\n".encode(), np.array([0, 7, 18])
    for end in (b"", b" ", PADDING.encode()):
        made = table("auto")
        numbers, offsets = made.number(TextBlock(data + end, bounds))
        assert (numbers.tolist(), offsets.tolist()) == ([0, 1, 2, 3], [0, 2, 4])
        assert made.pieces() == ["a", "rose", "ist", "schön"]


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_numbers_of_objects_go_by_identity(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    texts = [f"text {number % 300}" for number in range(1_000)]  # equal ones are different objects
    again = [*texts, *texts[::-1]]
    numbers, count = by_identity(again)
    assert (numbers.tolist(), count) == ([*range(1_000), *range(999, -1, -1)], 1_000)
    assert by_identity([])[1] == 0


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6), st.data())
def test_runs_are_put_in_place_of_pieces(runs: list[list[int]], data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.lists(st.integers(0, len(runs) - 1), max_size=5), max_size=5))
    expected = [[token for piece in text for token in runs[piece]] for text in texts]
    for kernel in ("auto", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, kernel)
            tokens, offsets = expand(*map(np.asarray, (*_flat(texts), *_flat(runs))))
        assert [tokens[a:b].tolist() for a, b in pairwise(offsets)] == expected


def _flat(lists: list[list[int]]) -> tuple[list[int], list[int]]:
    return [one for each in lists for one in each], np.cumsum([0, *map(len, lists)]).tolist()


# --- The compiled loop, its plain-Python fallback and a dictionary give labels the same numbers ---------------------


columns = st.lists(st.lists(st.one_of(st.text(max_size=2), st.integers(0, 3), st.none()), max_size=20), max_size=3)


def numbered(given_columns: Sequence[Sequence[Any]], kernel: str) -> tuple[list[list[int]], dict[Any, int]]:
    seen: dict[Any, int] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return [first_seen(column, seen).tolist() for column in given_columns], seen


def test_loop_is_compiled_here() -> None:
    assert compiled()


@given(columns)
def test_loop_fallback_and_dictionary_agree(given_columns: list[list[Any]]) -> None:
    seen: dict[Any, int] = {}
    expected = [[seen.setdefault(label, len(seen)) for label in column] for column in given_columns]
    for kernel in ("auto", "python"):
        found, known = numbered(given_columns, kernel)
        assert found == expected
        assert list(known.items()) == list(seen.items())


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_equal_labels_that_are_different_objects_are_one(kernel: str) -> None:
    # Far more objects than the loop remembers, of few labels; then far more labels.
    few = [f"system {index % 7}" for index in range(20_000)]
    many = [f"text {index % 9_000}" for index in range(20_000)]
    (systems, texts), seen = numbered([few, many], kernel)
    assert systems == [index % 7 for index in range(20_000)]
    assert texts == [7 + index % 9_000 for index in range(20_000)]
    assert len(seen) == 9_007


@pytest.mark.parametrize("kernel", ["auto", "python"])
@pytest.mark.parametrize("labels", [[["a"], ["b"]], [{}]])
def test_what_cannot_be_looked_up_is_refused(labels: list[Any], kernel: str) -> None:
    with pytest.raises(DataError, match="labels must be text or numbers: unhashable"):
        numbered([labels], kernel)
