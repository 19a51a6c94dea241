"""What screening found, kept in the store, so that the slots of those who are left out are given out again."""

from __future__ import annotations

from collections.abc import Sequence

from textassay.answers.opening import existing_store
from textassay.screening.screen import Verdict
from textassay.study.study import Study


def keep_verdicts(study: Study, verdicts: Sequence[Verdict], url: str | None = None) -> int:
    """Bring the store up to date with the verdicts on those who completed the study; returns how many changed.

    The server asks the rules when somebody finishes. Afterwards a rule may be added, or somebody turn out to have been
    there before: the rules are asked again whenever results are made.
    """
    found = {verdict.participant: verdict.valid for verdict in verdicts}
    with existing_store(study, url) as store:
        if store is None:
            return 0
        completed = [person for person in store.participants() if person.status == "completed"]
        changed = [person for person in completed if found.get(person.code, person.valid) != person.valid]
        for person in changed:
            store.invalidate(person.id, found[person.code])
        return len(changed)
