"""Options that several commands share, spelt once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

StudyDirectory = Annotated[Path, Parameter(help="The study directory, or the study file in it.")]
Format = Annotated[
    Literal["text", "json", "csv", "latex"], Parameter(name=["--format", "-f"], help="How the result is printed.")
]
Quiet = Annotated[bool, Parameter(name=["--quiet", "-q"], negative="", help="Print only what was asked for.")]
