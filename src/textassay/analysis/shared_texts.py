"""How far evaluators agree on single texts: only where several of them judged the same ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import pandas as pd

from textassay.analysis.judgements import Judgements
from textassay.errors import DataError
from textassay.results import Result, Table
from textassay.stats import Icc, KrippendorffAlpha, LeaveOneOut, LongRatings, icc, krippendorff_alpha, leave_one_out

DRAWS = 1000
"""Of the bootstrap of alpha."""
_MEASURES = "Krippendorff's alpha, the intraclass correlation and leave-one-out agreement"
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class SharedTexts:
    """Agreement on single texts for one criterion; what cannot be computed is left out, with its reason."""

    criterion: str
    interval: KrippendorffAlpha | None = None
    ordinal: KrippendorffAlpha | None = None
    icc: Icc | None = None
    """Needs every evaluator's judgement of every text."""
    leave_one_out: LeaveOneOut | None = None
    warnings: tuple[str, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        """All that could be computed."""
        return tuple(x for x in (self.interval, self.ordinal, self.icc, self.leave_one_out) if x is not None)

    def rows(self) -> list[tuple[object, ...]]:
        """As the table shows them."""
        rows: list[tuple[object, ...]] = [
            (self.criterion, f"alpha ({found.level})", found.alpha, *(found.ci or (None, None)), found.raters,
             found.units, None, None, None)
            for found in (self.interval, self.ordinal) if found is not None
        ]  # fmt: skip
        if self.icc is not None:
            forms = [self.icc.form(name) for name in ("ICC2", "ICC2k")]
            sizes = (self.icc.raters, self.icc.items)
            rows += [(self.criterion, form.name, form.icc, *form.ci, *sizes, None, None, None) for form in forms]
        if self.leave_one_out is not None:
            own = self.leave_one_out
            for name, x in (("r with the others", own.of_pearson), ("rho with the others", own.of_spearman)):
                texts = own.settings["items"]
                rows.append((self.criterion, name, x.mean, None, None, x.n, texts, x.min, x.max, x.sd))
        return rows


def shared_texts(judged: Judgements, criterion: str, *, confidence: float = 0.95, seed: int = 0) -> SharedTexts:
    """Krippendorff's alpha, intraclass correlations and leave-one-out agreement over texts (item × system).

    Args:
        judged: Answers to the criterion; one an evaluator and text.
        criterion: Its name.
        confidence: Of the intervals.
        seed: Of the bootstrap of alpha.
    """
    main = judged.main
    texts = main["item"] + " × " + main["system"]
    raters = texts.groupby(texts).size()
    if main.empty or raters.max() < 2:
        return SharedTexts(criterion, warnings=(_refused(len(main), main["participant"].nunique(), len(raters)),))
    long = LongRatings(main["value"].to_numpy(dtype=float), main["participant"].to_numpy(), texts.to_numpy())
    table = main.assign(text=texts).pivot(index="participant", columns="text", values="value").astype(float)
    why: list[str] = []

    def alpha(level: Literal["interval", "ordinal"]) -> KrippendorffAlpha:
        found = krippendorff_alpha(long, level=level, draws=DRAWS, confidence=confidence, seed=seed)
        return found.about(criterion)

    found = SharedTexts(
        criterion,
        interval=_tried(lambda: alpha("interval"), why),
        ordinal=_tried(lambda: alpha("ordinal"), why),
        icc=_intraclass(table, criterion, confidence, why),
        leave_one_out=_tried(lambda: leave_one_out(table.to_numpy(), raters=list(table.index)).about(criterion), why),
    )
    said = [*why, *(text for result in found.results for text in result.warnings)]
    return replace(found, warnings=tuple(dict.fromkeys(said)))


def _intraclass(table: pd.DataFrame, criterion: str, confidence: float, why: list[str]) -> Icc | None:
    gaps = int(table.isna().to_numpy().sum())
    if gaps:
        why.append(
            "no intraclass correlation: it needs every evaluator's judgement of every text, and "
            f"{gaps} of {table.size} are not there; alpha allows for that"
        )
        return None
    values = table.to_numpy()
    return _tried(lambda: icc(values, confidence=confidence, raters=list(table.index)).about(criterion), why)


def _tried(compute: Callable[[], _Found], why: list[str]) -> _Found | None:
    """What comes of it, or nothing and the reason."""
    try:
        return compute()
    except DataError as error:
        why.append(str(error))
        return None


def _refused(answers: int, raters: int, texts: int) -> str:
    return (
        f"{_MEASURES} are refused: no two evaluators judged the same text ({answers} answers by {raters} evaluators to "
        f"{texts} texts); what can be told is whether they put the systems in the same order (Kendall's W)"
    )


def shared_table(parts: Sequence[SharedTexts]) -> Table | None:
    """All measures of all criteria; nothing where there is none."""
    rows = tuple(row for part in parts for row in part.rows())
    if not rows:
        return None
    columns = (
        "Criterion", "Statistic", "Value", "Low", "High", "Evaluators", "Texts", "Least r", "Greatest r", "SD of r"
    )  # fmt: skip
    note = (
        "alpha: Krippendorff's, 1 full agreement, 0 chance; the ordinal one compares ranks and is the one for steps "
        "that need not be equal. ICC2 is the reliability of one evaluator, ICC2k that of the mean of all. r and rho: "
        "each evaluator against the mean of the others, the mean over evaluators (leave-one-out, Lapata 2006); one "
        "against a mean is more than one against one, so it is no ceiling for a metric that is held against a mean."
    )
    return Table("shared-texts", "Agreement on single texts", columns, rows, note)
