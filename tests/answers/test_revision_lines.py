"""Lines put together from stored texts say what reading and writing each answer anew would say."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from textassay.answers.revision_lines import revision_lines

SHOWN = "2026-03-01 12:00:00.250000"


def line(payload: str, *, hidden: tuple[str, ...] = (), personal: bool = False, **changed: Any) -> dict[str, Any]:
    row = {
        "participant_id": 7, "answer_id": "a", "page": "p", "payload": payload, "started_at": SHOWN,
        "answered_at": SHOWN, "rt_ms": 1.5, "client": '{"width":1}', "revision": 0, "received_at": SHOWN,
        "opened_at": None, "id": 1,
    }  # fmt: skip
    (text,) = revision_lines([[tuple({**row, **changed}.values())]], {7: "c"}, hidden=hidden, personal=personal)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize(
    "payload",
    [
        '{"email":"me@here","n":1}',
        '{"\\u0065mail":"me@here","n":1}',  # the same name, written otherwise
        '{"email": "me@here",\n "n": 1}',  # as a person may have changed it in the database
    ],
)
def test_hidden_parts_are_left_out_however_they_are_written(payload: str) -> None:
    assert line(payload, hidden=("email",))["payload"] == {"n": 1}
    assert line(payload)["payload"] == {"email": "me@here", "n": 1}


def test_a_hidden_name_as_value_hides_nothing() -> None:
    assert line('{"n":"email"}', hidden=("email",))["payload"] == {"n": "email"}


def test_texts_that_json_escapes() -> None:
    found = line('{"said":"\\"so\\"\\n"}', page='k"1\\', answer_id='a"\n\u2028ä')
    assert (found["page"], found["answer_id"], found["payload"]) == ('k"1\\', 'a"\n\u2028ä', {"said": '"so"\n'})


@pytest.mark.parametrize(
    ("stored", "written"),
    [
        (SHOWN, "2026-03-01T12:00:00.250000+00:00"),
        ("2026-03-01 12:00:00.000000", "2026-03-01T12:00:00+00:00"),
        ("2026-03-01 12:00:00", "2026-03-01T12:00:00+00:00"),
        (datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC), "2026-03-01T12:00:00.250000+00:00"),
        (None, None),
    ],
)
def test_times_of_both_databases(stored: Any, written: str | None) -> None:
    assert line("{}", started_at=stored)["started_at"] == written


def test_numbers_and_who_is_left_out() -> None:
    assert [line("{}", rt_ms=value)["rt_ms"] for value in (1.5, 2, None, float("nan"))] == [1.5, 2, None, None]
    assert "client" not in line("{}")
    assert line("{}", personal=True)["client"] == {"width": 1}
    assert list(revision_lines([[(8, *[None] * 11)], []], {7: "c"}, personal=False)) == []
