"""`datasheet.yaml`: the researcher's answers are kept, and mistakes in them are named with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from textassay.errors import StudyError
from textassay.sharing.datasheet.own_answers import own_answers
from textassay.sharing.datasheet.sheet import Answer

CRITERIA = ("clarity", "fluency")


def read(folder: Path, text: str) -> dict[tuple[str, str], Answer]:
    (folder / "datasheet.yaml").write_text(text, encoding="utf-8")
    return own_answers(folder, CRITERIA)


def test_texts_options_and_languages_are_read(tmp_path: Path) -> None:
    assert own_answers(tmp_path, CRITERIA) == {}
    found = read(
        tmp_path,
        "5.1: The committee\n1.3.1.1:\n3.2.2.2: [1, 12 euros]\n2.4: [en, de]\n2.3: [2, 1]\n4.1.1: 2\n"
        "4.3.1.2: {fluency: Fluency}\n",
    )
    assert found == {
        ("5.1", ""): Answer("The committee", (), "researcher"),
        ("3.2.2.2", ""): Answer("12 euros", (1,), "researcher"),
        ("2.4", ""): Answer("", (42, 56), "researcher"),  # English and German are 41st and 55th of the form's languages
        ("2.3", ""): Answer("", (1, 2), "researcher"),
        ("4.1.1", "clarity"): Answer("", (2,), "researcher"),
        ("4.1.1", "fluency"): Answer("", (2,), "researcher"),
        ("4.3.1.2", "fluency"): Answer("Fluency", (), "researcher"),
    }  # a question without an answer stays open


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5.1: a\n9.9: b\n", "datasheet.yaml:2:1: 9.9: there is no question 9.9"),
        ("4.1.1:\n  style: 1\n", "datasheet.yaml:2:3: 4.1.1.style: there is no criterion 'style'; use one of: clarity"),
        ("5.2: 3\n", "datasheet.yaml:1:1: 5.2: there is no option 3; choose from 1 to 2"),
        ("5.2: [1, 2]\n", "2 options are chosen; only one can be"),
        ("5.2: no names\n", "no option is chosen; give its number, 1 to 2, beside the text"),
        ("5.1: {a: b}\n", "an answer is a text, the number of an option, or a list of these"),
        ("- 5.1\n", "no mapping of questions to answers"),
        ("5.1: a\n5.1: b\n", "is already in line 1"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(StudyError) as error:
        read(tmp_path, text)
    assert message in str(error.value)
