from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from textassay.seeds import Stream
from textassay.tasks.sorting import anonymous_ids, order_faults


@given(n=st.integers(0, 200), seed=st.integers(0, 10**6))
def test_ids_are_different_words_without_vowels(n: int, seed: int) -> None:
    ids = anonymous_ids(n, Stream(seed, "ids"))
    assert len(ids) == len(set(ids)) == n
    assert all(len(name) == 5 and name.isalpha() and not set(name) & set("aeiouy") for name in ids)


def test_ids_depend_on_the_stream_only() -> None:
    assert anonymous_ids(4, Stream(1, "ids")) == anonymous_ids(4, Stream(1, "ids"))
    assert anonymous_ids(4, Stream(1, "ids")) != anonymous_ids(4, Stream(2, "ids"))


def test_texts_that_nobody_could_put_in_order() -> None:
    found = list(order_faults([["a", "b"], ["c", "d", "c"]], "texts"))
    message = "'c' is a duplicate, so no order would be the right one; reword one"
    assert found == [(("attention_checks", 1, "texts", 2), message)]
