"""The server under load, beside the least that a server can do, both sides in one run.

    python3 run.py bench serve

Prints a table and keeps it with machine and versions in `benchmarks/results/serve.json`. The baseline
(`_serve_baseline.py`) checks an answer, inserts it and commits in groups, and knows nothing else. Rounds alternate, and
ratios are medians over rounds. Run it on an idle machine: on a busy one the baseline suffers more, and ratios flatter.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from socket import create_connection, create_server
from uuid import uuid4

from _house import RESULTS, machine
from _serve_baseline import ENDS, QUESTION, TEXT, TRIALS
from _serve_load import Load, get, memory_of, post, put_under_load

from textassay import pipeline
from textassay.answers.store import Store
from textassay.serve.session import pages

PEOPLE, ACTIVE, ROUNDS, IDLE = 200, 20, 3, 2000
STUDY = f"""format: 1
title: A study to be served
tables: {{texts: texts.csv}}
participants: {{wanted: {PEOPLE * (ROUNDS + 1)}}}
blocks:
  - task: rating
    name: clarity
    criteria:
      - name: clarity
        question: {QUESTION}
        scale: {{from: 1, to: 7, labels: {{1: {ENDS[0]}, 7: {ENDS[1]}}}}}
"""


@dataclass(frozen=True)
class Bar:
    """What is wanted of one figure."""

    what: str
    measured: float
    wanted: float
    most: bool = False
    """Whether it is a maximum."""
    unit: str = ""

    @property
    def met(self) -> bool:
        """Whether it is reached."""
        return self.measured <= self.wanted if self.most else self.measured >= self.wanted

    def __str__(self) -> str:
        sign, fails = "≤" if self.most else "≥", "" if self.met else "  <-- missed"
        return f"{self.what:<64}{self.measured:>10.2f}{self.unit:<4}{sign} {self.wanted:g}{self.unit}{fails}"


@dataclass(frozen=True)
class Person:
    """A participant who is there from the start."""

    token: str
    keys: Sequence[str]
    """Of the pages, in order."""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        directory = write_study(Path(folder) / "study")
        people = joined(directory)
        ours = [sys.executable, "-m", "textassay", "serve", str(directory), "--port"]
        baseline = [sys.executable, str(Path(__file__).with_name("_serve_baseline.py")), f"{folder}/baseline.db"]
        with server(baseline) as least, server(ours) as own:
            found = list(bars(least, own, people))
    for bar in found:
        print(bar)
    RESULTS.mkdir(exist_ok=True)
    kept = {
        "about": machine("starlette", "uvicorn", "sqlalchemy"),
        "bars": [{**asdict(bar), "met": bar.met} for bar in found],
    }
    (RESULTS / "serve.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(not all(bar.met for bar in found))


def write_study(directory: Path) -> Path:
    """A study of one text length, so that both sides show pages of the same size."""
    directory.mkdir()
    (directory / "study.yaml").write_text(STUDY, encoding="utf-8")
    rows = [f'i{item},s{system},"{TEXT}"' for item in range(TRIALS) for system in range(4)]
    (directory / "texts.csv").write_text("\n".join(["item,system,text", *rows]) + "\n", encoding="utf-8")
    return directory


def joined(directory: Path) -> list[Person]:
    """All participants of the study, who have just started."""
    study = pipeline.load(directory)
    plan = pipeline.plan(study)
    now = datetime.now(UTC)
    with Store.open(study.store_url) as store:
        join = partial(store.join, plan.slots, cohort="", now=now, release_after=timedelta(hours=1))
        there = [join() for _ in plan.slots]
    return [Person(token, [page.key for page in pages(study, plan.slot(each.slot))]) for each, token in there]


@contextmanager
def server(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """A server on a free port: its process and port."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = subprocess.Popen([*command, str(port)], stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield running.pid, port
    finally:
        running.terminate()
        running.wait(20)


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start within 20 seconds")


def bars(least: tuple[int, int], own: tuple[int, int], people: Sequence[Person]) -> Iterator[Bar]:
    """Measure everything; rounds of both servers alternate."""
    put_under_load(*least, page_queues(people[-PEOPLE:], 1))  # both warm
    put_under_load(*own, page_queues(people[-PEOPLE:], 1))
    shown = [
        (put_under_load(*least, queues), put_under_load(*own, queues))
        for queues in [page_queues(people[-PEOPLE:], 10)] * ROUNDS
    ]
    tell("item pages", shown)
    yield Bar("item pages, share of the baseline's rate", ratio(shown, "rate"), 0.6)
    answered = []
    for number in range(ROUNDS):
        queues = answer_queues(people[number * PEOPLE : (number + 1) * PEOPLE])
        answered.append((put_under_load(*least, queues), put_under_load(*own, queues)))
    tell("answers", answered)
    yield Bar("answers, share of the baseline's rate", ratio(answered, "rate"), 0.5)
    yield Bar("answers, p95 in times the baseline's", ratio(answered, "p95_ms"), 2, most=True)
    yield Bar("answers, context switches each", statistics.median(own.switches for _, own in answered), 10, most=True)
    half = len(people) - PEOPLE // 2
    without = put_under_load(*own, answer_queues(people[-PEOPLE:][: PEOPLE // 2]))
    beside = put_under_load(*own, answer_queues(people[half:]), idle=IDLE)
    yield Bar(f"answers with {IDLE:,} open connections, share of the rate without", beside.rate / without.rate, 0.8)
    yield Bar("memory", memory_of(own[0]), 120, most=True, unit=" MB")


def tell(what: str, rounds: Sequence[tuple[Load, Load]]) -> None:
    """Print what was measured on both sides."""
    for name, side in zip(("baseline", "textassay"), zip(*rounds, strict=True), strict=True):
        median = {key: statistics.median(getattr(load, key) for load in side) for key in asdict(side[0])}
        print(
            f"{what:<12}{name:<11}{median['rate']:>8,.0f}/s  median {median['median_ms']:.1f} ms, p95 "
            f"{median['p95_ms']:.1f} ms, {median['cpu_ms']:.2f} ms CPU and {median['switches']:.1f} switches each"
        )


def ratio(rounds: Sequence[tuple[Load, Load]], name: str) -> float:
    """Ours to the baseline's, the median over rounds."""
    return statistics.median(getattr(own, name) / getattr(least, name) for least, own in rounds)


def page_queues(people: Sequence[Person], times: int) -> list[list[bytes]]:
    """Everybody's first page, several times."""
    return [[get(f"/p/{person.token}/1") for person in people[number::ACTIVE]] * times for number in range(ACTIVE)]


def answer_queues(people: Sequence[Person]) -> list[list[bytes]]:
    """All answers of everybody, page after page."""
    return [
        [answer(person.token, key) for key in people[0].keys for person in people[number::ACTIVE]]
        for number in range(ACTIVE)
    ]


def answer(token: str, key: str) -> bytes:
    """A new answer to a page."""
    body = {
        "answer_id": str(uuid4()),
        "page": key,
        "payload": {"ratings": {"clarity": 4}},
        "started_at": "2026-01-01T12:00:00Z",
        "answered_at": "2026-01-01T12:00:09Z",
        "rt_ms": 9000.5,
        "client": {"width": 1280, "height": 720, "hidden": 0},
    }
    return post(f"/p/{token}/answers", json.dumps(body).encode())


if __name__ == "__main__":
    raise SystemExit(main())
