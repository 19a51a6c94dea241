"""`textassay verify`: every number of a bundle worked out again."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import Format, Quiet
from textassay.cli.output import shortened, show_records, show_tables, stage_line
from textassay.errors import UsageError
from textassay.sharing.comparison import TOLERANCE
from textassay.sharing.verification import Verification

_MOST = 40
"""Rows of a table on the terminal."""


def verify(
    bundle: Annotated[Path, Parameter(help="The zip file, or the folder that it was unpacked into.")],
    *,
    tolerance: float = TOLERANCE,
    format: Format = "text",  # noqa: A002 -- the name of the option
    quiet: Quiet = False,
) -> int:
    """Work out every number of a bundle again, from the answers in it, and say which differ, and by how much.

    Exits with 0 if all is the same, with 1 if anything differs or cannot be verified.

    Args:
        bundle: The zip file, or the folder that it was unpacked into.
        tolerance: The largest relative difference that counts as none.
        format: How the result is printed.
        quiet: Show no progress.
    """
    if not (math.isfinite(tolerance) and tolerance >= 0):
        raise UsageError(f"--tolerance {tolerance:g}: a relative difference is needed, such as 1e-9")
    with stage_line(quiet=quiet) as stage:
        found = pipeline.verify(bundle, tolerance=tolerance, stage=stage)
    _show(found, format)
    return 0 if found.same else 1


def _show(found: Verification, how: Format) -> None:
    if how == "json":
        tables = [{"table": table.name, **record} for table in found.tables() for record in table.records()]
        show_records([{"table": "verdict", "same": found.same, "verdict": found.verdict}, *tables])
        return
    if how != "text":
        show_tables(found.tables(), how)
        return
    print(found.verdict)
    for note in found.notes():
        print(note)
    show_tables(
        [shortened(table, _MOST) for table in found.tables() if table.name != "versions" or not found.same], how
    )
