"""Which pages there are and where somebody stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import write_small_study

from textassay.serve import session
from textassay.serve.session import Page
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study

Change = Callable[[dict[str, Any]], None]


def made(directory: Path, change: Change | None = None) -> tuple[Study, tuple[Page, ...]]:
    study = load_study(write_small_study(directory, change))
    return study, session.pages(study, draw_plan(study).slots[0])


def test_pages_come_in_order(tmp_path: Path) -> None:
    _, pages = made(tmp_path)
    # 6 items, 1 repeat and 1 check make 8 trials; a break after each 4, but none after the last
    assert [page.key for page in pages] == [
        "consent",
        "questionnaire",
        "instructions:quality",
        "quality-p1",
        "quality-p2",
        *(f"quality-{place}" for place in range(1, 5)),
        "break:quality:1",
        *(f"quality-{place}" for place in range(5, 9)),
    ]
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))


def test_what_the_study_lacks_has_no_page(tmp_path: Path) -> None:
    def bare(data: dict[str, Any]) -> None:
        for key in ("consent", "screening"):
            del data[key]
        data["questionnaire"] = []
        for key in ("instructions", "practice"):
            del data["blocks"][0][key]
        data["blocks"][0]["design"] = {}

    _, pages = made(tmp_path, bare)
    assert {page.kind for page in pages} == {"trial"}
    assert not any(session.follows_practice(pages, page) for page in pages)


def test_blocks_follow_each_other_with_their_own_practice(tmp_path: Path) -> None:
    def twice(data: dict[str, Any]) -> None:
        data["blocks"].append({**data["blocks"][0], "name": "again"})

    _, pages = made(tmp_path, twice)
    instructions = [page.number for page in pages if page.kind == "instructions"]
    assert [pages[number - 1].block for number in instructions] == ["quality", "again"]
    assert all(page.block == "again" for page in pages[instructions[1] - 1 :])
    practice = [session.progress(pages, page) for page in pages if page.practice]
    assert practice == [session.Progress(1, 2), session.Progress(2, 2)] * 2
    counted = [session.progress(pages, page) for page in pages if page.trial and not page.practice]
    assert counted == [session.Progress(n, 16) for n in range(1, 17)]
    told = [page.key for page in pages if session.follows_practice(pages, page)]
    assert told == ["quality-1", "again-1"]


def test_passed_trials_count_neither_practice_nor_this_page(tmp_path: Path) -> None:
    _, pages = made(tmp_path)
    by_key = {page.key: page for page in pages}
    assert session.passed_trials(pages, by_key["quality-1"]) == session.Progress(0, 8)
    assert session.passed_trials(pages, by_key["break:quality:1"]) == session.Progress(4, 8)
    assert session.progress(pages, by_key["consent"]) is None


PAGES = tuple(Page(number, f"k{number}", "trial") for number in range(1, 9))


@given(st.integers(0, 8), st.booleans())
def test_only_the_current_page_or_earlier_ones_may_be_opened(answered: int, may_go_back: bool) -> None:
    now = session.current(PAGES, {page.key for page in PAGES[:answered]})
    assert now == (PAGES[answered] if answered < 8 else None)
    opened = [page.number for page in PAGES if session.may_open(page, now, may_go_back=may_go_back)]
    first = 1 if may_go_back else answered + 1
    assert opened == (list(range(first, answered + 2)) if now else [])


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"native": "yes", "age": 18, "job": "cook"}, False),
        ({}, False),
        ({"native": "no"}, True),
        ({"age": 17.5}, True),
        ({"job": " LINGUIST"}, True),
        ({"email": {"hash": "x", "plausible": False}}, False),
        ({"email": {"hash": "x", "domain": "spam.example"}}, True),
    ],
)
def test_excluding_answers(tmp_path: Path, answers: dict[str, Any], expected: bool) -> None:
    study, _ = made(tmp_path)
    assert session.is_excluded(study, answers) is expected
