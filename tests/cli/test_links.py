"""Links on the command line are those of the server and of its board."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from served_study import serving
from small_study import write_small_study

Command = Callable[..., Any]


def cohorts(data: dict[str, Any]) -> None:
    data["participants"] = {"cohorts": [{"name": "lay", "wanted": 2}, {"name": "expert", "wanted": 2}]}


def names(tmp_path: Path, text: str = "Ada Lovelace\n\nGrace\n") -> Path:
    path = tmp_path / "names.txt"
    path.write_text(text, encoding="utf-8")
    return path


def records(ran: Any) -> list[dict[str, str]]:
    assert ran.code == 0, ran.err
    found: list[dict[str, str]] = json.loads(ran.out)
    return found


def test_links_lead_where_they_say(textassay: Command, tmp_path: Path) -> None:
    write_small_study(tmp_path / "s")
    with serving(tmp_path / "s") as served:
        base = served.server.links.base
        made = records(textassay("links", tmp_path / "s", "-n", names(tmp_path), "--base", f"{base}/", "-f", "json"))
        assert [(row["name"], row["status"]) for row in made] == [
            ("Ada Lovelace", "not started"),
            ("Grace", "not started"),
        ]
        assert "Begin" in httpx.get(made[0]["link"]).text
        assert httpx.post(made[0]["link"]).status_code == 303
        assert served.server.store.participants()[0].external_id == "Ada Lovelace"
        one = records(textassay("links", tmp_path / "s", "-n", names(tmp_path, "Grace"), "--base", base, "-f", "json"))
        assert [row["link"] for row in one] == [made[1]["link"]]  # of those who are named, and no others
        shown = records(textassay("links", tmp_path / "s", "--base", base, "-f", "json"))
        assert [row["link"] for row in shown if row["table"] == "links"] == list(served.server.links.join.values())
        personal = [row for row in shown if row["table"] == "personal-links"]
        assert [(row["link"], row["status"]) for row in personal] == [
            (made[0]["link"], "active"), (made[1]["link"], "not started")
        ]  # fmt: skip
        assert [row["link"] for row in personal] == [
            line.rpartition(",")[0].rpartition(",")[2]
            for line in served.researcher().get("/board/links.csv").text.splitlines()[1:]
        ]


def test_links_begin_with_the_address_of_the_running_server(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = write_small_study(tmp_path / "s")
    ran = textassay("links", directory, "-f", "json")
    assert records(ran)[0]["link"].startswith("http://127.0.0.1:8000/join/")
    assert "Note: no server of this study is running here" in ran.err
    write_small_study(directory, lambda data: data.update(public_address="https://study.example.org"))
    ran = textassay("links", directory, "-f", "json")
    assert (records(ran)[0]["link"][:31], ran.err) == ("https://study.example.org/join/", "")
    monkeypatch.setattr("textassay.cli.links.running_server", lambda _study: SimpleNamespace(base="http://h:81"))
    ran = textassay("links", directory, "-f", "json")
    assert (records(ran)[0]["link"][:17], ran.err) == ("http://h:81/join/", "")


def test_cohorts_have_links_and_people_of_their_own(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "s", cohorts)
    ran = textassay("links", directory, "--names", names(tmp_path), "--cohort", "expert", "-f", "json")
    assert {row["cohort"] for row in records(ran)} == {"expert"}
    shown = records(textassay("links", directory, "-f", "json"))
    assert [row["cohort"] for row in shown if row["table"] == "links"] == ["lay", "expert"]


@pytest.mark.parametrize(
    ("options", "text", "message"),
    [
        ([], "Ada", "this study has cohorts; add --cohort with one of: lay, expert"),
        (["--cohort", "novice"], "Ada", "there is no cohort 'novice'; use one of: lay, expert"),
        (["--cohort", "lay"], "\n \n", "it holds no names; write one per line"),
        (["--cohort", "lay"], "x" * 201, "has 201 characters; use at most 200"),
    ],
)
def test_what_is_wrong_is_told_with_the_remedy(
    textassay: Command, tmp_path: Path, options: list[str], text: str, message: str
) -> None:
    directory = write_small_study(tmp_path / "s", cohorts)
    ran = textassay("links", directory, "--names", names(tmp_path, text), *options)
    assert ran.code == 2
    assert message in ran.err


def test_no_such_file_and_no_cohorts(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "s")
    assert "file not found" in textassay("links", directory, "-n", tmp_path / "gone.txt").err
    ran = textassay("links", directory, "-n", names(tmp_path), "--cohort", "lay")
    assert "this study has no cohorts; leave it out" in ran.err
    assert textassay("links", tmp_path / "s", "--cohort", "lay").err == ran.err
