"""`textassay demo`: the demo study from its plan to its report."""

from __future__ import annotations

import shutil
from pathlib import Path

from textassay import pipeline, ready_studies
from textassay.errors import UsageError

PLACE = Path("textassay-demo")


def demo() -> None:
    """Run the demo study for real in ./textassay-demo: plan, pages, simulated participants, report."""
    _begin_anew(PLACE)
    ready_studies.copy("demo", PLACE)
    study = pipeline.load(PLACE)
    plan = pipeline.plan(study)
    print(f"{study.file.title} {len(study.systems)} systems × {len(study.items_in_order)} items.")
    print(f"Simulated participants take the study through its web pages, {len(plan.slots)} are wanted …", flush=True)
    came = pipeline.simulate(study, over_http=True).people
    data = pipeline.collect(study)
    verdicts = pipeline.screen(study, data)
    out = sum(not verdict.valid for verdict in verdicts)
    print(f"{len(came)} came; {out} are left out of the results, each with the reason.", flush=True)
    page = pipeline.report(study)
    print(f"\nThe report:              {page}")
    print(f"Take the study yourself: textassay serve {PLACE}")
    print("Begin your own:          textassay new my-study")


def _begin_anew(place: Path) -> None:
    """Remove an earlier demo, and nothing that is not one."""
    if not place.exists():
        return
    if not ready_studies.is_copy("demo", place):
        raise UsageError(f"{place} is there and is not the demo as it comes; move it away or run the demo elsewhere")
    shutil.rmtree(place)
