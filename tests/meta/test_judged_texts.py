"""Texts and their properties that a table of judgements brings along."""

import pandas as pd

from textassay.meta.judged_texts import JudgedTexts, cells_of

TABLE = pd.DataFrame(
    {"item": ["1", "1", "2"], "system": ["a", "a", "b"], "text": ["One.", "One.", "Two."], "bin": [3, 3, None]}
)


def test_cells_by_text() -> None:
    assert cells_of(TABLE, "text") == {("1", "a"): "One.", ("2", "b"): "Two."}
    assert cells_of(TABLE, "order") == {}


def test_properties_of_texts_come_before_columns_of_judgements() -> None:
    assert JudgedTexts("t", TABLE).column("bin") == {("1", "a"): "3.0"}
    assert JudgedTexts("t", TABLE, properties={"bin": {("1", "a"): "4"}}).column("bin") == {("1", "a"): "4"}
