"""`textassay new`: copy a ready study into a new directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import ready_studies


def new(
    directory: Path,
    *,
    template: Annotated[str, Parameter(name=["--template", "-t"])] = "rating-scale",
) -> None:
    """Copy a ready study into a new directory.

    Args:
        directory: The directory to create.
        template: The study to copy.
    """
    ready_studies.copy(template, directory)
    print(f"Created {directory} from {template!r}. Edit {directory / 'study.yaml'}, then:")
    print(f"  textassay check {directory}")
    print(f"  textassay serve {directory}")
