"""The column that a block names for its regression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from reading_study import ITEMS, SYSTEMS, units, write_reading_study
from small_study import write_csv

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tables.reader import Row
from textassay.tasks.reading import analysis
from textassay.tasks.reading.analysis import analyse
from textassay.tasks.reading.predictor import predictor_values

TAU = {"original": 1.0, "swapped": 0.667, "reversed": -1.0}


def study_with(directory: Path, cell: Callable[[str, str, int], Any], predictor: str = "tau") -> Study:
    """The small study with a column tau in its texts table; `cell` says what stands there for item, system, unit."""

    def named(data: dict[str, Any]) -> None:
        data["blocks"][0]["predictor"] = predictor

    write_reading_study(directory, named)
    rows = [
        (item, system, *unit, cell(item, system, place))
        for item in ITEMS
        for system in SYSTEMS
        for place, unit in enumerate(units(item, system))
    ]
    write_csv(directory / "texts.csv", ("item", "system", "unit", "text", "tau"), rows)
    return load_study(directory)


def refused(directory: Path, cell: Callable[[str, str, int], Any], predictor: str = "tau") -> str:
    with pytest.raises(StudyError) as caught:
        study_with(directory, cell, predictor)
    return str(caught.value)


def test_numbers_of_the_texts_table(tmp_path: Path) -> None:
    study = study_with(tmp_path, lambda _item, system, _place: TAU[system])
    found = predictor_values("tau", study)
    assert len(found) == len(ITEMS) * len(SYSTEMS)
    assert found["i1", "swapped"] == 0.667
    # an items table with such a column, too, changes nothing
    items = {item: Row({"item": item, "tau": 9.0}, 2) for item in ITEMS}
    assert predictor_values("tau", replace(study, items=items)) == found


def test_numbers_of_the_items_table(tmp_path: Path) -> None:
    def named(data: dict[str, Any]) -> None:
        data["blocks"][0]["predictor"] = "words"
        data["tables"]["items"] = "items.csv"

    write_reading_study(tmp_path, named)
    write_csv(tmp_path / "items.csv", ("item", "words"), [(item, 10 + place) for place, item in enumerate(ITEMS)])
    found = predictor_values("words", load_study(tmp_path))
    assert {found["i2", system] for system in SYSTEMS} == {11.0}


def test_column_that_is_not_there(tmp_path: Path) -> None:
    message = refused(tmp_path, lambda _item, system, _place: TAU[system], "rho")
    assert "neither texts nor items table has a column 'rho'; add it or use one of: item, system, unit, text" in message


def test_what_is_no_number(tmp_path: Path) -> None:
    message = refused(tmp_path, lambda item, system, _: "high" if (item, system) == ("i2", "swapped") else TAU[system])
    assert "'tau' of item 'i2' by 'swapped' is 'high', which is no number; correct it" in message


def test_one_number_for_the_whole_text(tmp_path: Path) -> None:
    message = refused(tmp_path, lambda _item, _system, place: place)
    assert (
        "'tau' of item 'i1' by 'original' differs between its units; it must be one number for the whole text"
        in message
    )


def test_number_that_does_not_vary(tmp_path: Path) -> None:
    assert "'tau' is the same for all texts; name a column that varies" in refused(tmp_path, lambda *_: 1.0)


def test_analysis_of_a_study_looks_the_numbers_up(tmp_path: Path) -> None:
    study = study_with(tmp_path, lambda _item, system, _place: TAU[system])
    rows = [
        {
            "participant": f"p{p}",
            "item": item,
            "system": SYSTEMS[(p + i) % 3],
            "rt_ms": 1000 - 100 * TAU[SYSTEMS[(p + i) % 3]] + 7 * p + (11 * i + 5 * p * i) % 17,
        }
        for p in range(6)
        for i, item in enumerate(ITEMS)
    ]
    own = analysis._with_predictor(pd.DataFrame(rows).assign(tau=0.5), "tau", study)
    assert set(own["tau"]) == {0.5}  # a table that was collected with its numbers keeps them
    (found,) = analyse(study.blocks[0].task, pd.DataFrame(rows), pd.DataFrame({"participant": []}))
    table = next(table for table in found.tables if table.name == "regression")
    slope = next(row for row in table.records() if row["Method"] == "individual equations")
    assert slope["Estimate"] == pytest.approx(-100, abs=5)
