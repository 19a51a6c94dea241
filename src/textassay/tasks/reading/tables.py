"""The tables and figures of reading times, laid out as papers print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textassay.results import Figure, Table
from textassay.stats import Anova, MeanInterval
from textassay.tasks.reading.preparation import Prepared


def time_by(over: str) -> str:
    """What the means are of, in records and on axes."""
    return f"time a unit in ms, by {over}"


def tables(
    means: Mapping[str, tuple[MeanInterval, ...]],
    right: Sequence[MeanInterval],
    tests: Sequence[Anova],
    ready: Prepared,
    confidence: float,
) -> list[Table]:
    """Times, comprehension where questions were asked, and F where it is valid.

    Args:
        means: For each system, by subjects and by items.
        right: Share of texts understood, for each system.
        tests: By subjects and by items, where valid.
        ready: What the figures were made from.
        confidence: Level of the intervals.
    """
    ends = f"Low and High are the ends of the {confidence * 100:g} % confidence interval of the mean."
    rows = [
        (over, mean.by, mean.n, mean.mean, mean.sd, *mean.ci) for over, of_kind in means.items() for mean in of_kind
    ]
    note = f"Milliseconds a unit; n is the number of subjects or items, each of which gives one mean a system. {ends}"
    found = [Table("times", "Time a unit", ("By", "System", "n", "Mean", "SD", "Low", "High"), tuple(rows), note)]
    if right:
        texts = ready.answers.groupby("system")["correct"].agg(["sum", "count"]).astype(int)
        counts = {str(name): (right_ones, asked) for name, right_ones, asked in texts.itertuples()}
        lines = [(mean.by, *counts.get(mean.by, (0, 0)), mean.mean, *mean.ci) for mean in right]
        columns = ("System", "Right", "Texts asked about", "Mean share right", "Low", "High")
        shares = f"A text is right when all its questions are. The mean is over subjects; {ends[0].lower()}{ends[1:]}"
        found.append(Table("comprehension", "Comprehension", columns, tuple(lines), shares))
    if tests:
        ratios = [(test.of, test.f, *test.df, test.p, test.eta2, test.omega2) for test in tests]
        heads = ("Of", "F", "df 1", "df 2", "p", "eta squared", "omega squared")
        what = "One-way analysis of variance over means, one for each subject or item, which saw one system only."
        found.append(Table("variance", "Do the systems differ?", heads, tuple(ratios), what))
    return found


def means_figure(over: str, means: Sequence[MeanInterval], confidence: float) -> Figure:
    """The mean time of each system with its interval."""
    groups = [
        {"system": mean.by, "mean": mean.mean, "low": mean.ci[0], "high": mean.ci[1], "n": mean.n} for mean in means
    ]
    return Figure(
        name=f"times-by-{over}",
        title=f"Mean time a unit of each system, by {over}",
        kind="means",
        data={"criterion": time_by(over), "scale_from": None, "scale_to": None, "groups": groups},
        note=f"With {confidence * 100:g} % confidence intervals over {over}.",
    )
