from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.answers.statements import clean_text, decode_payload, encode_payload
from textassay.errors import StoreError

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates included
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=8,
)


@given(payload=st.dictionaries(any_text, values, max_size=4))
def test_every_payload_fits_every_database(payload: dict[str, object]) -> None:
    text = encode_payload(payload)
    assert "\0" not in text
    text.encode("utf-8")  # raises where half a surrogate pair is left
    assert "\0" not in json.dumps(decode_payload(text), ensure_ascii=False)
    assert encode_payload(decode_payload(text)) == text


@given(payload=st.dictionaries(st.text(), st.text().filter(lambda text: "\0" not in text), max_size=4))
def test_what_every_database_can_hold_stays_as_it_is(payload: dict[str, str]) -> None:
    payload = {key.replace("\0", ""): value for key, value in payload.items()}
    assert decode_payload(encode_payload(payload)) == payload


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a\0b", "a\ufffdb"),
        ("\ud83d\ude00", "\N{GRINNING FACE}"),  # two halves that JSON.parse would have joined
        ("\ude00\ud83d", "\ufffd\ufffd"),
        (r"written out: \u0000", r"written out: \u0000"),
    ],
)
def test_only_what_cannot_be_kept_is_replaced(sent: str, kept: str) -> None:
    assert decode_payload(encode_payload({"comment": [sent], sent: {"x": sent}})) == {
        "comment": [kept],
        kept: {"x": kept},
    }
    assert clean_text(sent) == kept


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"x"])
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(StoreError, match="not plain JSON"):
        encode_payload({"x": value})
