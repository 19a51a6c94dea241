from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from textassay.seeds import Stream
from textassay.tasks.opaque import opaque_ids


@given(n=st.integers(0, 200), seed=st.integers(0, 10**6))
def test_ids_are_different_words_without_vowels(n: int, seed: int) -> None:
    ids = opaque_ids(n, Stream(seed, "ids"))
    assert len(ids) == len(set(ids)) == n
    assert all(len(name) == 5 and name.isalpha() and not set(name) & set("aeiouy") for name in ids)


def test_ids_depend_on_the_stream_only() -> None:
    assert opaque_ids(4, Stream(1, "ids")) == opaque_ids(4, Stream(1, "ids"))
    assert opaque_ids(4, Stream(1, "ids")) != opaque_ids(4, Stream(2, "ids"))
