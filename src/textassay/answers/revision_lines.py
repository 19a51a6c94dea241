"""Every stored answer as a line of JSON, for the file of all revisions.

A line is put together from the texts that the store has: what was stored as JSON is not read and written anew, for an
export may have a million answers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import isfinite

from textassay.answers.journal import Row, iso_times
from textassay.answers.statements import decode_payload

_as_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def revision_lines(
    portions: Iterable[Sequence[Row]], codes: Mapping[int, str], *, hidden: Collection[str] = (), personal: bool
) -> Iterator[str]:
    """The lines, in the order of the journal; their columns are those of `exported_columns.described_revisions`.

    Args:
        portions: Rows of `Journal.revisions`.
        codes: The participants whose answers are written: codes by number.
        hidden: Names of the parts of answers that are left out.
        personal: Whether what the browser reported about itself is written, too.
    """
    people = {number: _as_json(code) for number, code in codes.items()}
    pages: dict[str, str] = {}
    marks = [_as_json(name) for name in hidden]
    for portion in portions:
        rows = [row for row in portion if row[0] in people]
        if not rows:
            continue
        who, ids, shown, payloads, started, answered, took, clients, revisions, received, opened, _ = zip(
            *rows, strict=True
        )
        pages.update((page, _as_json(page)) for page in {*shown} if page not in pages)
        texts = (text if _as_it_is(text, marks) else _without(text, hidden) for text in payloads)
        told = (
            f',"client":{client if _as_it_is(client) else _without(client)}' if personal else "" for client in clients
        )
        columns = (map(_as_json, ids), map(_number, took), *map(_times, (started, answered, opened, received)))
        yield from [
            f'{{"participant":{people[number]},"page":{pages[page]},"revision":{revision},"answer_id":{answer_id},'
            f'"rt_ms":{rt_ms},"started_at":{shown_at},"answered_at":{given_at},"opened_at":{opened_at},'
            f'"received_at":{received_at},"payload":{payload}{client}}}\n'
            for number, page, revision, answer_id, rt_ms, shown_at, given_at, opened_at, received_at, payload, client
            in zip(who, shown, revisions, *columns, texts, told, strict=True)
        ]  # fmt: skip


def _as_it_is(text: str, marks: Iterable[str] = ()) -> bool:
    r"""Whether a stored object can be part of a line: it is on one line, and has no part with a hidden name.

    A name that holds an escaped character is not found in the text, so that such a text is read.
    """
    return "\n" not in text and "\\u" not in text and not any(mark in text for mark in marks)


def _without(text: str, hidden: Collection[str] = ()) -> str:
    return _as_json({name: part for name, part in decode_payload(text).items() if name not in hidden})


def _number(value: float | None) -> str:
    return repr(value) if value is not None and isfinite(value) else "null"


def _times(stored: Iterable[str | datetime | None]) -> list[str]:
    return ["null" if time is None else f'"{time}"' for time in iso_times(stored)]
