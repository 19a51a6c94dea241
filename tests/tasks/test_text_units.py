from __future__ import annotations

from pathlib import Path

import pytest
from reordering_study import ORDERS, write_reordering_study

from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tasks.text_units import ids_of_units, units_of_text


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    directory: Path = tmp_path_factory.mktemp("units")
    return load_study(write_reordering_study(directory))


def test_units_of_a_text_stand_in_the_order_of_its_system(study: Study) -> None:
    units = units_of_text(study.blocks[0], study, "i1", ["random"], "table")
    assert units is not None
    assert [unit.id for unit in units] == [f"s{number}" for number in ORDERS["random"]]


def test_practice_has_units_and_an_attention_check_none(study: Study) -> None:
    block = study.blocks[0]
    practice = units_of_text(block, study, "p1", [], "table")
    assert practice is not None
    assert [unit.id for unit in practice] == ["a", "b", "c"]
    assert units_of_text(block, study, "check-1", [], "table") is None


def test_ids_are_those_of_all_texts_and_of_practice(study: Study) -> None:
    of_item = [[f"s{number}" for number in order] for order in ORDERS.values()]
    assert ids_of_units(study.blocks[0], study, "table") == [*of_item * 6, ["a", "b", "c"]]
