from __future__ import annotations

import pandas as pd

from textassay.analysis.options import RecipeOptions
from textassay.analysis.reasons import reasons_given

OPTIONS = RecipeOptions(systems=("b", "a"))


def test_answers_with_a_reason_are_counted_by_criterion_and_system() -> None:
    rows = [
        ("p", "i", "a", "clarity", 3.0, False, 4),
        ("p", "j", "b", "clarity", 2.0, False, 0),
        ("p", "k", "a", "clarity", None, True, 2),  # why it cannot be judged
        ("p", "i", "a", "style", 3.0, False, None),  # not asked why
    ]
    columns = ["participant", "item", "system", "criterion", "value", "cannot_judge", "why_words"]
    (found,) = reasons_given(pd.DataFrame(rows, columns=columns), OPTIONS)
    assert found.tables[0].rows == (("clarity", "b", 1, 0, 0.0, None), ("clarity", "a", 2, 2, 1.0, 3.0))


def test_an_answer_about_two_systems_counts_for_both() -> None:
    rows = [("p", "i", "a – b", "a", "b", "clarity", 3.0, 5)]
    columns = ["participant", "item", "system", "system_a", "system_b", "criterion", "value", "why_words"]
    (found,) = reasons_given(pd.DataFrame(rows, columns=columns), OPTIONS, ("system_a", "system_b"))
    assert [row[1:4] for row in found.tables[0].rows] == [("b", 1, 1), ("a", 1, 1)]


def test_nothing_is_said_where_nobody_was_asked() -> None:
    answers = {"participant": ["p"], "item": ["i"], "system": ["a"], "criterion": ["c"], "value": [3.0]}
    for table in (pd.DataFrame(answers), pd.DataFrame(answers | {"why_words": [None]})):
        assert reasons_given(table, OPTIONS) == []
