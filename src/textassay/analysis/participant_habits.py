"""Each participant's habits: speed, agreement with the others, and use of the scale.

Some avoid the ends of a scale, some use little of it, some lean to one side.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.judgements import Judgements
from textassay.analysis.table_builder import Columns, TableColumn, build_table
from textassay.results import Figure, Record, Table
from textassay.stats import pearson
from textassay.stats.statistic import Statistic

_LEAST_SHARED = 3
"""A correlation over fewer texts or systems than this says nothing."""
_UNITS = {"text": ["item", "system"], "system": ["system"]}
"""What a participant's answers are compared over → its columns."""


@dataclass(frozen=True)
class ParticipantHabits:
    """One participant's."""

    participant: str
    mean: float
    sd: float
    median_rt_ms: float
    modal_share: float
    """Share of the most frequent answer, the mean over criteria."""
    agreement: float
    """Leave-one-out: Pearson's r with the mean of the other participants who were kept, the mean over criteria."""
    ends_share: float
    """Share of answers at the ends of their scales."""
    n: int
    """Answers."""
    excluded: bool


@dataclass(frozen=True)
class Diagnostics:
    """The habits of all participants, and how they were measured."""

    participants: tuple[ParticipantHabits, ...]
    unit: str
    """`answer` where all criteria have the same scale, else `share of the scale` (0 to 1)."""
    agreement_over: str
    """`text`, or `system` where no participants judged the same texts."""
    warnings: tuple[str, ...]


def diagnostics(
    judged: Judgements, scales: Mapping[str, tuple[float, float]], excluded: Collection[str] = ()
) -> Diagnostics:
    """The habits of every participant; the others' mean leaves out those who were excluded."""
    main = judged.main
    same_scale = len(set(scales.values())) <= 1
    values = main["value"] if same_scale else _share_of_scale(main, scales)
    table = main.assign(value=values, ends=_at_ends(main, scales), excluded=main["participant"].isin(list(excluded)))
    agreement = {unit: _leave_one_out(table, unit) for unit in _UNITS}
    over = "text" if agreement["text"] or not agreement["system"] else "system"
    rt = _median_rt(table)
    people = tuple(
        ParticipantHabits(
            participant=str(name),
            mean=float(own["value"].mean()),
            sd=float(own["value"].std(ddof=1)),
            median_rt_ms=rt.get(str(name), math.nan),
            modal_share=float(
                own.groupby("criterion")["value"].agg(lambda v: v.value_counts(normalize=True).max()).mean()
            ),
            agreement=agreement[over].get(str(name), math.nan),
            ends_share=float(own["ends"].mean()),
            n=len(own),
            excluded=bool(own["excluded"].iloc[0]),
        )
        for name, own in table.groupby("participant", sort=True)
    )
    return Diagnostics(people, "answer" if same_scale else "share of the scale", over, _warnings(people, over))


def _leave_one_out(table: pd.DataFrame, unit: str) -> dict[str, float]:
    """Each participant against the mean of the others, where they share enough texts or systems."""
    keys = ["criterion", *_UNITS[unit]]
    own = table.groupby(["participant", "excluded", *keys], as_index=False)["value"].mean()
    counted = own.assign(value=own["value"].where(~own["excluded"]))
    cells = counted.groupby(keys)["value"].agg(["sum", "count"]).reset_index()
    own = own.merge(cells, on=keys)
    mine = own["value"].where(~own["excluded"], 0.0)
    others = own["count"] - (~own["excluded"]).astype(int)
    own = own.assign(others=(own["sum"] - mine) / others.where(others > 0))
    found: dict[str, list[float]] = {}
    for (name, _), pairs in own.dropna(subset=["others"]).groupby(["participant", "criterion"]):
        if len(pairs) >= _LEAST_SHARED:
            r = pearson(pairs["value"].to_numpy(), pairs["others"].to_numpy()).r
            found.setdefault(str(name), []).extend([] if math.isnan(r) else [r])
    return {name: sum(values) / len(values) for name, values in found.items() if values}


def _share_of_scale(main: pd.DataFrame, scales: Mapping[str, tuple[float, float]]) -> pd.Series[float]:
    low = main["criterion"].map({name: ends[0] for name, ends in scales.items()})
    high = main["criterion"].map({name: ends[1] for name, ends in scales.items()})
    return (main["value"] - low) / (high - low).where(high > low)


def _at_ends(main: pd.DataFrame, scales: Mapping[str, tuple[float, float]]) -> pd.Series[bool]:
    ends = [main["criterion"].map({name: scale[place] for name, scale in scales.items()}) for place in (0, 1)]
    return (main["value"] == ends[0]) | (main["value"] == ends[1])


def _median_rt(table: pd.DataFrame) -> dict[str, float]:
    """Median over trials: the criteria of one page share one time."""
    if "rt_ms" not in table:
        return {}
    trials = table.drop_duplicates(["participant", "item", "system"])
    times = pd.to_numeric(trials["rt_ms"], errors="coerce").astype(float)
    medians = times.groupby(trials["participant"]).median()
    return {str(name): float(value) for name, value in medians.items()}


def _warnings(people: tuple[ParticipantHabits, ...], over: str) -> tuple[str, ...]:
    without = [person.participant for person in people if math.isnan(person.agreement)]
    found = []
    if over == "system":
        found.append("no two participants share enough texts, so agreement is over the systems' means")
    if without:
        found.append(
            f"agreement with the others is undefined for {len(without)} of {len(people)} participants: "
            f"fewer than {_LEAST_SHARED} {over}s shared with others, or answers that do not vary"
        )
    return tuple(found)


def diagnostics_table(found: Diagnostics) -> Table:
    """One row per participant."""
    columns: Columns[ParticipantHabits] = (
        TableColumn("Participant", lambda x: x.participant),
        TableColumn("Answers", lambda x: x.n),
        TableColumn("Mean", lambda x: x.mean),
        TableColumn("SD", lambda x: x.sd),
        TableColumn("Median time (ms)", lambda x: x.median_rt_ms),
        TableColumn("Most frequent answer", lambda x: x.modal_share),
        TableColumn("Agreement", lambda x: x.agreement),
        TableColumn("Excluded", lambda x: x.excluded),
    )
    return build_table(
        "participants",
        "How each participant answered",
        columns,
        found.participants,
        note=f"Mean and SD: of the {found.unit}. Most frequent answer: its share. Agreement: Pearson's r with the mean "
        f"of the others, over {found.agreement_over}s.",
    )


def diagnostics_figure(found: Diagnostics) -> Figure:
    """The same as data for a drawing."""
    people = [asdict(person) for person in found.participants]
    return Figure(
        name="participants",
        title="How each participant answered",
        kind="diagnostics",
        data={"participants": people, "unit": found.unit, "agreement_over": found.agreement_over},
    )


_LEAST_SKEWED = 3
"""Skewness of fewer values is undefined."""


@dataclass(frozen=True)
class EvaluatorScaleUse:
    """One evaluator on one criterion."""

    participant: str
    n: int
    mean: float
    sd: float
    least: float
    most: float
    at_ends: float
    """Share of answers at one of the two ends of the scale."""
    skew: float
    """Above 0 where few answers are high and most low; nan for fewer than three answers, or equal ones."""
    excluded: bool


@dataclass(frozen=True, kw_only=True)
class ScaleUse(Statistic):
    """All evaluators on one criterion."""

    evaluators: tuple[EvaluatorScaleUse, ...]
    """All of them; those who were excluded are in no figure below."""
    at_ends: float
    """Share of all answers at the ends."""
    never: int
    """Evaluators who have no answer at either end."""
    skew: float
    """Mean over evaluators."""

    @property
    def kept(self) -> tuple[EvaluatorScaleUse, ...]:
        """The evaluators who were not excluded."""
        return tuple(each for each in self.evaluators if not each.excluded)

    def records(self) -> list[Record]:
        """The share at the ends, how many avoid them, and the mean skewness."""
        people = len(self.kept)
        answers = sum(each.n for each in self.kept)
        return [
            self.record("share of answers at the ends", self.at_ends, n=answers),
            self.record("evaluators who never use an end", self.never, n=people),
            self.record("mean skewness", self.skew, n=people),
        ]

    def in_words(self) -> str:
        """For a note."""
        return (
            f"{self.of}: {100 * self.at_ends:.0f} % of the answers are at an end, and {self.never} of "
            f"{len(self.kept)} never use one"
        )


def scale_use(
    judged: Judgements, criterion: str, scale: tuple[float, float], *, excluded: Collection[str] = ()
) -> ScaleUse:
    """End aversion, range and skewness of each evaluator's answers to one criterion.

    Args:
        judged: All answers.
        criterion: Its name.
        scale: Its ends.
        excluded: Evaluators to be marked; what is said of all leaves them out.
    """
    main = judged.of(criterion).main
    people = tuple(
        _evaluator(str(name), own["value"].to_numpy(dtype=float), scale, excluded)
        for name, own in main.groupby("participant", sort=True)
    )
    kept = tuple(each for each in people if not each.excluded)
    answers = sum(each.n for each in kept)
    skews = [each.skew for each in kept if not math.isnan(each.skew)]
    without = len(kept) - len(skews)
    few = f"fewer than {_LEAST_SKEWED} answers, or equal ones"
    why = f"the skewness of {without} of {len(kept)} evaluators is undefined: {few}"
    return ScaleUse(
        method="use of the scale",
        settings={"scale": f"{scale[0]:g} to {scale[1]:g}", "skewness": "G1, adjusted for n", "evaluators": len(kept)},
        warnings=(why,) if without else (),
        of=criterion,
        evaluators=people,
        at_ends=sum(each.at_ends * each.n for each in kept) / answers if answers else math.nan,
        never=sum(each.at_ends == 0 for each in kept),
        skew=float(np.mean(skews)) if skews else math.nan,
    )


def _evaluator(
    name: str, values: npt.NDArray[np.float64], scale: tuple[float, float], excluded: Collection[str]
) -> EvaluatorScaleUse:
    return EvaluatorScaleUse(
        participant=name,
        n=values.size,
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)) if values.size > 1 else math.nan,
        least=float(values.min()),
        most=float(values.max()),
        at_ends=float(np.mean((values == scale[0]) | (values == scale[1]))),
        skew=skewness(values),
        excluded=name in excluded,
    )


def skewness(values: npt.ArrayLike) -> float:
    """The adjusted Fisher–Pearson skewness G1 = n / ((n-1)(n-2)) Σ((x-x̄)/s)³.

    >>> round(skewness([1, 1, 1, 2, 5]), 4)  # e1071::skewness(x, type = 2)
    1.9245
    """
    x = np.asarray(values, dtype=float)
    n = x.size
    if n < _LEAST_SKEWED or np.all(x == x[0]):
        return math.nan
    z = (x - x.mean()) / x.std(ddof=1)
    return float(n / ((n - 1) * (n - 2)) * np.sum(z**3))


def scale_use_table(found: Sequence[ScaleUse]) -> Table:
    """One row per evaluator and criterion."""
    columns: Columns[EvaluatorScaleUse] = (
        TableColumn("Participant", lambda x: x.participant),
        TableColumn("Answers", lambda x: x.n),
        TableColumn("Mean", lambda x: x.mean),
        TableColumn("SD", lambda x: x.sd),
        TableColumn("Least", lambda x: x.least),
        TableColumn("Most", lambda x: x.most),
        TableColumn("Share at the ends", lambda x: x.at_ends),
        TableColumn("Skewness", lambda x: x.skew),
        TableColumn("Excluded", lambda x: x.excluded),
    )
    rows = [(use.of, each) for use in found for each in use.evaluators]
    note = (
        "Least and Most: the outermost answers given. Skewness: above 0 where most answers are low, below 0 where most "
        f"are high. {'; '.join(use.in_words() for use in found)}."
    )
    return build_table(
        "scale-use", "How each participant uses the scale", columns, rows, labels=("Criterion",), note=note
    )
