"""What a comparison of metrics with people yields."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from textassay.meta.align import Level
from textassay.results import Record, Result
from textassay.stats import adjust_p

Coefficient = Literal["pearson", "spearman"]
By = Literal["item", "system"]


@dataclass(frozen=True)
class Agreement:
    """One metric against one criterion."""

    metric: str
    criterion: str
    systems: str
    """`all`, or which system was left out."""
    r: float
    n: int
    """Texts, systems, or groups that the mean is over."""
    p: float | None = None
    """Two-sided; nothing for a mean over groups."""
    ci: tuple[float, float] | None = None
    df: int | None = None
    exact: bool | None = None
    """Whether p comes from all orders and not from an approximation."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Correlations(Result):
    """Each metric against each criterion."""

    level: Level
    by: By | None
    coefficient: Coefficient
    agreements: tuple[Agreement, ...]

    def records(self) -> list[Record]:
        """One record a metric, criterion and set of systems; `p_holm` is corrected for all of them together."""
        p = adjust_p([math.nan if one.p is None else one.p for one in self.agreements]).adjusted
        return [
            self.record(
                self.coefficient, one.r, of=f"{one.metric} and {one.criterion}", by=self.by or "", df=one.df, p=one.p,
                ci=one.ci, n=one.n, level=self.level, metric=one.metric, criterion=one.criterion, systems=one.systems,
                exact=one.exact, p_holm=None if one.p is None else corrected,
            )
            for one, corrected in zip(self.agreements, p, strict=True)
        ]  # fmt: skip
