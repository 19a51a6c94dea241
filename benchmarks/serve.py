"""The server under load, beside the least that a server can do, both sides in one run.

    python3 run.py bench serve

Prints a table and keeps it with machine and versions in `benchmarks/results/serve.json`. The baseline
(`_serve_baseline.py`) checks an answer, inserts it and commits in groups, and knows nothing else. Rounds alternate, and
ratios are medians over rounds. Before answers are measured, everybody opens the first page, as in a browser. Run it on
an idle machine: on a busy one the baseline suffers more, and ratios flatter. Then the server beside other programs
(`_serve_peers.py`), while hundreds join, with thousands of participants, and on PostgreSQL with one process and with
two. `docs/make_capacity.py` takes the rates for the page about operations.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from socket import create_connection, create_server
from uuid import uuid4

from _fault_servers import postgres
from _house import RESULTS, machine
from _serve_baseline import ENDS, QUESTION, TEXT, TRIALS
from _serve_load import Load, get, memory_of, post, put_under_load
from _serve_peers import peer_rates

from textassay import pipeline
from textassay.answers.store import Store
from textassay.serve.session import pages
from textassay.serve.site import Site

PEOPLE, ACTIVE, CROWDED, ROUNDS, IDLE = 200, 20, 80, 3, 2000
AT_ONCE = 400
JOINED = (0, 1000, 4000, 12_000)
"""Numbers of participants at which the rate of joining is measured."""
WANTED = PEOPLE * 4 * ROUNDS
"""As many as one server and two on one database need, with few clients and with many, in all rounds."""
STUDY = f"""format: 1
title: A study to be served
tables: {{texts: texts.csv}}
participants: {{wanted: {WANTED}, when_full: continue, joins_per_minute: null}}
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
    rates: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        found = [*against_baseline(Path(folder), rates), *against_peers(Path(folder), rates)]
        found += [*joining(Path(folder), rates), *on_postgres(Path(folder), rates)]
    for bar in found:
        print(bar)
    RESULTS.mkdir(exist_ok=True)
    kept = {
        "about": machine("starlette", "uvicorn", "sqlalchemy", "psycopg"),
        "bars": [{**asdict(bar), "met": bar.met} for bar in found],
        "rates": rates,
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


def joined(directory: Path, url: str | None = None, *, people: int = WANTED) -> list[Person]:
    """Participants of the study who have just started."""
    study = pipeline.load(directory, url)
    plan = pipeline.plan(study)
    now = datetime.now(UTC)
    with Store.open(study.store_url) as store:
        join = partial(store.join, plan.numbers(""), cohort="", now=now, release_after=timedelta(hours=1))
        there = [join() for _ in range(people)]
    return [Person(token, [page.key for page in pages(study, plan.slot(each.slot))]) for each, token in there]


def serve_command(directory: Path) -> list[str]:
    """The command that serves a study, without the port at its end."""
    return [sys.executable, "-m", "textassay", "serve", str(directory), "--port"]


@contextmanager
def server(command: Sequence[str], url: str = "", folder: Path | None = None) -> Iterator[tuple[int, int]]:
    """A server on a free port: its process and port.

    Args:
        command: Takes the port at its end.
        url: Address of the database, if it is not where the study says.
        folder: Where it is started.
    """
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, **({"TEXTASSAY_DB": url} if url else {})}
    quiet = subprocess.DEVNULL
    running = subprocess.Popen([*command, str(port)], cwd=folder, env=environment, stdout=quiet, stderr=quiet)
    try:
        _wait_for(running, port)
        yield running.pid, port
    finally:
        running.terminate()
        running.wait(20)


def _wait_for(running: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(1200):
        if running.poll() is not None:
            raise RuntimeError(f"the server ended with {running.returncode} when it was started")
        try:
            create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start within 2 minutes")


def against_baseline(folder: Path, rates: dict[str, float]) -> Iterator[Bar]:
    """Measure beside the baseline; rounds of both servers alternate."""
    directory = write_study(folder / "study")
    people = joined(directory)
    baseline = [sys.executable, str(Path(__file__).with_name("_serve_baseline.py")), f"{folder}/baseline.db"]
    with server(baseline) as least, server(serve_command(directory)) as own:
        yield from bars(least, own, people, rates)


def bars(
    least: tuple[int, int], own: tuple[int, int], people: Sequence[Person], rates: dict[str, float]
) -> Iterator[Bar]:
    """The bars against the baseline."""
    put_under_load(*least, page_queues(people[-PEOPLE:], 1))  # both warm
    put_under_load(*own, page_queues(people, 1))
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
    rates["pages"] = statistics.median(own.rate for _, own in shown)
    rates["answers"] = statistics.median(own.rate for _, own in answered)
    rates["baseline answers"] = statistics.median(least.rate for least, _ in answered)
    yield Bar("answers, share of the baseline's rate", ratio(answered, "rate"), 0.5)
    yield Bar("answers, p95 in times the baseline's", ratio(answered, "p95_ms"), 2, most=True)
    yield Bar("answers, context switches each", statistics.median(own.switches for _, own in answered), 10, most=True)
    half = len(people) - PEOPLE // 2
    without = put_under_load(*own, answer_queues(people[-PEOPLE:][: PEOPLE // 2]))
    beside = put_under_load(*own, answer_queues(people[half:]), idle=IDLE)
    yield Bar(f"answers with {IDLE:,} open connections, share of the rate without", beside.rate / without.rate, 0.8)
    rates["memory"] = memory_of(own[0])
    # Its bar is for 300 slots, and is measured with these: see `serve_scale.py`.
    print(f"memory with {WANTED} slots, {IDLE:,} connections and everything answered: {rates['memory']:.0f} MB")


def against_peers(folder: Path, rates: dict[str, float]) -> Iterator[Bar]:
    """Measure other programs; those that cannot be installed here are named."""
    best = 0.0
    for peer in peer_rates(folder / "peers", ACTIVE, server):
        print(peer)
        rates[f"{peer.name} answers"], rates[f"{peer.name} pages"] = peer.answers.rate, peer.pages.rate
        best = max(best, peer.answers.rate)
    if best:
        yield Bar("answers, times the better peer", rates["answers"] / best, 3)


def joining(folder: Path, rates: dict[str, float]) -> Iterator[Bar]:
    """Measure what it means for others when many join at once, and whether joining gets slower."""
    directory = write_study(folder / "joining")
    with server(serve_command(directory)) as own:
        join = post(_join_path(directory), b"", "application/x-www-form-urlencoded")
        for before, after in pairwise((*JOINED, 0)):
            load = put_under_load(*own, [[join] * (AT_ONCE // ACTIVE)] * ACTIVE, expected=303)
            rates[f"joins at {before}"] = load.rate
            print(f"joins with {before:,} participants: {load.rate:,.0f}/s, p95 {load.p95_ms:.0f} ms")
            if after:
                each = (after - before - AT_ONCE) // ACTIVE
                put_under_load(*own, [[join] * each] * ACTIVE, expected=303)
        first, last = rates[f"joins at {JOINED[0]}"], rates[f"joins at {JOINED[-1]}"]
        yield Bar(f"joins with {JOINED[-1]:,} participants, share of the rate without any", last / first, 0.8)
    directory = write_study(folder / "crowd")
    people = joined(directory)
    with server(serve_command(directory)) as own:
        join = post(_join_path(directory), b"", "application/x-www-form-urlencoded")
        put_under_load(*own, page_queues(people, 1))
        parts = (people[start : start + PEOPLE] for start in range(0, len(people), PEOPLE))
        rounds = [
            (
                put_under_load(*own, answer_queues(next(parts))),
                put_under_load(*own, answer_queues(next(parts)), crowd=[join] * AT_ONCE),
            )
            for _ in range(ROUNDS)
        ]
        tell("answers", rounds, ("alone", f"{AT_ONCE} join"))
        yield Bar(f"p95 of answers while {AT_ONCE} join, times that without", ratio(rounds, "p95_ms"), 2, most=True)


def _join_path(directory: Path) -> str:
    study = pipeline.load(directory)
    with Store.open(study.store_url) as store:
        return Site(study, pipeline.plan(study), store).join_path("")


def on_postgres(folder: Path, rates: dict[str, float]) -> Iterator[Bar]:
    """Measure one process on SQLite and on PostgreSQL in turn, and two processes on one database."""
    files, served = write_study(folder / "file"), write_study(folder / "served")
    with ExitStack() as stack:
        try:
            url = stack.enter_context(postgres()).new_database("served")
        except ImportError as problem:
            print(f"PostgreSQL was not measured: {problem}; the extra 'bench' brings it")
            return
        on_file, on_server = joined(files), joined(served, url)
        own = stack.enter_context(server(serve_command(files)))
        one = stack.enter_context(server(serve_command(served), url))
        _, second = stack.enter_context(server(serve_command(served), url))
        put_under_load(*own, page_queues(on_file, 1))
        for port in (0, second):
            put_under_load(*one, page_queues(on_server, 1), second_port=port)
        shown = page_queues(on_server[-PEOPLE:], 10)
        for name, port in (("pages on PostgreSQL", 0), ("pages on PostgreSQL, 2 processes", second)):
            rates[name] = put_under_load(*one, shown, second_port=port).rate
        against_file, against_two, against_two_crowded = [], [], []
        parts = (on_server[start : start + PEOPLE] for start in range(0, len(on_server), PEOPLE))
        for number in range(ROUNDS):
            file = put_under_load(*own, answer_queues(on_file[number * PEOPLE : (number + 1) * PEOPLE]))
            alone = put_under_load(*one, answer_queues(next(parts)))
            both = put_under_load(*one, answer_queues(next(parts)), second_port=second)
            crowd = put_under_load(*one, answer_queues(next(parts), CROWDED))
            crowds = put_under_load(*one, answer_queues(next(parts), CROWDED), second_port=second)
            against_file.append((file, alone))
            against_two.append((alone, both))
            against_two_crowded.append((crowd, crowds))
        tell("answers", against_file, ("SQLite", "PostgreSQL"))
        tell("answers", against_two, ("1 process", "2 processes"))
        tell(f"of {CROWDED}", against_two_crowded, ("1 process", "2 processes"))
    # What a server holds is what it does when more ask of it than it can do.
    rates["answers on PostgreSQL"] = statistics.median(crowd.rate for crowd, _ in against_two_crowded)
    rates["answers on PostgreSQL, 2 processes"] = statistics.median(crowds.rate for _, crowds in against_two_crowded)
    yield Bar("answers on PostgreSQL, share of the rate on SQLite", ratio(against_file, "rate"), 0.5)
    yield Bar("answers on PostgreSQL, 2 processes, times the rate of 1", ratio(against_two, "rate"), 1)
    crowded = ratio(against_two_crowded, "rate")
    yield Bar(f"the same with {CROWDED} clients, more than one process can take", crowded, 1)


def tell(what: str, rounds: Sequence[tuple[Load, Load]], sides: tuple[str, str] = ("baseline", "textassay")) -> None:
    """Print what was measured on both sides."""
    for name, side in zip(sides, zip(*rounds, strict=True), strict=True):
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


def answer_queues(people: Sequence[Person], clients: int = ACTIVE) -> list[list[bytes]]:
    """All answers of everybody, page after page, by so many clients."""
    return [
        [answer(person.token, key) for key in people[0].keys for person in people[number::clients]]
        for number in range(clients)
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
