"""Settings of a metric: one frozen dataclass each, whose fields say how they are checked and signed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from textassay.errors import UsageError


@dataclass(frozen=True)
class Settings:
    """Base of every metric's settings."""

    def signed(self) -> dict[str, str]:
        """Each setting under its short name, as the signature shows it."""
        shown = {}
        for each in fields(self):
            value = getattr(self, each.name)
            words = each.metadata.get("words") or {True: "yes", False: "no"}
            shown[each.metadata.get("sign", each.name)] = words[value] if isinstance(value, bool) else signed(value)
        return shown


def signed(value: object) -> str:
    """A value as a signature shows it; a number in all its digits, but 2 and 2.0 are one.

    >>> signed(2), signed(2.0), signed(0.1), signed("best")
    ('2', '2', '0.1', 'best')
    """
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def setting(default: Any, *, sign: str, choices: Iterable[str] = (), words: Mapping[bool, str] | None = None) -> Any:
    """A field of a metric's settings.

    Args:
        default: Its usual value; a given one must be of the same type.
        sign: Its name in the signature.
        choices: The values that it can have, if they can be listed.
        words: What the signature says for True and False.
    """
    return field(default=default, metadata={"sign": sign, "choices": tuple(choices), "words": words})


def checked(metric: str, kind: type[Settings], given: Mapping[str, Any]) -> Settings:
    """The settings of a metric from what a caller gave.

    Raises:
        UsageError: a name or a value that the metric does not have; the message lists those it has.
    """
    known = {each.name: each for each in fields(kind)}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{metric} has no setting {name!r}; it has: {', '.join(known) or 'none'}")
        choices = known[name].metadata.get("choices", ())
        if choices and value not in choices:
            raise UsageError(f"{metric}: {name} is {value!r}; choose one of: {', '.join(choices)}")
        wanted = type(known[name].default)
        number_for_number = wanted is float and type(value) is int
        if type(value) is not wanted and not number_for_number:
            usual = known[name].default
            raise UsageError(f"{metric}: {name} is {value!r}; it must be of type {wanted.__name__}, like {usual!r}")
    floats = {name for name, each in known.items() if type(each.default) is float}
    return kind(**{name: float(value) if name in floats else value for name, value in given.items()})
