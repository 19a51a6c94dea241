"""No byte that a participant's browser receives names cohort, block, system, item or other people, in any task."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from ruamel.yaml import YAML
from served_study import Person, Served
from several_servers import page_data
from small_study import write_csv
from task_studies import write_task_study

from textassay import catalogue
from textassay.rehearsal.people import ALL_ORDINARY, person
from textassay.rehearsal.respondent import Respondent
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

COHORTS, BLOCK = ("XCOHORTX", "XSECONDCOHORTX"), "XBLOCKX"
SECRET_NAMES = re.compile(r"X(?:SECOND)?COHORTX|XBLOCKX|XITEM\w+X|XSYSTEM\w+X", re.IGNORECASE)


def unmistakable(task: str, directory: Path) -> Study:
    """The small study of a task in which each name that must not be seen is a word that occurs nowhere else."""

    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": name, "wanted": 6} for name in COHORTS]}
        data["blocks"][0]["name"] = BLOCK
        data["blocks"][0].setdefault("design", {})["break_every"] = 3

    write_task_study(task, directory, change)
    names: dict[str, dict[str, str]] = {"item": {}, "system": {}}
    for path in directory.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            header, *rows = csv.reader(stream)
        for column, known in names.items():
            place = header.index(column) if column in header else None
            for row in rows if place is not None else ():
                row[place] = known.setdefault(row[place], f"X{column.upper()}{len(known)}X")
        write_csv(path, tuple(header), [tuple(row) for row in rows])
    yaml = YAML(typ="safe", pure=True)
    data = yaml.load(directory / "study.yaml")
    yaml.dump(renamed(data, names["system"]), directory / "study.yaml")
    return load_study(directory)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """The data of the study file, with other names of systems."""
    if isinstance(value, dict):
        kept = "order"  # which may be random, as a system may be called
        return {names.get(key, key): part if key == kept else renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


class Visitor:
    """Takes part as a browser does, looks where it should not, and keeps every reply."""

    def __init__(self, served: Served, cohort: str, number: int) -> None:
        self.served, self.replies = served, list[httpx.Response]()
        self.client = served.client(event_hooks={"response": [self.keep]})
        self.client.get(served.server.links.join[cohort])
        self.before_joining, self.replies = self.replies, []
        self.person: Person = served.join(self.client, cohort=cohort)
        simulated = person(served.study, number, ALL_ORDINARY)
        slot = served.plan.slot(self.person.participant.slot)
        self.respondent = Respondent(served.study, simulated, slot)

    def keep(self, reply: httpx.Response) -> None:
        reply.read()
        self.replies.append(reply)

    def take_part(self) -> None:
        for page in self.person.pages:
            shown = self.person.open()
            data = page_data(shown.text)
            assert data is not None
            for address in set(re.findall(r'(?:src|href)="(/[^"]+)"', shown.text)):
                self.client.get(address)
            self.client.get(data["view"] or "/health")
            self.person.send(data["key"], {"wrong": True})
            answer = self.respondent.answer(page.key)
            assert answer is not None
            self.person.send(data["key"], answer.payload)
            self.person.send(data["key"], answer.payload)  # once more, when it is too late
        assert "completed" in self.person.participant.status

    def look_around(self) -> None:
        for path in ("", "/1", "/3", "/99", "/withdraw", "/nothing", "/media/nothing"):
            self.person.open(path)
        for page in self.person.pages[-2:]:
            self.person.send(page.key, {})
        self.person.send("nothing", {})
        self.client.post(f"{self.person.base}/answers", content=b"{", headers={"content-type": "application/json"})
        for path in ("/board", "/openapi.json", "/board/export.zip", "/health", "/join/nothing", "/p/nothing"):
            self.client.get(path)
        self.client.post(f"{self.person.base}/withdraw", follow_redirects=True)


def bytes_of(reply: httpx.Response) -> str:
    """All that a browser gets of a reply: its status line, headers and body."""
    headers = "\n".join(f"{name}: {value}" for name, value in reply.headers.multi_items())
    return f"{reply.reason_phrase}\n{headers}\n\n{reply.content.decode('utf-8', 'replace')}"


@pytest.fixture(params=[*catalogue.names("task"), "together"])
def visitors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Visitor, Visitor]]:
    study = unmistakable(request.param, tmp_path)
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = Served(study, plan, server)
        other, own = (Visitor(served, cohort, number) for number, cohort in enumerate(reversed(COHORTS), 1))
        other.take_part()
        own.take_part()
        own.look_around()
        yield other, own
        for client in served.clients:
            client.close()


def test_no_reply_names_what_must_stay_unknown(visitors: tuple[Visitor, Visitor]) -> None:
    other, own = visitors
    store, person = own.served.server.store, own.person.participant
    secrets = [
        other.person.token,
        other.person.participant.code,
        person.code,  # by which the tables know the participant
        *(store.secret(name) for name in ("board", "email", "invited", "media", "platform", "pages", "join")),
        *(answer.answer_id for answer in other.person.answers.values()),
    ]
    assert len(own.replies) > 5 * len(own.person.pages)
    found = [
        (str(reply.request.method), str(reply.url.path).replace(own.person.token, "…"), secret)
        for reply in own.replies
        for told in [bytes_of(reply)]
        for secret in [*SECRET_NAMES.findall(told), *(each for each in secrets if each in told)]
    ]
    assert found == []
    pages_differ_by_nothing_but_opaque_keys(other, own)
    start_page_names_the_cohort_in_its_address_only(own)


def pages_differ_by_nothing_but_opaque_keys(other: Visitor, own: Visitor) -> None:
    """The key of a page tells neither its place nor its slot: it is another one for each page and participant."""
    keys = [
        [data["key"] for reply in visitor.replies if (data := page_data(reply.text)) is not None]
        for visitor in (other, own)
    ]
    assert all(re.fullmatch("[0-9a-f]{24}", key) for seen in keys for key in seen)
    assert set(keys[0]).isdisjoint(keys[1])
    assert [len(set(seen)) for seen in keys] == [len(visitor.person.pages) for visitor in (other, own)]


def start_page_names_the_cohort_in_its_address_only(own: Visitor) -> None:
    """Before joining: what concerns the address of the link itself, which the visitor has in hand."""
    (start,) = own.before_joining
    address = str(start.url.copy_with(scheme="", host=None, port=None)).lstrip("/")
    assert SECRET_NAMES.findall(bytes_of(start).replace(f"/{address}", "")) == []
