"""`textassay check`: find problems in a study, and show its design."""

from __future__ import annotations

from textassay import pipeline
from textassay.cli.options import HERE, Format, StudyDirectory
from textassay.cli.output import console, show_tables
from textassay.design.plan import Plan
from textassay.errors import UsageError
from textassay.rehearsal.true_effects import with_true_effects
from textassay.sharing.registration import changes_since, read_registration, shortened, told
from textassay.study.overview import overview
from textassay.study.planning import draw_plan, stored_plan
from textassay.study.study import Study


def check(study: StudyDirectory = HERE, *, format: Format = "text") -> None:  # noqa: A002 -- the flag's name
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
        _show_registration(loaded, plan)
        print(f"{study}: no problems found. Next: textassay serve {study}")


def _show_registration(study: Study, plan: Plan) -> None:
    """One line where it is not registered; what has changed where it is."""
    try:
        registration = read_registration(study)
    except UsageError as error:
        console().print(f"Note: {error}")
        return
    if registration is None:
        console().print(f"Not registered; 'textassay prereg {study.directory}' does that before the first participant.")
        return
    changes = changes_since(registration, study, plan)
    for sentence in told(registration, changes):
        console().print(sentence)
    for each in changes:
        console().print(
            f"  {each.what} ({each.kind}): registered {shortened(each.registered)}, now {shortened(each.now)}"
        )
