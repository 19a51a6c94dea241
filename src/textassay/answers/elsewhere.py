"""Whether somebody took part in another study, told by the keyed hash of the e-mail address."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from textassay.answers.emails import hashed
from textassay.answers.imports import FOLDER
from textassay.answers.store import Store
from textassay.tables.schema import PARTICIPANTS


def took_part(email: str, directory: Path) -> bool:
    """Whether the address took part in the study in that directory.

    That study's hashes are made with its own key, so the address is hashed with that key and looked for there.

    Args:
        email: The address.
        directory: The other study.
    """
    database = directory / "answers.db"
    if not database.is_file():
        return False
    with Store.open(f"sqlite:///{database.as_posix()}") as store:
        sought = hashed(email, store.secret("email"))
        for _, answer in store.all_answers(revisions=True, page="questionnaire"):
            if any(isinstance(part, Mapping) and part.get("hash") == sought for part in answer.payload.values()):
                return True
    table = directory / FOLDER / f"{PARTICIPANTS.name}.csv"
    return table.is_file() and sought in table.read_text(encoding="utf-8")
