"""Every task, metric, screening rule and statistic by name, imported only when asked for.

A new one is one file (a task: one folder) and one line here. Other packages add theirs through an entry point of the
group `textassay.<kind>s`, for example `textassay.metrics`; those are asked only for names that are not listed here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from textassay.errors import UsageError

CATALOGUE: dict[str, dict[str, str]] = {
    "task": {
        "decision": "textassay.tasks.decision.task:Decision",
        "preference": "textassay.tasks.preference.task:Preference",
        "ranking": "textassay.tasks.ranking.task:Ranking",
        "rating": "textassay.tasks.rating.task:Rating",
        "reading": "textassay.tasks.reading.task:Reading",
        "reordering": "textassay.tasks.reordering.task:Reordering",
    },
    "metric": {
        "rouge-l": "textassay.metrics.rouge_l:RougeL",
    },
    "screening": {
        "attention-checks": "textassay.screening.attention_checks:AttentionChecks",
        "constant-answers": "textassay.screening.constant_answers:ConstantAnswers",
        "fake-email": "textassay.screening.fake_email:FakeEmail",
        "incomplete": "textassay.screening.incomplete:Incomplete",
        "outside-scale": "textassay.screening.outside_scale:OutsideScale",
        "questionnaire": "textassay.screening.questionnaire:Questionnaire",
        "too-fast": "textassay.screening.too_fast:TooFast",
        "took-part-elsewhere": "textassay.screening.took_part_elsewhere:TookPartElsewhere",
        "took-part-twice": "textassay.screening.took_part_twice:TookPartTwice",
    },
    "statistic": {
        "adjust_p": "textassay.stats.adjust_p:adjust_p",
        "anova": "textassay.stats.anova:anova",
        "kendall_w": "textassay.stats.kendall_w:kendall_w",
        "mean_interval": "textassay.stats.mean_interval:mean_interval",
        "pearson": "textassay.stats.correlation:pearson",
        "spearman": "textassay.stats.correlation:spearman",
        "tukey": "textassay.stats.tukey:tukey",
    },
}


def names(kind: str) -> tuple[str, ...]:
    """All names of a kind, those of other installed packages included."""
    own = CATALOGUE[kind]
    others = {point.name for point in _entry_points(kind)}
    return tuple(sorted(own.keys() | others))


@cache
def find(kind: str, name: str) -> Any:
    """The object of that kind and name.

    Raises:
        UsageError: there is none; the message lists those that there are.
    """
    target = CATALOGUE[kind].get(name)
    if target is not None:
        module, _, attribute = target.partition(":")
        return getattr(import_module(module), attribute)
    for point in _entry_points(kind):
        if point.name == name:
            return point.load()
    raise UsageError(f"there is no {kind} named {name!r}; known: {', '.join(names(kind))}")


def _entry_points(kind: str) -> Any:
    from importlib.metadata import entry_points  # noqa: PLC0415 -- costs 20 ms, and most runs never ask

    return entry_points(group=f"textassay.{kind}s")
