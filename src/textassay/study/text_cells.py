"""What a cell of somebody's own file may hold: a text, the texts of several systems, a conversation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from textassay.tables.raw_table import is_blank

SYSTEM_NAMES = (
    "system", "model", "model_name", "model_id", "modelname", "system_name", "system_id", "generator", "engine",
    "condition", "llm", "method", "approach", "checkpoint",
)  # fmt: skip
"""What people call the column, or the key, with the name of a system; in lower case, words joined by `_`."""
TEXT_NAMES = (
    "text", "output", "response", "completion", "generation", "generated", "generated_text", "prediction", "predicted",
    "pred", "hypothesis", "hyp", "answer", "summary", "translation", "mt", "candidate", "model_output", "system_output",
    "model_response", "system_text", "content", "result", "decoded", "continuation", "reply",
)  # fmt: skip
"""What people call the column, or the key, with a text that a system wrote."""
_ASSISTANTS = ("assistant", "gpt", "model", "bot", "ai", "chatbot")


def plain_name(name: str) -> str:
    """A name as lists of names have it.

    >>> plain_name(" Model Name"), plain_name("modelId"), plain_name("item-ID")
    ('model_name', 'model_id', 'item_id')
    """
    spaced = "".join(
        f"_{letter}" if letter.isupper() and place and name[place - 1].islower() else letter
        for place, letter in enumerate(name)
    )
    parts = "".join(letter if letter.isalnum() else " " for letter in spaced.lower())
    return "_".join(parts.split())


def as_text(value: Any) -> str | None:
    """The text of a cell; nothing where it is empty.

    >>> as_text(3.0), as_text(" "), as_text("Yes.")
    ('3', None, 'Yes.')

    Raises:
        ValueError: it holds something that is no text.
    """
    if isinstance(value, str):
        return value.replace("\r\n", "\n") if value and not value.isspace() else None
    if is_blank(value):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping | list | tuple):
        raise ValueError(f"{str(value)[:40]!r} is not a text")
    return str(value)


def column_value(row: Mapping[str, Any], column: str) -> Any:
    """The value of a column, also of one inside another: `input.text`."""
    if column in row:
        return row[column]
    here: Any = row
    for part in column.split("."):
        if not isinstance(here, Mapping):
            return None
        here = here.get(part)
    return here


def texts_by_system(value: Any) -> dict[str, Any] | None:
    """The texts of several systems in one cell: an object, or a list of objects with system and text; else nothing.

    >>> texts_by_system([{"model": "a", "text": "One."}, {"model": "b", "text": "Two."}])
    {'a': 'One.', 'b': 'Two.'}
    """
    value = _parsed(value)
    if isinstance(value, Mapping) and value:
        return {str(system): _inner_text(text) for system, text in value.items()}
    if not isinstance(value, list) or not value or not all(isinstance(entry, Mapping) for entry in value):
        return None
    found = {}
    for entry in value:
        keys = {plain_name(str(key)): key for key in entry}
        system = next((keys[name] for name in (*SYSTEM_NAMES, "name", "id") if name in keys), None)
        text = next((keys[name] for name in TEXT_NAMES if name in keys), None)
        if system is None or text is None:
            return None
        found[str(entry[system])] = entry[text]
    return found


def _inner_text(value: Any) -> Any:
    """The text of an output that is an object itself, such as `{"text": "…", "tokens": 12}`."""
    if not isinstance(value, Mapping):
        return value
    keys = {plain_name(str(key)): key for key in value}
    return next((value[keys[name]] for name in TEXT_NAMES if name in keys), value)


class Conversation(NamedTuple):
    """A conversation that ends with what is judged."""

    before: str
    """What was said before; speakers are named where there is more than one turn."""
    text: str | None
    """The last turn of the assistant; nothing where there is none."""


def conversation(value: Any) -> Conversation | None:
    """A conversation as chat programs store it, as a list of objects with role and content; else nothing.

    >>> conversation([{"role": "user", "content": "Hello?"}, {"role": "assistant", "content": "Hello!"}])
    Conversation(before='Hello?', text='Hello!')
    """
    value = _parsed(value)
    if not isinstance(value, list) or not value:
        return None
    turns = [_turn(entry) for entry in value]
    spoken = [turn for turn in turns if turn is not None]
    if len(spoken) < len(turns):
        return None
    last = max((place for place, (role, _) in enumerate(spoken) if role in _ASSISTANTS), default=None)
    before = spoken[:last]
    words = before[0][1] if len(before) == 1 else "\n\n".join(f"{role.capitalize()}: {said}" for role, said in before)
    return Conversation(words, None if last is None or not spoken[last][1].strip() else spoken[last][1])


def _turn(entry: Any) -> tuple[str, str] | None:
    if not isinstance(entry, Mapping):
        return None
    role, said = (entry.get("role", entry.get("from")), entry.get("content", entry.get("value")))
    if isinstance(said, list):  # parts of a message; images and the like have no text
        said = "\n".join(str(part["text"]) for part in said if isinstance(part, Mapping) and part.get("text"))
    return (role.lower(), said) if isinstance(role, str) and isinstance(said, str) else None


def _parsed(value: Any) -> Any:
    """The value, or what it says where a cell of a plain table holds JSON."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return list(value) if isinstance(value, tuple) else value
