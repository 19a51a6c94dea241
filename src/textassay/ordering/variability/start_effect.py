"""Whether the order that people saw first shapes the one they give, judged by exchanging lists between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError
from textassay.ordering.measures.tau import tau_matrix
from textassay.ordering.orders import Order
from textassay.ordering.permutations import Floats
from textassay.ordering.variability.reorderings import Codes, ExchangedLists, Reorderings
from textassay.results import Record
from textassay.stats import adjust_p
from textassay.stats.statistic import Statistic

_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class StartAttraction:
    """How far a start draws orders towards itself."""

    condition: str
    """Whose starts; empty for all of them."""
    shown: float
    """Mean tau with a start of those who saw it."""
    not_shown: float
    """Mean tau with the same start of those who saw another."""
    p_raw: float
    """Of these starts alone."""
    p: float
    """Adjusted for all conditions (Holm)."""

    @property
    def difference(self) -> float:
        """What having seen it adds."""
        return self.shown - self.not_shown


@dataclass(frozen=True, kw_only=True)
class StartEffect(Statistic):
    """What difference the condition made to the orders."""

    same: float
    """Mean tau of two people who ordered a text in the same condition, over texts."""
    different: float
    """The same of two people in different conditions."""
    p: float
    """That those in the same condition are more alike."""
    pulls: tuple[StartAttraction, ...]
    """Of all starts, then of those of each condition; none where starts are not known."""
    n: int

    def records(self) -> list[Record]:
        """The difference of agreement, then the pull of the starts."""
        more: Record = {"same": self.same, "different": self.different}
        gap = self.same - self.different
        found = [self.record("same less different condition", gap, of="tau between people", p=self.p, n=self.n, **more)]
        for pull in self.pulls:
            more = {"shown": pull.shown, "not_shown": pull.not_shown, "p_raw": pull.p_raw}
            by = pull.condition or "all starts"
            found.append(
                self.record(
                    "shown less not shown", pull.difference, of="tau with start", by=by, p=pull.p, n=self.n, **more
                )
            )
        return found


def start_effect(people: Reorderings, lists: ExchangedLists) -> StartEffect:
    """Whether conditions, and the orders shown first in them, make a difference to the orders that people give.

    Two statistics, each judged by what it is when people exchange their lists (see `ExchangedLists`): how much more
    alike two people are who had a text in the same condition; and how much nearer those who saw a start come to it than
    those who saw another start of the same text. A good start attracts all people, which the second one excludes.

    Raises:
        DataError: a start with other units than its order.
    """
    same, different = _alike(people, lists.whose)
    gap = _means(same) - _means(different)
    return StartEffect(
        method="effect of the condition on orders",
        settings=lists.settings,
        warnings=(f"lists cannot be exchanged: {lists.reason}",) if lists.reason else (),
        same=float(_means(same)[0]),
        different=float(_means(different)[0]),
        p=lists.p(gap),
        pulls=_pulls(people, lists),
        n=len(people.people),
    )


def _means(values: Floats) -> Floats:
    """Mean of each row over what is known; nan where nothing is."""
    known = ~np.isnan(values)
    count = known.sum(axis=1)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.asarray(np.divide(total, count, out=np.full(len(values), math.nan), where=count > 0))


def _alike(people: Reorderings, whose: Codes) -> tuple[Floats, Floats]:
    """Mean tau of pairs in the same and in different conditions, shape (ways, texts) each; nan without such a pair."""
    first, second = np.triu_indices(len(people.people), 1)
    found = np.full((2, len(whose), len(people.texts)), math.nan)
    for text, taus in enumerate(people.taus[:, first, second]):
        known = ~np.isnan(taus)
        one, other, values = first[known], second[known], taus[known]
        for start in range(0, len(whose), size := max(1, _AT_ONCE // max(1, known.sum()))):
            codes = people.condition[text][whose[start : start + size]]
            same = (codes[:, one] == codes[:, other]).astype(float)
            count = same.sum(axis=1)
            total = same @ values
            with np.errstate(invalid="ignore", divide="ignore"):
                found[0, start : start + size, text] = total / count
                found[1, start : start + size, text] = (values.sum() - total) / (values.size - count)
    return found[0], found[1]


def _pulls(people: Reorderings, lists: ExchangedLists) -> tuple[StartAttraction, ...]:
    if lists.reason or any(each.start is None for each in people.given):
        return ()
    shown, hidden, owners = [], [], []
    for text in range(len(people.texts)):
        for with_it, without, condition in _of_text(people, text, lists.whose):
            shown.append(with_it)
            hidden.append(without)
            owners.append(condition)
    if not shown:
        return ()
    names = ["", *people.conditions]
    chosen = [[place for place, owner in enumerate(owners) if name in ("", owner)] for name in names]
    kept = [(name, places) for name, places in zip(names, chosen, strict=True) if places]
    means = [
        (np.mean([shown[i] for i in places], axis=0), np.mean([hidden[i] for i in places], axis=0))
        for _, places in kept
    ]
    p = [lists.p(np.asarray(one - other)) for one, other in means]
    adjusted = [p[0], *adjust_p(p[1:]).adjusted]
    return tuple(
        StartAttraction(name, float(one[0]), float(other[0]), own, corrected)
        for (name, _), (one, other), own, corrected in zip(kept, means, p, adjusted, strict=True)
    )


def _of_text(people: Reorderings, text: int, whose: Codes) -> list[tuple[Floats, Floats, str]]:
    """For each start of a text, mean tau with it of those who saw it and of the others, in every way; its condition."""
    there = np.flatnonzero(people.which[text] >= 0)
    given = [people.given[int(place)] for place in people.which[text][there]]
    starts = [tuple(each.start or ()) for each in given]
    every = list(dict.fromkeys(starts))
    if len(every) < 2:
        return []
    taus = _taus(people.texts[text], [each.order for each in given], every)
    code = np.full(len(people.people), -1)
    code[there] = [every.index(start) for start in starts]
    drawn = code[whose[:, there]]
    found = []
    for number, start in enumerate(every):
        saw = (drawn == number).astype(float)
        count, total = saw.sum(axis=1), saw @ taus[:, number]
        rest = (taus[:, number].sum() - total) / (len(there) - count)
        found.append((total / count, rest, given[starts.index(start)].condition))
    return found


def _taus(text: str, orders: Sequence[Order], starts: Sequence[Order]) -> Floats:
    try:
        return tau_matrix(orders, starts)
    except DataError as error:
        raise DataError(f"text {text}, starts: {error}") from None
