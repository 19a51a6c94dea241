"""Messages for what pydantic found wrong: each names the value and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from textassay.known_names import did_you_mean
from textassay.study.model import Faults
from textassay.study.yaml_reader import Path_

_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
}


def _plain(limit: float) -> float:
    """A limit as people write it: 1 and not 1.0."""
    return int(limit) if float(limit).is_integer() else limit


_PATTERNS = (
    (r"\S", "it must not be empty"),
    (r"^[A-Za-z][", "begin with a letter and use only letters A to Z, digits, '_' and '-'"),
    (r"^[A-Za-z]{2,3}", "write a language tag such as en, de or pt-BR"),
)
_RULES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than_equal": lambda rule: f"it must be {_plain(rule['ge'])} or more",
    "less_than_equal": lambda rule: f"it must be {_plain(rule['le'])} or less",
    "greater_than": lambda rule: f"it must be more than {_plain(rule['gt'])}",
    "less_than": lambda rule: f"it must be less than {_plain(rule['lt'])}",
    "too_short": lambda rule: f"add entries: there must be {rule['min_length']} or more",
    "too_long": lambda rule: f"remove entries: there can be at most {rule['max_length']}",
    "string_too_short": lambda _: "it must not be empty",
    "string_too_long": lambda rule: f"shorten it: at most {rule['max_length']} characters are possible",
    "string_pattern_mismatch": lambda rule: next(
        (words for begin, words in _PATTERNS if rule["pattern"].startswith(begin)), f"it must match {rule['pattern']}"
    ),
    "finite_number": lambda _: "it must be a finite number",
}


def validation_problems(error: ValidationError, data: Any, known: type[BaseModel]) -> Iterator[tuple[Path_, str]]:
    """Each error as its path in the data and a message."""
    for details in error.errors(include_url=False):
        path = _path_in(data, details["loc"])
        reason = details.get("ctx", {}).get("error")
        if isinstance(reason, Faults):
            yield from (((*path, *below), message) for below, message in reason.found)
        else:
            yield (*path, *_below(details)), _message(details, path, known)


def _path_in(data: Any, loc: tuple[str | int, ...]) -> Path_:
    """The error's path without what pydantic adds to it: kinds of questionnaire fields, and the word `[key]`."""
    path: list[str | int] = []
    here, kind_seen = data, False
    for part in loc:
        if _is_tag(part):
            continue
        if part == "[key]" or (isinstance(here, dict) and part == here.get("type") and not kind_seen):
            kind_seen = True
            continue
        path.append(part)
        kind_seen = False
        if isinstance(here, dict):
            here = here.get(part)
        else:
            here = here[part] if isinstance(here, list) and isinstance(part, int) and part < len(here) else None
    return tuple(path)


def _is_tag(part: str | int) -> bool:
    """Whether pydantic added this to say which form of a value it took it for, such as `<file>`."""
    return isinstance(part, str) and part.startswith("<")


def _below(details: ErrorDetails) -> Path_:
    """Where in the thing the error is, if pydantic does not say: a wrong kind is the fault of `type`."""
    return ("type",) if details["type"] in ("union_tag_invalid", "union_tag_not_found") else ()


def _message(details: ErrorDetails, path: Path_, known: type[BaseModel]) -> str:
    kind, seen, rule = details["type"], details["input"], details.get("ctx", {})
    if kind in _WANTED:
        return f"{_WANTED[kind]} is needed{_as_key(details)}, got {describe_value(seen)}; {_hint(kind, seen)}"
    name = path[-1] if path else ""
    match kind:
        case "missing":
            return f"{name!r} is missing; add it"
        case "extra_forbidden":
            return f"unknown key {name!r}; {_suggestion(str(name), keys_at(known, details['loc'][:-1]))}"
        case "literal_error" | "union_tag_invalid":
            expected = rule.get("expected") or rule.get("expected_tags", "")
            plainly = " without quotation marks" if seen == expected else ""
            given = rule.get("tag", seen)
            near = did_you_mean(given, re.findall("'([^']*)'", expected)) if isinstance(given, str) else ""
            return f"{describe_value(given)} is not possible here; use {expected}{plainly}{near}"
        case "union_tag_not_found":
            return f"'type' is missing; add one of {', '.join(tags_at(known, details['loc']))}"
    return f"got {describe_value(seen)}; {_RULES[kind](rule) if kind in _RULES else details['msg']}"


def _as_key(details: ErrorDetails) -> str:
    return " as key" if details["loc"][-1:] == ("[key]",) else ""


def _hint(kind: str, seen: Any) -> str:
    """What to do about a value of the wrong type."""
    hint = "write one of the two" if kind == "bool_type" else "write one instead"
    mapping = _WANTED[kind] == _WANTED["dict_type"]
    match kind, seen:
        case _, None:
            hint = "write its keys below it, or {} for none" if mapping else "write it after ':'"
        case "string_type", bool() | int() | float():
            hint = "put it in quotation marks"
        case (("int_type" | "float_type"), str()) if seen.strip().lstrip("+-").replace(".", "", 1).isdecimal():
            hint = "remove the quotation marks"
        case "list_type", _:
            hint = "begin each entry with '- ' on a line of its own"
        case _, list() if mapping:
            hint = "remove the '- ' before its keys"
        case _, _ if mapping:
            hint = "write its keys below it, each with ':' and its value"
    return hint


def _suggestion(name: str, keys: list[str]) -> str:
    return did_you_mean(name, keys).removeprefix("; ") or f"remove it, or use one of {', '.join(keys)}"


def describe_value(value: Any) -> str:
    """A value as a message shows it: short, and saying what it is.

    >>> describe_value("yes"), describe_value(True), describe_value([1, 2]), describe_value(None)
    ("'yes'", 'true', 'a list of 2', 'nothing')
    """
    match value:
        case None:
            text = "nothing"
        case bool():
            text = "true" if value else "false"
        case dict():
            text = f"a mapping of {len(value)}"
        case list():
            text = f"a list of {len(value)}"
        case int() if value.bit_length() > 200:
            text = "a whole number of more than 60 digits"  # Python refuses to write out very long ones
        case str() if len(value) > 60:
            text = repr(value[:57] + "…")
        case _:
            text = repr(value)
    return text


Loc = tuple[str | int, ...]
"""A place as pydantic names it: keys, numbers of list entries, and kinds of questionnaire fields."""


def keys_at(model: type[BaseModel], loc: Loc) -> list[str]:
    """The keys that are possible at a place."""
    definition = model.model_json_schema()
    return sorted(_resolved(_at(definition, loc), definition).get("properties", {}))


def tags_at(model: type[BaseModel], loc: Loc) -> list[str]:
    """The kinds that are possible at a place."""
    definition = model.model_json_schema()
    return list(_resolved(_at(definition, loc), definition)["discriminator"]["mapping"])


def _at(definition: dict[str, Any], loc: Loc) -> dict[str, Any]:
    here = definition
    for part in loc:
        if _is_tag(part):
            here = next((each for each in here.get("oneOf", ()) if "$ref" in each), here)
            continue
        here = _resolved(here, definition)
        if "discriminator" in here and isinstance(part, str):
            here = {"$ref": here["discriminator"]["mapping"][part]}
        elif isinstance(part, int):
            here = here["items"]
        else:
            here = here["properties"].get(part) or {}
    return here


def _resolved(here: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in here:
        here = next((part for part in here["anyOf"] if part.get("type") != "null"), here)
    while "$ref" in here:
        here = definition["$defs"][here["$ref"].rsplit("/", 1)[-1]]
    return here
