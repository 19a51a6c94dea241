"""Make the pictures of reports and of relevance: `python docs/make_pictures.py [NAME …]`.

It simulates ready studies, writes their reports and photographs these with Chromium (see `tests/support/chromium.py`).
Run it after a change of how reports look. Without names it makes all pictures, which takes some minutes; `gallery`
makes those of docs/gallery.md, `gallery-STUDY` one of them.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from chromium import find_chromium  # noqa: E402 -- support of the tests
from PIL import Image  # noqa: E402
from playwright.sync_api import Locator, Page, sync_playwright  # noqa: E402

from textassay import pipeline, ready_studies  # noqa: E402
from textassay.analysis.relevance_trace import relevance_trace  # noqa: E402
from textassay.analysis.study_scores import relevance_cases  # noqa: E402
from textassay.report.page import Section, write_report  # noqa: E402
from textassay.report.summary import ParticipantsSummary, SettingsSummary, StudySummary  # noqa: E402

IMAGES = HERE / "images"
TOPS = {
    "report": ("demo", 900),
    "report-preference": ("b10-forecast-preference", 760),
    "report-ranking": ("c09-ranking", 760),
    "report-reading": ("l06-reading", 900),
    "report-decision": ("g10-decisions", 900),
    "report-reordering": ("m07-reordering", 900),
}
"""Picture → the ready study whose report it shows the top of, and its height."""
WALK = "case12"
"""The case of g10-decisions that docs/content.md walks through."""


@contextmanager
def opened(page: Path, width: int = 1280, height: int = 900) -> Iterator[Page]:
    """The page in a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": width, "height": height})
        shown.goto(page.as_uri())
        yield shown
        browser.close()


def save(shot: bytes, name: str) -> None:
    """A screenshot in few colours, which is a fifth of the size."""
    picture = Image.open(io.BytesIO(shot)).convert("RGB").quantize(96, dither=Image.Dither.NONE)
    picture.save(IMAGES / f"{name}.png", optimize=True)


def report_of(ready: str, directory: Path) -> Path:
    """The report of a ready study with simulated participants, made once."""
    where = directory / ready
    if not (where / "report.html").is_file():
        ready_studies.copy(ready, where)
        study = pipeline.load(where)
        pipeline.simulate(study)
        pipeline.report(study)
    return where / "report.html"


def report_top(name: str, directory: Path) -> None:
    """The top of the report of a study."""
    ready, height = TOPS[name]
    with opened(report_of(ready, directory), height=height) as page:
        save(page.screenshot(), name)


def gallery(ready: str, directory: Path) -> None:
    """The first screen of a study's report, for docs/gallery.md."""
    with opened(report_of(ready, directory), width=1000, height=760) as page:
        save(page.screenshot(), f"gallery/{ready}")


def relevance_of_a_case(directory: Path) -> None:
    """One case of g10-decisions: its texts with their events marked, and the weights of actions as bars."""
    where = directory / "walk"
    ready_studies.copy("g10-decisions", where)
    cases = {key: case for key, case in relevance_cases(pipeline.load(where)).items() if key[0] == WALK}
    nobody = ParticipantsSummary({}, 0, 0)
    summary = StudySummary("One case", "en", nobody, SettingsSummary("", 0, {}), datetime(2026, 1, 1, tzinfo=UTC))
    found = relevance_trace(cases)
    page = write_report(summary, [Section(found.title, found)], where)
    for system in ("h", "c"):
        shutil.copy(where / "report" / "figures" / f"relevance-{WALK}-{system}.svg", IMAGES / f"weights-{system}.svg")
    with opened(page, width=720) as shown:
        for place, text in enumerate(found.texts):
            card: Locator = shown.locator(".marked-text").nth(place)
            save(card.screenshot(), f"events-{text.name.rpartition('-')[2].lower()}")


def main() -> None:
    """Make the pictures that are named, or all of them."""
    makers: dict[str, Callable[[Path], None]] = {
        "relevance": relevance_of_a_case,
        **{name: lambda where, name=name: report_top(name, where) for name in TOPS},  # type: ignore[misc]
        **{f"gallery-{name}": lambda where, name=name: gallery(name, where) for name in ready_studies.names()},  # type: ignore[misc]
    }
    groups = {"gallery": [name for name in makers if name.startswith("gallery-")]}
    with tempfile.TemporaryDirectory() as directory:
        for asked in sys.argv[1:] or makers:
            for name in groups.get(asked, [asked]):
                makers[name](Path(directory))
                print(name)


if __name__ == "__main__":
    main()
