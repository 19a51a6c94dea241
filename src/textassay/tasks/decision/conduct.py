"""How the time was used, and what was left undefined: counts by system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from textassay.results import Record, Table
from textassay.stats import MeanInterval, mean_interval
from textassay.stats.statistic import Statistic
from textassay.tasks.decision.settings import ids

_TRUE = {"true", "yes", "1", "1.0"}


@dataclass(frozen=True)
class OfSystem:
    """Counts of the answers to one system."""

    system: str
    answers: int
    timed_out: int
    late: int
    """Given in time by the browser's clock, but received after the limit."""
    nothing_chosen: int
    """SP_AP is undefined."""
    none_inappropriate: int
    """Of an item without inappropriate actions: P_INAP is 0."""
    none_appropriate: int
    """Of an item without appropriate actions: P_AP and P are undefined."""
    chosen: float
    """Mean number of actions."""
    seconds: MeanInterval
    """Time used, over participants' means."""


@dataclass(frozen=True, kw_only=True)
class Conduct(Statistic):
    """How the time was used, by system."""

    systems: tuple[OfSystem, ...]

    def records(self) -> list[Record]:
        """Counts of each system, and its mean time."""
        found = []
        for each in self.systems:
            counts = {
                "timed out": each.timed_out,
                "late": each.late,
                "nothing chosen": each.nothing_chosen,
                "nothing inappropriate": each.none_inappropriate,
                "nothing appropriate": each.none_appropriate,
            }
            found += [self.record(name, count, by=each.system, n=each.answers) for name, count in counts.items()]
            time = each.seconds
            found.append(self.record("mean seconds", time.mean, by=each.system, n=time.n, ci=time.ci))
        return found

    def table(self, name: str = "use-of-time", title: str = "Use of the time") -> Table:
        """One row per system."""
        rows = [
            (
                each.system,
                each.answers,
                each.timed_out,
                each.late,
                each.seconds.mean,
                *each.seconds.ci,
                each.chosen,
                each.nothing_chosen,
                each.none_inappropriate,
                each.none_appropriate,
            )
            for each in self.systems
        ]
        columns = ("System", "Answers", "Timed out", "Late", "Seconds", "Low", "High", "Chosen")
        return Table(
            name,
            title,
            (*columns, "Nothing chosen", "Nothing inappropriate", "Nothing appropriate"),
            tuple(rows),
            note="Seconds: mean over participants' means with its interval. Late: given in time by the browser's "
            "clock but received after the limit; not counted as timed out. Chosen: mean number of actions. Where "
            "nothing was chosen SP_AP is undefined; for items without inappropriate actions P_INAP is 0, for items "
            "without appropriate ones P_AP and P are undefined.",
        )


def conduct(first: pd.DataFrame, systems: Sequence[str], confidence: float) -> Conduct:
    """Counts over the first answers to main trials."""
    late = _flag(first, "late")
    first = first.assign(late=late, timed_out=_flag(first, "timed_out") & ~late)
    found = tuple(_of_system(first[first["system"] == system], system, confidence) for system in systems)
    total = {name: sum(getattr(each, name) for each in found) for name in ("nothing_chosen", "none_appropriate")}
    warnings = []
    if total["nothing_chosen"]:
        warnings.append(f"SP_AP leaves out {total['nothing_chosen']} answer(s) in which nothing was chosen")
    if total["none_appropriate"]:
        warnings.append(
            f"P and P_AP leave out {total['none_appropriate']} answer(s) to items without appropriate actions"
        )
    return Conduct(method="counts of answers", warnings=tuple(warnings), systems=found)


def _of_system(own: pd.DataFrame, system: str, confidence: float) -> OfSystem:
    chosen = own["chosen"].map(lambda cell: len(ids(cell)))
    empty = {name: own[name].map(lambda cell: not ids(cell)) for name in ("appropriate", "inappropriate")}
    times = pd.to_numeric(own["rt_ms"], errors="coerce") / 1000 if "rt_ms" in own else pd.Series(dtype=float)
    per_person = times.groupby(own["participant"]).mean().dropna()
    return OfSystem(
        system=system,
        answers=len(own),
        timed_out=int(own["timed_out"].sum()),
        late=int(own["late"].sum()),
        nothing_chosen=int((chosen == 0).sum()),
        none_inappropriate=int(empty["inappropriate"].sum()),
        none_appropriate=int(empty["appropriate"].sum()),
        chosen=float(chosen.mean()),
        seconds=mean_interval(per_person.to_numpy(dtype=float), confidence=confidence),
    )


def _flag(table: pd.DataFrame, column: str) -> pd.Series[bool]:
    """A column of yes and no; a column that is not there is no throughout."""
    if column not in table:
        return pd.Series(data=False, index=table.index, dtype=bool)
    return table[column].map(lambda value: str(value).strip().lower() in _TRUE).astype(bool)
