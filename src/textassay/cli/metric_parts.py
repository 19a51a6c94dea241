"""The flags of `correlate` for what comes beside correlations, such as metrics compared with each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from textassay.cli.options import Quiet, Whole
from textassay.cli.output import progress_bar
from textassay.errors import UsageError
from textassay.meta.metric_differences import Test
from textassay.stats.adjust_p import Correction

if TYPE_CHECKING:
    from textassay.analysis.metric_correlations import MetricPart, MetricRecipe

_Flag = Parameter(negative="")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PartOptions:
    """Options for what comes beside correlations."""

    compare: Annotated[bool, _Flag] = False
    """Which metrics can be told apart: all pairs of them compared."""
    test: Test | None = None
    """With --compare: by which test; by default systems and items are drawn again (bootstrap)."""
    correction: Correction | None = None
    """With --compare: how p is adjusted for all pairs; by default holm."""
    draws: Whole | None = None
    """With --compare: how many draws; by default at least 1999, and more for many metrics."""
    jobs: Whole = 1
    """With --compare: processes of this machine that share the work; -1 for one per core."""
    cluster: str = ""
    """With --compare: address of a Dask scheduler whose workers do the work, such as tcp://10.0.0.5:8786."""
    details: Annotated[bool, _Flag] = False
    """What each agreement hangs on: misordered systems, single items and systems, the best systems only, items and
    raters needed, metrics combined."""
    accuracies: Annotated[bool, _Flag] = False
    """How often metric and people agree on pairs of texts, with calibrated ties (acc_eq), and of systems (soft pairwise
    accuracy)."""
    mixed: Annotated[bool, _Flag] = False
    """Every answer by itself: the slope of answers on each metric in a mixed model, raters kept instead of averaged."""
    tables: Literal["c09", "g10"] | None = None
    """Instead of all that, the tables of a paper in its layout: c09 (Cahill 2009) or g10 (Gatt & Portet 2010); their p
    are liberal."""
    quiet: Quiet = False
    """Show no progress."""

    @property
    def recipe(self) -> MetricRecipe | None:
        """What takes the place of the analysis of metrics and people."""
        if self.tables is None:
            return None
        from textassay.analysis.published_tables import published_tables  # noqa: PLC0415 -- only where asked for

        return published_tables(self.tables)

    def check(self) -> None:
        """Refuse flags that go nowhere.

        Raises:
            UsageError: one of them needs another, or shuts it out.
        """
        given = {"test": self.test, "correction": self.correction, "draws": self.draws, "cluster": self.cluster or None}
        needy = [name for name, value in given.items() if value is not None]
        others = {
            "--compare": self.compare, "--details": self.details,
            "--accuracies": self.accuracies, "--mixed": self.mixed,
        }  # fmt: skip
        other = next((flag for flag, given in others.items() if given), None)
        if other is not None and self.tables is not None:
            raise UsageError(f"--tables has the tables of a paper alone; give either --tables or {other}")
        if not self.compare and (needy or self.jobs != 1):
            raise UsageError(f"--{[*needy, 'jobs'][0]} is about metrics compared with each other; add --compare")

    @contextmanager
    def parts(self) -> Iterator[tuple[MetricPart, ...]]:
        """The parts that were asked for, while a bar shows their progress."""
        from textassay.analysis.metric_comparison import ComparisonOptions, comparing  # noqa: PLC0415
        from textassay.analysis.metric_details import metric_details  # noqa: PLC0415
        from textassay.analysis.metric_overview import metric_overview  # noqa: PLC0415
        from textassay.analysis.mixed_slopes import mixed_slopes  # noqa: PLC0415
        from textassay.analysis.pairwise_accuracy import pairwise_accuracy  # noqa: PLC0415
        from textassay.workers import Workers  # noqa: PLC0415

        self.check()
        asked = ((pairwise_accuracy, self.accuracies), (mixed_slopes, self.mixed), (metric_details, self.details))
        more: tuple[MetricPart, ...] = tuple(part for part, given in asked if given)
        if not self.compare:
            yield more
            return
        with progress_bar("comparisons of metrics", quiet=self.quiet) as progress:
            options = ComparisonOptions(
                self.test or "bootstrap", self.correction or "holm", self.draws,
                Workers(self.jobs, self.cluster), progress, None if self.quiet else _say,
            )  # fmt: skip
            yield metric_overview, comparing(options), *more


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
