"""A small study of preferences: two criteria on sliders, all pairs of three systems, practice, a check, a repeat."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from served_study import Change, Person, Served
from small_study import ITEMS, write_csv, write_small_study

from textassay.seeds import Stream
from textassay.serve.server import ServerThread
from textassay.serve.session import Page
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

BLOCK: dict[str, Any] = {
    "task": "preference",
    "name": "duel",
    "instructions": "instructions.md",
    "practice": "practice.csv",
    "context": "context",
    "criteria": [
        {"name": "clarity", "question": "Which text is clearer?"},
        {"name": "fluency", "question": "Which text reads better?"},
    ],
    "attention_checks": [
        {
            "left": "Prefer the other text.",
            "right": "Prefer this text.",
            "context": "Data behind i7.",
            "expected": {"clarity": "right"},
        }
    ],
    "design": {"order": "random", "repeats": 1, "break_every": 4},
}


def write_preference_study(directory: Path, change: Change | None = None) -> Path:
    """Write the study into a directory and return it; `change` may alter the study file's data first."""

    def with_block(data: dict[str, Any]) -> None:
        data["blocks"] = [copy.deepcopy(BLOCK)]
        if change is not None:
            change(data)

    write_small_study(directory, with_block)
    contexts = [(item, f"Data behind {item}.", "text|is here") for item in ITEMS]
    write_csv(directory / "items.csv", ("item", "context", "spans"), contexts)
    practice = [("p1", "A text.", "Another text.", "Data."), ("p2", "One more.", "And one more.", "Data.")]
    write_csv(directory / "practice.csv", ("item", "text", "other_text", "context"), practice)
    return directory


class Chooser(Person):
    """Somebody who answers trials as the task's own participant would."""

    def fitting(self, page: Page) -> dict[str, Any]:
        if page.trial is None:
            return super().fitting(page)
        study = self.served.study
        block = study.block(page.block)
        player = block.task.simulated_participant(self.participant.id, Stream(1, "chooser"))
        return dict(player.respond(page.trial, page.trial.position).payload)


class ServedPreferences(Served):
    """The study of preferences on a real server."""

    def join(self, *args: Any, **options: Any) -> Chooser:
        person = super().join(*args, **options)
        return Chooser(person.served, person.client, person.token)


@contextmanager
def serving_preferences(directory: Path, change: Change | None = None) -> Iterator[ServedPreferences]:
    """Serve the study, changed as wanted, from that directory."""
    study = load_study(write_preference_study(directory, change))
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        served = ServedPreferences(study, plan, server)
        yield served
        for client in served.clients:
            client.close()
