"""Materials for an experiment on order: of each text one order from each bin of tau, as Lapata (2006) made hers.

Sentences that depend on the one before (they open with a connective, or with a pronoun) are pointed out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from statistics import median

from textassay.errors import DataError, UsageError
from textassay.ordering.distributions.sampling import sample_of
from textassay.ordering.distributions.tau_counts import By, TauBin, checked_edges, tau_bins, tau_of_inversions
from textassay.ordering.measures.tau import inversions
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.statistic import Statistic

Sentences = Mapping[str, str]
"""Unit id → its text, in the original order."""
_UNLIKE = 0.25
"""A text whose number of words is further from the median than this share of it is reported."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LONGEST = 4
"""Words of the longest connective."""


@dataclass(frozen=True)
class SampledOrder:
    """One text in one order."""

    item: str
    bin: TauBin
    tau: float
    order: tuple[str, ...]
    text: str
    """The sentences in this order, joined by spaces."""


@dataclass(frozen=True, kw_only=True)
class Materials(Statistic):
    """Texts in orders of known tau."""

    drawn: tuple[SampledOrder, ...]
    """Item by item, each from the bin with the highest tau to the lowest."""

    def records(self) -> list[Record]:
        """One record per text and bin: its tau with the original order."""
        return [
            self.record("tau", each.tau, of=each.item, bin=each.bin.number, order=" ".join(each.order), text=each.text)
            for each in self.drawn
        ]


def materials(
    texts: Mapping[str, Sentences],
    *,
    bins: int | Sequence[float] = 8,
    by: By = "width",
    among: Mapping[str, Sequence[Sequence[str]]] | None = None,
    seed: int = 0,
    language: str = "en",
) -> Materials:
    """One random order from each bin of tau, for each text; every order of a bin is equally likely.

    What must be looked at by hand is reported: sentences that open with a connective or a pronoun, which tell their
    place; texts of different numbers of sentences, which differ in their values of tau; texts much longer or shorter
    than the others; bins that no order of so few sentences falls in.

    Args:
        texts: Item → unit id → text, in the original order.
        bins: How many, from the highest tau down; or the edges between bins of unequal width, falling.
        by: Bins of equal `width`, or with about as many `orders` each.
        among: Item → the orders to choose from, such as those of an earlier experiment; by default all orders.
        seed: Of the draws. Every item draws from a stream of its own, so that another item changes nothing.
        language: Of the texts, for connectives and pronouns.

    Raises:
        DataError: no texts, one with fewer than 2 units, or orders to choose from that do not fit them.
        UsageError: a wrong setting.

    >>> made = materials({"t1": {"a": "Mary came.", "b": "She sat.", "c": "Then John left."}}, bins=2, seed=1)
    >>> [(each.bin.number, round(each.tau, 4), " ".join(each.order)) for each in made.drawn]
    [(1, 0.3333, 'a c b'), (2, -0.3333, 'b c a')]
    >>> made.warnings[0]
    "item t1, unit b opens with a pronoun: 'She'"
    """
    if not texts:
        raise DataError("there are no texts; give at least one")
    shown = ", ".join(f"{edge:g}" for edge in checked_edges(bins)) if isinstance(bins, Sequence) else bins
    stream = Stream(seed, "ordering", "materials", shown, by)
    drawn: list[SampledOrder] = []
    empty: dict[int, list[int]] = {}
    for item, sentences in texts.items():
        if len(sentences) < 2:
            raise DataError(f"item {item} has fewer than 2 units ({len(sentences)}), which have no order to change")
        found = tau_bins(len(sentences), bins, by=by)
        empty[len(sentences)] = [each.number for each in found if not each.orders]
        given = None if among is None else _given(item, sentences, among)
        drawn += [_draw(item, sentences, each, stream.child(item, each.number), given) for each in found if each.orders]
    chosen = {} if among is None else {"among": "given orders"}
    return Materials(
        method="materials by tau",
        settings={"bins": shown, "by": by, "edges": "to the upper bin", **chosen, "seed": seed, "language": language},
        warnings=(*_openings(texts, language), *_lengths(texts), *_empty(empty)),
        drawn=tuple(drawn),
    )


def _given(item: str, sentences: Sentences, among: Mapping[str, Sequence[Sequence[str]]]) -> list[tuple[str, ...]]:
    orders = [tuple(order) for order in among.get(item, ())]
    strange = [order for order in orders if sorted(order) != sorted(sentences)]
    if strange:
        raise DataError(f"item {item}: the order {' '.join(strange[0])} does not have the units {' '.join(sentences)}")
    return list(dict.fromkeys(orders))


def _draw(
    item: str, sentences: Sentences, wanted: TauBin, stream: Stream, given: Sequence[tuple[str, ...]] | None
) -> SampledOrder:
    units = list(sentences)
    if given is None:
        order = tuple(units[number] for number in sample_of(len(units), wanted.inversions, stream))
    else:
        fit = [order for order in given if inversions(order, units) in wanted.inversions]
        if not fit:
            raise DataError(f"item {item}: none of the orders to choose from has a tau in {wanted.holds}")
        order = stream.choice(fit)
    tau = tau_of_inversions(inversions(order, units), len(units))
    return SampledOrder(item, wanted, tau, order, " ".join(sentences[unit] for unit in order))


def _openings(texts: Mapping[str, Sentences], language: str) -> list[str]:
    if language.partition("-")[0].lower() not in opening_languages():
        known = ", ".join(opening_languages())
        return [f"openings were not checked: there is no list of connectives and pronouns for {language} ({known})"]
    found = []
    for item, sentences in texts.items():
        for unit, text in sentences.items():
            seen = opening(text, language)
            if seen is not None:
                found.append(f"item {item}, unit {unit} opens with a {seen.kind}: {seen.words!r}")
    return found


def _lengths(texts: Mapping[str, Sentences]) -> list[str]:
    found = []
    counts: dict[int, list[str]] = {}
    for item, sentences in texts.items():
        counts.setdefault(len(sentences), []).append(item)
    if len(counts) > 1:
        shown = "; ".join(
            f"{n} in {', '.join(items[:5])}{'…' * (len(items) > 5)}" for n, items in sorted(counts.items())
        )
        found.append(f"texts have different numbers of units ({shown}), so the same bin holds other values of tau")
    words = {item: sum(len(text.split()) for text in sentences.values()) for item, sentences in texts.items()}
    usual = median(words.values())
    unlike = [f"{item} ({count})" for item, count in words.items() if math.fabs(count - usual) > _UNLIKE * usual]
    if unlike:
        found.append(f"texts of unequal length: the median is {usual:g} words, but {', '.join(unlike)}")
    return found


def _empty(empty: Mapping[int, list[int]]) -> list[str]:
    return [
        f"no order of {n} units has a tau in bin {', '.join(map(str, numbers))}; nothing was drawn from there"
        for n, numbers in sorted(empty.items())
        if numbers
    ]


@dataclass(frozen=True)
class Opening:
    """How a sentence opens."""

    kind: str
    """`connective` or `pronoun`."""
    words: str
    """As the sentence has them."""


def opening(sentence: str, language: str = "en") -> Opening | None:
    """The connective or pronoun that a sentence opens with; None where it opens with neither.

    Words are looked up in a list for the language. A pronoun that is resolved within its own sentence, or an article
    that looks like one, is reported all the same: a person has to look.

    Raises:
        UsageError: there is no list for the language.

    >>> opening("However, it rained."), opening("Mary left.")
    (Opening(kind='connective', words='However'), None)
    >>> opening("Sie blieb.", "de")
    Opening(kind='pronoun', words='Sie')
    """
    known = _lists()
    code = language.partition("-")[0].lower()
    if code not in known:
        raise UsageError(
            f"there is no list of connectives and pronouns for {language!r}; there are: {', '.join(known)}"
        )
    words = [match.group() for match in _WORD.finditer(sentence)][:_LONGEST]
    for length in range(len(words), 0, -1):  # the longest that fits: "in fact" before "in"
        kind = known[code].get(" ".join(words[:length]).lower().replace("’", "'"))
        if kind:
            return Opening(kind, " ".join(words[:length]))
    return None


def opening_languages() -> tuple[str, ...]:
    """Languages that have a list."""
    return tuple(_lists())


@cache
def _lists() -> dict[str, dict[str, str]]:
    """For each language, what each opening is."""
    stored = json.loads(files("textassay.ordering").joinpath("openings.json").read_text(encoding="utf-8"))
    return {
        language: {words: kind for kind, listed in kinds.items() for words in listed}
        for language, kinds in stored.items()
    }
