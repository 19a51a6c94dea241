"""A small study for tests: two criteria (radio buttons and slider), practice, a check, repeats, all pages."""

from __future__ import annotations

import copy
import csv
import io
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

SYSTEMS = ("human", "neural", "template")
ITEMS = tuple(f"i{number}" for number in range(1, 7))

STUDY: dict[str, Any] = {
    "format": 1,
    "title": "Small study",
    "language": "en",
    "seed": 7,
    "contact": "study@example.org",
    "tables": {"texts": "texts.csv", "items": "items.csv", "references": "references.csv"},
    "participants": {"wanted": 6, "release_after_minutes": 30},
    "consent": "consent.md",
    "questionnaire": [
        {
            "name": "native",
            "question": "Is English your first language?",
            "type": "choice",
            "choices": ["yes", "no"],
            "required": True,
            "exclude": ["no"],
        },
        {"name": "age", "question": "How old are you?", "type": "number", "min": 0, "max": 120, "exclude_below": 18},
        {"name": "job", "question": "What do you work as?", "type": "text", "exclude": ["linguist"]},
        {"name": "email", "question": "Your e-mail address", "type": "email", "required": True},
    ],
    "blocks": [
        {
            "task": "rating",
            "name": "quality",
            "instructions": "instructions.md",
            "practice": "practice.csv",
            "context": "context",
            "comment": "Anything else?",
            "criteria": [
                {
                    "name": "clarity",
                    "question": "How clear is the text?",
                    "scale": {"from": 1, "to": 7, "labels": {1: "not clear at all", 7: "perfectly clear"}},
                },
                {
                    "name": "fluency",
                    "question": "How well does it read?",
                    "scale": {
                        "from": 0,
                        "to": 100,
                        "widget": "slider",
                        "labels": {0: "very badly", 100: "very well"},
                    },
                },
            ],
            "attention_checks": [
                {"text": "Please choose 2 for clarity.", "context": "Data behind i7.", "expected": {"clarity": 2}}
            ],
            "design": {"order": "random", "repeats": 1, "break_every": 4},
        }
    ],
    "screening": {
        "questionnaire": {},
        "fake-email": {},
        "took-part-twice": {},
        "outside-scale": {},
        "constant-answers": {},
        "too-fast": {},
        "attention-checks": {},
        "incomplete": {},
    },
    "metrics": [{"metric": "rouge-l"}],
    "finish": {"message": "finish.md", "completion_code": "SMALL-42"},
}

PAGES = {
    "consent.md": "# Consent\n\nI agree to take part.\n",
    "instructions.md": "# What to do\n\nRead each text and rate it.\n",
    "finish.md": "# Thank you\n\nThat was all.\n",
}


def write_small_study(directory: Path, change: Callable[[dict[str, Any]], None] | None = None) -> Path:
    """Write the study into a directory and return it; `change` may alter the study file's data first."""
    directory.mkdir(parents=True, exist_ok=True)
    data = copy.deepcopy(STUDY)
    if change is not None:
        change(data)
    (directory / "study.yaml").write_text(_as_yaml(pickle.dumps(data)), encoding="utf-8")
    for name, text in PAGES.items():
        (directory / name).write_text(text, encoding="utf-8")
    texts = [(item, system, f"The {system} text about {item} is here.") for item in ITEMS for system in SYSTEMS]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    write_csv(directory / "items.csv", ("item", "context"), [(item, f"Data behind {item}.") for item in ITEMS])
    write_csv(directory / "references.csv", ("item", "text"), [(item, f"The text about {item}.") for item in ITEMS])
    practice = [("p1", "A text to practise with.", "Data."), ("p2", "Another one.", "Data.")]
    write_csv(directory / "practice.csv", ("item", "text", "context"), practice)
    return directory


@cache
def _as_yaml(pickled: bytes) -> str:
    """The text of a study file; many tests write the same one, and writing takes longer than loading."""
    stream = io.StringIO()
    YAML(typ="safe", pure=True).dump(pickle.loads(pickled), stream)
    return stream.getvalue()


def write_csv(path: Path, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
