"""What difference conditions make to orders, as tables; among them the layout of Table 1 of Madnani et al. (2007)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textassay.analysis.orders.agreement_tables import f_in_words, p_in_words
from textassay.ordering.measures.position_kappa import position_matrix
from textassay.ordering.variability.agreement_tests import AgreementTest
from textassay.ordering.variability.published_scores import PublishedScores
from textassay.ordering.variability.score_tests import (
    MEASURES,
    ScoreAnalysis,
    ScoreTests,
    TargetScores,
)
from textassay.ordering.variability.score_tests import greater_means as above
from textassay.ordering.variability.start_effect import StartEffect
from textassay.results import Table
from textassay.stats import Anova, Tukey

if TYPE_CHECKING:
    from textassay.analysis.orders.variability import Variability

EXCHANGED = "exchanging between people the lists that say which text they saw in which condition"


def start_effect_table(found: StartEffect) -> Table:
    """Whether those in the same condition are more alike, and come nearer to what they saw."""
    rows: list[tuple[Any, ...]] = [
        ("tau between two people", "same condition", found.same, found.different, found.p, None)
    ]
    rows += [
        (
            "tau with a start",
            f"saw the start of {pull.condition}" if pull.condition else "saw it",
            pull.shown,
            pull.not_shown,
            pull.p,
            pull.p_raw if pull.condition else None,
        )
        for pull in found.pulls
    ]
    return Table(
        "start-effect",
        "Whether the order shown first shapes the order given",
        ("Of", "Who", "Mean tau", "Mean tau of others", "p", "p raw"),
        tuple(rows),
        note=f"Others: two people in different conditions; those who saw another start of the same text. p by "
        f"{EXCHANGED}, one-sided (more alike, nearer): valid however people, texts and pairs hang together. p "
        "of single conditions is adjusted (Holm), p raw is not.",
    )


def condition_agreement_table(found: AgreementTest) -> Table:
    """Agreement within each condition."""
    rows = [(name, mean, *ci) for name, mean, ci in zip(found.groups, found.means, found.intervals, strict=True)]
    pairs = "; ".join(
        f"{pair.first} - {pair.second} = {pair.difference:.3f}, p {p_in_words(pair.p)}" for pair in found.pairs
    )
    test = "" if math.isnan(found.p) else f" Whether conditions differ: {f_in_words(found)}."
    note = (
        "Mean tau of two people who had a text in the same condition, over texts; intervals and tests with people as "
        f"what was sampled.{test}{f' After Holm: {pairs}.' if pairs else ''}"
    )
    columns = ("Condition", "Mean tau", "Low tau", "High tau")
    return Table("condition-agreement", "How far people agree in each condition", columns, tuple(rows), note)


def condition_scores_table(found: ScoreTests) -> Table:
    """The twelve scores in the layout of Madnani et al., by the two-way analysis, with the p of exchanged lists."""
    columns, rows = _layout(found.tests, lambda each: (each.two_way, each.tukey))
    rows = tuple((*row, test.p, test.p_raw) for row, test in zip(rows, found.tests, strict=True))
    note = (
        "Scores of each text and condition, units numbered by the order compared with; F of the condition with texts "
        f"as the other factor. {_HSD} p exchanged: by {EXCHANGED}, after Holm's correction for all scores, and raw "
        "without it; trust it where the two disagree."
    )
    return Table(
        "condition-scores",
        "Closeness to given orders, by condition",
        (*columns, "p exchanged", "p exchanged raw"),
        rows,
        note,
    )


def published_scores_tables(found: PublishedScores) -> tuple[Table, Table]:
    """Table 1 of Madnani et al. with the numbers of one order: texts as a factor, and the one-way analysis it fits."""
    numbers = (
        f"Units have the numbers of {found.numbering} for all targets, as in Madnani et al. (2007): one means vector "
        f"for each text and condition, correlated with the numbers in {_listed(found)}."
    )
    two_way = _layout(found.analyses, lambda each: (each.two_way, each.tukey))
    texts = tuple(_f_of(each.two_way, "text") for each in found.analyses)
    one_way = _layout(found.analyses, lambda each: (each.one_way, each.tukey_one_way))
    return (
        Table(
            "condition-scores-published",
            f"Published: closeness to given orders in the numbers of {found.numbering}",
            (*two_way[0], "F text", "df 1 text", "df 2 text", "p text"),
            tuple((*row, *own) for row, own in zip(two_way[1], texts, strict=True)),
            f"{numbers} Text and condition as factors: F of the condition first, that of the text last. {_HSD}",
        ),
        Table(
            "condition-scores-one-way",
            f"Published: closeness to given orders in the numbers of {found.numbering}, texts not a factor",
            *one_way,
            f"{numbers} Condition as the only factor. The figures printed in the paper fit this analysis, with an HSD "
            "too small by √2; here it is the right one. Texts as a factor (the table before) leave less to error.",
        ),
    )


_HSD = (
    "HSD: least difference of two means that is significant; D, δ: the conditions that differ by more, and by how much."
)


def _listed(found: PublishedScores) -> str:
    *others, last = dict.fromkeys(each.target for each in found.analyses)
    return f"{', '.join(others)} and {last}" if others else last


def _f_of(table: Anova, factor: str) -> tuple[Any, ...]:
    """F, degrees of freedom and p of a factor; empty where it is not in the analysis."""
    if factor not in {effect.name for effect in table.effects}:
        return None, None, None, None
    own = table[factor]
    return own.f, own.df, table.error.df, own.p


def _layout(
    analyses: Sequence[ScoreAnalysis], chosen: Callable[[ScoreAnalysis], tuple[Anova, Tukey]]
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    most = max((len(above(chosen(each)[1])) for each in analyses), default=0)
    pairs = (f"{name}{k}" for k in range(1, most + 1) for name in ("D", "δ"))
    rows = []
    for each in analyses:
        table, tukey = chosen(each)
        cells: list[Any] = [part for more, less, delta in above(tukey) for part in (f"{more} > {less}", delta)]
        cells += [None] * (2 * most - len(cells))
        rows.append((each.name, *_f_of(table, "condition"), tukey.hsd, *cells))
    return ("Score", "F", "df 1", "df 2", "p", "HSD", *pairs), tuple(rows)


def target_scores_table(found: TargetScores) -> Table | None:
    """Every score of every text and condition."""
    if not found.scores:
        return None
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for each in found.scores:
        row = rows.setdefault((each.text, each.condition), {"Orders": each.orders})
        row |= {f"{name} {each.target}": value for name, value in each.values.items()}
    names = [f"{measure} {target}" for measure in MEASURES for target in found.targets]
    return Table(
        "target-scores",
        "Closeness to given orders, by text and condition",
        ("Text", "Condition", "Orders", *names),
        tuple((*key, row["Orders"], *(row.get(name) for name in names)) for key, row in rows.items()),
        note="kappa: of the positions of units; r, rho, tau: of the means vector with the given order.",
    )


def positions_table(found: Variability) -> Table | None:
    """How often each unit is in each position, for every text and condition, in its consensus order."""
    people = found.people
    longest = max(len(one.order) for one, _ in found.consensus)
    rows: list[tuple[Any, ...]] = []
    for place, text in enumerate(people.texts):
        target = found.consensus[place][0].order
        for number, condition in enumerate(people.conditions):
            orders = people.orders(place, number)
            if orders:
                matrix = position_matrix(orders, target).T.tolist()
                blank = [None] * (longest - len(target))
                rows += [(text, condition, str(unit), *row, *blank) for unit, row in zip(target, matrix, strict=True)]
    columns = ("Text", "Condition", "Unit", *map(str, range(1, longest + 1)))
    note = "Counts of orders. Units of a text are in its consensus order; columns are positions."
    return Table("positions", "How often each unit is in each position", columns, tuple(rows), note)
