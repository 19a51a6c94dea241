"""Judgements and scores brought together: one pair of numbers per text or system, and what was omitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd

from textassay.analysis.judgements import in_order, read_judgements
from textassay.errors import DataError, UsageError

Level = Literal["segment", "system"]
_SEGMENT = ["item", "system"]


@dataclass(frozen=True, eq=False)
class AlignedScores:
    """What people and one metric say of the same texts or systems."""

    metric: str
    criterion: str
    level: Level
    pairs: pd.DataFrame
    """Columns `item` (empty at system level), `system`, `judgement` (a mean) and `score`."""
    scores_are: str
    """Where a system's score comes from."""
    notes: tuple[str, ...] = ()
    """What occurs on one side only, counted."""

    @property
    def systems(self) -> list[str]:
        """The systems that have both, in the order of the judgements."""
        return list(dict.fromkeys(self.pairs["system"]))

    def without(self, system: str) -> AlignedScores:
        """The same without one system."""
        return replace(self, pairs=self.pairs[self.pairs["system"] != system])


@dataclass(frozen=True, eq=False)
class PeopleAndScores:
    """Both tables, checked and averaged."""

    people: pd.DataFrame
    """Columns `item, system, criterion, judgement`: the mean over participants."""
    scores: pd.DataFrame
    """Columns `item, system, metric, score`; `item` is empty at system level."""
    warnings: tuple[str, ...]

    def aligned(self, level: Level) -> Iterator[AlignedScores]:
        """Each metric with each criterion, in the order in which the tables have them."""
        if level not in get_args(Level):
            raise UsageError(f"level is {level!r}; choose one of: {', '.join(get_args(Level))}")
        for metric in dict.fromkeys(self.scores["metric"]):
            for criterion in dict.fromkeys(self.people["criterion"]):
                people = self.people[self.people["criterion"] == criterion].drop(columns="criterion")
                scores = self.scores[self.scores["metric"] == metric].drop(columns="metric")
                segments = _segments(metric, criterion, people, scores[scores["item"] != ""])
                yield segments if level == "segment" else _systems(segments, people, scores)


def read_tables(judgements: pd.DataFrame, scores: pd.DataFrame) -> PeopleAndScores:
    """Judgements averaged over participants, and scores; both checked.

    Practice, attention checks and repeats do not count among the judgements.

    Raises:
        DataError: a column is missing, a score is no number, or a text has two scores by one metric.
    """
    judged = read_judgements(judgements)
    people = judged.main.groupby([*_SEGMENT, "criterion"], sort=False)["value"].mean().rename("judgement").reset_index()
    checked, warnings = _read_scores(scores)
    return PeopleAndScores(people, checked, (*judged.warnings, *warnings))


def _read_scores(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    key = [*_SEGMENT, "metric"]
    missing = [column for column in [*key, "value"] if column not in frame.columns]
    if missing:
        there = ", ".join(map(str, frame.columns)) or "none"
        raise DataError(f"scores need the column(s) {', '.join(missing)}; there are: {there}")
    table = frame[key].astype(object).where(frame[key].notna(), "").astype(str).reset_index(drop=True)
    given = frame["value"].reset_index(drop=True)
    table["score"] = pd.to_numeric(given, errors="coerce").astype(float)
    wrong = np.flatnonzero(table["score"].isna() & given.notna())
    if wrong.size:
        raise DataError(f"scores, row {wrong[0] + 1}: value is {given[wrong[0]]!r}; it must be a number")
    twice = table.duplicated(key)
    if twice.any():
        first = table[twice].iloc[0]
        raise DataError(
            f"scores: item {first['item'] or '(none)'}, system {first['system']} has two values of {first['metric']}; "
            "keep one"
        )
    undefined = ~np.isfinite(table["score"])
    warnings = (
        [f"{int(undefined.sum())} of {len(table)} scores are undefined; they are omitted"] if undefined.any() else []
    )
    return table[~undefined], warnings


def _segments(metric: str, criterion: str, people: pd.DataFrame, scores: pd.DataFrame) -> AlignedScores:
    pairs = people.merge(scores, on=_SEGMENT, how="inner")[[*_SEGMENT, "judgement", "score"]]
    notes = [
        f"{len(people) - len(pairs)} of {len(people)} judged texts have no score" if len(people) > len(pairs) else "",
        f"{len(scores) - len(pairs)} of {len(scores)} scored texts have no judgement"
        if len(scores) > len(pairs)
        else "",
    ]
    return AlignedScores(metric, criterion, "segment", pairs, "one a text", tuple(filter(None, notes)))


def _systems(segments: AlignedScores, people: pd.DataFrame, scores: pd.DataFrame) -> AlignedScores:
    """A system's judgement is the mean over its texts; its score is its own row, or the mean over the judged texts."""
    whole = scores[scores["item"] == ""].set_index("system")["score"]
    given = not whole.empty
    score = whole if given else segments.pairs.groupby("system", sort=False)["score"].mean()
    judgement = people.groupby("system", sort=False)["judgement"].mean()
    both = in_order(set(judgement.index) & set(score.index), list(judgement.index))
    pairs = pd.DataFrame({"item": "", "system": both, "judgement": judgement[both], "score": score[both]})
    only = {
        "judged but not scored": set(judgement.index) - set(both),
        "scored but not judged": set(score.index) - set(both),
    }
    notes = [f"{', '.join(sorted(names))}: {what}, so omitted" for what, names in only.items() if names]
    scores_are = "the metric's corpus score" if given else "the mean over the judged texts"
    # A corpus score covers all texts; a mean of the judged ones has lost some already.
    lost = () if given else segments.notes
    return AlignedScores(
        segments.metric, segments.criterion, "system", pairs.reset_index(drop=True), scores_are, (*lost, *notes)
    )
