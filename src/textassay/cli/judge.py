"""`textassay judge`: can an automatic judge stand in for a person?"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from textassay.analysis.judge_comparison import judge_comparison
from textassay.cli.options import Format, Whole
from textassay.cli.output import show_analyses
from textassay.meta.judge_test import JudgeTestOptions
from textassay.tables.frames import read_frame
from textassay.tables.schema import ITEM, PARTICIPANT, Column, TableSchema

_VALUE = Column("value", "text", "the answer: a number or a label", required=True)
PEOPLE = TableSchema(
    "people's answers", "one row per participant and text, with `system` and `criterion` where there are several",
    (PARTICIPANT, ITEM, _VALUE),
)  # fmt: skip
JUDGES = TableSchema(
    "the judge's answers", "one row per text, with `judge` where there are several", (ITEM, _VALUE)
)  # fmt: skip


def judge(
    people: Path,
    judges: Path,
    *,
    epsilon: float = 0.1,
    scoring: Literal["auto", "accuracy", "rmse"] = "auto",
    draws: Whole = 1000,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Test whether an automatic judge can stand in for a person (Calderon et al. 2025).

    Args:
        people: A table of people's answers: participant, item, value, and system or criterion where there are several.
        judges: A table of the judge's answers to the same texts; column judge (or metric) names several judges.
        epsilon: The advantage given to the judge: 0.2 for experts, 0.15 for trained people, 0.1 for a crowd.
        scoring: How answers are compared: accuracy for categories, rmse for numbers on people's own scale; auto takes
            accuracy for labels and for at most three different numbers.
        draws: Simulated studies for the power of the test; 0 for none.
        format: How the result is printed.
    """
    answers, its = read_frame(people, PEOPLE), read_frame(judges, JUDGES)
    found = judge_comparison(answers, its, JudgeTestOptions(epsilon=epsilon, draws=draws), scoring=scoring)
    show_analyses([found], format)
