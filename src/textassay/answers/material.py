"""Which material participants were given, kept in the store: what changes while people take part is noticed.

Each part has its versions, each with the time from which it was served. Before anybody begins, everything may change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, delete, func, insert, select

from textassay.answers.schema import answers, participants, settings
from textassay.answers.store import Store
from textassay.study.material import material
from textassay.study.study import Study

_NAME = "material"
_KEPT = select(settings.columns.value).where(settings.columns.name == _NAME)
_NONE_KEPT = delete(settings).where(settings.columns.name == _NAME)
_SOMEBODY = select(participants.columns.id).limit(1)
_LAST_ANSWER = select(func.max(answers.columns.received_at))
_SHOWN = 8
"""So many changes are named."""

Versions = list[tuple[str, str]]
"""From when, and digest; the first ones first."""


def keep_material(study: Study, store: Store, now: datetime) -> tuple[str, ...]:
    """Keep what is served from now on; returns what has changed since people began, in words for the researcher."""
    current = material(study)
    history = store.writer.submit(partial(_keep, current=current, now=now)).result()
    return _told(history, current)


def changed_material(study: Study, store: Store) -> tuple[str, ...]:
    """What has changed since people began, in words for whoever uses the answers."""
    with store.reading() as connection:
        history = _kept(connection) if _begun(connection) else {}
    return _told(history, material(study)) if history else ()


def _keep(connection: Connection, current: Mapping[str, str], now: datetime) -> dict[str, Versions]:
    history = _kept(connection)
    begun = _begun(connection)
    last_answer = connection.execute(_LAST_ANSWER).scalar()
    served = {
        part: _versions(history.get(part, []) if begun else [], digest, now, last_answer)
        for part, digest in current.items()
    }
    if served != history:
        connection.execute(_NONE_KEPT)
        connection.execute(insert(settings), {"name": _NAME, "value": json.dumps(served)})
    return served


def _begun(connection: Connection) -> bool:
    return connection.execute(_SOMEBODY).first() is not None


def _kept(connection: Connection) -> dict[str, Versions]:
    value = connection.execute(_KEPT).scalar()
    if value is None:
        return {}
    return {part: [(since, digest) for since, digest in versions] for part, versions in json.loads(value).items()}


def _versions(before: Versions, digest: str, now: datetime, last_answer: datetime | None) -> Versions:
    """The versions of a part when this one is served now; one that nobody has answered is forgotten."""
    kept = list(before)
    if len(kept) > 1 and (last_answer is None or last_answer <= datetime.fromisoformat(kept[-1][0])):
        kept.pop()
    return kept if kept and kept[-1][1] == digest else [*kept, (now.isoformat(), digest)]


def _told(history: Mapping[str, Versions], current: Mapping[str, str]) -> tuple[str, ...]:
    changes = [said for part, versions in history.items() if (said := _change(part, versions, current.get(part)))]
    if not changes:
        return ()
    more = f"; and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    remedy = "answers before and after are about different things: restore what was changed, or say so in your report"
    return (f"changed since people began: {'; '.join(changes[:_SHOWN])}{more} ({remedy})",)


def _change(part: str, versions: Versions, digest: str | None) -> str:
    """What happened to a part; nothing where all saw it as it is now. One that is gone was not shown, or is missed."""
    served = [f"{datetime.fromisoformat(since):%Y-%m-%d %H:%M} UTC" for since, _ in versions[1:]]
    here = digest is not None and digest != versions[-1][1]
    if not served and not here:
        return ""
    when = [f"served anew from {' and '.join(served)}"] if served else []
    return f"{part} ({', '.join([*when, *(['not what was served'] if here else [])])})"
