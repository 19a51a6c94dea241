"""A study of decisions whose texts are annotated and parsed, with an ontology and relevance to actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from decision_study import ITEMS, Change, write_decision_study
from parses import conllu
from small_study import write_csv

ONTOLOGY = """
links: [concerns]
concepts:
  event:
  desaturation: {is_a: event, concerns: oxygenation}
  bradycardia: {is_a: event, concerns: circulation}
  oxygenation:
  circulation:
  therapy: {concerns: oxygenation}
  alarm: {concerns: [oxygenation, circulation]}
  comfort:
"""
RELEVANCE = """
links: [concerns]
targets: targets.csv
actions: {oxygen: therapy, suction: therapy, call: alarm, feed: comfort, turn: comfort, nothing: comfort}
priors: {oxygen: .2, suction: .2, call: .4, feed: .1, turn: .1, nothing: 0}
rules: {oxygen: not on(ventilator)}
state: state
"""
METRICS = ["event-count", "relevance", "irrelevance", "tree-preorder-distance", "dependency-f", "rouge-l"]


def text(system: str, item: str) -> str:
    """The text of a system that writes, as `decision_study` has it."""
    fell = f"oxygen saturation in {item} fell from 95 to 82 % within ten minutes"
    return f"As the {system} writer puts it, {fell}, while the heart rate dropped for a while and came back by itself."


def annotated(system: str, item: str) -> str:
    """The same with its events, as XML."""
    marked = text(system, item).replace(
        "oxygen saturation", '<EVENT ID="e1" TYPE="desaturation">oxygen saturation</EVENT>'
    )
    if system == "neural":
        marked = marked.replace("heart rate dropped", '<EVENT ID="e2" TYPE="bradycardia">heart rate dropped</EVENT>')
    return f'<TEXT ITEM="{item}" SYSTEM="{system}"><PARAGRAPH>{marked}</PARAGRAPH></TEXT>'


def write_content_study(directory: Path, change: Change | None = None) -> Path:
    """Write the study into a directory and return it; `change` may alter the study file's data first."""

    def with_content(data: dict[str, Any]) -> None:
        data["tables"] |= {
            "ontology": "ward.yaml",
            "annotations": "annotations.xml",
            "parses": "parses.conllu",
            "relevance": "relevance.yaml",
            "reference_system": "human",
        }
        data["metrics"] = [{"metric": name} for name in METRICS]
        if change is not None:
            change(data)

    write_decision_study(directory, with_content)
    texts = "\n".join(annotated(system, item) for item in ITEMS for system in ("human", "neural"))
    parses = "\n".join(
        f"# item = {item}\n# system = {system}\n" + conllu(f"it>2:{deprel} fell>0:root")
        for item in ITEMS
        for system, deprel in (("human", "nsubj"), ("neural", "expl"))
    )
    for name, content in {
        "ward.yaml": ONTOLOGY,
        "relevance.yaml": RELEVANCE,
        "annotations.xml": f"<TEXTS>\n{texts}\n</TEXTS>",
        "parses.conllu": parses,
    }.items():
        (directory / name).write_text(content, encoding="utf-8")
    states = [(item, "Context.", "on(ventilator)" if item == "case2" else "") for item in ITEMS]
    write_csv(directory / "items.csv", ("item", "context", "state"), states)
    return directory
