"""The contract of the ranking task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.design.sets import system_sets
from textassay.errors import AnswerError
from textassay.seeds import Stream
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.tables.schema import RANKINGS, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.context import context_images, context_row
from textassay.tasks.contract import Payload, Systems, Task, TrialQuestion
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.event_marks import event_mark_problems, event_mark_warnings, legend_view, shown_text
from textassay.tasks.ranking.settings import RankingSettings, block_problems, block_warnings
from textassay.tasks.sorting import anonymous_ids

if TYPE_CHECKING:
    import pandas as pd


_SECONDS_A_TEXT = 3.0
"""To find the place of a text in the order, on each criterion."""


class Ranking(Task[RankingSettings]):
    """Put several texts of one item in order."""

    name: ClassVar[str] = "ranking"
    title: ClassVar[str] = "Ranking"
    Settings: ClassVar[type[BlockSettings]] = RankingSettings
    schema: ClassVar[TableSchema] = RANKINGS

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        yield from block_problems(self)
        yield from event_mark_problems(self)

    @property
    @override
    def condition_label(self) -> str:
        return "set of systems"

    @override
    def conditions(self) -> Sequence[Systems]:
        """The sets of systems that are ranked together."""
        size = min(self.settings.systems_per_trial or len(self.study.systems), len(self.study.systems))
        return system_sets(self.study.systems, size, Stream(self.study.file.seed, "ranking", "sets", self.block.name))

    @override
    def randomise(self, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:
        """The order in which the texts are shown first, and an id for each that tells nothing."""
        n = len(names_of(self, cell.item, cell.condition))
        check = not cell.condition and cell.item not in self.block.practice
        places = stream.child("start")
        start = places.permutation(n)
        while check and start == sorted(start):  # a check that is right from the start checks nothing
            start = places.permutation(n)
        return {"start": start, "ids": anonymous_ids(n, stream.child("ids"))}

    @override
    def warnings(self) -> Iterable[str]:
        return [*block_warnings(self), *event_mark_warnings(self)]

    @override
    def expected_seconds(self, trial: Trial) -> float:
        settings, entries = self.settings, entries_of(self, trial)
        words = sum(len(entry.text.split()) for entry in entries)
        words += len(settings.context_of(context_row(self, trial)).split())
        return words / WORDS_A_SECOND + _SECONDS_A_TEXT * len(entries) * len(settings.criteria)

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings, entries = self.settings, entries_of(self, trial)
        shown = [entries[place] for place in trial.randomised["start"]]
        return {
            **settings.context_view(context_row(self, trial)),
            "entries": [
                {"id": name, "html": shown_text(self, trial, entry.name, entry.text), "fixed": False}
                for name, entry in zip(trial.randomised["ids"], shown, strict=True)
            ],
            **legend_view(self),
            "criteria": settings.criteria,
            "ties": settings.ties,
            **settings.comment_box(),
        }

    @override
    def media(self) -> Iterable[str]:
        return context_images(self)

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        settings = self.settings
        rankings, confirmed = payload.get("rankings"), payload.get("confirmed")
        rankings = rankings if isinstance(rankings, Mapping) else {}
        confirmed = confirmed if isinstance(confirmed, Mapping) else {}
        wrong: dict[str, str] = {}
        for criterion in settings.criteria:
            groups = rankings.get(criterion.name)
            if not _is_ranking(groups, trial.randomised["ids"], ties=settings.ties):
                wrong[criterion.name] = "ranking.wrong"
            elif groups == [[name] for name in trial.randomised["ids"]] and confirmed.get(criterion.name) is not True:
                wrong[criterion.name] = "ranking.unconfirmed"
        wrong |= settings.comment_faults(payload)
        if wrong:
            raise AnswerError(wrong)
        kept = {criterion.name: rankings[criterion.name] for criterion in settings.criteria}
        return {"rankings": kept, **settings.kept_comment(payload)}

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        names = names_of(self, trial.item, trial.systems)
        shown = {name: place for place, name in enumerate(trial.randomised["ids"])}
        comment = self.settings.comment_cell(payload)
        rows = []
        for criterion, groups in payload["rankings"].items():
            for name, rank in _ranks(groups).items():
                system = names[trial.randomised["start"][shown[name]]]
                position = shown[name] + 1
                fields = {"item": trial.item, "system": system, "criterion": criterion, "rank": rank}
                rows.append({**fields, "start_position": position, **comment})
        return rows

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """What came where, of the places in which the texts were shown first.

        A participant who does not look leaves everything as it is, or always does the same with the same places.
        """
        done = ((row["criterion"], row.get("start_position") or row["system"], row["rank"]) for row in rows)
        return tuple(sorted(done))

    @override
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        if row["criterion"] not in {criterion.name for criterion in self.settings.criteria}:
            return f"criterion {row['criterion']!r} is not asked in this block"
        if row["rank"] < 1 or row["rank"] * 2 % 1:
            return f"rank {row['rank']:g} is not a place from 1 or the mean of tied places"
        return None

    @override
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Each text of a check is named by the place at which it belongs."""
        return all(str(row["system"]) == f"{row['rank']:g}" for row in rows)

    @override
    def largest_differences(self) -> Mapping[str, float]:
        size = min(self.settings.systems_per_trial or len(self.study.systems), len(self.study.systems))
        return {each.name: size - 1.0 for each in self.settings.criteria}

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        settings = self.settings
        number = f"{settings.systems_per_trial or 'all'} texts"
        answer = f"{number} put in order, 1 is best, {'ties allowed' if settings.ties else 'no ties'}"
        elicitation = Elicitation(
            form="relative",
            instrument="none",
            begins=1.0,
            activity=f"Participants see {number} of one item and put them in order, best first ({answer}).",
            scores="Ranks within a trial; a system's score is its mean rank",
            relative=True,
            extrinsic=False,
            agreement=("W", "mean W within items"),
        )
        return [TrialQuestion(each.name, each.question, answer, elicitation) for each in settings.criteria]

    @classmethod
    @override
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """Of k texts, the one with rank r gets k + 1 - r, so that more is better."""
        from textassay.tasks.ranking.answers import as_judgements  # noqa: PLC0415 -- pandas

        return as_judgements(table)


@dataclass(frozen=True)
class RankedText:
    """One text that is to be ranked."""

    name: str
    """In column `system`: the system; the practice table's unit; the place at which a check's text belongs."""
    text: str


def names_of(task: Task[RankingSettings], item: str, systems: Sequence[str]) -> list[str]:
    """Names of a trial's texts, in the order of the data; trials without systems are practice or checks."""
    return list(systems) or [entry.name for entry in _without_system(task, item)]


def entries_of(task: Task[RankingSettings], trial: Trial) -> list[RankedText]:
    """The texts of a trial, in the order of the data."""
    if trial.systems:
        return [RankedText(system, task.study.texts[trial.item, system]) for system in trial.systems]
    return _without_system(task, trial.item)


def _without_system(task: Task[RankingSettings], item: str) -> list[RankedText]:
    if item in task.block.practice:
        return [RankedText(unit.id, unit.text) for unit in task.block.practice_units.get(item, ())]
    check = check_of(task.settings.attention_checks, item)
    return [RankedText(str(place), text) for place, text in enumerate(check.texts, 1)]


def _is_ranking(groups: Any, ids: Sequence[str], *, ties: bool) -> bool:
    """Whether these are all ids in groups, none empty, and none of several where there may be no ties."""
    if not isinstance(groups, list) or not all(isinstance(group, list) and group for group in groups):
        return False
    named = [name for group in groups for name in group]
    if not all(isinstance(name, str) for name in named) or sorted(named) != sorted(ids):
        return False
    return ties or len(groups) == len(ids)


def _ranks(groups: Sequence[Sequence[str]]) -> dict[str, float]:
    """Rank by id; those in one group share the mean of their places.

    >>> _ranks([["a"], ["b", "c"], ["d"]])
    {'a': 1.0, 'b': 2.5, 'c': 2.5, 'd': 4.0}
    """
    ranks: dict[str, float] = {}
    for group in groups:
        rank = len(ranks) + (len(group) + 1) / 2
        ranks.update(dict.fromkeys(group, rank))
    return ranks
