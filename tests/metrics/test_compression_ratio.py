"""The compression ratio: sizes before and after."""

from __future__ import annotations

import lzma
import math
import zlib

import pytest

from textassay.metrics import score

TEXTS = ["the cat sat on the mat", "the cat sat on the mät", "a dog"]


def test_sizes() -> None:
    # One space between texts, "ä" is two bytes; gzip adds 18 bytes to a raw stream of deflate.
    data = " ".join(TEXTS).encode()
    raw = zlib.compressobj(9, wbits=-15)
    packed = len(raw.compress(data) + raw.flush()) + 18
    result = score("compression-ratio", TEXTS)
    assert result.corpus_parts == {"bytes": 22 + 1 + 23 + 1 + 5, "compressed_bytes": packed}
    assert result.corpus == pytest.approx(52 / packed)
    other = score("compression-ratio", TEXTS, algorithm="xz")
    assert other.corpus_parts["compressed_bytes"] == len(lzma.compress(data))


def test_signature_names_the_library() -> None:
    assert f"algorithm:gzip-zlib{zlib.ZLIB_RUNTIME_VERSION}" in score("compression-ratio", TEXTS).signature


def test_half_a_character_is_not_an_error() -> None:
    assert score("compression-ratio", ["\ud800"]).corpus_parts["bytes"] == 3


@pytest.mark.parametrize("texts", [[""], ["", "  "]])
def test_output_without_text_is_undefined_and_says_why(texts: list[str]) -> None:
    found = score("compression-ratio", texts)
    assert math.isnan(found.corpus)
    assert found.warnings == (f"compression-ratio: {len(texts)} hypotheses are empty",)
