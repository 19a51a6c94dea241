"""Studies in which not everybody sees each item once: from plan to findings, with the effects that were put in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from preference_study import BLOCK as PREFERENCE
from small_study import SYSTEMS, write_csv, write_small_study

from textassay import pipeline
from textassay.report.summary import Findings

ITEMS = [f"i{number}" for number in range(1, 13)]
BEST = {"human": 2.0, "neural": 0.0, "template": -2.0}
PEOPLE = {"everyone": 4, "between": 18, "stratify": 6}


def texts(*, gaps: bool) -> list[tuple[str, str]]:
    """Each item has texts of all systems, or each lacks one of another system."""
    every = [(item, system) for item in ITEMS for system in SYSTEMS]
    lacking = {(item, SYSTEMS[place % 3]) for place, item in enumerate(ITEMS)}
    return [text for text in every if not gaps or text not in lacking]


def found(directory: Path, design: dict[str, Any], *, gaps: bool, task: str = "rating") -> Findings:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"wanted": PEOPLE[kind]} if (kind := next(iter(design))) in PEOPLE else {}
        data["tables"] = {"texts": "texts.csv", "items": "items.csv"}
        data["metrics"] = []
        data["screening"] = {}
        data["simulate"] = {"systems": BEST}
        block = data["blocks"][0] if task == "rating" else {**PREFERENCE}
        for key in ("practice", "context", "attention_checks"):
            block.pop(key, None)
        block["criteria"] = block["criteria"][:1]
        block["design"] = design
        data["blocks"] = [block]

    write_small_study(directory, change)
    rows = [(*text, f"The {text[1]} text of {text[0]}.") for text in texts(gaps=gaps)]
    write_csv(directory / "texts.csv", ("item", "system", "text"), rows)
    genres = [(item, "news" if place % 3 else "sport") for place, item in enumerate(ITEMS)]
    write_csv(directory / "items.csv", ("item", "genre"), genres)
    if "plan" in design:  # three people judge one half of the texts, three the other, and all the first four
        every = [text[:2] for text in rows]
        halves = [every[: len(every) // 2], [*every[:4], *every[len(every) // 2 :]]]
        plan = [(f"P{number}", *text) for number in range(6) for text in halves[number % 2]]
        write_csv(directory / "who.csv", ("participant", "item", "system"), plan)
    study = pipeline.load(directory)
    pipeline.simulate(study)
    return pipeline.findings(study)


@pytest.mark.parametrize(
    ("design", "gaps"),
    [
        ({"everyone": "all"}, False),
        ({"everyone": "all"}, True),
        ({"judgements_per_text": 3, "texts_per_participant": 9}, False),
        ({"judgements_per_text": 3, "texts_per_participant": 9}, True),
        ({"everyone": "all", "sittings": 3}, False),
        ({"between": "systems"}, True),
        ({"stratify": "genre", "items_per_participant": 9}, False),
        ({"plan": "who.csv"}, True),
    ],
)
def test_effects_come_back(tmp_path: Path, design: dict[str, Any], gaps: bool) -> None:
    seen = found(tmp_path, design, gaps=gaps)
    (headline,) = seen.sections[0].analysis.headlines
    assert headline.text.startswith("human was rated highest")
    assert "The systems differ" in headline.text
    judged = Counter(
        {
            row[1]: row[2]
            for table in seen.sections[0].analysis.tables
            if table.name.startswith("means")
            for row in table.rows
        }
    )
    each = {"everyone": 4, "judgements_per_text": 3, "between": 6, "plan": 3, "stratify": 1.5}[next(iter(design))]
    shown = texts(gaps=gaps) + (texts(gaps=gaps)[:4] if "plan" in design else [])
    assert judged == Counter({system: each * sum(text[1] == system for text in shown) for system in SYSTEMS})


def test_preferences_are_dealt_as_comparisons(tmp_path: Path) -> None:
    design = {"judgements_per_text": 2, "texts_per_participant": 6}
    seen = found(tmp_path, design, gaps=True, task="preference")
    words = seen.summary.designs[0].squares
    # of the three pairs of systems each item has one that lacks no text
    assert words == "4 people × 6 comparisons = 24 judgements: each of the 12 comparisons gets 2"
    assert "human" in seen.sections[0].analysis.headlines[0].text
