"""What is seen of whole texts is what Python's own methods of strings say, compiled or not."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.texts import are_strings, equal_texts, equal_words, texts_without_words

KERNELS = pytest.mark.parametrize("kernel", ["auto", "python"])
TEXTS = st.text("ab \t\u3000\x85é字😀", max_size=12)


@KERNELS
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_equals_the_methods_of_strings(kernel: str, pairs: list[tuple[str, str]]) -> None:
    left, right = [first for first, _ in pairs], [second for _, second in pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        assert equal_texts(left, right).tolist() == [first == second for first, second in pairs]
        assert equal_words(left, right).tolist() == [first.split() == second.split() for first, second in pairs]
        assert texts_without_words(left) == sum(not text.strip() for text in left)
        assert are_strings(list(left))


@KERNELS
@given(st.lists(st.text("ab字", min_size=1, max_size=3), max_size=5), st.data())
def test_white_space_between_words_does_not_matter(kernel: str, words: list[str], data: st.DataObject) -> None:
    spaces = st.text(" \t\n\u2003", min_size=1, max_size=3)
    ends = spaces | st.just("")
    first, second = (data.draw(ends) + "".join(word + data.draw(spaces) for word in words) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        assert equal_words([first, first], [second, f"{second}b"]).tolist() == [True, False]


@KERNELS
def test_white_space_is_that_of_python(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    signs = [chr(code) for code in range(sys.maxunicode + 1)]
    assert texts_without_words(signs) == sum(sign.isspace() for sign in signs)
    texts = [f"a{sign}b" for sign in signs]
    assert equal_words(texts, ["a b"] * len(signs)).tolist() == [sign.isspace() for sign in signs]


@KERNELS
def test_only_strings_are_strings(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    assert [are_strings(values) for values in ([], ["a"], ["a", None], ["a", np.str_("b")], [b"a"])] == [
        True, True, False, False, False,
    ]  # fmt: skip


@KERNELS
@pytest.mark.parametrize("compare", [equal_texts, equal_words])
def test_texts_need_as_many_of_each(compare, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    with pytest.raises(DataError, match="left has 1 texts and right has 2"):
        compare(["a"], ["b", "c"])
