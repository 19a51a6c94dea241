"""How far people agree on the orders of texts, and how systems fare against people's orders, as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from textassay.ordering.variability.pair_anova import NOT_VALID, greater_sets
from textassay.ordering.variability.people_references import PeopleReferences, ReferencesNeeded
from textassay.ordering.variability.reorderings import EXCHANGE
from textassay.ordering.variability.score_tests import MEASURES
from textassay.results import Table

if TYPE_CHECKING:
    from textassay.analysis.orders.variability import Variability
    from textassay.ordering.variability.agreement_tests import AgreementTest
    from textassay.ordering.variability.pair_anova import PairsOfPeople


def text_agreement_table(found: Variability) -> Table:
    """Agreement on each text, the highest first, with the order that people have in common."""
    rows = []
    for place in by_agreement(found):
        kemeny, borda = found.consensus[place]
        low, high = found.texts.intervals[place]
        common = " ".join(map(str, kemeny.order))
        same = "" if kemeny.order == borda.order else " ".join(map(str, borda.order))
        row = (kemeny.orders, found.texts.means[place], low, high, kemeny.w, common, kemeny.mean_tau, same)
        rows.append((found.people.texts[place], *row))
    columns = ("Text", "Orders", "Mean tau", "Low tau", "High tau", "W", "Consensus", "Its mean tau", "By mean places")
    test = found.texts
    differ = "" if math.isnan(test.p) else f" Whether texts differ: {f_in_words(test)}."
    exact = "" if all(one.exact for one, _ in found.consensus) else " (some not proved to be the best)"
    return Table(
        "text-agreement",
        "How far people agree on each text",
        columns,
        tuple(rows),
        note="Mean tau over all pairs of people, with an interval that holds for other people; W: Kendall's "
        f"concordance of all orders of the text. Consensus: Kemeny's order{exact}, the one with the highest mean tau "
        "with people's orders; the "
        f"order by mean places (Borda's) where it is another.{differ}",
    )


def f_in_words(test: AgreementTest) -> str:
    """The F of a test in words."""
    how = "lists exchanged between people" if str(test.settings["p"]).startswith(EXCHANGE) else "people resampled"
    return f"F({test.df[0]:.3g}, {test.df[1]:.3g}) = {test.f:.2f}, p {p_in_words(test.p)} ({how})"


def p_in_words(p: float) -> str:
    """A p with its sign.

    >>> p_in_words(0.0123), p_in_words(0.00001)
    ('= .012', '< .001')
    """
    return "< .001" if p < 0.001 else f"= {p:.3f}".replace("0.", ".")


def by_agreement(found: Variability) -> list[int]:
    """Places of the texts, the highest mean tau first."""
    means = found.texts.means
    return sorted(range(len(means)), key=lambda place: (math.isnan(means[place]), -means[place]))


def differing_texts_table(found: Variability) -> Table | None:
    """Which texts differ, as Madnani et al. print it: with people resampled, and as published."""
    if len(found.texts.groups) < 2:
        return None
    order = [found.people.texts[place] for place in by_agreement(found)]
    valid = [
        (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
        for pair in found.texts.pairs
        if pair.significant
    ]
    rows: list[tuple[Any, ...]] = [("people resampled", *line) for line in _lines(valid, order)]
    tukey = found.published.tukey if found.published is not None else None
    if tukey is not None:
        pairs = [
            (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
            for pair in tukey.pairs
            if pair.significant
        ]
        rows += [("published: pairs as observations", *line) for line in _lines(pairs, order)]
    return Table(
        "texts-that-differ",
        "On which texts people agree more than on others",
        ("Test", "S+", "S-"),
        tuple(rows),
        note="Each text of S+ has a higher mean tau between people than each of S-. People resampled: t tests of "
        "pseudo-values, Holm's correction; valid. Published: Tukey's HSD over pairs of people, which finds too much "
        "because pairs share people.",
    )


def _lines(pairs: list[tuple[str, str]], order: list[str]) -> list[tuple[str, str]]:
    lines = [(", ".join(more), ", ".join(less)) for more, less in greater_sets(pairs, order)]
    return lines or [("none", "")]


def pair_anova_table(found: Variability) -> Table | None:
    """The analysis of variance over pairs of people."""
    if found.published is None:
        return None
    error = found.published.anova.error
    rows = [(each.name, each.f, each.df, error.df, each.p) for each in found.published.anova.effects]
    return Table(
        "pairs-anova",
        "Published: analysis of variance over pairs of people",
        ("Factor", "F", "df", "Error df", "p"),
        tuple(rows),
        note=f"{NOT_VALID[0].upper()}{NOT_VALID[1:]}.",
    )


def text_pairs_table(found: Variability) -> Table | None:
    """All pairs of texts."""
    if not found.texts.pairs:
        return None
    columns = ("First", "Second", "Difference of tau", "Low tau", "High tau", "p", "p raw")
    rows = tuple((each.first, each.second, each.difference, *each.ci, each.p, each.p_raw) for each in found.texts.pairs)
    note = "Mean tau between people on the first text less that on the second; people resampled; p after Holm."
    return Table("pairs-of-texts", "Agreement on texts, two by two", columns, rows, note)


def people_table(found: PairsOfPeople) -> Table:
    """Everybody's agreement with the others."""
    rows = sorted(((each.name, each.texts, each.mean_tau, each.p) for each in found.persons), key=lambda row: -row[2])
    return Table(
        "people",
        "How far each person agrees with the others",
        ("Participant", "Texts", "Mean tau", "p"),
        tuple(rows),
        note="p: that a person's mean tau would be as low if orders were exchanged between people within texts; "
        "corrected for the number of people.",
    )


def people_pairs_table(found: PairsOfPeople) -> Table:
    """Every pair's agreement over texts."""
    rows = sorted(found.pairs, key=lambda row: -row[2])
    note = "Mean over the texts that both ordered."
    return Table(
        "pairs-of-people",
        "Mean tau of each pair of people",
        ("First", "Second", "Mean tau", "Texts"),
        tuple(rows),
        note,
    )


def against_people_table(found: PeopleReferences) -> Table:
    """Means over texts of each system."""
    names = ("mean tau", "highest", *MEASURES)
    rows = tuple((system, *(found.mean(system, name) for name in names)) for system in found.systems)
    return Table(
        "against-people",
        "Given orders against those of all people",
        ("Order of", "Mean tau", "Highest tau", "kappa", "r", "rho", "tau"),
        rows,
        note="Means over texts. Mean tau: with each person's order; highest: what the best order could reach. kappa: "
        "of the matrix that counts how often each unit of the given order is in each position over people; r, rho, "
        "tau: of people's means vector with it (Madnani et al. 2007). Those who started from an order are drawn to it.",
    )


def references_needed_table(found: ReferencesNeeded) -> Table:
    """The curve over the number of references."""
    named: dict[str, list[float]] = {
        "References": [each.references for each in found.curve],
        "tau of two consensus orders": [each.halves for each in found.curve],
        "SE of mean tau": [each.se for each in found.curve],
        "Share of systems in the same order": [each.same_order for each in found.curve],
    }
    kept = {name: column for name, column in named.items() if not all(map(math.isnan, column))}
    rows = [tuple(None if math.isnan(cell) else cell for cell in row) for row in zip(*kept.values(), strict=True)]
    return Table(
        "references-needed",
        "How many people's orders are enough",
        tuple(kept),
        tuple(rows),
        note="Consensus orders (by mean places) of this many people and of as many others. SE: of a given order's mean "
        "tau over texts. Share: pairs of given orders ranked as by all people.",
    )
