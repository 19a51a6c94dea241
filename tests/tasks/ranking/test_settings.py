"""Mistakes in a ranking block are told with place and remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ranking_study import write_ranking_study
from small_study import write_csv

from textassay.errors import StudyError
from textassay.study.load import load_study

Change = Callable[[dict[str, Any]], None]


def problems(directory: Path) -> list[tuple[str, str]]:
    try:
        load_study(directory)
    except StudyError as error:
        return [(problem.where, problem.message) for problem in error.problems]
    return []


def test_sound_study_has_no_problems(tmp_path: Path) -> None:
    assert problems(write_ranking_study(tmp_path)) == []


def twice(block: dict[str, Any]) -> None:
    block["criteria"][1]["name"] = "clarity"


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (twice, "blocks[0].criteria[1].name", "duplicate criterion 'clarity'; rename one"),
        (
            lambda block: block.update(attention_checks=[{"texts": ["Same.", "Same."]}]),
            "blocks[0].attention_checks[0].texts[1]",
            "'Same.' is a duplicate, so no order would be the right one; reword one",
        ),
        (
            lambda block: block.update(systems_per_trial=4),
            "blocks[0].systems_per_trial",
            "got 4, but there are only 3 systems; lower it",
        ),
        (
            lambda block: block.update(context="nowhere"),
            "blocks[0].context",
            "the items table has no column 'nowhere'; use one of: item, context; or add it",
        ),
    ],
)
def test_mistake_in_the_study_file(tmp_path: Path, change: Change, where: str, message: str) -> None:
    assert problems(write_ranking_study(tmp_path, change)) == [(where, message)]


def test_practice_needs_several_texts(tmp_path: Path) -> None:
    write_ranking_study(tmp_path)
    write_csv(tmp_path / "practice.csv", ("item", "text", "context"), [("p1", "One.", "x")])
    remedy = "give the table a column 'unit' that names its texts, and a row for each"
    message = f"practice item 'p1' has fewer than two texts to rank; {remedy}"
    assert problems(tmp_path) == [("blocks[0].practice", message)]


def test_practice_has_not_the_name_of_a_check(tmp_path: Path) -> None:
    write_ranking_study(tmp_path)
    rows = [("check-1", "a", "One.", "x"), ("check-1", "b", "Two.", "x")]
    write_csv(tmp_path / "practice.csv", ("item", "unit", "text", "context"), rows)
    message = "item 'check-1' of the practice table has the name of an attention check; rename it"
    assert problems(tmp_path) == [("blocks[0].practice", message)]


def with_systems(directory: Path, systems: int, change: Change | None = None) -> Path:
    write_ranking_study(directory, change)
    rows = [(f"i{item}", f"s{system}", "A text.") for item in range(1, 7) for system in range(1, systems + 1)]
    write_csv(directory / "texts.csv", ("item", "system", "text"), rows)
    return directory


def test_one_system_cannot_be_ranked(tmp_path: Path) -> None:
    message = "there is only one system ('s1'), so there is nothing to rank; add texts of another"
    assert problems(with_systems(tmp_path, 1)) == [("blocks[0]", message)]


def test_too_many_systems_for_a_page(tmp_path: Path) -> None:
    message = "21 texts do not fit a page (at most 20); say in 'systems_per_trial' how many to rank"
    assert problems(with_systems(tmp_path, 21)) == [("blocks[0]", message)]
    assert problems(with_systems(tmp_path, 21, lambda block: block.update(systems_per_trial=5))) == []
