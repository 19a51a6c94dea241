"""The small study of each task, by the task's name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

Change = Callable[[dict[str, Any]], None]
_OTHER_NAMES = {"rating": "small"}
"""The study that came first has no task in its name."""


def write_task_study(task: str, directory: Path, change: Change | None = None) -> Path:
    """Write the task's study into a directory and return it; `change` may alter the study file's data first."""
    name = f"{_OTHER_NAMES.get(task, task)}_study"
    try:
        write = getattr(import_module(name), f"write_{name}")
    except ModuleNotFoundError as error:
        remedy = f"write tests/support/{name}.py with a function write_{name}(directory, change=None)"
        raise AssertionError(f"the task {task!r} has no small study; {remedy}") from error
    # Where `change` alters the block only, there is another one for the whole file.
    whole = "study" if "study" in signature(write).parameters else "change"
    written: Path = write(directory, **{whole: change})
    return written
