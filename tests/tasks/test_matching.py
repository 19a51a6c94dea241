"""Which task a table belongs to: its columns decide only where exactly one task fits."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest

from textassay import catalogue, pipeline
from textassay.cli import run
from textassay.errors import UsageError
from textassay.tables.schema import TableSchema
from textassay.tasks.matching import matching_task
from textassay.tasks.rating.task import Rating

RATINGS = ("participant", "item", "system", "criterion", "value")


class Applause(Rating):
    """A task of another package whose answers have the columns of ratings."""

    name: ClassVar[str] = "applause"
    schema: ClassVar[TableSchema] = Rating.schema

    @classmethod
    def analyse_table(cls, table: pd.DataFrame, options: Any) -> list[Any]:
        raise AssertionError("nobody asked for this task")


@pytest.fixture
def _applause(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    point = EntryPoint("applause", f"{__name__}:Applause", "textassay.tasks")
    monkeypatch.setattr(catalogue, "_entry_points", lambda kind: [point] if kind == "task" else [])
    catalogue.find.cache_clear()
    yield
    catalogue.find.cache_clear()


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    rows = [
        (f"p{person}", f"i{item}", system, "clarity", 1 + (person * item + place) % 5)
        for person in range(4)
        for item in range(4)
        for place, system in enumerate(("A", "B"))
    ]
    path = tmp_path / "ratings.csv"
    pd.DataFrame(rows, columns=list(RATINGS)).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("name", catalogue.names("task"))
def test_the_tables_of_each_task_fit_it_alone(name: str) -> None:
    task = catalogue.find("task", name)
    for columns in (
        [column.name for column in task.schema.columns],
        [column.name for column in task.schema.columns if column.required],
    ):
        assert matching_task(columns) is task


def test_columns_of_two_tasks_are_not_guessed() -> None:
    both = [*RATINGS, "rank"]
    with pytest.raises(UsageError, match=r"several tasks \(ranking, rating\); choose one with --task"):
        matching_task(both)
    assert matching_task(both, "rating") is Rating


def test_the_task_named_must_fit() -> None:
    with pytest.raises(UsageError, match="'ranking': missing columns: rank"):
        matching_task(RATINGS, "ranking")
    with pytest.raises(UsageError, match="there is no task 'liking'"):
        matching_task(RATINGS, "liking")


@pytest.mark.usefixtures("_applause")
def test_a_task_of_another_package_takes_over_no_table(ratings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", str(ratings)]) == 2
    said = capsys.readouterr().err
    assert "several tasks (applause, rating)" in " ".join(said.split())
    assert "--task" in said
    assert run(["analyse", str(ratings), "--task", "rating"]) == 0
    assert "clarity" in capsys.readouterr().out
    with pytest.raises(UsageError, match="several tasks"):
        pipeline.analyse_table(ratings)
    assert pipeline.analyse_table(ratings, task="rating")


def test_a_table_is_analysed_from_python(ratings: Path) -> None:
    of_file = pipeline.analyse_table(ratings)
    of_frame = pipeline.analyse_table(pd.read_csv(ratings), task="rating")
    assert [each.name for each in of_file] == [each.name for each in of_frame]


def test_a_study_names_its_own_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", str(tmp_path), "--task", "rating"]) == 2
    assert "a study names the task of each block" in " ".join(capsys.readouterr().err.split())
