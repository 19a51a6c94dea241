"""Plural forms of messages: the cardinal rules of Unicode CLDR 45, for whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Rule = Callable[[int], str]

_MILLION = 1_000_000


def _one_is_one(n: int) -> str:
    return "one" if n == 1 else "other"


def _zero_or_one(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def _always_other(n: int) -> str:
    del n
    return "other"


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


def _czech(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if 2 <= n <= 4 else "other"


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else "many"


def _russian(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else "many"


def _croatian(n: int) -> str:
    return {"many": "other"}.get(_russian(n), _russian(n))


def _slovenian(n: int) -> str:
    return {1: "one", 2: "two", 3: "few", 4: "few"}.get(n % 100, "other")


def _romanian(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n == 0 or 1 <= n % 100 <= 19 else "other"


def _lithuanian(n: int) -> str:
    if n % 10 == 1 and not 11 <= n % 100 <= 19:
        return "one"
    return "few" if n % 10 >= 2 and not 11 <= n % 100 <= 19 else "other"


def _latvian(n: int) -> str:
    if n % 10 == 0 or 11 <= n % 100 <= 19:
        return "zero"
    return "one" if n % 10 == 1 else "other"


def _hebrew(n: int) -> str:
    return {1: "one", 2: "two"}.get(n, "other")


def _irish(n: int) -> str:
    return {1: "one", 2: "two", **dict.fromkeys(range(3, 7), "few"), **dict.fromkeys(range(7, 11), "many")}.get(
        n, "other"
    )


def _welsh(n: int) -> str:
    return {0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"}.get(n, "other")


_RULES: Mapping[str, tuple[Rule, tuple[str, ...]]] = {
    "ar": (_arabic, ("zero", "one", "two", "few", "many", "other")),
    "cy": (_welsh, ("zero", "one", "two", "few", "many", "other")),
    "ga": (_irish, ("one", "two", "few", "many", "other")),
    "he": (_hebrew, ("one", "two", "other")),
    "lt": (_lithuanian, ("one", "few", "other")),
    "lv": (_latvian, ("zero", "one", "other")),
    "pl": (_polish, ("one", "few", "many")),
    "ro": (_romanian, ("one", "few", "other")),
    "sl": (_slovenian, ("one", "two", "few", "other")),
    **dict.fromkeys(("cs", "sk"), (_czech, ("one", "few", "other"))),
    **dict.fromkeys(("be", "ru", "uk"), (_russian, ("one", "few", "many"))),
    **dict.fromkeys(("bs", "hr", "sr"), (_croatian, ("one", "few", "other"))),
    **dict.fromkeys(("fr", "pt"), (_french, ("one", "many", "other"))),
    **dict.fromkeys(("ca", "es", "it"), (_spanish, ("one", "many", "other"))),
    **dict.fromkeys(("am", "bn", "fa", "gu", "hi", "hy", "kn", "zu"), (_zero_or_one, ("one", "other"))),
    **dict.fromkeys(("id", "ja", "ko", "lo", "ms", "my", "th", "vi", "zh"), (_always_other, ("other",))),
}
"""By language its rule and its forms; languages that are not named have those of English."""
_ENGLISH = (_one_is_one, ("one", "other"))
LANGUAGES = (*sorted(_RULES), "de", "en")
"""Languages whose rule is known to be right."""


def plural(language: str, n: int) -> str:
    """The form that `n` takes.

    >>> [plural("ar", n) for n in (0, 1, 2, 3, 11, 100)]
    ['zero', 'one', 'two', 'few', 'many', 'other']
    """
    return _RULES.get(language, _ENGLISH)[0](n)


def forms(language: str) -> tuple[str, ...]:
    """All plural forms that a message in this language needs."""
    return _RULES.get(language, _ENGLISH)[1]
