"""The data come as they are made: the archive, and each table alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.answers.export import export_study
from textassay.serve.board.downloads import table_names, zipped
from textassay.study.load import load_study


@pytest.fixture(scope="module")
def taken(serve: Callable[..., Any]) -> Any:
    served = serve()
    served.person = served.join()
    served.person.pass_pages()
    served.join().pass_pages("quality-3")
    return served


def test_export_holds_tables_and_codebook_without_personal_columns(taken: Any) -> None:
    reply = taken.researcher().get("/board/export.zip")
    assert reply.headers["content-type"] == "application/zip"
    assert reply.headers["content-disposition"] == 'attachment; filename="export.zip"'
    assert "content-length" not in reply.headers  # nobody knows how long it will be
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        assert archive.testzip() is None
        judgements = archive.read("judgements.csv").decode()
        everything = b"".join(map(archive.read, archive.namelist()))
    # 6 items and 1 repeat, 2 criteria each; of the other one 2 trials
    assert len(judgements.splitlines()) == 1 + 7 * 2 + 2 * 2
    assert taken.person.participant.code in judgements
    assert taken.person.token.encode() not in everything
    assert taken.person.answers["questionnaire"].payload["email"]["hash"].encode() not in everything


def test_a_study_without_practice_and_checks_offers_no_table_of_them(tmp_path: Path) -> None:
    def plain(data: dict[str, Any]) -> None:
        del data["blocks"][0]["practice"], data["blocks"][0]["attention_checks"], data["screening"]["attention-checks"]

    more = ["answers-revisions.jsonl", "codebook.csv", "codebook.md"]
    whole = load_study(write_small_study(tmp_path / "whole"))
    assert table_names(whole) == ["participants.csv", "judgements.csv", "judgements-unscored.csv", *more]
    assert table_names(load_study(write_small_study(tmp_path / "plain", plain))) == [
        "participants.csv", "judgements.csv", *more
    ]  # fmt: skip


def test_archive_and_single_tables_are_what_an_export_writes(taken: Any, tmp_path: Path) -> None:
    paths = export_study(taken.study, tmp_path)
    researcher = taken.researcher()
    with zipfile.ZipFile(io.BytesIO(researcher.get("/board/export.zip").content)) as archive:
        assert archive.namelist() == [path.name for path in paths]
        for path in paths:
            assert archive.read(path.name) == path.read_bytes()
    page = researcher.get("/board").text
    for path in paths:
        reply = researcher.get(f"/board/tables/{path.name}")
        assert reply.content == path.read_bytes()
        assert f'filename="{path.name}"' in reply.headers["content-disposition"]
        assert f'href="/board/tables/{path.name}"' in page


@pytest.mark.parametrize("name", ["nothing.csv", "answers.db", "..%2Fstudy.yaml", "study.yaml"])
def test_no_other_file_can_be_had(taken: Any, name: str) -> None:
    assert taken.researcher().get(f"/board/tables/{name}").status_code == 404


def test_archive_is_made_while_it_is_sent() -> None:
    made: list[int] = []

    def lines() -> Any:
        for number in range(50):
            made.append(number)
            yield f"{number:09}" * 10_000  # 90 kB each, alike so that they become small

    pieces = zipped([("a.csv", lines), ("b.csv", lambda: iter(["end"]))])
    assert next(pieces).startswith(b"PK")
    assert made == []  # a sign of life comes first
    next(pieces)
    assert len(made) <= 2
    rest = [len(piece) for piece in pieces]
    assert len(rest) > 50
    assert max(rest) < 64 * 1024
    with zipfile.ZipFile(io.BytesIO(b"".join(zipped([("a.csv", lines), ("b.csv", lambda: iter(["end"]))])))) as archive:
        assert len(archive.read("a.csv")) == 50 * 90_000
        assert archive.read("b.csv") == b"end"


def test_table_with_nobody_in_it(serve: Callable[..., Any]) -> None:
    text = serve().researcher().get("/board/tables/participants.csv").text
    assert text.startswith("participant,cohort,slot,status")
    assert len(text.splitlines()) == 1


def test_imported_table_that_is_wrong_is_told(serve: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "imported").mkdir()
    (tmp_path / "imported" / "judgements.csv").write_text("participant,item\nx1,i1\n")
    researcher = serve(directory=tmp_path).researcher()
    for path in ("/board/export.zip", "/board/tables/judgements.csv"):
        reply = researcher.get(path)
        assert reply.status_code == 409
        assert "imported/judgements.csv:1: system: column 'system' is missing" in reply.text
