"""A small study of decisions: two systems that write and one that plots, four actions, a time limit."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from served_study import Person, Served
from small_study import write_csv

from textassay.serve.server import ServerThread
from textassay.serve.session import Page
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

SYSTEMS = ("human", "neural", "graph")
ITEMS = tuple(f"case{number}" for number in range(1, 7))
ACTIONS = {
    "oxygen": "Raise the oxygen",
    "suction": "Clear the airway",
    "call": "Call the doctor on duty",
    "feed": "Give the next feed early",
    "turn": "Turn the child on its side",
    "nothing": "No action",
}
TARGETS = {
    "case1": ("oxygen call", "feed", "oxygen"),
    "case2": ("suction turn", "feed oxygen", "suction"),
    "case3": ("call", "", "call"),
    "case4": ("nothing", "oxygen suction", "nothing"),
    "case5": ("oxygen suction turn", "nothing", "suction"),
    "case6": ("turn feed", "oxygen call nothing", "turn"),
}
BLOCK: dict[str, Any] = {
    "task": "decision",
    "name": "ward",
    "question": "What would you do now?",
    "actions": "actions.csv",
    "targets": "targets.csv",
    "series": "series.csv",
    "context": "context",
    "shows": {"graph": "plot"},
    "time_label": "time of day",
    "practice": "practice.csv",
    "no_action": "nothing",
    "no_action_alone": True,
    "limit_seconds": 60,
    "attention_checks": [
        {
            "text": "Please choose only: Call the doctor on duty.",
            "context": "Case7. The child was born at 27 weeks.",
            "expected": ["call"],
        }
    ],
    "design": {"order": "random", "repeats": 1},
}
STUDY: dict[str, Any] = {
    "format": 1,
    "title": "Decisions on the ward",
    "language": "en",
    "seed": 7,
    "tables": {"texts": "texts.csv", "items": "items.csv"},
    "participants": {"wanted": 6},
    "blocks": [BLOCK],
}
Change = Callable[[dict[str, Any]], None]


def write_decision_study(directory: Path, change: Change | None = None) -> Path:
    """Write the study into a directory and return it; `change` may alter the study file's data first."""
    directory.mkdir(parents=True, exist_ok=True)
    data = copy.deepcopy(STUDY)
    if change is not None:
        change(data)
    with (directory / "study.yaml").open("w", encoding="utf-8") as stream:
        YAML(typ="safe", pure=True).dump(data, stream)
    write_decision_tables(directory)
    texts = [(item, system, _text(item, system)) for item in ITEMS for system in SYSTEMS]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    context = "The child was born at 27 weeks and is two days old. It breathes with the help of a ventilator."
    write_csv(
        directory / "items.csv", ("item", "context"), [(item, f"{item.capitalize()}. {context}") for item in ITEMS]
    )
    practice = [("p1", "All values are steady.", "A child to practise with.", "text"),
                ("p2", "Heart rate and oxygen over half an hour.", "Another child.", "plot")]  # fmt: skip
    write_csv(directory / "practice.csv", ("item", "text", "context", "shows"), practice)
    return directory


def write_decision_tables(directory: Path) -> None:
    """The block's own tables."""
    write_csv(directory / "actions.csv", ("action", "label"), list(ACTIONS.items()))
    header = ("item", "appropriate", "inappropriate", "target")
    more = ("check-1", "call", "turn", "call")  # of no item: an attention check has no targets
    write_csv(directory / "targets.csv", header, [*((item, *sets) for item, sets in TARGETS.items()), more])
    write_csv(directory / "series.csv", ("item", "series", "time", "value"), list(_values()))


def _text(item: str, system: str) -> str:
    if system == "graph":
        return f"Heart rate and oxygen of {item}, as a plot."
    fell = f"oxygen saturation in {item} fell from 95 to 82 % within ten minutes"
    return f"As the {system} writer puts it, {fell}, while the heart rate dropped for a while and came back by itself."


def _values() -> Iterator[tuple[Any, ...]]:
    for number, item in enumerate((*ITEMS, "p2")):
        for minute in range(31):
            dip = max(0, 9 - abs(minute - 12 - number))
            yield (
                item,
                "Heart rate (beats a minute)",
                f"09:{minute:02}",
                "" if minute in (25, 26) else 150 - 6 * dip + minute % 3,
            )
            yield item, "Oxygen saturation (%)", f"09:{minute:02}", 95 - 1.5 * dip + (minute % 4) / 2


class Decider(Person):
    """Somebody who takes part, and always does the same."""

    def fitting(self, page: Page) -> dict[str, Any]:
        """An answer that nobody objects to."""
        if page.trial is None:
            return super().fitting(page)
        return {"chosen": ["call"]}


class ServedDecisions(Served):
    """The study, while it is being served."""

    def join(self, *args: Any, **options: Any) -> Decider:
        person = super().join(*args, **options)
        return Decider(person.served, person.client, person.token)


@contextmanager
def serving_decisions(
    directory: Path, change: Change | None = None, write: Callable[..., Path] = write_decision_study
) -> Iterator[ServedDecisions]:
    """Serve the study, changed as wanted, from that directory; `write` may add to it."""
    study = load_study(write(directory, change))
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = ServedDecisions(study, plan, server)
        yield served
        for client in served.clients:
            client.close()
