"""The store of a study: opening it, recording verdicts, and searching that of another study for an address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from textassay.answers.columns import IMPORTED_FOLDER
from textassay.answers.emails import hash_email
from textassay.answers.store import Store
from textassay.screening.verdicts import Verdict
from textassay.study.study import Study
from textassay.tables.schema import PARTICIPANTS


def has_store(study: Study) -> bool:
    """Whether the study directory already contains a store."""
    return Path(study.store_url.removeprefix("sqlite:///")).exists()


@contextmanager
def existing_store(study: Study, url: str | None = None) -> Iterator[Store | None]:
    """The study's store, open while the `with` block runs, or None where there is none yet.

    Args:
        study: The study.
        url: Address of the store, if it is not the file in the study directory.
    """
    if url is None and not has_store(study):
        yield None
        return
    with Store.open(url or study.store_url) as store:
        yield store


def store_verdicts(study: Study, verdicts: Sequence[Verdict], url: str | None = None) -> int:
    """Record the verdicts on participants who completed the study; returns how many changed.

    The server applies the rules when a participant finishes. Afterwards a rule may be added, or a participant may turn
    out to have taken part before, so the rules are applied again whenever results are made. The slot of an excluded
    participant opens again.
    """
    found = {verdict.participant: verdict.valid for verdict in verdicts}
    with existing_store(study, url) as store:
        return record_verdicts(store, found) if store is not None else 0


def record_verdicts(store: Store, valid: Mapping[str, bool]) -> int:
    """Record in an open store whether participants passed screening, by their codes; see `store_verdicts`."""
    completed = [person for person in store.participants() if person.status == "completed"]
    changed = [person for person in completed if valid.get(person.code, person.valid) != person.valid]
    for person in changed:
        store.set_valid(person.id, valid[person.code])
    return len(changed)


def took_part_in(email: str, directory: Path) -> bool:
    """Whether the address took part in the study in that directory.

    That study's hashes are made with its own key, so the address is hashed with that key and searched for there.

    Args:
        email: The address.
        directory: The other study.
    """
    database = directory / "answers.db"
    if not database.is_file():
        return False
    with Store.open(f"sqlite:///{database.as_posix()}") as store:
        sought = hash_email(email, store.secret("email"))
        for _, answer in store.all_answers(revisions=True, page="questionnaire"):
            if any(isinstance(part, Mapping) and part.get("hash") == sought for part in answer.payload.values()):
                return True
    table = directory / IMPORTED_FOLDER / f"{PARTICIPANTS.name}.csv"
    return table.is_file() and sought in table.read_text(encoding="utf-8")
