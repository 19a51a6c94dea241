"""Which task's answers a table holds that belongs to no study."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from textassay import catalogue
from textassay.errors import UsageError
from textassay.tasks.contract import Task


def matching_task(columns: Collection[str], name: str | None = None, *, table: str = "the table") -> type[Task[Any]]:
    """The task of that name, or else the only one whose required columns are all there.

    Args:
        columns: The columns of the table.
        name: Of the task, where the columns fit several.
        table: How messages call the table.

    Raises:
        UsageError: no task fits, several fit and none is named, or the one named does not fit.
    """
    fitting = [each for each in catalogue.names("task") if not missing_columns(each, columns)]
    if name is not None:
        missing = missing_columns(name, columns)
        if missing:
            raise UsageError(
                f"{table} does not hold answers of the task {name!r}: missing columns: {', '.join(missing)}"
            )
        fitting = [name]
    if len(fitting) == 1:
        found: type[Task[Any]] = catalogue.find("task", fitting[0])
        return found
    if fitting:
        raise UsageError(f"{table} has the columns of several tasks ({', '.join(fitting)}); choose one with --task")
    known = "; ".join(f"{each}: {', '.join(_required(each))}" for each in catalogue.names("task"))
    raise UsageError(f"{table} has the columns of no task ({known}); columns found: {', '.join(sorted(columns))}")


def missing_columns(name: str, columns: Collection[str]) -> list[str]:
    """The columns that answers of a task need and a table does not have.

    Raises:
        UsageError: there is no such task.
    """
    return [column for column in _required(name) if column not in columns]


def _required(name: str) -> list[str]:
    task: type[Task[Any]] = catalogue.find("task", name)
    return [column.name for column in task.schema.columns if column.required]
