"""`textassay check`: find problems in a study, and show its design."""

from __future__ import annotations

from pathlib import Path

from textassay import pipeline
from textassay.cli.options import Format
from textassay.cli.output import console, show_tables
from textassay.rehearsal.true_effects import with_true_effects
from textassay.study.overview import overview
from textassay.study.planning import draw_plan, stored_plan


def check(study: Path = Path(), *, format: Format = "text") -> None:  # noqa: A002 -- the flag's name
    """Check a study; show its design, its balance and how long it takes.

    Args:
        study: The study directory; the current directory by default.
        format: How the result is printed.
    """
    loaded = pipeline.load(study)
    with_true_effects(loaded)  # refuses properties that do not vary
    # Checking changes nothing: the plan is stored only when the study is served or simulated.
    plan = stored_plan(loaded) if loaded.plan_path.exists() else draw_plan(loaded)
    seen = overview(loaded, plan)
    show_tables(seen.tables, format)
    for warning in seen.warnings if format == "text" else ():
        console().print(f"Note: {warning}")
    if format == "text":
        print(f"{study}: no problems found. Next: textassay serve {study}")
