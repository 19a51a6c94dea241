from __future__ import annotations

import pickle

import pytest

from textassay import errors
from textassay.errors import AnswerError, DataError, Problem, ProblemsError, StudyError, TableError, TextassayError


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("t.csv", 4, 2, "value", "wrong"), "t.csv:4:2: value: wrong"),
        (Problem("t.csv", 4, 0, "value", "wrong"), "t.csv:4: value: wrong"),
        (Problem("t.csv", 0, 0, "", "wrong"), "t.csv: wrong"),
        (Problem("t.csv", 0, 7, "", "wrong"), "t.csv: wrong"),
    ],
)
def test_a_problem_says_as_much_of_its_place_as_is_known(problem: Problem, text: str) -> None:
    assert str(problem) == text


def test_problems_come_in_the_order_of_the_file_and_once() -> None:
    late, early = Problem("t.csv", 10, 1, "", "late"), Problem("t.csv", 2, 5, "", "early")
    error = TableError([late, early, late])
    assert error.problems == (early, late)
    assert str(error) == "t.csv:2:5: early\nt.csv:10:1: late"


@pytest.mark.parametrize(
    "error",
    [StudyError([Problem("s.yaml", 1, 2, "a", "b")]), AnswerError({"clarity": "rating.missing"}), DataError("x")],
)
def test_errors_survive_the_way_from_another_process(error: TextassayError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), copy.__dict__) == (str(error), error.__dict__)


def test_exit_codes_are_those_of_the_tree_in_the_docstring() -> None:
    tree = errors.__doc__ or ""
    for name, code in (("UsageError", 2), ("ProblemsError", 1), ("DataError", 1), ("StoreError", 1)):
        assert getattr(errors, name).exit_code == code
        assert f"(exit {code})" in next(line for line in tree.splitlines() if name in line)


def test_the_docstring_draws_every_error() -> None:
    own = [name for name, thing in vars(errors).items() if isinstance(thing, type) and issubclass(thing, Exception)]
    assert [name for name in own if name not in (errors.__doc__ or "")] == []
    assert all(issubclass(getattr(errors, name), TextassayError) for name in own)
    assert issubclass(StudyError, ProblemsError)
