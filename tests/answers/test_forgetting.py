"""Whoever asks to be forgotten is forgotten: not one byte of the database's files tells of them, and answers stay."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from served_study import serving

from textassay.answers import database
from textassay.answers.dataset import load_dataset
from textassay.answers.export import export_study
from textassay.answers.forgetting import find_participant, forget
from textassay.answers.records import NewAnswer, Participant, Referral
from textassay.answers.store import Store
from textassay.errors import UsageError
from textassay.screening.verdicts import judge
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study
from textassay.tables.reader import read_table

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECRET = ("Zwetschgenknödel", "prolific-Zaphod", "session-Zaphod", "organist at Zell", "Mozilla/Zaphod", "draft-Zaphod")
"""What no file may hold afterwards."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, study: Study) -> str:
    return str(request.getfixturevalue("postgres_database")) if request.param == "postgresql" else study.store_url


def take_part(store: Store, study: Study, name: str, *, email: str = "", comment: str = "fine") -> Participant:
    """Somebody sent by a platform answers, changes the questionnaire, and finishes."""
    plan = stored_plan(study)
    token = store.recruiting.token_of_sent(f"prolific-{name}")
    referral = Referral(token, study="the-hit", session=f"session-{name}", submit_to=f"https://x.example/{name}")
    hour = timedelta(hours=1)
    person, _ = store.join(
        plan.slots, cohort="", now=NOON, release_after=hour, external_id=f"prolific-{name}", referral=referral
    )
    client = {"userAgent": f"Mozilla/{name}", "age_ms": 12}
    form = {"hash": email, "plausible": True, "elsewhere": []} if email else None
    about = {"native": "yes", "age": 34, "job": "organist at Zell" if name == "Zaphod" else "smith", "email": form}
    pages: list[tuple[str, dict[str, Any]]] = [
        ("questionnaire", {**about, "job": f"draft-{name}"}),
        ("questionnaire", about),
    ]
    for trial in plan.slot(person.slot).trials:
        value = 2 if trial.kind == "check" else 3 + trial.position % 3
        pages.append((trial.key, {"ratings": {"clarity": value, "fluency": 10 * value}, "comment": comment}))
    for number, (page, payload) in enumerate(pages):
        new = NewAnswer(f"{person.code}-{number}", page, payload, NOON, NOON, 4000.0 + number, client, opened_at=NOON)
        store.save(person.id, new, now=NOON + timedelta(seconds=number))
    return store.finish(person.id, "completed", NOON + timedelta(minutes=person.id))


@pytest.fixture
def two(study: Study, url: str) -> list[Participant]:
    return two_people(study, url)


@pytest.fixture
def here(study: Study) -> list[Participant]:
    """The same in SQLite only."""
    return two_people(study, study.store_url)


def two_people(study: Study, url: str) -> list[Participant]:
    with Store.open(url) as store:
        store.recruiting.invite(["prolific-Zaphod", "Ford"], cohort="", now=NOON)
        return [
            take_part(store, study, "Zaphod", email="hash-Zaphod", comment="Zwetschgenknödel, good  ones"),
            take_part(store, study, "Trillian", comment="fine too"),
        ]


def ratings(study: Study) -> list[tuple[Any, ...]]:
    names = ("participant", "item", "system", "criterion", "value", "rt_ms", "answered_at", "revision")
    return [tuple(row[name] for name in names) for row in load_dataset(study).tables["judgements"]]


def bytes_of(study: Study, url: str) -> bytes:
    """All bytes of the database; where a server has it, all bytes of its tables as they are on its disk."""
    if url.startswith("sqlite"):
        return b"".join(path.read_bytes() for path in study.directory.glob("answers.db*"))
    engine = sqlalchemy.create_engine(
        url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
    )
    content = b""
    with engine.connect() as connection:
        connection.exec_driver_sql("CHECKPOINT")
        for table in ("participants", "answers", "invitations"):
            toast = f"(SELECT reltoastrelid::regclass FROM pg_class WHERE oid = '{table}'::regclass)"
            for relation in (f"'{table}'", toast):
                path = f"SELECT pg_read_binary_file(pg_relation_filepath({relation}))"
                content += bytes(connection.exec_driver_sql(path).scalar() or b"")
    engine.dispose()
    return content


def test_personal_data_are_gone_and_answers_stay(study: Study, url: str, two: list[Participant]) -> None:
    study = replace(study, store=url)
    """The address was given by nobody else; its hash goes too."""
    before, known = ratings(study), bytes_of(study, url)
    assert all(secret.encode() in known for secret in (*SECRET, "hash-Zaphod")), "the test can fail"
    with Store.open(url) as store:
        token = store.recruiting.token_of_sent("prolific-Zaphod")
        assert store.participant(token) is not None
    forgotten = forget(study, find_participant(study, two[0].code))
    assert (forgotten.excluded, forgotten.changed, forgotten.is_clean) == ((), (), True)
    left = bytes_of(study, url)
    assert [secret for secret in (*SECRET, "hash-Zaphod") if secret.encode() in left] == []
    assert b"Trillian" in left
    assert ratings(study) == before
    with Store.open(url) as store:
        kept, other = store.participants()
        assert store.participant(token) is None, "the link has stopped working"
        assert [each.name for each in store.recruiting.invitations()] == ["Ford"]
        about = {name: answer.payload for name, answer in store.answers(kept.id).items()}["questionnaire"]
        clients = {json.dumps(answer.client) for answer in store.answers(kept.id).values()}
    assert other == two[1]
    assert (kept.code, kept.slot, kept.status, kept.started_at) == (two[0].code, two[0].slot, "completed", NOON)
    assert (kept.external_id, kept.platform_study, kept.platform_session, kept.platform_return) == (None,) * 4
    assert about == {"native": "yes", "age": 34, "email": {"plausible": True, "elsewhere": [], "hash": None}}
    assert clients == {'{"age_ms": 12}'}


def test_everything_goes_as_if_the_person_had_never_come(study: Study, url: str, two: list[Participant]) -> None:
    study = replace(study, store=url)
    others = [row for row in ratings(study) if row[0] == two[1].code]
    found = find_participant(study, external_id="prolific-Zaphod")
    assert (found.codes, found.invited) == ((two[0].code,), ("prolific-Zaphod",))
    forget(study, found, everything=True)
    left = bytes_of(study, url)
    assert [secret for secret in (*SECRET, two[0].code) if secret.encode() in left] == []
    assert ratings(study) == others
    with pytest.raises(UsageError, match="nobody has the id or name 'prolific-Zaphod'"):
        find_participant(study, external_id="prolific-Zaphod")
    with Store.open(url) as store, store.reading() as connection:
        opened = connection.execute(sqlalchemy.text("SELECT DISTINCT participant_id FROM openings")).scalars().all()
        assert opened == [two[1].id]


def test_the_words_of_comments_are_counted_but_not_kept(study: Study, two: list[Participant], url: str) -> None:
    study = replace(study, store=url)
    forget(study, find_participant(study, two[0].code))
    export_study(study, study.directory / "export", personal=True)
    rows = read_table(study.directory / "export" / "judgements.csv", study.blocks[0].task.schema)
    assert {row["comment"] for row in rows if row["participant"] == two[0].code} == {"… … …"}
    assert {row["comment"] for row in rows if row["participant"] == two[1].code} == {"fine too"}
    text = b"".join(path.read_bytes() for path in (study.directory / "export").iterdir())
    assert [secret for secret in SECRET if secret.encode() in text] == []


def test_an_exclusion_outlives_the_address_on_which_it_rests(study: Study) -> None:
    with Store.open(study.store_url) as store:
        first, again = (take_part(store, study, name, email="hash-same") for name in ("Ford", "Ford2"))
    valid = {case.participant: judge(case, study).valid for case in load_dataset(study).cases}
    assert valid == {first.code: True, again.code: False}, "the test can fail"
    forgotten = forget(study, find_participant(study, again.code))
    assert (forgotten.excluded, forgotten.changed) == ((again.code,), ())
    assert {case.participant: judge(case, study).valid for case in load_dataset(study).cases} == valid
    with Store.open(study.store_url) as store:
        third = take_part(store, study, "Ford3", email="hash-same")
    forgotten = forget(study, find_participant(study, first.code))
    assert forgotten.changed == (third.code,), "told, since it may be the same person"


def test_imported_tables_are_rewritten(study: Study, here: list[Participant]) -> None:
    target = Path(shutil.copytree(study.directory, study.directory.parent / "other"))
    (target / "answers.db").unlink()
    export_study(study, target / "imported", personal=True)
    for path in (target / "imported").iterdir():
        if path.suffix != ".csv" or path.name.startswith("codebook"):
            path.unlink()
    with (target / "imported" / "participants.csv").open("r+", encoding="utf-8") as file:
        first, *lines = file.read().splitlines()
        file.seek(0)
        file.write("\n".join([f"{first},phone", *(f"{line},+49 Zwetschgenknödel" for line in lines)]) + "\n")

    moved = load_study(target)
    before = ratings(moved)
    found = find_participant(moved, external_id="prolific-Zaphod")
    assert found.codes == (here[0].code,)
    forget(moved, found)
    text = "".join(path.read_text(encoding="utf-8") for path in (target / "imported").iterdir())
    assert [secret for secret in SECRET[1:] if secret in text] == []
    assert text.count("+49 Zwetschgenknödel") == 1, "a column that nobody has described may be personal"
    assert ratings(moved) == before
    forget(moved, find_participant(moved, here[0].code), everything=True)
    assert {row[0] for row in ratings(moved)} == {here[1].code}
    forget(moved, find_participant(moved, here[1].code), everything=True)
    assert list((target / "imported").iterdir()) == []


def test_files_that_still_hold_the_person_are_told(study: Study, here: list[Participant]) -> None:
    export_study(study, study.directory / "export", personal=True)
    export_study(study, study.directory / "anonymous")
    with closing(sqlite3.connect(study.directory / "answers.db")) as connection:
        connection.execute("VACUUM INTO ?", [str(study.directory / "backup.db")])
    shutil.make_archive(str(study.directory / "bundle"), "zip", study.directory / "export")
    forgotten = forget(study, find_participant(study, here[0].code))
    export = Path("export")
    named = {export / "answers-revisions.jsonl", export / "judgements.csv", export / "participants.csv"}
    unscored = {export / "judgements-unscored.csv"}
    assert set(forgotten.files) == named | unscored | {Path("backup.db"), Path("bundle.zip")}


def test_nobody_and_no_room(study: Study, here: list[Participant], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"no participant has the code 'p-nobody'; .* use --external-id"):
        find_participant(study, "p-nobody")
    found = find_participant(study, here[0].code)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(10, 9, 1))  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="rewriting the database needs"):
        forget(study, found)
    assert find_participant(study, here[0].code) == found


def test_a_long_reader_is_told_and_does_not_keep_it_for_ever(
    study: Study, here: list[Participant], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE_MS", 100)
    with closing(sqlite3.connect(study.directory / "answers.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM participants").fetchone()
        assert not forget(study, find_participant(study, here[0].code)).is_clean
    Store.open(study.store_url).close()
    assert [secret for secret in SECRET if secret.encode() in bytes_of(study, study.store_url)] == []


PROGRAM = """
import sys
from textassay.cli import run
sys.exit(run(sys.argv[1:]))
"""


def test_a_live_server_goes_on_and_knows_nothing(tmp_path: Path) -> None:
    """Another process forgets one participant while others answer; the server's own connections stay open."""
    with serving(tmp_path, lambda data: data["participants"].update(wanted=60, when_full="continue")) as served:
        leaving, staying = served.join(), served.join()
        for person in (leaving, staying):
            person.pass_pages("quality-1")
        code, failures, stop = leaving.participant.code, list[int](), threading.Event()
        board = served.researcher()
        assert board.get("/board/participants.json").status_code == 200

        def answer() -> None:
            while not stop.is_set():
                person = served.join()
                failures.extend(
                    reply.status_code
                    for reply in (
                        person.send("consent", {"agreed": True}),
                        person.open(),
                        board.get("/board/status.json"),
                    )
                    if reply.status_code != 200
                )

        threads = [threading.Thread(target=answer) for _ in range(2)]
        for thread in threads:
            thread.start()
        command = [sys.executable, "-c", PROGRAM, "forget", str(tmp_path), code, "--everything", "--yes"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
        stop.set()
        for thread in threads:
            thread.join()
        assert ran.returncode == 0, ran.stderr
        assert failures == []
        assert leaving.client.get(leaving.base).status_code == 404
        assert leaving.send("quality-1", {}).status_code == 404
        staying.pass_pages()
        assert staying.participant.status == "completed"
        assert code not in board.get("/board/participants.json").text
        assert code.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("answers.db*"))
