"""A page whose common part was rendered for somebody else is the page that would be rendered for this participant."""

from __future__ import annotations

import csv
import html
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MethodType
from typing import Any

import pytest
from small_study import write_csv
from task_studies import write_task_study

from textassay import catalogue
from textassay.answers.records import StoredAnswer
from textassay.answers.store import Store
from textassay.serve.rendering import CommonParts
from textassay.serve.session import Page, PageSequence
from textassay.serve.site import Site
from textassay.serve.visiting import PageState, render_page
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SPECIAL = (
    "\ue000\ue001 and \ue0000123456789abcdef\ue001",
    "\"quotes\", 'others' & <b>marks</b></script><script>alert(1)</script>",
    "שלום עולם، مرحبا",
    "{{ base }} {% raw %} data key heading",
    "A long one. " * 1000,
)


def study_of(task: str, directory: Path) -> Study:
    def change(data: dict[str, Any]) -> None:
        data["blocks"][0].setdefault("design", {})["break_every"] = 2

    write_task_study(task, directory, change)
    with (directory / "texts.csv").open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    place = header.index("text")
    for row in rows:  # the same unit gets the same in each text
        row[place] += f" {SPECIAL[sum(map(ord, row[place])) % len(SPECIAL)].strip()}"
    write_csv(directory / "texts.csv", tuple(header), [tuple(row) for row in rows])
    return load_study(directory)


def going_back(study: Study, *, may_go_back: bool) -> Study:
    people = study.file.participants.model_copy(update={"may_go_back": may_go_back})
    return replace(study, file=study.file.model_copy(update={"participants": people}))


def without_common_parts(site: Site) -> Site:
    """The same site, with each page rendered from its template for this once."""

    def filled_page(renderer: Any, template: str, _identity: Any, own: Any, values: Any) -> Any:
        return renderer.page(template, **values(own))

    other = Site(site.study, site.plan, site.store)
    other.renderer.filled_page = MethodType(filled_page, other.renderer)  # type: ignore[method-assign]
    return other


def states(slot: int, asked: Page) -> Iterator[PageState]:
    """The page as somebody may find it: for the first time, with an answer, with a time limit."""
    key = f"{slot:012x}{asked.number:012x}"
    yield PageState(asked, key, None, {"seconds": 60.0, "remaining": 59.5} if asked.trial else None)
    payload = {"comment": f'\ue000"</script> & {slot}', "email": {"hash": "x"}}
    yield PageState(asked, key, StoredAnswer(f"a{slot}", asked.key, payload, None, NOON, None, {}, 0, NOON))


@pytest.mark.parametrize("task", [*catalogue.names("task"), "together"])
def test_common_part_is_the_same_for_everybody(task: str, tmp_path: Path) -> None:
    study = study_of(task, tmp_path / "study")
    plan, slots = stored_plan(study), (1, 2, 3)
    with Store.open(f"sqlite:///{(tmp_path / 'answers.db').as_posix()}") as store:
        for may_go_back in (False, True):
            site = Site(going_back(study, may_go_back=may_go_back), plan, store)
            fresh, rendered, texts = without_common_parts(site), set(), 0
            for slot in slots:
                sequence = PageSequence(f"/p/token-of-{slot}", site.pages(slot))
                for asked in sequence.pages:
                    for state in states(slot, asked):
                        page = bytes(render_page(site, sequence, state).body)
                        assert page == bytes(render_page(fresh, sequence, state).body), asked
                        rendered.add(page)
                        texts += any(text in html.unescape(page.decode()) for text in SPECIAL[:3])
            assert len(rendered) == 2 * sum(len(site.pages(slot)) for slot in slots)
            assert len(site.renderer._common._parts) < len(rendered) / 2  # so most of them were not rendered anew
            assert texts > 0


def test_common_parts_that_were_not_asked_for_lately_make_room() -> None:
    parts = CommonParts(most=30)
    parts.put("a", [b"x" * 10])
    parts.put("b", [b"x" * 6, b"name", b""])
    parts.put("c", [b"x" * 10])
    assert parts.get("a") == [b"x" * 10]
    parts.put("d", [b"x" * 10])  # now "b" is the one that was asked for longest ago
    assert [parts.get(name) is not None for name in "abcd"] == [True, False, True, True]
    parts.put("e", [b"x" * 31])  # more than there is room for is not kept at all
    assert [parts.get(name) for name in "abcde"] == [None] * 5
    parts.put("a", [b"x" * 30])
    assert parts.get("a") is not None
