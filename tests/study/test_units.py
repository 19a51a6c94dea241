from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reordering_study import ORDERS, write_reordering_study
from small_study import ITEMS, SYSTEMS, write_csv, write_small_study

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.study import Study, Unit
from textassay.study.units import ids_of_units, practice_units, shared_units, split_units, units_of, units_of_text

COLUMNS = ("item", "system", "unit", "text")


def rows() -> list[tuple[Any, ...]]:
    """Two units a text; the template puts the second one first."""
    found = []
    for item in ITEMS:
        for system in SYSTEMS:
            units = [("a", f"First of {item}."), ("b", f"Second of {item}.")]
            found += [(item, system, *unit) for unit in (reversed(units) if system == "template" else units)]
    return found


def study_with(directory: Path, texts: list[tuple[Any, ...]]) -> Study:
    write_small_study(directory)
    write_csv(directory / "texts.csv", COLUMNS, texts)
    practice = [("p1", "x", "One.", "Data."), ("p1", "y", "Two.", "Data."), ("p2", "", "A text alone.", "Data.")]
    write_csv(directory / "practice.csv", ("item", "unit", "text", "context"), practice)
    return load_study(directory)


def test_rows_of_one_text_are_its_units_in_the_order_of_the_system(tmp_path: Path) -> None:
    study = study_with(tmp_path, rows())
    assert study.items_in_order == ITEMS
    assert study.systems == SYSTEMS
    assert units_of(study, "i2", "human", "table") == (Unit("a", "First of i2."), Unit("b", "Second of i2."))
    assert units_of(study, "i2", "template", "table") == (Unit("b", "Second of i2."), Unit("a", "First of i2."))
    assert study.texts["i2", "template"] == "Second of i2. First of i2."


def test_practice_may_have_units_too(tmp_path: Path) -> None:
    study = study_with(tmp_path, rows())
    block = study.blocks[0]
    assert list(block.practice) == ["p1", "p2"]
    assert block.practice["p1"]["text"] == "One. Two."
    assert block.practice["p1"]["context"] == "Data."
    assert practice_units(block, "p1", "table") == (Unit("x", "One."), Unit("y", "Two."))
    assert practice_units(block, "p2", "table") == ()
    assert practice_units(block, "p2", "words") == (Unit("1", "A"), Unit("2", "text"), Unit("3", "alone."))


def test_texts_without_units_have_none_but_can_be_split(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    assert units_of(study, "i1", "human", "table") == ()
    assert units_of(study, "i1", "human", "sentences") == (Unit("1", "The human text about i1 is here."),)


def problems(directory: Path, texts: list[tuple[Any, ...]]) -> str:
    with pytest.raises(StudyError) as caught:
        study_with(directory, texts)
    return str(caught.value)


def test_unit_without_an_id_among_several(tmp_path: Path) -> None:
    texts = rows()
    texts[1] = ("i1", "human", "", "Second of i1.")
    assert problems(tmp_path, texts) == "texts.csv:3: unit: this text has several rows; give each the id of its unit"


def test_unit_that_stands_there_twice(tmp_path: Path) -> None:
    texts = rows()
    texts[1] = ("i1", "human", "a", "Second of i1.")
    message = "item 'i1', system 'human', unit 'a' is already in line 2; keep one of the two rows"
    assert problems(tmp_path, texts) == f"texts.csv:3: item, system, unit: {message}"


def test_unit_with_a_space_in_its_id(tmp_path: Path) -> None:
    texts = rows()
    texts[0] = ("i1", "human", "s 1", "First of i1.")
    message = "unit 's 1' contains a space, which separates units in orders; use another id"
    assert problems(tmp_path, texts) == f"texts.csv:2: unit: {message}"


def test_table_without_units_still_refuses_a_text_twice(tmp_path: Path) -> None:
    write_small_study(tmp_path)
    texts = [(item, system, "Text.") for item in ITEMS for system in SYSTEMS]
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), [*texts, texts[0]])
    with pytest.raises(StudyError) as caught:
        load_study(tmp_path)
    message = "item 'i1', system 'human' is already in line 2; keep one of the two rows"
    assert str(caught.value) == f"texts.csv:20: item, system: {message}"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Dr. Smith came at 3 p.m. today. He left.", "en", ["Dr. Smith came at 3 p.m. today.", "He left."]),
        ("Das ist z. B. gut. Am 3. Mai auch!", "de", ["Das ist z. B. gut.", "Am 3. Mai auch!"]),
        ("One.\n\nTwo? Three!", "en-GB", ["One.", "Two?", "Three!"]),
        ("ذهب الولد. هل عاد؟ نعم.", "ar", ["ذهب الولد.", "هل عاد؟", "نعم."]),
        ("   ", "en", []),
    ],
)
def test_sentences(text: str, language: str, expected: list[str]) -> None:
    assert [unit.text for unit in split_units(text, "sentences", language)] == expected


@given(st.text(alphabet="ab .!?\n,é", max_size=60), st.sampled_from(["sentences", "lines", "words"]))
def test_nothing_is_lost_but_space(text: str, how: Any) -> None:
    units = split_units(text, how)
    assert "".join("".join(unit.text.split()) for unit in units) == "".join(text.split())
    assert [unit.id for unit in units] == [str(number) for number in range(1, len(units) + 1)]


def test_a_table_is_not_split() -> None:
    with pytest.raises(ValueError, match="a table's units are its rows"):
        split_units("One. Two.", "table")


@given(st.data())
def test_same_units_in_any_order_have_the_same_ids(data: st.DataObject) -> None:
    lines = data.draw(st.lists(st.sampled_from(["One.", "Two.", "Three."]), min_size=1, max_size=6))
    other = data.draw(st.permutations(lines))
    study = Study.__new__(Study)  # nothing else of a study is asked for
    object.__setattr__(study, "texts", {("i", "first"): "\n".join(lines), ("i", "other"): "\n".join(other)})
    object.__setattr__(study, "file", SimpleNamespace(language="en"))
    first, second = (shared_units(study, "i", system, "lines") for system in ("first", "other"))
    assert first == units_of(study, "i", "first", "lines")
    assert sorted(first, key=str) == sorted(second, key=str)
    assert [unit.text for unit in second] == list(other)


@pytest.fixture(scope="module")
def reordered(tmp_path_factory: pytest.TempPathFactory) -> Study:
    directory: Path = tmp_path_factory.mktemp("units")
    return load_study(write_reordering_study(directory))


def test_units_of_a_text_stand_in_the_order_of_its_system(reordered: Study) -> None:
    units = units_of_text(reordered, reordered.blocks[0], "i1", ["random"], "table")
    assert units is not None
    assert [unit.id for unit in units] == [f"s{number}" for number in ORDERS["random"]]


def test_practice_has_units_and_an_attention_check_none(reordered: Study) -> None:
    block = reordered.blocks[0]
    practice = units_of_text(reordered, block, "p1", [], "table")
    assert practice is not None
    assert [unit.id for unit in practice] == ["a", "b", "c"]
    assert units_of_text(reordered, block, "check-1", [], "table") is None


def test_ids_are_those_of_all_texts_and_of_practice(reordered: Study) -> None:
    of_item = [[f"s{number}" for number in order] for order in ORDERS.values()]
    assert ids_of_units(reordered, reordered.blocks[0], "table") == [*of_item * 6, ["a", "b", "c"]]
