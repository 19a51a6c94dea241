"""Names that people type: the known one that was meant, and what to say where there is none.

Every message about an unknown name (a metric, a key, a column, a system, the value of a setting) is made here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from textassay.errors import UsageError
from textassay.prose import listed

_MOST = 3
"""Suggestions in a message."""
_ALIKE = 0.65
"""How alike a suggestion must be, from 0 to 1: with less, short names suggest anything."""
_ENOUGH = 3
"""Letters from which on a part of a name says which one is meant."""


def same_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that differs at most in case, hyphens, underscores and spaces; nothing if it is not the only one.

    >>> same_name("ROUGE_L", ["rouge-l", "rouge-lsum"]), same_name("rouge", ["rouge-l"])
    ('rouge-l', None)
    """
    possible = list(known)
    if name in possible:
        return name
    found = [each for each in possible if _plain(each) == _plain(name)]
    return found[0] if len(found) == 1 else None


def nearest(name: str, known: Iterable[str], *, alike: float = _ALIKE) -> list[str]:
    """The known names that are most like it; several where they are equally so, none where nothing is alike.

    >>> nearest("BLUE", ["bleu", "chrf"]), nearest("rouge", ["rouge-1", "rouge-2"]), nearest("xyzzy", ["bleu"])
    (['bleu'], ['rouge-1', 'rouge-2'], [])
    >>> nearest("case9", ["case1", "case2", "case3", "case4"]), nearest("csae", ["case1", "case2", "case3", "case4"])
    ([], ['case1', 'case2', 'case3'])
    """
    import difflib  # noqa: PLC0415 -- only where something was mistyped

    possible = list(known)
    same = same_name(name, possible)
    if same is not None:
        return [same]
    spelt: dict[str, str] = {}
    for each in possible:
        spelt.setdefault(each.strip().casefold().replace("_", "-"), each)
    typed = name.strip().casefold().replace("_", "-")
    close = difflib.get_close_matches(typed, spelt, n=_MOST + 1, cutoff=alike)
    found = [difflib.SequenceMatcher(a=each, b=typed).ratio() for each in close]
    best = sorted(spelt[each] for each, ratio in zip(close, found, strict=True) if ratio == found[0])
    if len(best) > _MOST and typed.startswith(best[0][:-1].casefold()):
        return []  # names that differ in a number only: any could be meant
    return best[:_MOST]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The question after a message that already lists what is possible; empty where nothing is alike.

    >>> did_you_mean("Exact", ["exact", "normal"]), did_you_mean(7, ["exact", "normal"])
    ("; did you mean 'exact'?", '')
    >>> did_you_mean("krip", ["krippendorff_alpha", "icc"])
    "; did you mean 'krippendorff_alpha'?"
    """
    possible, typed = list(known), _plain(str(name))
    near = nearest(str(name), possible)
    if not near and len(typed) >= _ENOUGH:
        near = [each for each in possible if typed in _plain(each)][:_MOST]
    return f"; did you mean {listed(map(repr, near), 'or')}?" if near else ""


def remedy(name: object, known: Iterable[str]) -> str:
    """The name that was probably meant, or else all there are.

    >>> remedy("rouge", ["rouge-l"]), remedy("xyzzy", ["bleu", "chrf"]), remedy("a", [])
    ("did you mean 'rouge-l'?", 'use one of: bleu, chrf', 'there are none')
    """
    possible = list(known)
    if not possible:
        return "there are none"
    return did_you_mean(name, possible).removeprefix("; ") or f"use one of: {', '.join(possible)}"


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not known.

    >>> unknown("metric", "rouge", ["rouge-l"])
    "there is no metric 'rouge'; did you mean 'rouge-l'?"
    """
    return f"there is no {what} {name!r}; {remedy(name, known)}"


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Refuse a setting that is none of its possible values.

    Raises:
        UsageError: with the value seen and the possible ones.
    """
    if value not in choices:
        near = did_you_mean(value, choices)
        raise UsageError(f"{name} must be one of {', '.join(choices)}; got {value!r}{near}")


def _plain(name: str) -> str:
    return "".join(name.casefold().split()).replace("-", "").replace("_", "")
