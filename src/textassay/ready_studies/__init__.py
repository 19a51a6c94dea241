"""Studies shipped with the package: a template for each kind of trial, a demo, and studies in the form of papers'."""

from __future__ import annotations

import shutil
from pathlib import Path

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.study import SCHEMA_FILE

_HERE = Path(__file__).parent
TEMPLATES = {
    "rating-scale": "One text at a time on a scale: the shortest study there is",
    "side-by-side": "All systems' texts of an item on one page, each rated",
    "everyone-rates-all": "A few experts who rate every text",
    "preference": "Two texts: which is better, and by how much?",
    "ranking": "Several texts put in order, best first",
    "reordering": "Sentences put into the most coherent order",
    "reading": "Self-paced reading, sentence by sentence, with questions",
    "decision": "What would you do now? Actions chosen within a time limit",
}
"""One study for each kind of trial, to put one's own texts into, with what participants do."""
EXPERIMENTS = {
    "demo": "Sea-weather reports rated, with checks, metrics and careless people",
    "b10-rating": "Belz & Kow (2010): descriptions rated on two scales",
    "b10-preference": "Belz & Kow (2010): each system beside a person's text",
    "b10-forecast-rating": "Belz & Kow (2010): forecasts rated by experts and lay people",
    "b10-forecast-preference": "Belz & Kow (2010): all pairs of forecasts",
    "c09-ranking": "Cahill (2009), A: three wordings of a German sentence ranked",
    "c09-naturalness": "Cahill (2009), B: how natural is a German sentence?",
    "g10-decisions": "Gatt & Portet (2010): decisions on a ward by text or plot",
    "l06-ratings": "Lapata (2006), 1: eight orders of a text rated",
    "l06-reading": "Lapata (2006), 2: three orders of a text read",
    "m07-reordering": "Madnani et al. (2007): news put into order",
    "m07-comprehension": "The same news read against the clock",
}
"""The demo, and studies in the form of published experiments."""
ABOUT = {**TEMPLATES, **EXPERIMENTS}
"""Every ready study in one line."""


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
