"""Pictures of the pages that participants saw, one of each kind, taken with a local browser.

A simulated participant takes the study on a server and a store of their own, in a temporary folder: the study's
database is neither read nor written. The pictures stay with the report and are taken again when what they show has
changed. A picture never fails a report: what is missing is said in a sentence.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from textassay import __version__
from textassay.answers.served_material import material
from textassay.answers.store import Store
from textassay.errors import BrowserError, TextassayError
from textassay.local_browser.devtools import LocalBrowser
from textassay.rehearsal.over_http import participation
from textassay.rehearsal.people import ALL_ORDINARY, person
from textassay.report.summary import ScreenPicture, ScreensSummary
from textassay.serve.assets import Assets
from textassay.serve.server import ServerThread
from textassay.serve.session import Page
from textassay.tables.writer import write_text

if TYPE_CHECKING:
    from textassay.design.plan import Plan
    from textassay.study.study import Study

SECONDS = 15.0
"""The longest time for all pictures of a study."""
_LIST = "pictures.json"
_WIDTH, _HEIGHT, _MOST_HEIGHT = 960, 420, 1500
_SCALE = 1.25
"""Pixels of the picture to one of the page: enough to read it on a fine screen and on paper."""
_MOST_BYTES = 150_000
_HIDDEN = "(hidden)"
_MOST_TEXT = 240
"""Characters of the page's text in the description."""


def page_pictures(study: Study, plan: Plan, folder: Path, *, seconds: float = SECONDS) -> ScreensSummary:
    """One picture of each kind of page: those in the folder where they still fit, otherwise new ones.

    Args:
        study: The study.
        plan: Its plan.
        folder: Where the pictures are kept; created if needed.
        seconds: The longest time for all of them.
    """
    key = _key(study, plan)
    kept = _kept(folder, key)
    if kept is not None:
        return ScreensSummary(kept)
    taken: list[ScreenPicture] = []
    try:
        for picture in _take(study, plan, folder, seconds):
            taken.append(picture)  # noqa: PERF402 -- those before an error are kept
    except BrowserError as error:
        if not taken:
            return ScreensSummary(missing=f"The pages of participants are not pictured: {error}.")
        return ScreensSummary(tuple(taken), f"Not all pages of participants are pictured: {error}.")
    except (TextassayError, OSError) as error:
        return ScreensSummary(tuple(taken), f"Pictures of participants' pages are missing: {error}.")
    listed = [{**vars(picture), "file": picture.file.name} for picture in taken]
    write_text(folder / _LIST, json.dumps({"key": key, "pictures": listed}, ensure_ascii=False, indent=1))
    return ScreensSummary(tuple(taken))


def _key(study: Study, plan: Plan) -> str:
    """Digest of everything that the pictures depend on."""
    parts: list[Any] = [
        __version__, Assets(study).version, material(study), dict(study.pages),
        study.file.model_dump(mode="json"), str(plan.slots[0]), _WIDTH, _SCALE,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _kept(folder: Path, key: str) -> tuple[ScreenPicture, ...] | None:
    """The pictures in the folder; None if they are missing, incomplete or of something else."""
    try:
        found = json.loads((folder / _LIST).read_text(encoding="utf-8"))
        pictures = tuple(
            ScreenPicture(**{**each, "file": folder / Path(each["file"]).name}) for each in found["pictures"]
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pictures if found["key"] == key and all(each.file.is_file() for each in pictures) else None


def _take(study: Study, plan: Plan, folder: Path, seconds: float) -> Iterator[ScreenPicture]:
    study = _without_codes(study)
    with ExitStack() as stack:
        browser = stack.enter_context(LocalBrowser(seconds=seconds))
        place = stack.enter_context(tempfile.TemporaryDirectory(prefix="textassay-pages-", ignore_cleanup_errors=True))
        store = stack.enter_context(Store.open(f"sqlite:///{(Path(place) / 'answers.db').as_posix()}"))
        server = stack.enter_context(ServerThread(study, plan, store=store))
        camera = _Camera(browser, folder)
        link = server.links.join[study.cohorts[0].name]
        yield camera.take(_Subject("start", "Start"), link)
        wanted: dict[str, _Subject] = {}
        for seen in participation(study, plan, store, link, person(study, 1, ALL_ORDINARY)):
            wanted = wanted or _subjects(study, seen.pages)
            subject = wanted.get(seen.page.key) if seen.page else _Subject("finish", "Last page")
            if subject is not None:
                yield camera.take(subject, urljoin(link, seen.address))


@dataclass(frozen=True)
class _Subject:
    """What is pictured."""

    name: str
    """Of the file."""
    title: str


class _Camera:
    """Takes pictures and puts them into the folder."""

    def __init__(self, browser: LocalBrowser, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._ready = files("textassay.rehearsal").joinpath("page_ready.js").read_text(encoding="utf-8")
        folder.mkdir(parents=True, exist_ok=True)
        for earlier in (*folder.glob("*.webp"), folder / _LIST):
            earlier.unlink(missing_ok=True)

    def take(self, subject: _Subject, address: str) -> ScreenPicture:
        self._browser.open(address, width=_WIDTH, height=_HEIGHT, scale=_SCALE)
        text = " ".join(str(self._browser.evaluate(self._ready)).split())
        picture = self._browser.picture(most_height=_MOST_HEIGHT, most_bytes=_MOST_BYTES)
        file = self._folder / f"{subject.name}.webp"
        file.write_bytes(picture.content)
        shown = text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT].rpartition(" ")[0] + " …"
        return ScreenPicture(
            subject.title, f"{subject.title} as participants saw it: {shown}", file, picture.width, picture.height
        )


def _subjects(study: Study, pages: Sequence[Page]) -> dict[str, _Subject]:
    """The pages to picture by their keys: one of each kind, and of each block its own."""
    found = {page.key: _Subject(page.kind, page.kind.capitalize()) for page in pages if not page.block}
    for number, block in enumerate(study.blocks, 1):
        of_block = f" of block {block.name}" if len(study.blocks) > 1 else ""
        own = [page for page in pages if page.block == block.name]
        practice = [page for page in own if page.practice][:1]
        for page in [*(page for page in own if page.kind == "instructions"), *practice, *_typical(study, own)]:
            kind = "practice" if page.practice else page.kind
            title = {"practice": "Practice trial", "trial": "Trial"}.get(kind, kind.capitalize())
            found[page.key] = _Subject(f"{kind}-{number}", f"{title}{of_block}")
    return found


def _typical(study: Study, pages: Sequence[Page]) -> list[Page]:
    """The main trial of a block that shows neither much nor little; none if the block has none."""
    main = [(page, page.trial) for page in pages if page.trial is not None and page.trial.kind == "main"]
    by_length = sorted(main, key=lambda each: len(repr(study.block(each[0].block).task.view(each[1]))))
    return [by_length[(len(by_length) - 1) // 2][0]] if by_length else []


def _without_codes(study: Study) -> Study:
    """The study with the codes at the end hidden: reports are shown to others, the codes are money."""
    finish = study.file.finish
    codes = finish.every_code
    if not codes:
        return study
    hidden = {name: _HIDDEN if code else None for name, code in finish.codes.model_dump().items()}
    update = {
        "completion_code": _HIDDEN if finish.completion_code else None,
        "codes": finish.codes.model_copy(update=hidden),
    }
    file = study.file.model_copy(update={"finish": finish.model_copy(update=update)})
    any_code = re.compile("|".join(re.escape(code) for code in codes))
    pages = {name: any_code.sub(_HIDDEN, text) for name, text in study.pages.items()}
    return replace(study, file=file, pages=pages)
