"""Conditions over the state of a case, in which an action is possible: `not on(baby, CMV) and (stable(baby) or awake)`.

A state is a set of facts such as `on(baby, CMV)`; whatever it does not have does not hold. `not` binds tighter than
`and`, and that tighter than `or`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from textassay.errors import UsageError

Fact = tuple[str, ...]
"""A name and its arguments: `("on", "baby", "CMV")`."""
State = frozenset[Fact]

_TOKEN = re.compile(r"\s*(?:(?P<name>[\w.+%-]+)|(?P<mark>[(),;]))", re.UNICODE)
_WORDS = ("and", "or", "not")
_DEEPEST = 100
"""Brackets in brackets, and `not` before `not`."""


class _Token(NamedTuple):
    text: str
    column: int
    """From 1."""

    @property
    def is_name(self) -> bool:
        return self.text not in ("(", ")", ",", ";", "", *_WORDS)


@dataclass(frozen=True)
class Condition:
    """A condition that holds in some states."""

    source: str
    """As it was written."""
    holds: Callable[[State], bool]
    facts: frozenset[Fact]
    """The facts that it asks for."""

    def __str__(self) -> str:
        return self.source

    def __reduce__(self) -> tuple[Callable[[str], Condition], tuple[str]]:
        return parse_condition, (self.source,)


def parse_condition(source: str) -> Condition:
    """A condition from its text.

    Raises:
        UsageError: it is none; the message has the column.

    >>> rule = parse_condition("not on(baby, CMV)")
    >>> rule.holds(parse_state("on(baby, CMV); stable(baby)")), rule.holds(parse_state("stable(baby)"))
    (False, True)
    """
    parser = _Parser(source)
    holds = parser.either(0)
    parser.end()
    return Condition(source, holds, frozenset(parser.facts))


def parse_state(source: str) -> State:
    """Facts separated by semicolons or line breaks.

    Raises:
        UsageError: it is none; the message has the column.
    """
    facts: set[Fact] = set()
    for part in re.split(r"[;\n]", source):
        if part.strip():
            parser = _Parser(part)
            facts.add(parser.fact())
            parser.end()
    return frozenset(facts)


def fact_text(fact: Fact) -> str:
    """A fact as it is written.

    >>> fact_text(("on", "baby", "CMV")), fact_text(("awake",))
    ('on(baby, CMV)', 'awake')
    """
    return f"{fact[0]}({', '.join(fact[1:])})" if len(fact) > 1 else fact[0]


def _tokens(source: str) -> Iterator[_Token]:
    at = 0
    while source[at:].strip():
        found = _TOKEN.match(source, at)
        if found is None:
            at += len(source[at:]) - len(source[at:].lstrip())
            raise UsageError(f"{source!r}, column {at + 1}: {source[at]!r} has no meaning here")
        at = found.end()
        yield _Token(found.group().strip(), at - len(found.group().strip()) + 1)
    yield _Token("", len(source) + 1)


class _Parser:
    """Recursive descent over the words of a condition."""

    def __init__(self, source: str) -> None:
        self.facts: list[Fact] = []
        self._source = source
        self._tokens = list(_tokens(source))
        self._at = 0

    def either(self, depth: int) -> Callable[[State], bool]:
        parts = [self._all(depth)]
        while self._next("or"):
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else lambda state: any(part(state) for part in parts)

    def fact(self) -> Fact:
        token = self._tokens[self._at]
        if not token.is_name:
            self._refuse("a fact such as on(baby, CMV) is missing")
        self._at += 1
        names = [token.text]
        if self._next("("):
            while True:
                if not self._tokens[self._at].is_name:
                    self._refuse("a name is missing")
                names.append(self._tokens[self._at].text)
                self._at += 1
                if self._next(")"):
                    break
                if not self._next(","):
                    self._refuse("a ')' or ',' is missing")
        return tuple(names)

    def end(self) -> None:
        if self._tokens[self._at].text:
            self._refuse("this is not expected; join facts by 'and' or 'or'")

    def _all(self, depth: int) -> Callable[[State], bool]:
        parts = [self._one(depth)]
        while self._next("and"):
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else lambda state: all(part(state) for part in parts)

    def _one(self, depth: int) -> Callable[[State], bool]:
        if depth > _DEEPEST:
            self._refuse("nested too deeply")
        if self._next("not"):
            negated = self._one(depth + 1)
            return lambda state: not negated(state)
        if self._next("("):
            inner = self.either(depth + 1)
            if not self._next(")"):
                self._refuse("a ')' is missing")
            return inner
        fact = self.fact()
        self.facts.append(fact)
        return lambda state: fact in state

    def _next(self, text: str) -> bool:
        found = self._tokens[self._at].text == text
        self._at += found
        return found

    def _refuse(self, message: str) -> NoReturn:
        token = self._tokens[self._at]
        seen = f"before {token.text!r}" if token.text else "at the end"
        raise UsageError(f"{self._source!r}, column {token.column}, {seen}: {message}")
