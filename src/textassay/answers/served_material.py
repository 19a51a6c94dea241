"""The history of the material that participants saw, in the store: changes during a study are noticed.

Each part has its versions, each with the time from which it was served. Before the first participant starts, everything
may change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection, delete, func, insert, select

from textassay.answers.schema import answers, participants, settings
from textassay.answers.store import Store
from textassay.study.settled import contents, digest, shown_files, shown_texts
from textassay.study.study import Study

_NAME = "material"
_HISTORY = select(settings.columns.value).where(settings.columns.name == _NAME)
_DELETE_HISTORY = delete(settings).where(settings.columns.name == _NAME)
_ANY_PARTICIPANT = select(participants.columns.id).limit(1)
_LAST_ANSWER = select(func.max(answers.columns.received_at))
_SHOWN = 8
"""How many changes a message lists."""

Versions = list[tuple[str, str]]
"""Time from which it was served, and digest; oldest first."""


def record_material(study: Study, store: Store, now: datetime) -> tuple[str, ...]:
    """Record what is served from now on; returns what has changed since the first participant, as warnings."""
    current = material(study)
    history = store.writer.submit(partial(_record, current=current, now=now)).result()
    return _warnings(history, current)


def changed_material(study: Study, store: Store) -> tuple[str, ...]:
    """What has changed since the first participant, as warnings for the use of the answers."""
    with store.reading() as connection:
        history = _history(connection) if _has_started(connection) else {}
    return _warnings(history, material(study)) if history else ()


def _record(connection: Connection, current: Mapping[str, str], now: datetime) -> dict[str, Versions]:
    history = _history(connection)
    started = _has_started(connection)
    last_answer = connection.execute(_LAST_ANSWER).scalar()
    served = {
        part: _versions(history.get(part, []) if started else [], digest, now, last_answer)
        for part, digest in current.items()
    }
    if served != history:
        connection.execute(_DELETE_HISTORY)
        connection.execute(insert(settings), {"name": _NAME, "value": json.dumps(served)})
    return served


def _has_started(connection: Connection) -> bool:
    return connection.execute(_ANY_PARTICIPANT).first() is not None


def _history(connection: Connection) -> dict[str, Versions]:
    value = connection.execute(_HISTORY).scalar()
    if value is None:
        return {}
    return {part: [(since, digest) for since, digest in versions] for part, versions in json.loads(value).items()}


def _versions(before: Versions, digest: str, now: datetime, last_answer: datetime | None) -> Versions:
    """The versions of a part when this one is served now; the last one is dropped if it has no answers."""
    answered = list(before)
    if len(answered) > 1 and (last_answer is None or last_answer <= datetime.fromisoformat(answered[-1][0])):
        answered.pop()
    return answered if answered and answered[-1][1] == digest else [*answered, (now.isoformat(), digest)]


def _warnings(history: Mapping[str, Versions], current: Mapping[str, str]) -> tuple[str, ...]:
    changes = [text for part, versions in history.items() if (text := _change(part, versions, current.get(part)))]
    if not changes:
        return ()
    more = f"; and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    remedy = "answers before and after refer to different material: restore it, or mention the change in your report"
    return (f"changed since the first participant: {'; '.join(changes[:_SHOWN])}{more} ({remedy})",)


def _change(part: str, versions: Versions, digest: str | None) -> str:
    """How a part changed; an empty text if all saw it as it is now. Removed parts are not reported."""
    served = [f"{datetime.fromisoformat(since):%Y-%m-%d %H:%M} UTC" for since, _ in versions[1:]]
    changed_now = digest is not None and digest != versions[-1][1]
    if not served and not changed_now:
        return ""
    when = [f"new version served from {' and '.join(served)}"] if served else []
    return f"{part} ({', '.join([*when, *(['differs from what was served'] if changed_now else [])])})"


_LENGTH = 16
"""Characters of a digest, enough that two versions never share one by chance."""
_PAGES = ("consent",)
"""Pages that may affect the answers; the first and the last page do not."""


def material(study: Study) -> dict[str, str]:
    """Digest of each part of the material that participants see, by a name that says where to find it.

    A plan fits as long as items, systems and design do; texts may be corrected. But answers before and after such a
    correction are about different texts, so it must be noticed.
    """
    return {name: digest(content)[:_LENGTH] for name, content in _parts(study)}


def _parts(study: Study) -> Iterator[tuple[str, Any]]:
    yield from shown_texts(study)
    for field in study.file.questionnaire:
        yield f"question {field.name!r} of the questionnaire", _settings(field)
    for page in _PAGES:
        yield f"page {page!r}", study.pages.get(page)
    if study.messages:
        yield "words of the interface", dict(study.messages)
    for block in study.blocks:
        chosen = _settings(block.settings)
        for key in sorted(type(block.settings).model_fields.keys() - block.settings.unseen - block.tables.keys()):
            yield f"{key!r} of block {block.name!r}", chosen.get(key)
        yield from contents(block)
    yield from shown_files(study)


def _settings(model: BaseModel) -> dict[str, Any]:
    """Settings that differ from their defaults: one that a later release adds is not a change."""
    return model.model_dump(mode="json", exclude_defaults=True)
