"""Which keys are possible at a place of the study file, read off the models themselves."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

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
