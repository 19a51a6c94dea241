"""The JSON Schema that editors use: up to date, and of one mind with the program."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from small_study import STUDY

import textassay
from textassay import ready_studies
from textassay.study import SCHEMA_FILE
from textassay.study.schema import EDITOR_LINE, schema_text

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
READY = sorted((Path(textassay.__file__).parent / "ready_studies").glob("*/study.yaml"))
TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "null": lambda value: value is None,
}
LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "const": lambda value, limit: value == limit,
    "enum": lambda value, limit: value in limit,
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "exclusiveMinimum": lambda value, limit: value > limit,
    "exclusiveMaximum": lambda value, limit: value < limit,
    "minLength": lambda value, limit: len(value) >= limit,
    "maxLength": lambda value, limit: len(value) <= limit,
    "minItems": lambda value, limit: len(value) >= limit,
    "maxItems": lambda value, limit: len(value) <= limit,
    "minProperties": lambda value, limit: len(value) >= limit,
    "pattern": lambda value, limit: re.search(limit, value) is not None,
}
WORDS = {"$ref", "$schema", "$id", "$defs", "type", "properties", "required", "additionalProperties", "items", "anyOf",
         "oneOf", "discriminator", "description", "default", "title", *LIMITS}  # fmt: skip


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value fits a schema; knows as much of JSON Schema as this one uses."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "type" in schema and not TYPES[schema["type"]](value):
        return False
    if not all(LIMITS[word](value, schema[word]) for word in LIMITS.keys() & schema.keys()):
        return False
    for word, count in (("anyOf", range(1, 99)), ("oneOf", range(1, 2))):
        if word in schema and sum(fits(value, each) for each in schema[word]) not in count:
            return False
    if isinstance(value, list):
        return all(fits(each, schema.get("items", {})) for each in value)
    return not isinstance(value, dict) or _mapping_fits(value, schema)


def _mapping_fits(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    if any(key not in value for key in schema.get("required", [])):
        return False
    return all(
        fits(part, known[key]) if key in known else others is not False and fits(part, others)
        for key, part in value.items()
    )


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema."""
    if isinstance(schema, dict):
        yield schema
        for word in ("properties", "$defs"):
            for each in schema.get(word, {}).values():
                yield from parts(each)
        for word in ("items", "additionalProperties"):
            yield from parts(schema.get(word))
        for word in ("anyOf", "oneOf"):
            for each in schema.get(word, []):
                yield from parts(each)


def test_what_is_shipped_is_up_to_date() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run: python docs/make_reference.py"


def test_the_schema_says_nothing_that_the_check_here_does_not_know() -> None:
    assert {word for part in parts(SCHEMA) for word in part} <= WORDS


def test_every_key_is_described() -> None:
    properties = {key: part for key, part in SCHEMA["properties"].items() if key != "metrics"}  # see the metrics' pages
    described = [
        name
        for part in parts({**SCHEMA, "properties": properties})
        for name, each in part.get("properties", {}).items()
        if not each.get("description") and "$ref" not in each and name != "type"
    ]
    assert described == []


def test_the_small_study_fits() -> None:
    assert fits(STUDY, SCHEMA)


@pytest.mark.parametrize("path", READY, ids=lambda path: path.parent.name)
def test_ready_studies_fit_and_name_the_schema_for_editors(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert fits(YAML(typ="safe", pure=True).load(text), SCHEMA)
    assert text.startswith(f"{EDITOR_LINE}\n")


def test_the_schema_comes_with_a_new_study(tmp_path: Path) -> None:
    ready_studies.copy("rating-scale", tmp_path / "mine")
    assert (tmp_path / "mine" / SCHEMA_FILE.name).read_bytes() == SCHEMA_FILE.read_bytes()


def test_the_line_for_editors_names_the_schema() -> None:
    assert f"# yaml-language-server: $schema={SCHEMA['$id']}" == EDITOR_LINE


WRONG: list[tuple[tuple[Any, ...], Any]] = [
    (("format",), 2),
    (("titel",), "x"),
    (("title",), ""),
    (("seed",), "7"),
    (("seed",), True),
    (("participants", "wanted"), 0),
    (("questionnaire", 0, "type"), "dropdown"),
    (("questionnaire", 1, "choices"), ["a", "b"]),  # a number has no choices
    (("questionnaire", 0, "choices"), ["a"]),
    (("blocks",), []),
    (("blocks", 0, "task"), "liking"),
    (("blocks", 0, "criteria"), []),
    (("blocks", 0, "criteria", 0, "scale", "widget"), "wheel"),
    (("blocks", 0, "criteria", 0, "scale", "low"), 1),  # it is called `from` there
    (("blocks", 0, "design", "order"), "latin"),
    (("screening", "too-slow"), {}),
    (("screening", "too-fast"), {"second": 1}),
    (("metrics", 0, "metric"), "taste"),
    (("metrics", 0, "stem"), "porter"),
    (("metrics", 0, "multi"), "worst"),
    (("metrics", 0, "beta"), 1),
    (("analysis",), {"alpha": 1}),
]


@pytest.mark.parametrize(("path", "value"), WRONG, ids=str)
def test_what_the_program_refuses_does_not_fit(path: tuple[Any, ...], value: Any) -> None:
    study: Any = copy.deepcopy(STUDY)
    here = study
    for part in path[:-1]:
        here = here[part]
    here[path[-1]] = value
    assert not fits(study, SCHEMA)


@pytest.mark.parametrize("key", ["format", "title", "tables", "blocks"])
def test_what_is_required_must_be_there(key: str) -> None:
    assert not fits({name: part for name, part in STUDY.items() if name != key}, SCHEMA)
