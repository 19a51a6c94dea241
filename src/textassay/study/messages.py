"""What pydantic found wrong, in words that name the value seen and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from textassay.study.yaml_reader import Path_

_WANTED = {
    "string_type": "a text is needed",
    "int_type": "a whole number is needed",
    "float_type": "a number is needed",
    "bool_type": "true or false is needed",
    "list_type": "a list is needed",
    "dict_type": "a mapping of keys to values is needed",
    "model_type": "a mapping of keys to values is needed",
    "model_attributes_type": "a mapping of keys to values is needed",
}


def problems_of(error: ValidationError, data: Any, known: type[BaseModel]) -> Iterator[tuple[Path_, str]]:
    """Each error as its path in the data and a message."""
    for details in error.errors(include_url=False):
        path = _path_in(data, details["loc"])
        yield path, _message(details, path, known)


def _path_in(data: Any, loc: tuple[str | int, ...]) -> Path_:
    """The error's path without what pydantic adds to it: the tags of unions."""
    path: list[str | int] = []
    here = data
    for place, part in enumerate(loc):
        last = place == len(loc) - 1
        if isinstance(here, dict) and (part in here or last):
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        elif not last:
            continue
        elif not isinstance(here, (dict, list)):
            break
        path.append(part)
    return tuple(path)


def _message(details: ErrorDetails, path: Path_, known: type[BaseModel]) -> str:
    kind, seen, context = details["type"], details["input"], details.get("ctx", {})
    name = path[-1] if path else ""
    if kind == "missing":
        return f"{name!r} is missing; add it"
    if kind == "extra_forbidden":
        return f"unknown key {name!r}; {_suggestion(str(name), known, details['loc'])}"
    if kind in _WANTED:
        hint = "; put it in quotation marks" if kind == "string_type" and isinstance(seen, (int, float, bool)) else ""
        return f"{_WANTED[kind]}, got {shown(seen)}{hint}"
    if kind in ("literal_error", "union_tag_invalid"):
        expected = context.get("expected") or context.get("expected_tags", "")
        return f"{shown(context.get('tag', seen))} is not possible here; use {expected}"
    if kind == "union_tag_not_found":
        return "'type' is missing; add it"
    if kind == "value_error":
        return str(context.get("error", details["msg"]))
    return f"got {shown(seen)}; {_rule(kind, context)}"


def _rule(kind: str, context: dict[str, Any]) -> str:
    match kind:
        case "greater_than_equal":
            return f"it must be {context['ge']} or more"
        case "less_than_equal":
            return f"it must be {context['le']} or less"
        case "greater_than":
            return f"it must be more than {context['gt']}"
        case "less_than":
            return f"it must be less than {context['lt']}"
        case "too_short":
            return f"at least {context['min_length']} entries are needed"
        case "string_too_short":
            return "it must not be empty"
        case "string_too_long":
            return f"at most {context['max_length']} characters are possible"
        case "string_pattern_mismatch" if context["pattern"] == r"\S":
            return "it must not be empty"
        case "string_pattern_mismatch" if context["pattern"].startswith("^[A-Za-z]["):
            return "begin with a letter and use letters, digits, '_' and '-' only"
        case "string_pattern_mismatch":
            return "write a language tag such as en, de or pt-BR"
        case "finite_number":
            return "it must be a finite number"
    return kind.replace("_", " ")


def _suggestion(name: str, model: type[BaseModel], loc: tuple[str | int, ...]) -> str:
    keys = _keys_at(model, loc[:-1])
    close = difflib.get_close_matches(name, keys, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(keys)}"


def _keys_at(model: type[BaseModel], loc: tuple[str | int, ...]) -> list[str]:
    """The keys that are possible at a place, found by following the place through the models."""
    definition = model.model_json_schema(by_alias=True)
    here: dict[str, Any] = definition
    for part in loc:
        here = _resolved(here, definition)
        if "discriminator" in here and isinstance(part, str):
            here = {"$ref": here["discriminator"]["mapping"][part]}
        elif isinstance(part, int):
            here = here["items"]
        else:
            here = here["properties"].get(part) or {}
    return sorted(_resolved(here, definition).get("properties", {}))


def _resolved(here: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in here:
        here = next((part for part in here["anyOf"] if part.get("type") != "null"), here)
    while "$ref" in here:
        here = definition["$defs"][here["$ref"].rsplit("/", 1)[-1]]
    return here


def shown(value: Any) -> str:
    """A value as a message shows it: short, and saying what it is.

    >>> shown("yes"), shown(True), shown([1, 2]), shown(None)
    ("'yes'", 'true', 'a list of 2', 'nothing')
    """
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return f"a mapping of {len(value)}"
        case list():
            return f"a list of {len(value)}"
        case str() if len(value) > 60:
            return repr(value[:57] + "…")
    return repr(value)
