"""How much people's orders vary: what is said of a table of orders, with or without a study.

The parts, in the order of a report: how far people agree, by text; what difference the condition made; how systems
fare against people's orders as references, and how many of those are enough; then details.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textassay.analysis.options import RecipeOptions
from textassay.analysis.orders.agreement_tables import (
    against_people_table,
    differing_texts_table,
    pair_anova_table,
    people_pairs_table,
    people_table,
    references_needed_table,
    text_agreement_table,
    text_pairs_table,
)
from textassay.analysis.orders.condition_tables import (
    condition_agreement_table,
    condition_scores_table,
    positions_table,
    published_scores_tables,
    start_effect_table,
    target_scores_table,
)
from textassay.analysis.orders.figures import position_figures, tau_figure, text_agreement_figure
from textassay.analysis.wording import named_warnings
from textassay.ordering.agreement.consensus import Consensus, consensus
from textassay.ordering.orders import GivenOrder
from textassay.ordering.variability.agreement_tests import AgreementTest, condition_agreement, text_agreement
from textassay.ordering.variability.pair_anova import PairAnova, PairsOfPeople, pair_anova, pairs_of_people
from textassay.ordering.variability.people_references import (
    PeopleReferences,
    ReferencesNeeded,
    people_references,
    references_needed,
)
from textassay.ordering.variability.published_scores import PublishedScores, published_scores
from textassay.ordering.variability.reorderings import Reorderings, exchanged_lists, reorderings
from textassay.ordering.variability.score_tests import (
    ScoreTests,
    Targets,
    TargetScores,
    score_tests,
    target_scores,
)
from textassay.ordering.variability.start_effect import StartEffect, start_effect
from textassay.results import Analysis, Result

FEW = "fewer than two people ordered a text, so there is nothing to compare"


@dataclass(frozen=True)
class Variability:
    """All results."""

    people: Reorderings
    targets: Targets
    texts: AgreementTest
    consensus: tuple[tuple[Consensus, Consensus], ...]
    """Kemeny's and Borda's of each text."""
    pairs: PairsOfPeople
    published: PairAnova | None
    conditions: AgreementTest | None
    start: StartEffect | None
    scores: TargetScores
    tests: ScoreTests | None
    numbered: PublishedScores | None
    """The same scores with one order that numbers the units."""
    systems: PeopleReferences | None
    needed: ReferencesNeeded | None


def order_variability(
    given: Sequence[GivenOrder],
    *,
    targets: Targets,
    conditions: Sequence[str] = (),
    numbering: str | None = None,
    options: RecipeOptions | None = None,
) -> list[Analysis]:
    """Everything that is said of people's orders.

    Args:
        given: One order a person and text.
        targets: Orders to compare with, such as those of systems; orders that conditions start with are added, unless
            a target has the condition's name.
        conditions: Their order in tables.
        numbering: The target whose order numbers the units in the published analysis of scores: the original; by
            default the first condition, or else the first target, that has an order of every text.
        options: How they are analysed.

    Raises:
        DataError: two orders of one text by one person, or orders of one text with different units.
        UsageError: `numbering` is no target, or lacks the order of a text.
    """
    people = reorderings(given, conditions=conditions) if given else None
    if people is None or ((people.which >= 0).sum(axis=1) < 2).all():
        return [Analysis("agreement", "Agreement between people", warnings=(FEW,), place="agreement")]
    # those given come first, and keep their names
    every = {**targets, **start_targets(people), **targets}
    found = variability(people, every, options or RecipeOptions(), numbering)
    parts = [_agreement(found), _conditions(found), _references(found), _details(found)]
    return [part for part in parts if part is not None]


def variability(
    people: Reorderings, targets: Targets, options: RecipeOptions, numbering: str | None = None
) -> Variability:
    """All results of orders that are read."""
    named = [*(name for name in people.conditions if name in targets), *targets]
    whole = (name for name in named if all(text in targets[name] for text in people.texts))
    original = numbering or next(whole, None)
    lists = exchanged_lists(people, draws=options.draws, seed=options.seed)
    several = len(people.conditions) > 1
    resampled = {name: getattr(options, name) for name in ("alpha", "confidence", "draws", "seed")}
    scores = target_scores(people, targets)
    systems = people_references(people, targets)
    each = [people.orders(text) for text in range(len(people.texts))]
    return Variability(
        people=people,
        targets=targets,
        texts=text_agreement(people, **resampled),
        consensus=tuple((consensus(orders), consensus(orders, rule="borda")) for orders in each),
        pairs=pairs_of_people(people, seed=options.seed),
        published=pair_anova(people, alpha=options.alpha),
        conditions=condition_agreement(people, **resampled) if several else None,
        start=start_effect(people, lists) if several else None,
        scores=scores,
        tests=score_tests(people, targets, scores, lists, alpha=options.alpha),
        numbered=None if original is None else published_scores(people, targets, original, alpha=options.alpha),
        systems=systems,
        needed=references_needed(people, systems, seed=options.seed),
    )


def start_targets(people: Reorderings) -> dict[str, dict[str, Sequence[str]]]:
    """The orders with which conditions start, where everybody in a condition saw the same one; else none."""
    found: dict[str, dict[str, Sequence[str]]] = {condition: {} for condition in people.conditions}
    for each in people.given:
        if each.start is None:
            return {}
        known = found[each.condition].setdefault(each.item, tuple(each.start))
        if known != tuple(each.start):
            return {}
    return found


def _agreement(found: Variability) -> Analysis:
    tables = [text_agreement_table(found), differing_texts_table(found)]
    results: list[Result] = [found.texts, *(one.about(text) for text, one in _by_text(found))]
    shown = [text_agreement_figure(found), tau_figure(found)]
    return Analysis(
        "agreement",
        "Agreement between people",
        results=tuple(results),
        tables=tuple(table for table in tables if table is not None),
        figures=tuple(figure for figure in shown if figure is not None),
        warnings=(*found.texts.warnings, *named_warnings((text, one.warnings) for text, one in _by_text(found))),
        place="agreement",
    )


def _by_text(found: Variability) -> list[tuple[str, Consensus]]:
    return [(text, one) for text, both in zip(found.people.texts, found.consensus, strict=True) for one in both]


def _conditions(found: Variability) -> Analysis | None:
    if found.conditions is None or found.start is None:
        return None
    tests = () if found.tests is None else (found.tests,)
    tables = [
        start_effect_table(found.start),
        condition_agreement_table(found.conditions),
        *(condition_scores_table(test) for test in tests),
    ]
    results = (found.start, found.conditions, *tests)
    return Analysis(
        "condition-effect",
        "Effect of the condition on orders",
        results=results,
        tables=tuple(tables),
        figures=tuple(replace(figure, detail=True) for figure in position_figures(found)),
        warnings=tuple(dict.fromkeys(text for result in results for text in result.warnings)),
    )


def _references(found: Variability) -> Analysis | None:
    results = tuple(result for result in (found.systems, found.needed) if result is not None)
    if not results:
        return None
    tables = [
        None if found.systems is None else against_people_table(found.systems),
        None if found.needed is None else references_needed_table(found.needed),
    ]
    return Analysis(
        "references",
        "People's orders as references",
        results=results,
        tables=tuple(table for table in tables if table is not None),
        warnings=tuple(text for result in results for text in result.warnings),
        place="details",
    )


def _details(found: Variability) -> Analysis:
    tables = [
        pair_anova_table(found),
        text_pairs_table(found),
        people_table(found.pairs),
        people_pairs_table(found.pairs),
        target_scores_table(found.scores),
        *(() if found.numbered is None else published_scores_tables(found.numbered)),
        positions_table(found),
    ]
    every = (found.published, found.pairs, found.scores, found.numbered)
    results = tuple(result for result in every if result is not None)
    return Analysis(
        "variability-details",
        "Variability in detail",
        results=results,
        tables=tuple(table for table in tables if table is not None),
        warnings=tuple(dict.fromkeys(text for result in results for text in result.warnings)),
        place="details",
    )
