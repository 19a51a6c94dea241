"""A served study of any size: its files, its plan, and a store filled with made-up answers."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textassay import pipeline
from textassay.answers.store import Store
from textassay.design.plan import Plan

_STUDY = """format: 1
title: A study of many people
tables: {{texts: texts.csv}}
participants: {{wanted: {slots}}}
blocks:
  - task: rating
    name: clarity
    design: {{items_per_participant: {trials}}}
    criteria:
      - name: clarity
        question: How clear is the text?
        scale: {{from: 1, to: 7}}
screening: {{constant-answers: {{}}, too-fast: {{}}}}
questionnaire:
  - {{name: age, type: number, question: How old are you?, min: 0, max: 120}}
  - {{name: native, type: choice, question: Is English your native language?, choices: ["yes", "no"]}}
"""
_TEXT = "Wind from the north, strong at first, then calm; the sea will be rough in the morning and smooth at noon."
_SYSTEMS = 4


@dataclass(frozen=True)
class Size:
    """How large a served study is."""

    slots: int
    people: int
    trials: int
    """Of each slot; everybody answers the questionnaire and all trials, but for the last one of those in progress."""

    @property
    def finished(self) -> int:
        """How many people have finished."""
        return self.people - self.people // 10

    @property
    def answers(self) -> int:
        """How many are stored."""
        return self.people * self.trials + self.finished

    def __str__(self) -> str:
        return f"{self.slots:,} slots, {self.people:,} people, {self.answers:,} answers"


def write_study(folder: Path, size: Size) -> Path:
    """Write the study, its plan and its store into a new folder."""
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(_STUDY.format(slots=size.slots, trials=size.trials), encoding="utf-8")
    texts = (f'item-{item:04},system-{system},"{_TEXT}"' for item in range(size.trials) for system in range(_SYSTEMS))
    (folder / "texts.csv").write_text("\n".join(["item,system,text", *texts]) + "\n", encoding="utf-8")
    study = pipeline.load(folder)
    plan = pipeline.plan(study)
    with Store.open(study.store_url):
        pass
    fill(folder / "answers.db", plan, size)
    return folder


def written_elsewhere(folder: Path, size: Size) -> Path:
    """Write the study in another process: the system counts what this one holds as memory of its children, too."""
    numbers = map(str, (size.slots, size.people, size.trials))
    subprocess.run([sys.executable, __file__, str(folder), *numbers], check=True)
    return folder


def fill(database: Path, plan: Plan, size: Size) -> None:
    """Store people and their answers: those of each one after the other, as they come from people who start at once.

    The last tenth of the people has yet to answer the last trial; all answers arrived within the last days.
    """
    draw = random.Random(1)
    begin = datetime.now(UTC).replace(tzinfo=None, microsecond=250_000) - timedelta(days=2)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany(
            "INSERT INTO participants (id, code, token_hash, cohort, slot, status, valid, started_at, last_seen_at,"
            " completed_at) VALUES (?,?,?,'',?,?,1,?,?,?)",
            (_person(number, size, begin, finished=number <= size.finished) for number in range(1, size.people + 1)),
        )
        pages = ["questionnaire", *(trial.key for trial in plan.slot(1).trials)]
        connection.executemany(
            "INSERT INTO answers (participant_id, page, revision, answer_id, payload, started_at, answered_at, rt_ms,"
            " client, received_at) VALUES (?,?,0,?,?,?,?,?,?,?)",
            _answers(size, pages, begin, draw),
        )
        connection.execute(
            "INSERT INTO openings (participant_id, page, opened_at)"
            " SELECT participant_id, page, started_at FROM answers"
        )


def _person(number: int, size: Size, begin: datetime, *, finished: bool) -> tuple[object, ...]:
    start = begin + timedelta(seconds=number)
    end = start + timedelta(seconds=20 * size.trials)
    status = "completed" if finished else "active"
    slot = (number - 1) % size.slots + 1
    return number, f"p{number:06}", f"hash-{number}", slot, status, f"{start}", f"{end}", f"{end}" if finished else None


def _answers(size: Size, pages: list[str], begin: datetime, draw: random.Random) -> Iterator[tuple[object, ...]]:
    client = '{"width":1280,"height":720,"pointer":"fine","hidden":0,"age_ms":12}'
    payloads = [f'{{"ratings":{{"clarity":{value}}}}}' for value in range(1, 8)]
    for place, page in enumerate(pages):
        for person in range(1, (size.people if place < size.trials else size.finished) + 1):
            shown = begin + timedelta(seconds=person + 20 * place)
            took = draw.randrange(2_000, 18_000)
            given = shown + timedelta(milliseconds=took)
            payload = '{"age":30,"native":"yes"}' if page == "questionnaire" else draw.choice(payloads)
            answer_id = f"{draw.getrandbits(128):032x}"
            yield person, page, answer_id, payload, f"{shown}", f"{given}", took + 0.5, client, f"{given}"


if __name__ == "__main__":
    write_study(Path(sys.argv[1]), Size(*map(int, sys.argv[2:])))
