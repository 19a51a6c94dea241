"""What the small study of each task plans, shows, stores and exports is what it did before.

All of it is in `study_outputs/`, with what differs from run to run (codes, ids, hashes) replaced. After a change that
is meant, set TEXTASSAY_WRITE_OUTPUTS=1 and run `python -m pytest tests/contracts/test_every_study.py
tests/contracts/test_every_task.py` to write it again; read the difference before you commit it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from kept_outputs import analysis_lines, compare, shown, table_lines
from task_studies import write_task_study

from textassay import catalogue
from textassay.answers.dataset import load_dataset, make_dataset
from textassay.answers.export import export_files
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal import direct
from textassay.rehearsal.power import PowerOptions, power
from textassay.screening.verdicts import judge_all
from textassay.seeds import Stream
from textassay.serve.app import create_app
from textassay.serve.board.preview import PLACES
from textassay.serve.board.state import Board
from textassay.serve.session import pages
from textassay.serve.site import Site
from textassay.sharing.bundle import write_answers, write_material
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import draw_plan
from textassay.study.study import Study

pytestmark = pytest.mark.usefixtures("strings_of_pyarrow")

OUTPUTS = Path(__file__).parent / "study_outputs"
SHOWN = {True: 12, False: 3}
"""How many lines of a file are kept, with and without personal columns."""
CHANGING = re.compile(r"[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
"""Hashes and ids."""


@dataclass(frozen=True)
class Taken:
    """A study that simulated participants have taken."""

    study: Study
    plan: Plan
    store: Store

    def steady(self, text: str) -> str:
        """The text with what differs from run to run replaced."""
        for person in self.store.participants():
            text = text.replace(person.code, f"person-{person.id}")
        return CHANGING.sub("…", text)


@pytest.fixture(scope="module", params=catalogue.names("task"))
def taken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    def change(data: dict[str, Any]) -> None:
        data["analysis"] = {"alpha": 0.1, "confidence": 0.9}
        data["participants"]["release_after_minutes"] = 5
        if request.param == "rating":  # one study with everything that can be there more than once
            data["participants"].pop("wanted")
            data["participants"]["cohorts"] = [{"name": "lay", "wanted": 3}, {"name": "experts", "wanted": 2}]
            data["participants"]["may_go_back"] = True
            data["blocks"].append({**data["blocks"][0], "name": "again", "comment": None})

    study = load_study(write_task_study(request.param, tmp_path_factory.mktemp(request.param), change))
    plan = draw_plan(study)
    with Store.open(study.store_url) as store:
        direct.simulate(study, plan, store)
        yield Taken(study, plan, store)


def kept(taken: Taken, what: str, lines: list[str]) -> None:
    steady = taken.steady("\n".join(lines)).splitlines()
    compare(steady, OUTPUTS / f"{taken.study.blocks[0].task.name}-{what}.txt")


def test_plan_and_views(taken: Taken) -> None:
    study, task, slot = taken.study, taken.study.blocks[0].task, taken.plan.slots[0]
    found = overview(study, taken.plan)
    lines = [line for table in (*found.tables, study.facts()) for line in table_lines(table)]
    lines = [line.replace(str(study.directory), "here") for line in lines]
    lines += [f"warning: {text}" for text in (*found.warnings, *task.warnings())]
    lines += [shown(each) for each in task.questions()]
    lines += [f"conditions: {shown(list(task.conditions()))}", f"limit: {task.limit_seconds()}"]
    lines += [f"right: {shown({key: str(value) for key, value in task.correct_responses().items()})}"]
    lines += [f"checks: {shown(list(task.attention_items()))}", f"files: {shown(list(task.media()))}"]
    lines += [f"page {each.number}: {each.key}, {each.kind}, {each.block}" for each in pages(study, slot)]
    person = task.simulated_participant(2, Stream(study.file.seed, "kept"))
    for trial in slot.trials:
        played = person.respond(trial, trial.position)
        rows = task.rows(trial, task.read(trial, played.payload))
        lines += [f"## {shown(trial)}, {task.expected_seconds(trial):.4f} s", f"view: {shown(task.view(trial))}"]
        lines += [f"answer: {shown(played)}", *(f"row: {shown(row)}" for row in rows)]
        lines += [f"response: {shown(str(task.response(rows)))}"]
        lines += [f"passed: {task.passed_attention_check(rows)}"] if trial.kind == "check" else []
    kept(taken, "plan", lines)


@pytest.mark.parametrize("personal", [False, True])
def test_exported_files(taken: Taken, personal: bool) -> None:
    files = export_files(taken.study, (taken.plan, taken.store), personal=personal)
    lines: list[str] = []
    for name, made in files.items():
        text = "".join(made()).splitlines()
        whole = personal and name == "codebook.csv"
        lines += [f"# {name}: {len(text)} lines", *text[: None if whole else SHOWN[personal]]]
    kept(taken, "personal" if personal else "export", lines)


def test_unpacked_bundle_has_the_same_answers(taken: Taken, tmp_path: Path) -> None:
    """Then the same analyses give the same numbers; `tests/sharing/` has that for one study."""
    write_material(taken.study, tmp_path)
    write_answers(taken.study, tmp_path)
    study = load_study(tmp_path)
    here, there = make_dataset(taken.study, taken.plan, taken.store), load_dataset(study)
    for name, schema in here.schemas.items():
        columns = [column.name for column in schema.columns if not column.personal]
        both = [
            [{key: row[key] for key in columns if row.get(key) not in (None, "")} for row in data.rows(name)]
            for data in (here, there)
        ]
        told = both[1] if name != "participants" else [leave(row, "verdict", "reasons") for row in both[1]]
        assert told == both[0], name
        assert both[0] or name.endswith("-unscored"), name
    assert [(case.planned, [trial.kind for trial in case.trials]) for case in there.cases] == [
        (case.planned, [trial.kind for trial in case.trials]) for case in here.cases
    ]
    assert judge_all(there.cases, study) == judge_all(here.cases, taken.study)


def leave(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """The row without some cells."""
    return {name: cell for name, cell in row.items() if name not in names}


def test_board(taken: Taken) -> None:
    board, people = Board(taken.study, taken.plan, taken.store), taken.store.participants()
    site = Site(taken.study, taken.plan, taken.store)
    with board.moment(max(person.last_seen_at for person in people) + timedelta(minutes=1)) as seen:
        found = board.overview(seen, site.pages).model_dump(mode="json")
        lines = [
            f"{key}: {part}" for key, parts in found.items() for part in (parts if isinstance(parts, list) else [parts])
        ]
        for person in people:
            verdict = board.verdicts(seen, [person]).get(person.id)
            reasons = [] if verdict is None else [f"{each.rule}: {each.text}" for each in verdict.reasons]
            lines.append(f"{person.code} {person.status} {seen.standings[person.id]}: {'; '.join(reasons)}")
    lines += [f"minutes: {site.minutes(cohort.name)}" for cohort in taken.study.cohorts]
    kept(taken, "board", lines)


class _Words(HTMLParser):
    """What a page says, and where its links and forms lead."""

    SHOWN = (
        "action",
        "aria-label",
        "data-page",
        "href",
        "max",
        "maxlength",
        "min",
        "name",
        "required",
        "type",
        "value",
    )

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = [f"{name}={value}" for name, value in attrs if name in self.SHOWN]
        if told and tag not in ("link", "meta", "script"):
            self.lines.append(f"<{tag} {' '.join(told)}>")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.lines.append(" ".join(data.split()))


def words(page: str) -> list[str]:
    parser = _Words()
    parser.feed(page)
    return [re.sub(r"(/static/|\?v=)[0-9a-f]{12}|[\w-]{32,}", "…", line) for line in parser.lines]


def test_words_of_all_pages(taken: Taken) -> None:
    """Those of participants, as the preview shows them, and those of the board."""
    now = max(person.last_seen_at for person in taken.store.participants()) + timedelta(minutes=1)
    site = Site(taken.study, taken.plan, taken.store, lambda: now)
    places = ["", *(f"/preview/1/{place}" for place in PLACES), "/participants", "/slots", "/links", "/preview/1"]
    places += [f"/preview/1/{page.number}" for page in site.pages(1)]
    seen: set[str] = set()
    lines: list[str] = []

    async def read() -> None:
        transport = httpx.ASGITransport(create_app(site))
        cookies = {site.cookie("board"): taken.store.secret("board")}
        async with httpx.AsyncClient(transport=transport, base_url="http://here", cookies=cookies) as client:
            for place in places:
                reply = await client.get(f"/board{place}")
                assert reply.status_code == 200, place
                found = words(reply.text)
                # Of participants' pages what is the same on every page is shown once.
                lines.extend([f"# {place or 'board'}", *(line for line in found if line not in seen)])
                seen.update(found if "/preview/1/" in place else ())

    asyncio.run(read())
    kept(taken, "pages", lines)


def test_samples_and_power(taken: Taken) -> None:
    study, block = taken.study, taken.study.blocks[0]
    table = make_dataset(study, taken.plan, taken.store).of_block(block)
    sample = block.task.sample_class()
    assumed = {each.name: each.value for each in sample.assumptions(block.task)}
    lines = [shown(each) for each in sample.assumptions(block.task)]
    drawn = sample(block.task, table, assumed).draw(Stream(3, "kept"))
    lines += [f"{name}: {shown(list(values))}" for name, values in drawn.items()]
    lines += [f"test: {shown(dict(block.task.system_test(table)))}"]
    options = PowerOptions(participants=(6,), items=(6,), runs=2, alpha=0.2, null=True)
    lines += analysis_lines(power(study, block, options).analysis())
    judged = block.task.judgements(table)
    lines += [f"judgement: {shown(dict(row))}" for row in judged.head(8).to_dict("records")]
    kept(taken, "power", lines)
