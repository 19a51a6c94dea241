"""The answers as files: tables, every revision, and a codebook that explains them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textassay.answers import described
from textassay.answers.dataset import Dataset
from textassay.answers.described import REVISIONS, personal_names
from textassay.answers.people import Cells
from textassay.study.study import Study
from textassay.tables.codebook import DescribedFile, write_codebook
from textassay.tables.schema import PARTICIPANTS
from textassay.tables.writer import write_table

if TYPE_CHECKING:
    from textassay.screening.screen import Verdict

__all__ = ["REVISIONS", "export_study", "personal_names"]


def export_study(
    study: Study,
    dataset: Dataset,
    directory: Path,
    *,
    personal: bool = False,
    verdicts: Sequence[Verdict] = (),
) -> list[Path]:
    """Write all answers of a study as tables with a codebook.

    Args:
        study: The study.
        dataset: All its answers.
        directory: Where to write; files of an earlier export are replaced.
        personal: Whether columns that may tell who somebody is are written too.
        verdicts: What screening found, for the participants table.

    Returns:
        The files, in the order in which the codebook describes them, the codebook last.
    """
    files = []
    for name, schema in dataset.schemas.items():
        rows = dataset.rows(name)
        if name == PARTICIPANTS.name:
            rows = _with_verdicts(rows, verdicts)
        if not rows and not described.is_expected(study, name):
            continue
        file = described.table(study, schema, rows, personal=personal)
        write_table(directory / file.name, described.written(file), rows)
        files.append(file)
    files.append(_write_revisions(study, dataset, directory, personal=personal))
    return [*(directory / file.name for file in files), *write_codebook(directory, study.file.title, files)]


def _with_verdicts(rows: Sequence[Cells], verdicts: Sequence[Verdict]) -> list[Cells]:
    by_code = {verdict.participant: verdict for verdict in verdicts}
    return [{**row, **described.verdict_cells(by_code.get(row["participant"]))} for row in rows]


def _write_revisions(study: Study, dataset: Dataset, directory: Path, *, personal: bool) -> DescribedFile:
    file = described.revisions(personal=personal)
    hidden = described.hidden_names(study, personal=personal)
    rows = (described.revision_cells(code, answer, hidden) for code, answer in dataset.revisions)
    write_table(directory / file.name, described.written(file), rows)
    return file
