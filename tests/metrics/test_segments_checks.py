"""Wrong hypotheses and references: each message names the place, what was seen, and the remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import DataError, UsageError
from textassay.metrics import TextSegments

FORM = "give one list of references for each hypothesis: [[ref, …], [ref, …], …]"
FLAT = "with one reference each, give [[ref] for ref in references]"
TRANSPOSED = "one list per reference set becomes one list per hypothesis by list(zip(*references))"
GIVE_TEXT = "give its text, or remove the row"
GIVE_ONE = "give at least one, or remove the row"


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: all this happens before any loop runs."""


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("a b", [["a"]], "hypotheses is str 'a b'; give a list, one text per segment"),
        (None, [["a"]], "hypotheses is NoneType None; give a list, one text per segment"),
        ({"x": "a"}, [["a"]], "hypotheses is dict {'x': 'a'}; give a list, one text per segment"),
        (["a"], "a b", f"references is str 'a b'; {FORM}"),
        (["a"], 7, f"references is int 7; {FORM}"),
        (
            ["a", "b"],
            ["a", "b"],
            f"references is a flat list (it begins with str 'a'); {FLAT}",
        ),
        (["a", "b"], [["a"], "b"], f"references[1] is str 'b'; {FORM}"),
        (["a", "b", "c"], [["a"], ["b"]], f"3 hypotheses but 2 lists of references; {FORM}"),
        ([], [["b"]], f"0 hypotheses but 1 lists of references; {FORM}"),
        (
            ["a", "b", "c"],
            [["a", "b", "c"], ["d", "e", "f"]],
            f"references look transposed: 2 lists of 3 for 3 hypotheses; {TRANSPOSED}",
        ),
        (["a"], np.array([["a"], ["b"]]), f"references look transposed: 2 lists of 1 for 1 hypotheses; {TRANSPOSED}"),
        ([["a"]], [["a"]], "hypotheses[0] is list ['a']; it must be a text (str)"),
        (["a", 5], [["a"], ["b"]], "hypotheses[1] is int 5; it must be a text (str)"),
        (["a", b"b"], [["a"], ["b"]], "hypotheses[1] is bytes b'b'; it must be a text (str)"),
        (["a"], [["a", ["b"]]], "references[0][1] is list ['b']; it must be a text (str)"),
    ],
)
def test_wrong_form(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        TextSegments.checked(hypotheses, references)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", None], [["a"], ["b"]], f"hypotheses[1] (i2/B): missing (None); {GIVE_TEXT}"),
        (["a", np.nan], [["a"], ["b"]], f"hypotheses[1] (i2/B): missing (nan); {GIVE_TEXT}"),
        (["a", pd.NA], [["a"], ["b"]], f"hypotheses[1] (i2/B): missing (<NA>); {GIVE_TEXT}"),
        (["a", "b"], [["a"], []], f"references[1] (i2/B): no reference (an empty list); {GIVE_ONE}"),
        (["a", "b"], [["a"], None], f"references[1] (i2/B): no reference (None); {GIVE_ONE}"),
        (["a", "b"], [["a"], np.nan], f"references[1] (i2/B): no reference (nan); {GIVE_ONE}"),
        (["a", "b"], [["a"], ["b", None]], f"references[1][1] (i2/B): missing (None); {GIVE_TEXT}"),
    ],
)
def test_missing_values_name_the_row(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        TextSegments.checked(hypotheses, references, ["i1/A", "i2/B"])
    assert str(caught.value) == message
    with pytest.raises(DataError) as caught:
        TextSegments.checked(hypotheses, references)
    assert str(caught.value) == message.replace(" (i2/B)", "")


def test_row_names_must_fit() -> None:
    with pytest.raises(UsageError, match="1 row names for 2 hypotheses; give one each"):
        TextSegments.checked(["a", "b"], [["a"], ["b"]], ["i1"])


def test_long_values_are_cut() -> None:
    with pytest.raises(UsageError) as caught:
        TextSegments.checked("x" * 1000, [])
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (("a", "b"), (("a",), ("b",))),
        (np.array(["a", "b"]), np.array([["a"], ["b"]])),
        (pd.Series(["a", "b"], index=[7, 9]), pd.Series([["a"], ["b"]], index=[7, 9])),
        (iter(["a", "b"]), zip(["a", "b"], strict=True)),
    ],
)
def test_any_list_of_the_right_form_is_taken(hypotheses: Any, references: Any) -> None:
    segments = TextSegments.checked(hypotheses, references)
    assert list(segments.hypotheses) == ["a", "b"]
    assert [list(each) for each in segments.references] == [["a"], ["b"]]
