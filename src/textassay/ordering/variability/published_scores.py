"""The scores of Madnani et al. (2007) as the paper numbers them: one order gives the units their numbers."""

from __future__ import annotations

from dataclasses import dataclass

from textassay.ordering.variability.reorderings import Reorderings
from textassay.ordering.variability.score_tests import ScoreAnalysis, Targets, analysed, score_cells, target_scores
from textassay.results import Record
from textassay.stats.statistic import Statistic

OF_NUMBERS = (
    "published mode: units have the numbers of {} for all targets, so that with another target two lists of numbers "
    "are compared, not two orders; trust the scores in which each target numbers the units, reported with it"
)


@dataclass(frozen=True, kw_only=True)
class PublishedScores(Statistic):
    """All scores with units numbered by one order, as Madnani et al. (2007) print them."""

    analyses: tuple[ScoreAnalysis, ...]
    numbering: str
    """The target that numbers the units."""

    def records(self) -> list[Record]:
        """Of each score both analyses, and all pairs."""
        return [{**record, "numbering": self.numbering} for each in self.analyses for record in each.records()]


def published_scores(
    people: Reorderings, targets: Targets, numbering: str, *, alpha: float = 0.05
) -> PublishedScores | None:
    """The analyses of Madnani et al. (2007), Table 1; None where there is one condition, or no score in two of them.

    One means vector for each text and condition, of the numbers that units have in one order (the original), correlated
    with the numbers in each target. For a target other than the original that compares two lists of numbers: an order
    that is near the target need not have numbers that correlate with it. `score_tests` has the scores in which each
    target numbers the units, with a test that does not take scores as independent.

    Args:
        people: All orders.
        targets: What the scores are about.
        numbering: The target whose order numbers the units.
        alpha: Level of Tukey's comparisons.

    Raises:
        UsageError: `numbering` is no target, or lacks the order of a text.
    """
    scores = target_scores(people, targets, numbering=numbering)
    cells = {key: own for key, own in score_cells(scores).items() if len({condition for _, condition, _ in own}) > 1}
    if len(people.conditions) < 2 or not cells:
        return None
    analyses = tuple(analysed(key, own, alpha) for key, own in cells.items())
    return PublishedScores(
        method="scores by condition (published)",
        settings={"numbering": numbering, "alpha": alpha},
        warnings=(OF_NUMBERS.format(numbering), *scores.warnings),
        analyses=analyses,
        numbering=numbering,
    )
