"""The Human Evaluation Datasheet (HEDS 3.0) of a study: filled where the study knows, open where only people know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from textassay.report.artifacts import write_file
from textassay.sharing.datasheet.filling import criteria_of, of_criterion, of_study
from textassay.sharing.datasheet.own_answers import own_answers
from textassay.sharing.datasheet.sheet import Answer, Datasheet

if TYPE_CHECKING:
    from textassay.sharing.datasheet.collected import Collected
    from textassay.study.study import Study

_PAGES = {"welcome": "start page", "consent": "consent", "finish": "last page"}
SIMULATED = "Simulated participants have taken this study: nothing of their answers is in this sheet."


def fill_datasheet(study: Study, collected: Collected | None) -> Datasheet:
    """The datasheet of a study; what the researcher wrote in `datasheet.yaml` comes before what the study knows.

    Raises:
        StudyError: an answer in `datasheet.yaml` does not fit; with its place.
    """
    criteria = criteria_of(study)
    answers: dict[tuple[str, str], Answer] = {(number, ""): answer for number, answer in of_study(study, collected)}
    for criterion in criteria:
        answers.update({(number, criterion.name): answer for number, answer in of_criterion(criterion, collected)})
    names = tuple(criterion.name for criterion in criteria)
    answers.update(own_answers(study.directory, names))
    shown = {_PAGES[page]: text for page, text in study.pages.items() if page in _PAGES}
    shown |= {f"instructions, {block.name}": block.instructions for block in study.blocks if block.instructions}
    alerts = (SIMULATED,) if collected is None and study.simulated_path.exists() else ()
    return Datasheet(study.file.title, names, answers, alerts, shown)


def write_datasheet(sheet: Datasheet, folder: Path) -> tuple[Path, Path]:
    """Write the sheet as a page (`datasheet.md`) and as its form loads it (`datasheet.json`); returns both paths."""
    page, form = folder / "datasheet.md", folder / "datasheet.json"
    folder.mkdir(parents=True, exist_ok=True)
    write_file(page, sheet.markdown())
    write_file(form, json.dumps(sheet.form(), ensure_ascii=False, indent=4) + "\n")
    return page, form
