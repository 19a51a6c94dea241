"""The JSON Schema of the study file, for editors: one for the whole file, with every task, rule and metric.

It is made from the models and shipped as `study.schema.json`; `python docs/make_reference.py` updates it.
`textassay new` copies it next to the study file, which names it in its first line: an editor with a YAML language
server then completes and explains keys.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pydantic.json_schema import models_json_schema

from textassay import catalogue
from textassay.metrics import Limits
from textassay.study import SCHEMA_FILE
from textassay.study.model import DEFAULT_RULE, MetricChoice, StudyFile

EDITOR_LINE = f"# yaml-language-server: $schema={SCHEMA_FILE.name}"
"""The first line of a study file, from which editors find the schema."""

_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
Schema = dict[str, Any]


def study_schema() -> Schema:
    """The schema as plain JSON values."""
    tasks = [catalogue.find("task", name).Settings for name in catalogue.CATALOGUE["task"]]
    rules = {name: catalogue.find("screening", name) for name in catalogue.CATALOGUE["screening"]}
    models = [StudyFile, MetricChoice, *tasks, *rules.values()]
    refs, definitions = models_json_schema([(model, "validation") for model in models])
    known = definitions["$defs"]
    root = known.pop("StudyFile")
    properties = root["properties"]
    properties["blocks"]["items"] = {"oneOf": [refs[task, "validation"] for task in tasks]}
    properties["screening"] |= {
        "properties": {name: _rule(name, refs[rule, "validation"]) for name, rule in rules.items()},
        "additionalProperties": False,
    }
    choice = known.pop("MetricChoice")
    properties["metrics"]["items"] = {"oneOf": [_metric(name, choice) for name in catalogue.CATALOGUE["metric"]]}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_FILE.name,
        **_without_titles(root),
        "$defs": {name: _without_titles(known[name]) for name in sorted(known)},
    }
    return {**whole, "title": "A study of textassay"}


def _rule(name: str, settings: Schema) -> Schema:
    """The settings of a screening rule; the one that applies by itself can be turned off."""
    said = "Applies unless it is false: participants who answered too few trials are excluded."
    return {"anyOf": [settings, {"const": False}], "description": said} if name == DEFAULT_RULE else settings


def schema_text() -> str:
    """The schema as it is shipped."""
    return json.dumps(study_schema(), indent=1, ensure_ascii=False) + "\n"


def _metric(name: str, choice: Schema) -> Schema:
    """One metric with the settings that all have and its own."""
    settings = {}
    for each in fields(catalogue.find("metric", name).Settings):
        usual = {} if each.metadata.get("unset") else {"default": each.default}
        settings[each.name] = {"type": _TYPES[type(each.default)], **usual, **_limits(each.metadata.get("limits"))}
        if each.metadata.get("choices"):
            settings[each.name] |= _choices(each.metadata)
    properties = {**choice["properties"], "metric": {"const": name}, **settings}
    return {**choice, "properties": properties, "additionalProperties": False}


def _choices(declared: Mapping[str, Any]) -> Schema:
    """The values that a setting can have; one that names a file begins like the choice that stands for it."""
    every = (*declared["choices"], *declared.get("more", ()))
    names, files = [one for one in every if "FILE" not in one], [one for one in every if "FILE" in one]
    patterns = [{"pattern": f"^{one.removesuffix('FILE')}"} for one in files]
    return {"anyOf": [{"enum": names}, *patterns]} if patterns else {"enum": names}


def _limits(limits: Limits | None) -> Schema:
    """Between which numbers a setting lies."""
    if limits is None:
        return {}
    kind = "exclusiveM" if limits.without else "m"
    ends = {f"{kind}inimum": limits.least, f"{kind}aximum": limits.most}
    return {name: end for name, end in ends.items() if math.isfinite(end)}


def _without_titles(schema: Any) -> Any:
    """Without the titles that pydantic derives from names: editors would show them before the descriptions."""
    if isinstance(schema, list):
        return [_without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _without_titles(part) for key, part in schema.items() if key != "title"}
    if "properties" in schema:
        kept["properties"] = {name: _without_titles(part) for name, part in schema["properties"].items()}
    return kept
