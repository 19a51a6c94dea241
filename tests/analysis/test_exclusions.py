"""Whose answers count."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import pytest

from textassay.analysis.exclusions import excluded, with_and_without_exclusions
from textassay.results import Analysis, Record, Result


def test_excluded_are_those_whose_verdict_says_so() -> None:
    people = pd.DataFrame({"participant": ["p", "q", "r"], "verdict": ["valid", "excluded", None]})
    assert excluded(people) == ["q"]
    assert excluded(people[["participant"]]) == []


ANSWERS = pd.DataFrame({"participant": ["p", "p", "q"]})
PEOPLE = pd.DataFrame({"participant": ["p", "q"], "verdict": ["valid", "excluded"]})


@dataclass(frozen=True, kw_only=True)
class FRatio(Result):
    p: float

    def records(self) -> list[Record]:
        first = self.record("F", 4.0, of="clarity", by="System", p=self.p)
        return [first, self.record("F", 1.0, of="clarity", by="Text", p=0.5 - self.p)]


def compared(everyone: float, kept: float, alpha: float = 0.05) -> Analysis:
    """The last analysis where the first F has one p over all answers, and another without the excluded."""

    def recipe(rows: pd.DataFrame) -> list[Analysis]:
        return [Analysis("a", "A", (FRatio(method="mixed model", p=everyone if len(rows) == 3 else kept),))]

    return with_and_without_exclusions(ANSWERS, PEOPLE, recipe, alpha=alpha)[-1]


@pytest.mark.parametrize(
    ("everyone", "kept", "alpha", "changed"),
    [(0.2, 0.01, 0.05, True), (0.01, 0.2, 0.05, True), (0.2, 0.3, 0.05, False), (0.02, 0.04, 0.05, False),
     (0.02, 0.04, 0.03, True)],
)  # fmt: skip
def test_a_reader_is_warned_where_exclusions_decide_what_is_significant(
    *, everyone: float, kept: float, alpha: float, changed: bool
) -> None:
    found = compared(everyone, kept, alpha)
    assert bool(found.cautions) is changed
    assert bool(found.headlines) is not changed
    assert found.place == "participants"
    assert found.tables[0].detail


def test_what_is_said_of_exclusions() -> None:
    (caution,) = compared(0.2, 0.01).cautions
    assert caution == (
        "clarity: whether system is significant depends on who is excluded: p = .010 as analysed, p = .200 with the "
        "answers of everyone (mixed model)"
    )
    (said,) = compared(0.2, 0.3).headlines
    assert said.text == "No F test (mixed model) becomes or ceases to be significant at .05 by excluding participants."
    assert "p < .001 as analysed" in compared(0.2, 0.0001).cautions[0]


def test_without_a_test_nothing_is_said_of_exclusions() -> None:
    found = with_and_without_exclusions(ANSWERS, PEOPLE, lambda _: [Analysis("a", "A")])[-1]
    assert (found.headlines, found.cautions) == ((), ())


def test_nobody_excluded_nothing_set_side_by_side() -> None:
    found = with_and_without_exclusions(ANSWERS, PEOPLE.assign(verdict="valid"), lambda _: [Analysis("a", "A")])
    assert [analysis.name for analysis in found] == ["a"]


@dataclass(frozen=True, kw_only=True)
class Led(Result):
    p: float
    n: int

    def records(self) -> list[Record]:
        return [self.record("F", 4.5, of="clarity", by="system", df=(1.5, 12.0), p=self.p, n=self.n)]


ALL_ROWS = pd.DataFrame({"participant": ["p", "p", "q", "r", "s"]})
SCREENED = pd.DataFrame(
    {
        "participant": ["p", "q", "r", "s"],
        "verdict": ["valid", "excluded", "excluded", "excluded"],
        "unfinished": [False, True, True, False],
    }
)


def repeated(people: pd.DataFrame, p_with_them: float) -> Analysis:
    """The last analysis where the leading test has one p with those who did not finish, and .04 otherwise."""

    def recipe(rows: pd.DataFrame) -> list[Analysis]:
        p = p_with_them if {"q", "r"} <= set(rows["participant"]) else 0.04
        return [Analysis("a", "A", (Led(method="ANOVA-type test", p=p, n=len(rows)),))]

    rows = ALL_ROWS[ALL_ROWS["participant"].isin(people["participant"])]
    return with_and_without_exclusions(rows, people, recipe)[-1]


def test_the_leading_test_is_repeated_with_those_who_did_not_finish() -> None:
    found = repeated(SCREENED, 0.03)
    assert found.headlines[-1].text == (
        "With the 2 participants who did not finish: clarity F(1.5, 12) = 4.50, p = .030 (as analysed p = .040)."
    )
    assert found.cautions == ()
    table = found.tables[0]
    assert table.rows == (
        ("clarity", "as analysed", 4.5, 1.5, 12.0, 0.04, 2),
        ("clarity", "with those who did not finish", 4.5, 1.5, 12.0, 0.03, 4),  # not s, whom another rule excludes
    )


@pytest.mark.parametrize("people", [SCREENED, SCREENED[:3]])
def test_a_reader_is_warned_where_those_who_did_not_finish_decide(people: pd.DataFrame) -> None:
    (said,) = [text for text in repeated(people, 0.2).cautions if "did not finish" in text]
    assert said == (
        "clarity: whether system is significant depends on the 2 participants who did not finish: p = .040 as "
        "analysed, p = .200 with them (ANOVA-type test)"
    )


def test_who_finished_changes_nothing_where_it_is_not_known() -> None:
    found = repeated(SCREENED.drop(columns="unfinished"), 0.2)
    assert [table.name for table in found.tables] == ["with-and-without-exclusions"]


def test_one_who_did_not_finish() -> None:
    people = SCREENED.assign(unfinished=[False, True, False, False])
    assert (
        repeated(people, 0.2).headlines[-1].text.startswith("With the one participant who did not finish: clarity F(")
    )
