"""In which other studies an e-mail address took part, for the studies that the screening rules name.

Each study hashes addresses with a key of its own, so this can be found out only while the address is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from textassay.answers.emails import hashed
from textassay.answers.store import Store
from textassay.screening.took_part_elsewhere import TookPartElsewhere
from textassay.study.study import Study

_STORE = "answers.db"


def studies_with(email: str, study: Study) -> list[str]:
    """The named studies in which the address was given before."""
    named = [other for rule in study.rules if isinstance(rule, TookPartElsewhere) for other in rule.studies]
    return [other for other in dict.fromkeys(named) if _was_given(email, study.directory / other / _STORE)]


def _was_given(email: str, path: Path) -> bool:
    if not path.is_file():
        return False
    with Store.open(f"sqlite:///{path.resolve().as_posix()}") as store:
        wanted = hashed(email, store.secret("email"))
        return any(wanted in hashes(answer.payload) for _, answer in store.all_answers() if is_questionnaire(answer.page))


def is_questionnaire(page: str) -> bool:
    """Whether the answers to this page are those to the questionnaire."""
    return page == "questionnaire"


def hashes(questionnaire: Mapping[str, object]) -> set[str]:
    """The hashes of all addresses in the answers to a questionnaire, as they are kept."""
    forms = [answer for answer in questionnaire.values() if isinstance(answer, Mapping)]
    return {str(form["hash"]) for form in forms if form.get("hash")}
