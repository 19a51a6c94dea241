"""Tables and figures of two versions of one evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textassay.analysis.system_tables import slug
from textassay.results import Figure, Table
from textassay.stats import Correlation

if TYPE_CHECKING:
    from textassay.analysis.comparison import Line
    from textassay.analysis.version import Version


def figures_of_both(lines: Sequence[Line], names: tuple[str, str]) -> Table:
    """What both evaluations found, line by line, and which did better."""
    rows = [
        (line.criterion, line.what, line.wanted, *(line.words or line.values), line.better(names)) for line in lines
    ]
    return Table(
        "comparison",
        "Which version is better?",
        ("Criterion", "Statistic", "Wanted", *names, "Better"),
        tuple(rows),
        note="Variance: share due to each factor by itself (ω²). Significant pairs: Tukey's HSD, out of all pairs. W: "
        "Kendall's, 0 to 1; within evaluators it tells self-consistency. Better: by these figures, without a test.",
    )


def variance(versions: tuple[Version, Version], pairs: Mapping[str, tuple[str, str]]) -> Table:
    """F of each factor, the two versions under each other."""
    rows = [
        (criterion, record["by"], side.name, record["value"], *record["df"], record["p"], record["omega2"])
        for criterion, both in pairs.items()
        for factor in dict.fromkeys(r["by"] for s, n in zip(versions, both, strict=True) for r in s.factors(n))
        for side, name in zip(versions, both, strict=True)
        for record in side.factors(name)
        if record["by"] == factor
    ]
    return Table(
        "comparison-variance",
        "What the answers depend on in each version",
        ("Criterion", "Factor", "Version", "F", "df 1", "df 2", "p", "omega squared"),
        tuple(rows),
        note="One-way analyses of variance, as in Belz & Kow (2010).",
    )


def correlations(found: Mapping[str, tuple[Correlation, Correlation]]) -> Table:
    """Of the means of systems."""
    rows = [(name, linear.n, linear.r, linear.p, ranks.r, ranks.p) for name, (linear, ranks) in found.items()]
    return Table(
        "comparison-systems",
        "Do both versions put the systems in the same places?",
        ("Criterion", "n", "r", "p", "rho", "p of rho"),
        tuple(rows),
        note="Pearson's and Spearman's correlation of the means of systems, over the systems (n) that both have; p "
        "counts all orders where there are few.",
    )


def scatter(one: Version, other: Version, criterion: str, names: tuple[str, str], linear: Correlation) -> Figure:
    """The means of systems in one version against those in the other."""
    own, theirs = one.means[names[0]], other.means[names[1]]
    points = [{"label": s, "system": s, "x": own[s], "y": theirs[s]} for s in own if s in theirs]
    data = {"x_label": one.name, "y_label": other.name, "points": points, "r": linear.r, "p": linear.p, "n": linear.n}
    return Figure(
        f"comparison-{slug(criterion)}",
        f"Mean {criterion} of each system in both versions",
        "scatter",
        {**data, "coefficient": "pearson"},
    )
