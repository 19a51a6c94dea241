"""Orders in plain files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import ProblemsError
from textassay.tables.order_lines import order_line_sets, order_lines, units_of_line

labels = st.lists(st.text("abc019_-.", min_size=1), max_size=6)


@given(labels)
def test_every_form_is_the_same_order(units: list[str]) -> None:
    quoted = ", ".join(f'"{unit}"' for unit in units)
    forms = [" ".join(units), "\t".join(units), f"  {'  '.join(units)} ", f"[{quoted}]"]
    forms += [",".join(units), " , ".join(units)] if units else []
    assert {units_of_line(form) for form in forms} == {tuple(units)}


def test_numbers_in_lists_are_the_numbers_in_text() -> None:
    assert units_of_line("[10, 0, 2]") == units_of_line("10 0 2") == ("10", "0", "2")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1,,2", "nothing between two commas"),
        ("1,2,", "or after the last"),
        ("a b, c", "separated by commas and by spaces"),
        ("['a', 'b']", "is no JSON list; write"),
        ("[1, 2", "is no JSON list"),
        ("[[1, 2], [2, 1]]", "write one order per line"),
        ("[1, null]", "null is no unit"),
        ("[1, 2.0]", "2.0 is no unit"),
        ("[true]", "true is no unit"),
    ],
)
def test_what_is_no_order_is_refused_with_its_place(line: str, message: str) -> None:
    read = order_lines(["1 2", line], "hyp.txt")
    assert read[0] == ("1", "2")
    with pytest.raises(ProblemsError, match=r"hyp\.txt:2: ") as refused:
        read[0:2]
    assert message in str(refused.value)


def test_sequences() -> None:
    read = order_lines(["b a", "a b", "a"], "hyp.txt")
    assert len(read) == 3
    assert read[-1] == ("a",)
    assert read[1:] == [("a", "b"), ("a",)]
    assert list(read) == [("b", "a"), ("a", "b"), ("a",)]
    with pytest.raises(IndexError):
        read[3]


def test_a_text_without_a_reference_is_refused() -> None:
    read = order_line_sets([["a b", "b a"], [""]], "ref.txt")
    assert read[0] == [("a", "b"), ("b", "a")]
    with pytest.raises(ProblemsError, match=r"ref\.txt:2: an empty line; give the reference order"):
        read[1]
