"""What the shell suggests when a word is completed with the Tab key; none of it loads what it names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textassay import catalogue

if TYPE_CHECKING:
    from cyclopts.completion import CompletionContext

STUDY_FILE = "study.yaml"


def metric_names(_: CompletionContext) -> tuple[str, ...]:
    """All metrics."""
    return catalogue.names("metric")


def template_names(_: CompletionContext) -> tuple[str, ...]:
    """All ready studies."""
    from textassay import ready_studies  # noqa: PLC0415 -- only where one is asked for

    return ready_studies.names()


def study_directories(context: CompletionContext) -> dict[str, str]:
    """Directories below the one that was typed so far, and which of them are studies."""
    typed = context.incomplete
    parent = Path(typed) if typed.endswith("/") else Path(typed).parent
    prefix = typed[: typed.rfind("/") + 1]
    try:
        inside = sorted(path for path in parent.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError:
        return {}
    return {f"{prefix}{path.name}": "a study" if (path / STUDY_FILE).is_file() else "" for path in inside}


def kinds_of_entries(_: CompletionContext) -> list[str]:
    """What `list` lists."""
    from textassay.catalogue_entries import KINDS  # noqa: PLC0415

    return [*KINDS, "templates"]


def names_of_entries(context: CompletionContext) -> tuple[str, ...]:
    """The names of the kind that was typed before."""
    from textassay.catalogue_entries import KINDS  # noqa: PLC0415

    kind = context["kind"].raw or ""
    return catalogue.names(KINDS[kind]) if kind in KINDS else template_names(context)
