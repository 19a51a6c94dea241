"""What the catalogue's entries say of themselves: a line, the settings with values and defaults, the whole text."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin

from textassay import catalogue
from textassay.errors import UsageError

KINDS = {"metrics": "metric", "statistics": "statistic", "tasks": "task", "rules": "screening"}
"""What people call the kinds of the catalogue."""


@dataclasses.dataclass(frozen=True)
class SettingInfo:
    """One setting of an entry."""

    name: str
    values: tuple[str, ...]
    """Those that can be chosen from, the default first; none where they cannot be listed."""
    kind: str
    """What it holds, in words."""
    default: str | None
    """None where it has to be given; empty where there is none."""
    meaning: str
    limits: str = ""
    """What its value must be beyond its kind, in words."""
    unset: bool = False
    """Whether the default is no value, but says what applies where none is given."""

    @property
    def holds(self) -> str:
        """All values that it can have, in words."""
        return " or ".join(self.values) or ", ".join(filter(None, (self.kind, self.limits)))

    def __str__(self) -> str:
        """As short as possible: `name=default|other|other`.

        >>> print(SettingInfo("multi", ("best", "mean"), "text", "best", ""), SettingInfo("n", (), "number", None, ""))
        multi=best|mean n=…
        >>> print(SettingInfo("order", (), "whole number", "4", "", "at least 1"))
        order=4 (at least 1)
        >>> print(SettingInfo("rates", (), "", "those of the texts", "", "path of a file", unset=True))
        rates (path of a file; by default: those of the texts)
        """
        shown = "" if self.unset else "|".join(self.values) or self.default
        said = "; ".join(filter(None, (self.limits, f"by default: {self.default}" if self.unset else "")))
        value = "" if shown == "" else f"={'…' if shown is None else shown}"
        return f"{self.name}{value}{f' ({said})' if said else ''}"


@dataclasses.dataclass(frozen=True)
class CatalogueEntry:
    """A metric, statistic, task or rule as it describes itself."""

    name: str
    summary: str
    """In a line."""
    text: str
    """All that it says."""
    settings: tuple[SettingInfo, ...]
    facts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What else is known of it, such as the scale of a metric."""


def entries(kind: str) -> list[CatalogueEntry]:
    """All of a kind, those of other packages included; one that cannot be loaded says why."""
    return [entry(kind, name) for name in catalogue.names(kind)]


def entry(kind: str, name: str) -> CatalogueEntry:
    """One of them.

    Raises:
        UsageError: there is none of that name.
    """
    try:
        found = catalogue.find(kind, name)
        describe = {"metric": _metric, "statistic": _statistic, "task": _task, "screening": _rule}[kind]
        return describe(name, found)
    except (UsageError, AttributeError, TypeError) as error:
        if name in catalogue.CATALOGUE[kind] or name not in catalogue.names(kind):
            raise
        cause = error.__cause__ or error
        reason = f"cannot be loaded ({type(cause).__name__}: {cause}); update or uninstall the package that adds it"
        return CatalogueEntry(name, reason, reason, ())


def _metric(name: str, metric: Any) -> CatalogueEntry:
    described = field_docstrings(metric.Settings)
    settings = [_metric_setting(each, described.get(each.name, "")) for each in dataclasses.fields(metric.Settings)]
    low, high = (f"{limit:g}".replace("inf", "∞") for limit in metric.scale)
    better = f"near {metric.best:g}" if metric.best is not None else "high" if metric.higher_is_better else "low"
    facts = {"scale": f"{low} to {high}", "better": better}
    return CatalogueEntry(name, first_paragraph(metric), inspect.getdoc(metric) or "", tuple(settings), facts)


def _metric_setting(declared: dataclasses.Field[Any], meaning: str) -> SettingInfo:
    """A setting as its metric declares it."""
    said, usual = declared.metadata, declared.default
    if isinstance(usual, bool):
        default = "yes" if usual else "no"
        return SettingInfo(declared.name, _first(default, ("no", "yes")), "yes or no", default, meaning)
    unset = said.get("unset", "")
    default = unset or f"{usual}"
    if isinstance(usual, str):
        choices, holds = _first(default, (*said.get("choices", ()), *said.get("more", ()))), said.get("holds", "")
        return SettingInfo(declared.name, choices, "" if holds else "text", default, meaning, holds, bool(unset))
    kind, limits = ("whole number" if isinstance(usual, int) else "number"), said.get("limits")
    shown = "" if limits is None or not limits else str(limits)
    return SettingInfo(declared.name, (), kind, default, meaning, shown, bool(unset))


def _statistic(name: str, statistic: Any) -> CatalogueEntry:
    article = statistic_article(statistic)
    words = re.split(r"(?m)^(\*{0,2}\w+): ", article["Args"])
    meanings = {key.lstrip("*"): " ".join(text.split()) for key, text in zip(words[1::2], words[2::2], strict=True)}
    settings = []
    for each in inspect.signature(statistic).parameters.values():
        choices = literal_values(str(each.annotation), statistic.__globals__)
        default = None if each.default is each.empty else "" if each.default is None else f"{each.default}"
        kind = str(each.annotation).replace("npt.", "")
        settings.append(SettingInfo(each.name, _first(default, choices), kind, default, meanings.get(each.name, "")))
    purpose = article.get("Purpose", "") or article["summary"]
    summary = purpose[:1].upper() + purpose[1:]
    return CatalogueEntry(name, summary, inspect.getdoc(statistic) or "", tuple(settings))


def _task(name: str, task: Any) -> CatalogueEntry:
    settings = tuple(each for each in _model(task.Settings) if each.name != "task")
    summary = f"{task.title}: {first_paragraph(task)}"
    return CatalogueEntry(name, summary, inspect.getdoc(task) or "", settings)


def _rule(name: str, rule: Any) -> CatalogueEntry:
    return CatalogueEntry(name, first_paragraph(rule), inspect.getdoc(rule) or "", tuple(_model(rule)))


def _model(model: Any) -> Iterator[SettingInfo]:
    """The keys of a part of the study file."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    for key, value in schema.get("properties", {}).items():
        options = [
            definitions[part["$ref"].rsplit("/", 1)[-1]] if "$ref" in part else part
            for part in value.get("anyOf") or value.get("oneOf") or [value]
            if part.get("type") != "null"
        ]
        choices = tuple(str(each) for part in options for each in part.get("enum", ()))
        if options[0].get("type") == "boolean":
            choices = ("true", "false")
        usual = value.get("default")
        default = None if key in schema.get("required", []) else _shown(usual)
        kind = " or ".join(dict.fromkeys(str(part.get("type", "mapping")) for part in options))
        meaning = value.get("description") or options[0].get("description", "")
        yield SettingInfo(key, _first(default, choices), kind, default, " ".join(meaning.split()))


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return "" if default is None or isinstance(default, dict | list) else str(default)


def _first(default: str | None, choices: Any) -> tuple[str, ...]:
    """The choices with the default in front."""
    known = [str(each) for each in choices]
    return tuple([default, *(each for each in known if each != default)] if default in known else known)


def first_paragraph(thing: Any) -> str:
    """The first paragraph of a docstring as one line."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def field_docstrings(settings: type) -> dict[str, str]:
    """The string below each field of a class and of its bases."""
    return {name: text for kind in reversed(settings.__mro__[:-1]) for name, text in _own_docstrings(kind).items()}


@cache
def _own_docstrings(kind: type) -> dict[str, str]:
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    except (OSError, TypeError):  # its source is not there
        return {}
    found: dict[str, str] = {}
    for field, text in pairwise(body.body if isinstance(body, ast.ClassDef) else []):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=said)):
                found[name] = " ".join(str(said).split())
    return found


def statistic_article(statistic: Any) -> dict[str, str]:
    """A statistic's docstring in its parts: summary, `Purpose`, `R`, `Example`, `Args`, and all the rest as details."""
    summary, *paragraphs = (inspect.getdoc(statistic) or "").split("\n\n")
    found, details = {"summary": summary, "Args": ""}, []
    for paragraph in paragraphs:
        key, _, rest = paragraph.partition(":")
        if key in ("Purpose", "R", "Example", "Args"):
            lines = textwrap.dedent(rest.lstrip("\n")).strip()
            found[key] = lines if key in ("Example", "Args") else " ".join(lines.split())
        else:
            details.append(paragraph)
    return found | {"details": "\n\n".join(details)}


def literal_values(annotation: str, names: Mapping[str, Any]) -> tuple[str, ...]:
    """The values that a type, as it is written, can be chosen from; none where they cannot be listed."""
    first = next((part for part in annotation.split(" | ") if part != "None"), "")
    alias = names.get(first)
    if get_origin(alias) is Literal:
        return tuple(str(value) for value in get_args(alias))
    if first.startswith("Literal["):
        return tuple(value.strip("'\"") for value in first[8:-1].split(", "))
    return ()
