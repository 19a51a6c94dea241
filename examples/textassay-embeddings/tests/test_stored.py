"""What is stored is found again, for the same model and the same texts only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from textassay_embeddings import stored
from textassay_embeddings.stored import Store


@pytest.mark.parametrize("in_file", [True, False])
def test_same_texts_of_the_same_model(tmp_path: Path, in_file: bool) -> None:
    path = tmp_path / "known.db" if in_file else None
    store = Store(b"model", path)
    store.put({("a", "b"): np.array([0.1, -2.0]), ("ab", ""): np.array([3.0])})
    found = store.get([("a", "b"), ("ab", ""), ("a", "c")])
    assert {texts: numbers.tolist() for texts, numbers in found.items()} == {("a", "b"): [0.1, -2.0], ("ab", ""): [3.0]}
    assert store.get([("", "ab"), ("b", "a")]) == {}  # texts are told apart, not only their letters
    later = Store(b"model", path).get([("a", "b")])
    assert {texts: numbers.tolist() for texts, numbers in later.items()} == (
        {("a", "b"): [0.1, -2.0]} if in_file else {}
    )
    assert Store(b"other", path).get([("a", "b")]) == {}


def test_memory_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "_IN_MEMORY", 2)
    store = Store(b"model")
    for text in "abc":
        store.put({(text,): np.zeros(1)})
    assert sorted(store.get([("a",), ("b",), ("c",)])) == [("b",), ("c",)]


def test_texts_are_not_in_the_file(tmp_path: Path) -> None:
    Store(b"model", tmp_path / "known.db").put({("a secret text",): np.zeros(1)})
    assert b"secret" not in (tmp_path / "known.db").read_bytes()
