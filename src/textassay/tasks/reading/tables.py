"""The tables and figures of reading times, laid out as papers print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textassay.analysis.system_means import means_figure
from textassay.results import Figure, Table
from textassay.stats import MeanInterval
from textassay.tasks.reading.measures import TIME
from textassay.tasks.reading.preparation import PreparedTimes


def time_by(over: str) -> str:
    """What the means are of, in records."""
    return f"{TIME}, by {over}"


def means_table(means: Mapping[str, tuple[MeanInterval, ...]], confidence: float) -> Table:
    """Mean times, by subjects and by items."""
    rows = [
        (over, mean.by, mean.n, mean.mean, mean.sd, *mean.ci) for over, of_kind in means.items() for mean in of_kind
    ]
    columns = ("By", "System", "n", "Mean", "SD", "Low", "High")
    note = "Milliseconds a unit; n is the number of subjects or items, each of which gives one mean a system."
    return Table("times", "Time a unit", columns, tuple(rows), f"{note} {_ends(confidence)}")


def comprehension_table(right: Sequence[MeanInterval], ready: PreparedTimes, confidence: float) -> Table:
    """Shares of texts understood."""
    texts = ready.answers.groupby("system")["correct"].agg(["sum", "count"]).astype(int)
    counts = {str(name): (right_ones, asked) for name, right_ones, asked in texts.itertuples()}
    rows = [(mean.by, *counts.get(mean.by, (0, 0)), mean.mean, *mean.ci) for mean in right]
    columns = ("System", "Right", "Texts asked about", "Mean share right", "Low", "High")
    note = f"A text is right when all its questions are. The mean is over subjects. {_ends(confidence)}"
    return Table("comprehension", "Comprehension", columns, tuple(rows), note)


def _ends(confidence: float) -> str:
    return f"Low and High are the ends of the {confidence * 100:g} % confidence interval of the mean."


def figure(means: Sequence[MeanInterval], confidence: float) -> Figure:
    """The mean time of each system with its interval, by subjects."""
    note = f"Means of subjects' means, with {confidence * 100:g} % confidence intervals over subjects."
    return means_figure("times", "Mean time a unit of each system", TIME, means, (None, None), note)
