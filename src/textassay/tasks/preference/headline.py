"""Who was preferred, in words: what was counted, and what is to be expected if all systems meet equally often."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from textassay.analysis.compare_systems import Interval
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.options import RecipeOptions
from textassay.analysis.wording import per_cent
from textassay.headline import Headline, Sentence, SystemName
from textassay.report.numbers import format_value, p_in_words
from textassay.stats.mean_interval import cut_interval

if TYPE_CHECKING:
    from textassay.tasks.preference.comparison import PreferenceComparison


def preference_headline(
    part: PreferenceComparison, options: RecipeOptions, corrected: Mapping[str, float] | None = None
) -> Headline:
    """Who was preferred how often, and how sure that is; `corrected` has the p of all criteria, corrected over them."""
    won, met = _wins(part)
    counted = {name: won[name] / met[name] for name in met if met[name]}
    estimates = part.systems.estimates
    several = len(met) > 2 and bool(estimates)
    shown = {name: f"{won[name]} of {met[name]} comparisons ({100 * share:.0f} %)" for name, share in counted.items()}
    words = Wording(
        best="was preferred most",
        worst="least",
        beats="was preferred to",
        on=f" on {part.criterion}",
        value="in {}" if part.choices or not several else "{}",
        scale=_scale_in_words(part, options) if several else "",
        better_than=("preferred", "to"),
    )
    evidence = Evidence(
        values={name: estimates.get(name, (counted.get(name, math.nan), math.nan, math.nan)) for name in met},
        shown={name: _of_model(part, name, won, met, options) for name in estimates} if several else shown,
        participants=part.participants,
        items=part.items,
        confidence=options.confidence,
        alpha=options.alpha,
        caveat=part.leading.caveat,
        corrected=corrected or {},
        more=(
            *(_of_two(part, options) if len(met) == 2 else ()),
            *_other_order(counted, estimates),
            *_unanimous(part),
        ),
    )
    return system_headline(part.systems, words, evidence)


def shares_won(part: PreferenceComparison) -> dict[str, Interval]:
    """Of plain choices, by system the share of comparisons won, as if all had met equally often.

    The places of k systems sum to 0, so that one is k / (k - 1) times itself above the mean of the others; that is the
    share won less the share lost. Where neither is preferred, both have won half.
    """
    times = len(part.systems.estimates) / max(len(part.systems.estimates) - 1, 1)
    found = {}
    for name, place in part.systems.estimates.items():
        share, low, high = ((1 + times * each) / 2 for each in place)
        found[name] = (min(max(share, 0.0), 1.0), *cut_interval((low, high), (0.0, 1.0)))
    return found


def _of_model(
    part: PreferenceComparison, system: str, won: Mapping[str, int], met: Mapping[str, int], options: RecipeOptions
) -> str:
    """What is estimated of one of several systems, with its interval, and what was counted."""
    level = per_cent(options.confidence)
    if part.choices:
        share, *ends = (f"{100 * each:.0f}" for each in shares_won(part)[system])
        return f"{share} % of comparisons ({level} CI {' to '.join(ends)} %; counted: {won[system]} of {met[system]})"
    value, *ends = map(format_value, part.systems.estimates[system])
    return f"{value} ({level} CI {' to '.join(ends)}; preferred in {won[system]} of {met[system]} comparisons)"


def _unanimous(part: PreferenceComparison) -> Iterator[Sentence]:
    """Where everybody always chose the same of two systems, what can still be said: each participant, or item, once."""
    if part.systems.leading is not None or not part.choices or len(part.pairs.answers) != 1:
        return
    (pair,), ((first, neither, second),) = part.pairs.pairs, part.pairs.answers
    if neither or not (first or second) or (first and second):
        return
    over = [(part.participants, "participants", "on these items"), (part.items, "items", "by these participants")]
    signs = " and ".join(f"{p_in_words(2.0 ** (1 - n))} over the {n} {name} ({those})" for n, name, those in over)
    how = "nothing varies by which the leading test could measure. Sign tests, in which each counts once, give"
    chosen = SystemName(pair.first if first else pair.second)
    yield f"All {first + second} choices are for ", chosen, f", and {how} {signs}."


def _scale_in_words(part: PreferenceComparison, options: RecipeOptions) -> str:
    if part.choices:
        return ", as if all systems had met equally often"
    return f", as mean preference over the average system{_scale_of(part, options)}"


def _scale_of(part: PreferenceComparison, options: RecipeOptions) -> str:
    scale = options.scales.get(part.criterion)
    return "" if scale is None else f" on the scale from {scale[0]:g} to {scale[1]:g}".replace("-", "−")


def _other_order(counted: Mapping[str, float], estimates: Mapping[str, Interval]) -> Iterator[Sentence]:
    """What is to be said where another system won most, or least, as counted than is estimated."""
    known = sorted((name for name in estimates if name in counted), key=lambda name: estimates[name][0])
    if known and (counted[known[-1]] < max(counted.values()) or counted[known[0]] > min(counted.values())):
        yield (_OTHER_ORDER,)


_OTHER_ORDER = (
    "Wins as counted would put the systems in another order; the estimates also take in how strongly a system was "
    "preferred, ties, and which systems it met."
)


def _wins(part: PreferenceComparison) -> tuple[dict[str, int], dict[str, int]]:
    """By system in how many comparisons it was preferred, and in how many it was."""
    won = dict.fromkeys(part.scale.systems, 0)
    met = dict(won)
    for pair, (first, neither, second) in zip(part.pairs.pairs, part.pairs.answers, strict=True):
        for name, own in ((pair.first, first), (pair.second, second)):
            won[name] += own
            met[name] += first + neither + second
    return won, met


def _of_two(part: PreferenceComparison, options: RecipeOptions) -> Iterator[Sentence]:
    """Of two systems that met: neither, and what the leading model expects of other participants and items."""
    neither = sum(answers[1] for answers in part.pairs.answers)
    if neither:
        yield (f"Neither was preferred in {neither}.",)
    first, second = part.scale.systems
    found = None if part.systems.pairs is None else part.systems.pairs.get(first, second)
    if found is None or math.isnan(found.p):
        return
    ahead, level = found if found.difference > 0 else found.turned(), per_cent(options.confidence)
    if part.choices:
        # Won less lost is the difference; where neither is preferred, both have won half.
        ends = cut_interval(((1 + ahead.ci[0]) / 2, (1 + ahead.ci[1]) / 2), (0.0, 1.0))
        share, low, high = (f"{100 * each:.0f}" for each in ((1 + ahead.difference) / 2, *ends))
        whom = {"participants": " by other participants", "items": " on other items"}
        others = "".join(words for name, words in whom.items() if name in part.leading.found.holds_for)
        text = f" would be preferred in {share} % of comparisons{others} ({level} CI {low} to {high} %)."
    else:
        low, high = map(format_value, ahead.ci)
        text = f" is ahead by {format_value(ahead.difference)}{_scale_of(part, options)} ({level} CI {low} to {high})."
    yield SystemName(ahead.first), text
