"""`textassay demo`: the demo study from plan to report."""

from __future__ import annotations

import shutil
from pathlib import Path

from textassay import pipeline, ready_studies
from textassay.cli.output import stage_line
from textassay.errors import UsageError

PLACE = Path("textassay-demo")


def demo() -> None:
    """Run the demo study in ./textassay-demo: plan, web pages, simulated participants, report."""
    _remove_earlier_demo(PLACE)
    ready_studies.copy("demo", PLACE)
    study = pipeline.load(PLACE)
    plan = pipeline.plan(study)
    print(f"{study.file.title} {len(study.systems)} systems × {len(study.items_in_order)} items.")
    print(f"Simulating participants through the web pages of the study; {len(plan.slots)} are planned …", flush=True)
    people = pipeline.simulate(study, over_http=True).people
    data = pipeline.collect(study)
    verdicts = pipeline.screen(study, data)
    out = sum(not verdict.valid for verdict in verdicts)
    print(f"Simulated {len(people)} participants; {out} are excluded, each with a reason.", flush=True)
    with stage_line() as stage:
        page = pipeline.report(study, screens=True, stage=stage)
    print(f"\nReport:                  {page}")
    print(f"Take the study yourself: textassay serve {PLACE}")
    print("Start your own study:    textassay new my-study")


def _remove_earlier_demo(place: Path) -> None:
    """Remove the directory of an earlier demo, and refuse to remove anything else."""
    if not place.exists():
        return
    if not ready_studies.is_copy("demo", place):
        raise UsageError(f"{place} exists and is not an unchanged demo; move it, or run the demo in another directory")
    shutil.rmtree(place)
