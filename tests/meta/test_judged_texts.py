"""Texts that a table of judgements brings along."""

import pandas as pd

from textassay.meta.judged_texts import texts_in


def test_texts_of_a_table() -> None:
    table = pd.DataFrame({"item": ["1", "1", "2"], "system": ["a", "a", "b"], "text": ["One.", "One.", "Two."]})
    assert texts_in(table) == {("1", "a"): "One.", ("2", "b"): "Two."}
    assert texts_in(table.drop(columns="text")) == {}
