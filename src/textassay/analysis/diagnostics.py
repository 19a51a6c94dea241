"""Each participant's habits: use of the scale, speed, and agreement with the others."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

import pandas as pd

from textassay.analysis.judgements import Judgements
from textassay.results import Figure, Table
from textassay.stats import pearson

_LEAST_SHARED = 3
"""A correlation over fewer texts or systems than this says nothing."""
_UNITS = {"text": ["item", "system"], "system": ["system"]}
"""What a participant's answers are compared over → its columns."""


@dataclass(frozen=True)
class Habits:
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

    participants: tuple[Habits, ...]
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
        Habits(
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


def _warnings(people: tuple[Habits, ...], over: str) -> tuple[str, ...]:
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
    """One row a participant."""
    rows = [
        (p.participant, p.n, p.mean, p.sd, p.median_rt_ms, p.modal_share, p.agreement, p.excluded)
        for p in found.participants
    ]
    return Table(
        "participants",
        "How each participant answered",
        ("Participant", "Answers", "Mean", "SD", "Median time (ms)", "Most frequent answer", "Agreement", "Excluded"),
        tuple(rows),
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
