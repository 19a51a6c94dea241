"""What a reading block may say, and each mistake with its message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reading_study import write_reading_study
from small_study import write_csv

from textassay.errors import StudyError
from textassay.study.load import load_study

Change = Callable[[dict[str, Any]], None]


def problems(directory: Path) -> list[str]:
    with pytest.raises(StudyError) as caught:
        load_study(directory)
    return [f"{problem.where}: {problem.message}" for problem in caught.value.problems]


def block(**changes: Any) -> Change:
    return lambda data: data["blocks"][0].update(changes)


def check(**changes: Any) -> Change:
    return lambda data: data["blocks"][0]["attention_checks"][0].update(changes)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            block(display="all"),
            "blocks[0].display: 'all' is not possible here; use 'single', 'cumulative' or 'moving-window'",
        ),
        (
            block(units="pages"),
            "blocks[0].units: 'pages' is not possible here; use 'table', 'sentences', 'lines' or 'words'",
        ),
        (block(cutoff_sd=0), "blocks[0].cutoff_sd: got 0; it must be more than 0"),
        (
            check(expected="a fish"),
            (
                "blocks[0].attention_checks[0].expected: 'a fish' is not among the choices; "
                "use one of: a cat, a dog, a horse"
            ),
        ),
        (
            check(choices=[], expected="maybe"),
            "blocks[0].attention_checks[0].expected: 'maybe' is not among the choices; use one of: yes, no",
        ),
        (
            check(choices=["a dog"]),
            (
                "blocks[0].attention_checks[0].choices: there is only one choice, 'a dog'; "
                "add another, or none for yes and no"
            ),
        ),
        (
            check(choices=["a dog", "a dog"]),
            "blocks[0].attention_checks[0].choices: duplicate choice 'a dog'; rename one",
        ),
    ],
)
def test_mistake_in_the_study_file(tmp_path: Path, change: Change, expected: str) -> None:
    assert problems(write_reading_study(tmp_path, change)) == [expected]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("i9", "Where?", "", "yes"), "there is no text of item 'i9'; correct it or remove the row"),
        (("i1", "Where?", "here|there", "yes"), "'yes' is not among the choices; use one of: here, there"),
        (("i1", "Where?", "", "maybe"), "'maybe' is not among the choices; use one of: yes, no"),
        (("i1", "Where?", "here|", "here"), "there is only one choice, 'here'; add another, or none for yes and no"),
        (("p1", "Where?", "here|there|here", "here"), "duplicate choice 'here'; rename one"),
    ],
)
def test_mistake_in_the_questions(tmp_path: Path, row: tuple[str, ...], expected: str) -> None:
    directory = write_reading_study(tmp_path)
    questions = [("i2", "Is it so?", "", "yes"), row]
    write_csv(directory / "questions.csv", ("item", "question", "choices", "correct"), questions)
    assert problems(directory) == [f"blocks[0].questions: questions.csv, line 3: {expected}"]


def test_questions_that_are_not_there(tmp_path: Path) -> None:
    (found,) = problems(write_reading_study(tmp_path, block(questions="none.csv")))
    assert found.startswith("blocks[0].questions: ")


def test_units_that_no_table_names(tmp_path: Path) -> None:
    directory = write_reading_study(tmp_path)
    texts = [(item, system, "A text. Of two.") for item in ("i1", "i2") for system in ("a", "b", "c")]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    write_csv(directory / "practice.csv", ("item", "text"), [("p1", "A text.")])
    write_csv(directory / "questions.csv", ("item", "question", "correct"), [("i1", "Is it so?", "yes")])
    remedy = "add a column 'unit' with one row per unit, or let 'units' be sentences, lines or words"
    named = "'i1' by 'a', 'i1' by 'b', 'i1' by 'c', 'i2' by 'a', 'i2' by 'b' and 1 more"
    assert sorted(problems(directory)) == [
        f"blocks[0].practice: the practice table names no units of 'p1'; {remedy}",
        f"blocks[0].units: the texts table names no units of {named}; {remedy}",
    ]
