"""Studies shipped with the package: `demo`, and one template for each kind of study."""

from __future__ import annotations

import shutil
from pathlib import Path

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.study import SCHEMA_FILE

_HERE = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The studies that can be copied."""
    return tuple(sorted(folder.name for folder in _HERE.iterdir() if (folder / "study.yaml").is_file()))


def folder(name: str) -> Path:
    """Where a ready study is.

    Raises:
        UsageError: There is no such study.
    """
    if name not in names():
        raise UsageError(unknown("ready study", name, names()))
    return _HERE / name


def copy(name: str, directory: Path) -> Path:
    """Copy a ready study into a new or empty directory.

    Raises:
        UsageError: There is no such study, or the directory is not empty.
    """
    source = folder(name)
    if directory.is_file():
        raise UsageError(f"{directory} is a file; name a new directory")
    if directory.exists() and any(directory.iterdir()):
        raise UsageError(f"{directory} is not empty; name a new directory")
    shutil.copytree(source, directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    # The study file refers to the schema next to it, so that editors can complete and check it.
    shutil.copy(SCHEMA_FILE, directory)
    return directory


def is_copy(name: str, directory: Path) -> bool:
    """Whether the directory holds this study with its study file unchanged."""
    copied = directory / "study.yaml"
    return copied.is_file() and copied.read_bytes() == (_HERE / name / "study.yaml").read_bytes()
