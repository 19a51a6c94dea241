"""The flags of `correlate` for what comes beside correlations, such as metrics compared with each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from textassay.cli.options import Quiet, Whole
from textassay.cli.output import progress_bar
from textassay.errors import UsageError
from textassay.meta.metric_differences import Test
from textassay.stats.adjust_p import Correction

if TYPE_CHECKING:
    from textassay.analysis.metric_correlations import MetricPart

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
    quiet: Quiet = False
    """Show no progress."""

    def check(self) -> None:
        """Refuse flags that go nowhere.

        Raises:
            UsageError: one of them needs --compare.
        """
        given = {"test": self.test, "correction": self.correction, "draws": self.draws, "cluster": self.cluster or None}
        needy = [name for name, value in given.items() if value is not None]
        if not self.compare and (needy or self.jobs != 1):
            raise UsageError(f"--{[*needy, 'jobs'][0]} is about metrics compared with each other; add --compare")

    @contextmanager
    def parts(self) -> Iterator[tuple[MetricPart, ...]]:
        """The parts that were asked for, while a bar shows their progress."""
        from textassay.analysis.metric_comparison import ComparisonOptions, comparing  # noqa: PLC0415
        from textassay.workers import Workers  # noqa: PLC0415

        self.check()
        if not self.compare:
            yield ()
            return
        with progress_bar("comparisons of metrics", quiet=self.quiet) as progress:
            options = ComparisonOptions(
                self.test or "bootstrap", self.correction or "holm", self.draws,
                Workers(self.jobs, self.cluster), progress,
            )  # fmt: skip
            yield (comparing(options),)
