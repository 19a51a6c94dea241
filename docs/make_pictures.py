"""Make the pictures of the documentation: `python docs/make_pictures.py [NAME …]`.

It simulates ready studies and photographs participants' pages, the board and the reports with Chromium (see
`tests/support/chromium.py`). Run it after a change of how they look. Without names it makes all pictures, which takes
some minutes; `pages` makes those of participants' pages and of the board, `reports` the tops of reports, `gallery`
those of docs/gallery.md, `gallery-STUDY` one of them.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from pathlib import Path
from urllib.parse import urljoin

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from chromium import find_chromium  # noqa: E402 -- support of the tests
from PIL import Image  # noqa: E402
from playwright.sync_api import Locator, Page, sync_playwright  # noqa: E402

from textassay import cli, pipeline, ready_studies  # noqa: E402
from textassay.analysis.relevance_trace import relevance_trace  # noqa: E402
from textassay.analysis.study_scores import relevance_cases  # noqa: E402
from textassay.rehearsal.over_http import participation, simulate  # noqa: E402
from textassay.rehearsal.people import ALL_ORDINARY, person  # noqa: E402
from textassay.report.page import Section, write_report  # noqa: E402
from textassay.report.summary import ParticipantsSummary, SettingsSummary, StudySummary  # noqa: E402
from textassay.serve.server import ServerThread  # noqa: E402
from textassay.study.planning import stored_plan  # noqa: E402

IMAGES = HERE / "images"
TUTORIAL = "tutorial"
"""The study that docs/tutorial.md makes."""
TRIALS = {
    "trial": ("demo", 1280),
    "trial-narrow": ("demo", 360),
    "side-by-side": ("side-by-side", 1280),
    "preference": ("preference", 1280),
    "ranking": ("ranking", 1280),
    "reordering": ("reordering", 1280),
    "reading": ("reading", 1280),
    "decision": ("decision", 1280),
    "tutorial-trial": (TUTORIAL, 1280),
}
"""Picture → the study of which it shows a trial as participants see it, and the width of the window."""
CAME = 17
"""How many simulated participants the board shows: enough to fill half of the places."""
TOPS = {
    "report": ("demo", 900),
    "report-preference": ("b10-forecast-preference", 760),
    "report-ranking": ("c09-ranking", 760),
    "report-reading": ("l06-reading", 900),
    "report-decision": ("g10-decisions", 900),
    "report-reordering": ("m07-reordering", 900),
    "tutorial-report": (TUTORIAL, 900),
}
"""Picture → the study whose report it shows the top of, and its height."""
WALK = "case12"
"""The case of g10-decisions that docs/content.md walks through."""


@contextmanager
def opened(address: str, width: int = 1280, height: int = 900) -> Iterator[Page]:
    """The page in a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": width, "height": height})
        shown.goto(address)
        yield shown
        browser.close()


def make_study(name: str, where: Path) -> None:
    """Make a ready study, or that of the tutorial from the page itself."""
    if name != TUTORIAL:
        ready_studies.copy(name, where)
        return
    page = (HERE / "tutorial.md").read_text(encoding="utf-8")
    (texts,) = re.findall(r"<!-- file: outputs.jsonl -->\n```json\n(.*?)```", page, re.DOTALL)
    (change,) = re.findall(r"<!-- edits: my-study/study.yaml -->\n```diff\n(.*?)```", page, re.DOTALL)
    old, new = ("".join(re.findall(rf"(?m)^\{sign}(.*\n)", change)) for sign in "-+")
    (where.parent / "outputs.jsonl").write_text(texts, encoding="utf-8")
    cli.run(["new", str(where), "--from", str(where.parent / "outputs.jsonl")])
    file = where / "study.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


@contextmanager
def served(name: str, directory: Path) -> Iterator[ServerThread]:
    """A study on a server of its own."""
    with tempfile.TemporaryDirectory(dir=directory) as place:
        make_study(name, Path(place) / name)
        study = pipeline.load(Path(place) / name)
        with ServerThread(study, stored_plan(study)) as server:
            yield server


def save(shot: bytes, name: str) -> None:
    """A screenshot in few colours, which is a fifth of the size."""
    picture = Image.open(io.BytesIO(shot)).convert("RGB").quantize(96, dither=Image.Dither.NONE)
    picture.save(IMAGES / f"{name}.png", optimize=True)


def report_of(name: str, directory: Path) -> Path:
    """The report of a study with simulated participants, made once."""
    where = directory / name
    if not (where / "report.html").is_file():
        make_study(name, where)
        study = pipeline.load(where)
        pipeline.simulate(study)
        pipeline.report(study)
    return where / "report.html"


def trial(name: str, directory: Path) -> None:
    """The second main trial of a study, as a participant sees it."""
    ready, width = TRIALS[name]
    to_be_ready = files("textassay.rehearsal").joinpath("page_ready.js").read_text(encoding="utf-8")
    with served(ready, directory) as server:
        study, store = server.study, server.store
        link = next(iter(server.links.join.values()))
        for seen in participation(study, stored_plan(study), store, link, person(study, 1, ALL_ORDINARY)):
            main = [page for page in seen.pages if page.trial is not None and page.trial.kind == "main"]
            if seen.page == main[1]:
                with opened(urljoin(link, seen.address), width=width, height=420) as page:
                    page.evaluate(to_be_ready)
                    save(page.screenshot(full_page=True), name)
                return


def board(directory: Path) -> None:
    """The board of a study that is half full."""
    with served("demo", directory) as server:
        simulate(server.study, stored_plan(server.study), server.store, server.links, count=CAME)
        with opened(server.links.board, width=1200, height=1380) as page:
            save(page.screenshot(), "board")


def report_top(name: str, directory: Path) -> None:
    """The top of the report of a study."""
    ready, height = TOPS[name]
    with opened(report_of(ready, directory).as_uri(), height=height) as page:
        save(page.screenshot(), name)


def gallery(ready: str, directory: Path) -> None:
    """The first screen of a study's report, for docs/gallery.md."""
    with opened(report_of(ready, directory).as_uri(), width=1000, height=760) as page:
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
    with opened(page.as_uri(), width=720) as shown:
        for place, text in enumerate(found.texts):
            card: Locator = shown.locator(".marked-text").nth(place)
            save(card.screenshot(), f"events-{text.name.rpartition('-')[2].lower()}")


def makers() -> dict[str, Callable[[Path], None]]:
    """How each picture is made, by its name."""
    return {
        **{name: partial(trial, name) for name in TRIALS},
        "board": board,
        **{name: partial(report_top, name) for name in TOPS},
        **{f"gallery-{name}": partial(gallery, name) for name in ready_studies.names()},
        "relevance": relevance_of_a_case,
    }


def main() -> None:
    """Make the pictures that are named, or all of them."""
    made = makers()
    groups = {
        "pages": [*TRIALS, "board"],
        "reports": list(TOPS),
        "gallery": [name for name in made if name.startswith("gallery-")],
    }
    with tempfile.TemporaryDirectory() as directory:
        for asked in sys.argv[1:] or made:
            for name in groups.get(asked, [asked]):
                made[name](Path(directory))
                print(name)


if __name__ == "__main__":
    main()
