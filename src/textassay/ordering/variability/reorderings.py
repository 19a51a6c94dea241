"""Orders that several people gave to the same texts: who gave which, in which condition, and how alike they are.

`ExchangedLists` is their null distribution: what a statistic is when people exchange their lists, that is, which text
they saw in which condition.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.ordering.measures.tau import tau_matrix
from textassay.ordering.orders import GivenOrder, Order, read_order, unit_list
from textassay.ordering.permutations import Floats
from textassay.seeds import Stream

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reorderings:
    """The orders of all people and texts."""

    given: tuple[GivenOrder, ...]
    texts: tuple[str, ...]
    people: tuple[str, ...]
    conditions: tuple[str, ...]
    which: Codes
    """Shape (texts, people): the place of the order in `given`; -1 where there is none."""
    condition: Codes
    """Shape (texts, people): the number of the condition; -1 where there is no order."""

    @cached_property
    def taus(self) -> Floats:
        """Shape (texts, people, people): tau of each pair's orders; nan where one has none, and for a person alone."""
        n = len(self.people)
        found = np.full((len(self.texts), n, n), math.nan)
        for text, there in enumerate(self.which >= 0):
            who = np.flatnonzero(there)
            if who.size:
                found[text][np.ix_(who, who)] = tau_matrix([self.order(text, int(person)) for person in who])
        found[:, np.arange(n), np.arange(n)] = math.nan
        return found

    def order(self, text: int, person: int) -> Order:
        """The order that a person gave to a text."""
        return self.given[int(self.which[text, person])].order

    def orders(self, text: int, condition: int | None = None) -> list[Order]:
        """All orders of a text, or those of one condition."""
        wanted = self.condition[text] >= 0 if condition is None else self.condition[text] == condition
        return [self.order(text, int(person)) for person in np.flatnonzero(wanted)]


def reorderings(given: Iterable[GivenOrder], *, conditions: Sequence[str] = ()) -> Reorderings:
    """Orders by text and person.

    Args:
        given: One per person and text.
        conditions: The order of the conditions; those not named here follow as they come.

    Raises:
        DataError: no orders, two orders of one text by one person, or orders of one text with different units.

    >>> found = reorderings([GivenOrder("s", "p", "abc"), GivenOrder("s", "q", "acb"), GivenOrder("t", "p", "ba")])
    >>> found.people, found.which.tolist(), round(float(found.taus[0, 0, 1]), 4)
    (('p', 'q'), [[0, 1], [2, -1]], 0.3333)
    """
    orders = tuple(given)
    if not orders:
        raise DataError("there are no orders; give at least one")
    twice = [cell for cell, count in Counter((each.item, each.by) for each in orders).items() if count > 1]
    if twice:
        item, by = twice[0]
        raise DataError(f"{by} has more than one order of text {item}; give one for each person and text")
    _check_units(orders)
    texts, people = ({name: place for place, name in enumerate(dict.fromkeys(names))} for names in _names(orders))
    there = dict.fromkeys(each.condition for each in orders)
    every = {name: place for place, name in enumerate([c for c in conditions if c in there])}
    for name in there:
        every.setdefault(name, len(every))
    which = np.full((len(texts), len(people)), -1)
    condition = which.copy()
    for place, each in enumerate(orders):
        cell = texts[each.item], people[each.by]
        which[cell], condition[cell] = place, every[each.condition]
    return Reorderings(orders, tuple(texts), tuple(people), tuple(every), which, condition)


def _check_units(orders: Sequence[GivenOrder]) -> None:
    """Refuse an order of other units than the first order of its text, or one that names a unit twice."""
    firsts: dict[str, GivenOrder] = {}
    for each in orders:
        first = firsts.setdefault(each.item, each)
        mine, wanted = (Counter(read_order(one.order, "order")) for one in (each, first))
        where = f"text {each.item}, {each.by}"
        twice = [unit for unit, count in mine.items() if count > 1]
        if twice:
            raise DataError(f"{where}: the order names units more than once: {unit_list(twice)}; name each once")
        unlike = [unit for unit in wanted | mine if (unit in mine) != (unit in wanted)]
        if unlike:
            raise DataError(
                f"{where}: only this order or only that of {first.by} has {unit_list(unlike)}; give the same units"
            )


def _names(orders: Sequence[GivenOrder]) -> tuple[list[str], list[str]]:
    return [each.item for each in orders], [each.by for each in orders]


EXCHANGE = "lists exchanged between people"
_ENUMERATED = 10_000
"""Up to this number of exchanges, all of them are made."""
_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class ExchangedLists:
    """Ways to hand the lists out again.

    A list says in which condition each text is shown. Handing lists to people is what chance did in the study; if
    conditions make no difference, people would have given the same orders with any other list. So a statistic of the
    orders with the lists exchanged is as likely as the one seen, however people, texts and pairs hang together.
    """

    whose: Codes
    """Shape (ways, people): whose list each person gets; the first way is the one seen."""
    exact: bool
    """Whether these are all ways; else a sample, and p = (b+1)/(ways), with the way seen as one of them."""
    reason: str = ""
    """Why there is no test; empty where there is one."""

    def p(self, values: Floats) -> float:
        """Share of the ways whose value is at least as large as the one seen; an undefined one counts as larger."""
        if self.reason or math.isnan(values[0]):
            return math.nan
        return float(np.mean(~(values < values[0] - _SLACK)))

    @property
    def settings(self) -> dict[str, object]:
        """For a signature."""
        return {
            "test": EXCHANGE,
            "p": "exact" if self.exact else f"{len(self.whose) - 1} draws",
        }


def exchanged_lists(people: Reorderings, *, draws: int = 1999, seed: int = 0) -> ExchangedLists:
    """Ways to exchange lists between people who ordered the same texts: all where there are few, else random draws.

    Raises:
        UsageError: not at least one draw.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise UsageError(f"draws must be a whole number of at least 1, got {draws!r}")
    n = len(people.people)
    seen = np.arange(n)
    groups = _alike(people)
    if len(people.conditions) < 2:
        return ExchangedLists(seen[None], exact=True, reason="there is one condition only")
    if not any(len({tuple(people.condition[:, p]) for p in group}) > 1 for group in groups):
        reason = "no two people ordered the same texts in different conditions, so nothing can be exchanged"
        return ExchangedLists(seen[None], exact=True, reason=reason)
    if math.prod(math.factorial(len(group)) for group in groups) <= _ENUMERATED:
        ways = [np.concatenate(way) for way in product(*(list(permutations(group)) for group in groups))]
        whose = np.empty((len(ways), n), dtype=np.int64)
        whose[:, np.concatenate(groups)] = ways  # the first of all permutations is the order seen
        return ExchangedLists(whose, exact=True)
    stream = Stream(seed, "ordering", "exchanged lists")
    whose = np.tile(seen, (draws + 1, 1))
    for group in groups:
        order = np.argsort(stream.uniforms(draws * len(group)).reshape(draws, -1), axis=1)
        whose[1:, group] = np.asarray(group)[order]
    return ExchangedLists(whose, exact=False)


def _alike(people: Reorderings) -> list[list[int]]:
    """People by the texts that they ordered."""
    groups: dict[bytes, list[int]] = {}
    for person, there in enumerate(people.which.T >= 0):
        groups.setdefault(there.tobytes(), []).append(person)
    return list(groups.values())
