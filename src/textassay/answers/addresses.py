"""E-mail addresses in imported tables, turned into the form in which they are kept."""

from __future__ import annotations

from collections.abc import Iterable

from textassay.answers import columns, emails
from textassay.answers.people import Cells
from textassay.answers.store import Store
from textassay.study.model import EmailField
from textassay.study.study import Study


def without_addresses(study: Study, rows: Iterable[Cells], url: str | None = None) -> list[Cells]:
    """The rows of a participants table with each address in the form in which the store keeps it.

    Args:
        study: The study; its store holds the key, and is made where there is none yet.
        rows: The rows.
        url: Address of the study's store, if it is not the file in the study directory.
    """
    rows = list(rows)
    fields = [field for field in study.file.questionnaire if isinstance(field, EmailField)]
    # What has no @ is a hash already: from an export, or from whoever hashed the addresses before handing them on.
    if not any("@" in str(row.get(field.name)) for field in fields for row in rows):
        return rows
    with Store.open(url or study.store_url) as store:
        key = store.secret("email")
    return [_hashed(study, row, fields, key) for row in rows]


def _hashed(study: Study, row: Cells, fields: Iterable[EmailField], key: str) -> Cells:
    answers = columns.questionnaire_answers(study, row)
    for field in fields:
        address = str(row.get(field.name) or "")
        if "@" in address:
            answers[field.name] = emails.kept(address, key, barred=field.exclude)
    return {**row, **columns.questionnaire_cells(study, answers)}
