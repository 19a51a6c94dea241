"""A small study of self-paced reading: three orders of the same sentences, questions, practice, a check, a repeat."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from small_study import PAGES, STUDY, write_csv

SYSTEMS = ("original", "swapped", "reversed")
ITEMS = tuple(f"i{number}" for number in range(1, 7))
SENTENCES = ("The bus to {} came late.", "Few people got on it.", "It rained all the way.", "At {} the sun came out.")
PLACES = ("Bonn", "Cork", "Graz", "Lyon", "Oslo", "Turku")
ORDERS = {"original": (0, 1, 2, 3), "swapped": (0, 2, 1, 3), "reversed": (3, 2, 1, 0)}

BLOCK: dict[str, Any] = {
    "task": "reading",
    "name": "texts",
    "units": "table",
    "instructions": "instructions.md",
    "practice": "practice.csv",
    "questions": "questions.csv",
    "attention_checks": [
        {
            "text": "This text is about a dog. The dog is brown.",
            "question": "Which animal is it about?",
            "choices": ["a cat", "a dog", "a horse"],
            "expected": "a dog",
        }
    ],
    "design": {"order": "random", "repeats": 1},
}


def units(item: str, system: str) -> list[tuple[str, str]]:
    """The units of a text, id and sentence, in the order of the system."""
    place = PLACES[ITEMS.index(item)]
    return [(f"u{number + 1}", SENTENCES[number].format(place)) for number in ORDERS[system]]


def write_reading_study(directory: Path, change: Callable[[dict[str, Any]], None] | None = None) -> Path:
    """Write the study into a directory and return it; `change` may alter the study file's data first."""
    directory.mkdir(parents=True, exist_ok=True)
    data = copy.deepcopy({**STUDY, "title": "Small reading study", "blocks": [BLOCK], "metrics": []})
    del data["tables"]["references"], data["tables"]["items"]
    data["screening"].pop("constant-answers")
    if change is not None:
        change(data)
    with (directory / "study.yaml").open("w", encoding="utf-8") as stream:
        YAML(typ="safe", pure=True).dump(data, stream)
    for name, text in PAGES.items():
        (directory / name).write_text(text, encoding="utf-8")
    texts = [(item, system, *unit) for item in ITEMS for system in SYSTEMS for unit in units(item, system)]
    write_csv(directory / "texts.csv", ("item", "system", "unit", "text"), texts)
    practice = [("p1", "a", "A text to practise with."), ("p1", "b", "It has two sentences.")]
    write_csv(directory / "practice.csv", ("item", "unit", "text"), practice)
    questions: list[tuple[str, ...]] = [("p1", "Does the text have ten sentences?", "", "no")]
    for number, item in enumerate(ITEMS):
        # Every second question has choices of its own, and the right one is not always the first.
        wrong = PLACES[number - 1]
        if number % 2:
            questions.append((item, "Where did the bus go?", f"{wrong}|{PLACES[number]}|nowhere", PLACES[number]))
        else:
            questions.append((item, f"Did the bus go to {PLACES[number]}?", "", "yes"))
    write_csv(directory / "questions.csv", ("item", "question", "choices", "correct"), questions)
    return directory
