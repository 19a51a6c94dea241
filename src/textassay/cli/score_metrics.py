"""Metrics as a user types them: `rouge-l`, or with settings `rouge-l:stem=yes,multi=mean`."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from textassay import catalogue
from textassay.errors import UsageError
from textassay.metrics import Metric, metric

_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def metrics_named(typed: Sequence[str]) -> dict[str, Metric]:
    """Metrics under the names that were typed.

    Raises:
        UsageError: an unknown metric or setting, a value of the wrong kind, or the same twice.

    >>> list(metrics_named(["rouge-l", "rouge-l:stem=yes"]))
    ['rouge-l', 'rouge-l:stem=yes']
    """
    found: dict[str, Metric] = {}
    for one in typed:
        if one in found:
            raise UsageError(f"-m {one} stands there twice; give it once, or with other settings")
        found[one] = _metric(one)
    return found


def _metric(typed: str) -> Metric:
    name, colon, rest = typed.partition(":")
    if name not in catalogue.names("metric"):
        raise UsageError(_unknown(name))
    made = catalogue.find("metric", name)
    usual = {each.name: each.default for each in fields(made.Settings)}
    settings: dict[str, Any] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise UsageError(f"-m {typed}: {part!r} is no setting; write name=value, for example rouge-l:stem=yes")
        if key in settings:
            raise UsageError(f"-m {typed}: {key} stands there twice; give it once")
        settings[key] = _value(typed, key, value, usual[key]) if key in usual else value
    return metric(name, **settings)


def _value(typed: str, key: str, value: str, usual: Any) -> Any:
    """The value as the setting has it."""
    if isinstance(usual, bool):
        if value.lower() not in _WORDS:
            raise UsageError(f"-m {typed}: {key} is yes or no, not {value!r}")
        return _WORDS[value.lower()]
    if not isinstance(usual, (int, float)):
        return value
    try:
        return type(usual)(value)
    except ValueError:
        kind = "a whole number" if isinstance(usual, int) else "a number"
        raise UsageError(f"-m {typed}: {key} is {kind}, like {usual}, not {value!r}") from None


def _unknown(name: str) -> str:
    known = catalogue.names("metric")
    if "," in name:
        return f"there is no metric named {name!r}; separate metrics by spaces: -m {name.replace(',', ' ')}"
    plain = {each.replace("-", ""): each for each in known}
    close = difflib.get_close_matches(name.lower().replace("-", "").replace("_", ""), plain, n=3, cutoff=0.6)
    meant = f"did you mean {' or '.join(plain[each] for each in close)}? " if close else ""
    return f"there is no metric named {name!r}; {meant}Known: {', '.join(known)}"
