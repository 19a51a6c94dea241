"""Pieces and their numbers: what `str.split` finds, with the compiled loop and with its fallback."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.kernels.choice import VARIABLE
from textassay.kernels.numbering import PieceTable, expand

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
        numbers, offsets, new = made.number(texts)
        known.extend(new)
        assert numbers.dtype == np.int32
        assert len(made) == len(known) == len(set(known))
        for k, text in enumerate(texts):
            assert [known[number] for number in numbers[offsets[k] : offsets[k + 1]].tolist()] == text.split()


@given(TEXTS)
def test_fallback_gives_the_same_numbers(texts: list[str]) -> None:
    for compiled, fallback in zip(table("auto").number(texts), table("python").number(texts), strict=True):
        assert list(compiled) == list(fallback)


def test_every_white_space_of_unicode_and_no_other_character() -> None:
    texts = [f"a{chr(code)}b" for code in range(sys.maxunicode + 1)]
    _, offsets, _ = table("auto").number(texts)
    assert np.flatnonzero(np.diff(offsets) == 2).tolist() == [
        code for code in range(sys.maxunicode + 1) if chr(code).isspace()
    ]


@pytest.mark.parametrize("kernel", ["auto", "python"])
def test_table_grows(kernel: str) -> None:
    made = table(kernel)
    pieces = [f"piece{number}" for number in range(50_000)]
    texts = [" ".join(pieces), " ".join(reversed(pieces)), "x" * 300_000]
    numbers, offsets, new = made.number(texts)
    assert offsets.tolist() == [0, 50_000, 100_000, 100_001]
    assert new == [*pieces, "x" * 300_000]
    assert numbers.tolist() == [*range(50_000), *reversed(range(50_000)), 50_000]
    assert made.number(texts)[2] == []


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
