"""Headlines of compared systems: who comes first, by how much, how sure that is, and on how many it rests.

The leading test and its pairs are those that the comparison puts first, so that what leads is decided in one place.
Without a test that may be believed nothing is called a difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from textassay.analysis.compare_systems import Interval, SystemComparison, SystemTest
from textassay.analysis.wording import per_cent
from textassay.headline import Headline, Sentence, SystemName
from textassay.pairwise import Better, PairwiseComparison
from textassay.prose import numbered
from textassay.report.numbers import NumberFormat, format_value, p_in_words


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How one kind of trial speaks of its measure."""

    best: str
    """After the name of the best system: `was rated highest`."""
    worst: str
    """After the name of the worst: `lowest`."""
    beats: str
    """Between the better and the other of two systems: `was rated higher than`."""
    compared: str = "systems"
    """What is compared."""
    on: str = ""
    """What it is about, after that: ` on clarity`."""
    value: str = "{}"
    """How one value is shown: `mean rank {}`."""
    scale: str = ""
    """What the values can be: ` on the scale from 1 to 7`."""
    better: Better = "higher"
    unit: str = ""
    """After a difference: ` points`."""
    kind: NumberFormat = NumberFormat.MEASURE
    """How its numbers are rounded."""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    """Ends of the scale, which an interval may not leave."""
    better_than: tuple[str, str] = ("better", "than")
    """After `significantly`: `better than`, `preferred to`."""
    ratio: str = ""
    """Where pairs are ratios, how a ratio is told: `which took {} times as long`."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a comparison rests on."""

    values: Mapping[str, Interval]
    """By system its value and the ends of its interval, nan where there is none."""
    participants: int
    items: int
    confidence: float = 0.95
    alpha: float = 0.05
    shown: Mapping[str, str] = field(default_factory=dict)
    """By system how its value is shown, where that is not the value itself."""
    caveat: str = ""
    """What changes the conclusion."""
    corrected: Mapping[str, float] = field(default_factory=dict)
    """By criterion the p of its leading test, corrected over all criteria; empty where there are not several."""
    more: Sequence[Sentence] = field(default_factory=tuple)
    """Further sentences of the task, after the first."""


def system_headline(part: SystemComparison, words: Wording, found: Evidence) -> Headline:
    """The headline of one measure."""
    return Headline(part.measure, tuple(_sentences(part, words, found)))


def _sentences(part: SystemComparison, words: Wording, found: Evidence) -> Iterator[Sentence]:
    known = {name: each for name, each in found.values.items() if not math.isnan(each[0])}
    if not known:
        yield (f"No system has a value{words.on}.",)
        return
    test = part.leading
    order = sorted(known, key=lambda name: known[name][0], reverse=words.better != "lower")
    show = _Show(words, found.confidence, known, found.shown)
    if len(known) == 1:
        yield f"Only one system was judged{words.on}, ", SystemName(order[0]), f": {show(order[0])}{words.scale}."
    elif (tested := _only_some_tested(part, len(known))) and (test is None or math.isnan(test.p)):
        yield from _comparable(tested, words)
        yield from found.more
    elif test is None or math.isnan(test.p):
        begin = f"No valid test of a difference{words.on} was possible: "
        yield begin, *_listed(order, show), f"{words.scale}."
        yield from found.more
    elif test.p < found.alpha:
        yield _winner(order, words, show, part)
        yield from found.more
        yield (f"The {words.compared} differ: {in_words(test)}{_over_criteria(part.measure, found)}.",)
        yield from _best_against_others(order[0], part, words.better_than)
    else:
        yield (f"No clear difference{words.on}: ", *_listed(order, show), f"{words.scale}; {in_words(test)}.")
        yield from found.more
    if part.equivalence is not None:
        yield part.equivalence.in_words(ratio=part.ratios)
    yield (f"Based on {numbered(found.participants, 'participant')} and {numbered(found.items, 'item')}.",)
    if found.caveat:
        yield (f"{found.caveat[0].upper()}{found.caveat[1:]}.",)


def _only_some_tested(part: SystemComparison, systems: int) -> list[PairwiseComparison]:
    """The pairs that have a test where others have none: the design falls into parts; else nothing."""
    tested = [pair for pair in part.pairs or () if not math.isnan(pair.p)]
    return tested if len(tested) < math.comb(systems, 2) else []


def _comparable(tested: Sequence[PairwiseComparison], words: Wording) -> Iterator[Sentence]:
    """What is known of the pairs that can be compared; an order of all systems would compare the others, too."""
    better, than = words.better_than
    pairs = numbered(len(tested), "pair")
    begin = f"Not all {words.compared} can be compared{words.on}: only {pairs} can."
    found = [(pair.winner, pair.second if pair.winner == pair.first else pair.first) for pair in tested if pair.winner]
    if not found:
        yield (f"{begin} None of them differs significantly.",)
    elif len(found) > _MOST_NAMES:
        yield (f"{begin} {len(found)} of them differ significantly.",)
    else:
        told: list[str | SystemName] = []
        for one, other in found:
            told += [", " if told else "", SystemName(one), f" is significantly {better} {than} ", SystemName(other)]
        yield f"{begin} ", *told, "."


def _over_criteria(measure: str, found: Evidence) -> str:
    """What the p of the leading test is when corrected over all criteria."""
    p = found.corrected.get(measure)
    if p is None:
        return ""
    text = f"; {p_in_words(p)} when corrected for the {len(found.corrected)} criteria"
    return text if p < found.alpha else f"{text}, which is not significant"


@dataclass(frozen=True)
class _Show:
    """Values as they are shown."""

    words: Wording
    confidence: float
    values: Mapping[str, Interval]
    shown: Mapping[str, str]

    def __call__(self, system: str) -> str:
        if system in self.shown:
            return self.words.value.format(self.shown[system])
        value, low, high = self.values[system]
        least, most = self.words.bounds
        text = self.words.value.format(self.number(value))
        if math.isnan(low):
            return text
        ends = f"{self.number(max(low, least))} to {self.number(min(high, most))}"
        return f"{text} ({per_cent(self.confidence)} CI {ends})"

    def number(self, value: float) -> str:
        return format_value(float(value), self.words.kind)


def _listed(order: Sequence[str], show: _Show) -> Sentence:
    """Up to three systems with their values, else the best and the worst."""
    if len(order) <= 3:
        names = [(SystemName(name), f" {show(name)}") for name in order]
        return tuple(piece for place, each in enumerate(names) for piece in ((", " if place else ""), *each) if piece)
    return "from ", SystemName(order[0]), f" {show(order[0])} to ", SystemName(order[-1]), f" {show(order[-1])}"


def _winner(order: Sequence[str], words: Wording, show: _Show, part: SystemComparison) -> Sentence:
    first, last = order[0], order[-1]
    values = show.values
    if len(order) == 2 and first in show.shown:
        return SystemName(first), f" {words.beats} ", SystemName(last), f"{words.on}: {show(first)}."
    if len(order) == 2:
        pair = None if part.pairs is None else part.pairs.get(first, last)
        gap = "" if pair is None else f", {_gap(pair, words, show)}"
        both = f"{words.value.format(show.number(values[first][0]))} against {show.number(values[last][0])}"
        return SystemName(first), f" {words.beats} ", SystemName(last), f"{words.on}: {both}{words.scale}{gap}."
    return (
        SystemName(first), f" {words.best}{words.on}: {show(first)}; ",
        SystemName(last), f" {words.worst}: {show(last)}{words.scale}.",
    )  # fmt: skip


def _gap(pair: PairwiseComparison, words: Wording, show: _Show) -> str:
    """By how much the better of two is ahead; always from the better one's side, so that it is positive."""
    ahead = pair if pair.difference > 0 else pair.turned()
    figures = (ahead.difference, *ahead.ci)
    if words.ratio:
        gap, *ends = (format_value(math.exp(each)) for each in figures)
        text = words.ratio.format(gap)
    else:
        gap, *ends = map(show.number, figures)
        text = f"a difference of {gap}{words.unit}"
    return f"{text} ({per_cent(show.confidence)} CI {' to '.join(ends)})"


def _best_against_others(best: str, part: SystemComparison, words: tuple[str, str]) -> Iterator[Sentence]:
    """From which of the others the best differs significantly."""
    better, than = words
    if part.pairs is None or len(part.pairs.names) < 3:
        return
    found = [(name, part.pairs.get(best, name)) for name in part.pairs.names if name != best]
    worse = [name for name, pair in found if pair is not None and pair.winner == best]
    level = [name for name, pair in found if pair is not None and pair.winner != best]
    over = f" (corrected for {len(part.pairs)} pairs)"
    if not worse:
        yield SystemName(best), f" is not significantly {better} {than} any single other system{over}."
        return
    rest: Sentence = (f", but not {than} ", *_names_or_count(level, "others")) if level else ()
    of = "all" if not level else f"{len(worse)} of the"
    beaten = _names_or_count(worse, f"{of} {len(found)} other systems", counted=True)
    yield SystemName(best), f" is significantly {better} {than} ", *beaten, *rest, f"{over}."


_MOST_NAMES = 5
"""A sentence names no more systems than this."""


def _names_or_count(systems: Sequence[str], what: str, *, counted: bool = False) -> Iterator[str | SystemName]:
    """The systems by name; if they are many, how many there are."""
    if len(systems) <= _MOST_NAMES:
        yield from _names(systems)
    else:
        yield what if counted else f"{len(systems)} {what}"


def _names(systems: Sequence[str]) -> Iterator[str | SystemName]:
    for place, system in enumerate(systems):
        if place:
            yield " and " if place == len(systems) - 1 else ", "
        yield SystemName(system)


def in_words(test: SystemTest) -> str:
    """A test as papers print it.

    >>> in_words(SystemTest("mixed model", "F", 13.5, (1, 4.25), 0.0213, ""))
    'F(1, 4.25) = 13.50, p = .021 (mixed model)'
    >>> in_words(SystemTest("logistic mixed model", "χ²", 31.5, (2, None), 1e-7, ""))
    'χ²(2) = 31.50, p < .001 (logistic mixed model)'
    """
    df = ", ".join(f"{each:.2f}".rstrip("0").rstrip(".") for each in test.df if each is not None)
    return f"{test.statistic}({df}) = {format_value(float(test.value))}, {p_in_words(test.p)} ({test.name})"
