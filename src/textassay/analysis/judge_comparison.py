"""Can an automatic judge stand in for a person? Tables of people's and judges' answers, tested and put into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from textassay.analysis.judgements import need_columns, read_judgements
from textassay.analysis.table_builder import TableColumn, build_table
from textassay.analysis.wording import list_some, named_warnings
from textassay.errors import DataError
from textassay.headline import Headline
from textassay.meta.judge_test import (
    DEFAULTS,
    PASSES,
    JudgeTest,
    JudgeTestOptions,
    PersonAgainstJudge,
    Scoring,
    judge_test,
)
from textassay.results import Analysis, Table
from textassay.stats.samples import FloatArray

UNIT = ("item", "system", "system_a", "system_b")
"""The columns that together name what was judged, as far as both tables have them."""
_JUDGE = ("judge", "metric")
"""The column that names several judges, in a table of judges' answers."""
_CRITERION = "criterion"
_FEW_VALUES = 3
"""Numbers with no more different values than this are taken as categories."""
_ENOUGH = 0.8
"""The power from which on it says something that a judge fails."""


def judge_comparison(
    people: pd.DataFrame,
    judges: pd.DataFrame,
    options: JudgeTestOptions = DEFAULTS,
    *,
    scoring: Scoring | Literal["auto"] = "auto",
) -> Analysis:
    """Each judge put to the alternative annotator test, on each criterion.

    Args:
        people: Columns `participant, item, value`, and where there are several `system` (or `system_a` and `system_b`)
            and `criterion`; values are numbers or labels. Practice, attention checks and repeats do not count.
        judges: Columns `item, value` and the same others; `judge` (or `metric`) names one of several judges.
        options: How a judge is tested.
        scoring: Instead of that of the options; `auto`: labels and numbers of at most three different values are
            compared by accuracy, other numbers by their root mean squared error.

    Raises:
        DataError: a column is missing, or people and judge have nothing in common.
    """
    need_columns(people, ["participant", "item", "value"], "people's answers")
    need_columns(judges, ["item", "value"], "the judge's answers")
    both = _coded(people, judges)
    fitting: Scoring = "rmse" if both.numbers and both.different > _FEW_VALUES else "accuracy"
    chosen = replace(options, scoring=fitting if scoring == "auto" else scoring)
    if chosen.scoring == "rmse" and not both.numbers:
        raise DataError("values are labels, which have no squared error; compare them by accuracy")
    found = tuple(_tests(both, chosen))
    return Analysis(
        name="judges",
        title="Can a judge stand in for a person?",
        results=tuple(each.test for each in found),
        tables=(_judges_table(found, chosen), _persons_table(found)),
        warnings=tuple(named_warnings((each.name, each.test.warnings) for each in found)),
        headlines=tuple(Headline(each.name, (_sentence(each.test),)) for each in found),
        cautions=tuple(each.caution for each in found if each.caution),
        place="metrics",
    )


@dataclass(frozen=True)
class _Tested:
    judge: str
    criterion: str
    test: JudgeTest
    caution: str

    @property
    def name(self) -> str:
        return f"{self.judge} and {self.criterion}" if self.criterion else self.judge


@dataclass(frozen=True)
class _Answers:
    """Both tables with one name for what was judged, and values as numbers."""

    people: pd.DataFrame
    judges: pd.DataFrame
    by_criterion: bool
    numbers: bool
    """Whether values are numbers and not labels."""
    different: int
    """How many different values people gave."""


def _coded(people: pd.DataFrame, judges: pd.DataFrame) -> _Answers:
    unit = [column for column in UNIT if column in people.columns and column in judges.columns]
    ours = [column for column in UNIT if column in people.columns and column not in judges.columns]
    if ours:
        raise DataError(
            f"people's answers have the column(s) {', '.join(ours)}, the judge's have not; give the judge's answer to "
            "each of the same texts"
        )
    numbers = _all_numbers(people, judges)
    both = [people["value"], judges["value"]]
    if numbers:
        values = [pd.to_numeric(each).to_numpy(dtype=float, na_value=np.nan) for each in both]
    else:
        codes, _ = pd.factorize(pd.concat([each.map(_label, na_action="ignore") for each in both]))
        coded = np.where(codes < 0, np.nan, codes).astype(float)
        values = [coded[: len(people)], coded[len(people) :]]
    frames = []
    for table, its in zip((people, judges), values, strict=True):
        names = table[unit].astype(object).where(table[unit].notna(), "").astype(str)
        criterion = table[_CRITERION].astype(str) if _CRITERION in table.columns else "answer"
        item, written = names.agg(" | ".join, axis=1), table["value"].map(_label, na_action="ignore")
        frames.append(table.assign(item=item, system="text", criterion=criterion, value=its, written=written))
    different = int(np.unique(values[0][~np.isnan(values[0])]).size)
    return _Answers(frames[0], frames[1], _CRITERION in people.columns, numbers, different)


def _all_numbers(*tables: pd.DataFrame) -> bool:
    given = pd.concat([table["value"] for table in tables])
    return bool(pd.to_numeric(given, errors="coerce").notna().eq(given.notna()).all())


def _label(value: object) -> str:
    """A label as text, so that 1 in a table of numbers is the 1 in a table of labels."""
    return f"{value:g}" if isinstance(value, float) else str(value).strip()


def _tests(answers: _Answers, options: JudgeTestOptions) -> Iterator[_Tested]:
    judged = read_judgements(answers.people)
    column = next((name for name in _JUDGE if name in answers.judges.columns), None)
    names = list(dict.fromkeys(answers.judges[column].astype(str))) if column else ["the judge"]
    for criterion in judged.criteria:
        table = judged.of(criterion).main.pivot(index="participant", columns="item", values="value")
        if _CRITERION in answers.judges.columns and (answers.judges[_CRITERION] != "answer").any():
            own = answers.judges[answers.judges[_CRITERION] == criterion]
        else:
            own = answers.judges
        for name in names:
            its = own[own[column].astype(str) == name] if column else own
            if its.empty:
                continue
            label = criterion if answers.by_criterion else ""
            yield _tested(name, label, table, its, options)


def _tested(name: str, criterion: str, table: pd.DataFrame, its: pd.DataFrame, options: JudgeTestOptions) -> _Tested:
    twice = its["item"].duplicated()
    if twice.any():
        raise DataError(f"{name} has two answers to {its.loc[twice, 'item'].iloc[0]}; keep one")
    judge = its.set_index("item")["value"].reindex(table.columns).to_numpy(dtype=float)
    if np.isnan(judge).all():
        raise DataError(f"{name} answered nothing that people answered; check the names of items in both tables")
    test = judge_test(table.to_numpy(dtype=float), judge, options, persons=list(table.index), name=name)
    if options.scoring == "rmse":
        return _Tested(name, criterion, test, _outside_scale(name, table.to_numpy(dtype=float), judge))
    return _Tested(name, criterion, test, _unknown_answers(name, table.to_numpy(dtype=float), its))


def _unknown_answers(name: str, people: FloatArray, its: pd.DataFrame) -> str:
    """Answers that no person gave are never the same as anybody's: a spelling may be the reason."""
    unknown = its[~its["value"].isin(np.unique(people)) & its["value"].notna()]
    if unknown.empty:
        return ""
    shown = list_some(sorted(unknown["written"].unique()))
    return (
        f"{len(unknown)} of {len(its)} answers of {name} are none that people gave ({shown}); they count as unlike "
        "everybody's: write answers alike in both tables if that is not meant"
    )


def _outside_scale(name: str, people: FloatArray, judge: FloatArray) -> str:
    """A judge that does not use people's scale cannot be near to them, whatever its worth."""
    low, high = np.nanmin(people), np.nanmax(people)
    outside = float(np.mean((judge[~np.isnan(judge)] < low) | (judge[~np.isnan(judge)] > high)))
    if outside == 0:
        return ""
    return (
        f"{100 * outside:.0f} % of the values of {name} lie outside people's ({low:g} to {high:g}); this test is for a "
        "judge that answers on the same scale as people"
    )


def _sentence(test: JudgeTest) -> tuple[str]:
    """What a reader takes home; a judge that fails a test without power is not shown to be bad."""
    people = len(test.persons)
    nearer, farther = (round(rate * people) for rate in (test.winning_rate, test.losing_rate))
    of = f"it is shown to be as near to the others as {nearer} of {people} people (ε = {test.epsilon:g})"
    if test.passes:
        return (f"{test.judge} can stand in for a person: {of}.",)
    if test.losing_rate >= PASSES:
        shown = f"it is shown to be farther from the others than {farther} of {people} people (ε = {test.epsilon:g})"
        return (f"{test.judge} cannot stand in for a person: {shown}.",)
    said = f"It is not shown that {test.judge} can stand in for a person: {of}"
    if np.isnan(test.power):
        return (f"{said}.",)
    power = f"a judge exactly as good as a person passes in {100 * test.power:.0f} % of studies like this one"
    return (f"{said}, although {power}." if test.power >= _ENOUGH else f"{said}; but {power}, so this says little.",)


def _judges_table(found: Sequence[_Tested], options: JudgeTestOptions) -> Table:
    note = (
        f"Winning rate: the share of people whom the judge is shown to replace (ε = {options.epsilon:g}; passes from "
        f"{PASSES:g} on). ρ: how often the judge is at least as near to the others as a person is. Power: how often a "
        "judge exactly as good as a person would pass in a study like this one, by simulation."
    )
    columns: tuple[TableColumn[JudgeTest], ...] = (
        TableColumn("People", lambda test: len(test.persons)),
        TableColumn("Winning rate", lambda test: test.winning_rate),
        TableColumn("Passes", lambda test: test.passes),
        TableColumn("ρ", lambda test: test.advantage),
        TableColumn("Power", lambda test: test.power),
    )
    labels = ("Judge", "Criterion") if any(each.criterion for each in found) else ("Judge",)
    rows = [(*_labels(each, labels), each.test) for each in found]
    return build_table("judges", "Judges against people", columns, rows, labels=labels, note=note)


def _persons_table(found: Sequence[_Tested]) -> Table:
    columns: tuple[TableColumn[PersonAgainstJudge], ...] = (
        TableColumn("Person", lambda one: one.person),
        TableColumn("n", lambda one: one.n),
        TableColumn("Difference", lambda one: one.difference),
        TableColumn("Judge at least as near", lambda one: one.judge_wins),
        TableColumn("Person at least as near", lambda one: one.person_wins),
        TableColumn("p", lambda one: one.p),
        TableColumn("p corrected", lambda one: one.p_adjusted),
    )
    labels = ("Judge", "Criterion") if any(each.criterion for each in found) else ("Judge",)
    rows = [(*_labels(each, labels), one) for each in found for one in each.test.persons]
    note = "Corrected over people by Benjamini and Yekutieli."
    table = build_table("judge-and-persons", "Each person against the judge", columns, rows, labels=labels, note=note)
    return replace(table, detail=True)


def _labels(each: _Tested, labels: Sequence[str]) -> tuple[str, ...]:
    return (each.judge, each.criterion)[: len(labels)]
