"""The flags of `score` for confidence intervals and significance tests, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from textassay.cli.options import Whole
from textassay.cli.output import progress_bar
from textassay.errors import UsageError
from textassay.known_names import unknown

if TYPE_CHECKING:
    from textassay.metrics import ScoreTable
    from textassay.metrics.significance import CorpusIntervals, PairedTest
    from textassay.results import Result

_RESAMPLES = 1000
_SWAPS = 10_000
_Flag = Parameter(negative="")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class UncertaintyOptions:
    """Options for intervals and tests of the scores."""

    ci: Annotated[bool, _Flag] = False
    """Bootstrap intervals of the scores of whole systems."""
    paired_bs: Annotated[bool, _Flag] = False
    """Paired bootstrap test of the other systems against the baseline."""
    paired_ar: Annotated[bool, _Flag] = False
    """Paired approximate randomisation test of the other systems against the baseline."""
    baseline: str | None = None
    """The system that the others are compared with; by default the first."""
    all_pairs: Annotated[bool, _Flag] = False
    """Compare every system with every other."""
    resamples: Whole | None = None
    """Resamples or random swaps; by default 1000 for the bootstrap, 10000 for randomisation."""
    seed: Whole | None = None
    """Of the draws; by default that of the study, or 0."""
    confidence: float = 0.95
    """Of intervals; a difference is marked where p is below 1 − confidence."""
    as_sacrebleu: Annotated[bool, _Flag] = False
    """Count p as sacreBLEU does, to compare with its figures; that p is too small."""

    @property
    def paired(self) -> bool:
        """Whether any test is asked for."""
        return self.paired_bs or self.paired_ar


@dataclass(frozen=True)
class Uncertainty:
    """Confidence intervals and significance tests of scores."""

    intervals: CorpusIntervals | None = None
    tests: tuple[PairedTest, ...] = ()

    @property
    def results(self) -> list[Result]:
        """All of it."""
        return [*([self.intervals] if self.intervals else []), *self.tests]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of all results, each once."""
        return tuple(dict.fromkeys(warning for result in self.results for warning in result.warnings))


def check_tests(asked: UncertaintyOptions, systems: Sequence[str]) -> None:
    """Refuse flags that go nowhere, before anything is scored.

    Raises:
        UsageError: with the remedy.
    """
    for flag, given in (("--baseline", asked.baseline), ("--all-pairs", asked.all_pairs)):
        if given and not asked.paired:
            raise UsageError(f"{flag} applies to tests of systems; choose one with --paired-bs or --paired-ar")
    for flag, set_ in (("--resamples", asked.resamples is not None), ("--as-sacrebleu", asked.as_sacrebleu)):
        if set_ and not (asked.paired or asked.ci):
            raise UsageError(f"{flag} applies to resampling only; add --ci, --paired-bs or --paired-ar")
    if asked.resamples is not None and asked.resamples < 1:
        raise UsageError(f"--resamples must be 1 or more, for example 1000; got {asked.resamples}")
    if not 0 < asked.confidence < 1:
        raise UsageError(f"--confidence must lie between 0 and 1, for example 0.95; got {asked.confidence:g}")
    if asked.all_pairs and asked.baseline is not None:
        raise UsageError("--all-pairs has no baseline; omit one of the two")
    if asked.paired and len(systems) < 2:
        raise UsageError(f"a paired test compares systems, but there is only {systems[0]}; give another one")
    if asked.baseline is not None and asked.baseline not in systems:
        raise UsageError(f"--baseline {asked.baseline}: {unknown('system', asked.baseline, systems)}")


def uncertainty(table: ScoreTable, asked: UncertaintyOptions, *, seed: int, quiet: bool) -> Uncertainty:
    """Run what was asked for; `seed` is used where the user gave none."""
    if not (asked.ci or asked.paired):
        return Uncertainty()
    from textassay.metrics import significance  # noqa: PLC0415 -- those who want scores only do not wait for it

    drawn_from = seed if asked.seed is None else asked.seed

    def options(usual: int) -> significance.PairedOptions:
        return significance.PairedOptions(
            baseline=asked.baseline,
            all_pairs=asked.all_pairs,
            draws=asked.resamples or usual,
            seed=drawn_from,
            confidence=asked.confidence,
            form="sacrebleu" if asked.as_sacrebleu else "valid",
        )

    with progress_bar("resamples", quiet=quiet) as progress:
        intervals = None
        if asked.ci:
            draws = asked.resamples or _RESAMPLES
            intervals = significance.corpus_intervals(
                table, draws=draws, confidence=asked.confidence, seed=drawn_from, progress=progress
            )
        tests = []
        if asked.paired_bs:
            tests.append(significance.paired_bootstrap(table, options(_RESAMPLES), progress=progress))
        if asked.paired_ar:
            tests.append(significance.paired_randomisation(table, options(_SWAPS), progress=progress))
    return Uncertainty(intervals, tuple(tests))
