"""What a ranking block may say in the study file, and what must hold between it and the files of its study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from textassay.study.model import Faults, Problems, Text
from textassay.tasks.attention import several_texts_problems
from textassay.tasks.comments import CommentSettings
from textassay.tasks.context import (
    ContextCheck,
    ContextLabels,
    ContextSettings,
    context_problems,
    context_warnings,
    told_apart,
)
from textassay.tasks.criteria import Criterion, criteria_faults
from textassay.tasks.event_marks import EventMarksSettings
from textassay.tasks.sorting import order_faults

if TYPE_CHECKING:
    from textassay.study.study import Study
    from textassay.tasks.contract import Task


MOST_TEXTS = 20
"""The most texts that can be read through on one page."""


class AttentionCheck(ContextCheck):
    """A trial that tells whether the participant reads: its texts say where they belong."""

    texts: list[Text] = Field(min_length=2, max_length=MOST_TEXTS)
    """The texts, in the order into which they are to be put; shown in another."""


class RankingLabels(ContextLabels):
    """Words on the page of a ranking."""

    hint: Text | None = None
    """How to move texts and which comes first, above the list."""
    tied: Text | None = None
    """The box that gives a text the rank of the one above it; by default “as good as the one above”."""
    confirm: Text | None = None
    """The box to tick if the order is not changed; by default “The order is right as it was shown”."""


class RankingSettings(ContextSettings, CommentSettings, EventMarksSettings):
    """A block of rankings."""

    task: Literal["ranking"]
    """The kind of trial."""
    criteria: list[Criterion] = Field(min_length=1)
    """By what the texts are ranked, all on one page."""
    ties: bool = False
    """Whether two texts may share a rank."""
    systems_per_trial: int | None = Field(default=None, ge=2, le=MOST_TEXTS)
    """How many systems' texts are ranked at once; all of them if not given."""
    attention_checks: list[AttentionCheck] = Field(default_factory=list)
    """Trials that tell whether participants read."""
    labels: RankingLabels = RankingLabels()
    """Words on the page in place of those of the interface, such as `{context: Article}`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        checks = [check.texts for check in self.attention_checks]
        faults = [*criteria_faults(self.criteria), *order_faults(checks, "texts")]
        if faults:
            raise Faults(*faults)
        return self


def block_problems(task: Task[RankingSettings]) -> Problems:
    """What is wrong between the block and the files of its study."""
    yield from context_problems(task)
    yield from _systems(task.settings, task.study)
    yield from several_texts_problems(task, "to rank")


def block_warnings(task: Task[RankingSettings]) -> Iterator[str]:
    """What tells attention checks from the other trials."""
    yield from context_warnings(task)
    size = task.settings.systems_per_trial or len(task.study.systems)
    for number, check in enumerate(task.settings.attention_checks, 1):
        if len(check.texts) != size:
            why = f"it has {len(check.texts)} texts, and all other trials have {size}"
            yield told_apart(task, number, why, "give it as many")


def _systems(settings: RankingSettings, study: Study) -> Problems:
    n, size = len(study.systems), settings.systems_per_trial
    if n < 2:
        yield (), f"there is only one system ({study.systems[0]!r}), so there is nothing to rank; add texts of another"
    elif size is not None and size > n:
        yield ("systems_per_trial",), f"got {size}, but there are only {n} systems; lower it"
    elif size is None and n > MOST_TEXTS:
        message = f"{n} texts do not fit a page (at most {MOST_TEXTS}); say in 'systems_per_trial' how many to rank"
        yield (), message
