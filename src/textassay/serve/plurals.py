"""Which plural form a whole number takes, by language (the cardinal rules of Unicode CLDR 45, for whole numbers).

A language without a rule of its own here takes the English one. A message with plural forms must have every form that
its language can ask for; `forms` tells which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Rule = Callable[[int], str]

_MILLION = 1_000_000


def _one_is_one(n: int) -> str:
    return "one" if n == 1 else "other"


def _french(n: int) -> str:
    if n in (0, 1):
        return "one"
    return "many" if n % _MILLION == 0 else "other"


def _spanish(n: int) -> str:
    if n == 1:
        return "one"
    return "many" if n != 0 and n % _MILLION == 0 else "other"


def _arabic(n: int) -> str:
    if n in (0, 1, 2):
        return ("zero", "one", "two")[n]
    if 3 <= n % 100 <= 10:
        return "few"
    return "many" if n % 100 >= 11 else "other"


_RULES: Mapping[str, tuple[Rule, tuple[str, ...]]] = {
    "ar": (_arabic, ("zero", "one", "two", "few", "many", "other")),
    "de": (_one_is_one, ("one", "other")),
    "en": (_one_is_one, ("one", "other")),
    "es": (_spanish, ("one", "many", "other")),
    "fr": (_french, ("one", "many", "other")),
}


def plural(language: str, n: int) -> str:
    """The form that `n` takes.

    >>> [plural("ar", n) for n in (0, 1, 2, 3, 11, 100)]
    ['zero', 'one', 'two', 'few', 'many', 'other']
    """
    return _RULES.get(language, _RULES["en"])[0](n)


def forms(language: str) -> tuple[str, ...]:
    """All forms that a message in this language must have."""
    return _RULES.get(language, _RULES["en"])[1]
