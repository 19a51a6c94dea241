"""What a report shows of the study file."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from small_study import write_small_study

from textassay.analysis import report_summary
from textassay.report.summary import StudySummary
from textassay.screening.verdicts import RuleReason, Verdict
from textassay.study.load import load_study
from textassay.study.planning import stored_plan


def test_no_code_at_the_end_is_shown(tmp_path: Path) -> None:
    def codes(data: dict[str, Any]) -> None:
        data["finish"] = {
            "codes": {"completed": "C-1", "screened_out": "C-12", "no_consent": "C-3", "withdrawn": "C-4"}
        }

    text = report_summary._study_file(load_study(write_small_study(tmp_path / "codes", codes)))
    assert "C-" not in text
    assert text.count("(hidden)") == 4
    assert "(hidden)2" not in text  # one code is the start of another
    assert "SMALL-42" not in report_summary._study_file(load_study(write_small_study(tmp_path / "code")))


def test_what_changes_the_meaning_of_all_figures_is_said_before_them(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    wanted = sum(cohort.wanted for cohort in study.cohorts)
    data: Any = SimpleNamespace(warnings=(), participants=[])
    enough: Any = [SimpleNamespace(valid=True)] * wanted
    assert list(report_summary._alerts(study, data, enough)) == []
    simulated = [{"participant": f"p{n}", "simulated": True} for n in range(wanted)]
    edited: Any = SimpleNamespace(warnings=("texts.csv was edited after people began",), participants=simulated)
    few: Any = [*enough[1:], SimpleNamespace(valid=False)]
    assert list(report_summary._alerts(study, edited, few)) == [
        f"All {wanted} participants are simulated: these figures say nothing about the texts.",
        f"Recruiting is unfinished: the results are based on {wanted - 1} of {wanted} wanted participants.",
        "texts.csv was edited after people began.",
    ]


def test_simulated_participants_among_real_ones_are_counted() -> None:
    people = [{"participant": f"p{n}", "simulated": flag} for n, flag in ((1, True), (2, False), (3, None))]
    data: Any = SimpleNamespace(participants=people)
    kept = [Verdict(f"p{n}", True) for n in (1, 2, 3)]
    (said,) = report_summary._simulated(data, kept)
    assert said == (
        "1 of 3 participants are simulated, and no real participant has completed the study yet: these figures say "
        "nothing about the texts."
    )
    left_out = [Verdict("p1", False, (RuleReason("simulated", "simulated"),)), *kept[1:]]
    assert list(report_summary._simulated(data, left_out)) == [
        "1 of 3 participants are simulated. They are left out of all results, which rest on real participants alone."
    ]
    assert list(report_summary._simulated(SimpleNamespace(participants=people[1:]), kept)) == []  # type: ignore[arg-type]


def summary(directory: Path, change: Any = None) -> StudySummary:
    """Five people, the last of whom is excluded; the plan counts the first two."""
    study = load_study(write_small_study(directory, change))
    status, native = ("completed", "completed", "withdrawn", None, "completed"), ("yes", "no", "yes", "yes", "yes")
    rows = zip(status, native, (18, 31, 47, None, 99), strict=True)
    people = [
        {"participant": f"p{n}", "status": state, "native": answer, "age": age, "counted": n < 2}
        for n, (state, answer, age) in enumerate(rows)
    ]
    times = [[SimpleNamespace(rt_ms=60_000.0 * n), SimpleNamespace(rt_ms=None)] for n in range(1, 6)]
    cases = [SimpleNamespace(participant=f"p{n}", trials=own, planned=2) for n, own in enumerate(times)]
    data: Any = SimpleNamespace(participants=people, cases=cases, warnings=(), through_pages=frozenset())
    out = Verdict("p4", False, (RuleReason("too-fast", "fast"),))
    return report_summary.study_summary(
        study, stored_plan(study), data, [*(Verdict(f"p{n}", True) for n in range(4)), out], []
    )


def test_participants_are_counted_and_described_without_those_excluded(tmp_path: Path) -> None:
    found = summary(tmp_path / "study")
    people = found.participants
    assert people.by_status == {"completed": 3, "withdrawn": 1, "unknown": 1}
    assert (people.included, people.excluded, people.wanted) == (4, 1, 6)
    assert (people.minutes, people.minutes_range) == (2.5, (1.0, 4.0))  # 1 2 3 4 minutes
    native, age = people.demographics
    assert (native.columns, native.rows) == (("native", "participants"), (("yes", 3), ("no", 1)))
    assert [row for row in age.rows if row[1]] == [("15 to 19", 1), ("30 to 34", 1), ("45 to 49", 1), ("no answer", 1)]
    assert (found.exclusions.rows, found.systems) == (
        (("p4", "too-fast", "fast"),),
        ("human", "neural", "template"),
    )
    assert found.warnings[-1] == (
        "the balance shown is that of the plan, which holds over the 2 participants that it counts; the results rest "
        "on all 4 valid ones"
    )


def test_blocks_and_designs_are_described(tmp_path: Path) -> None:
    found = summary(tmp_path / "study")
    (block,) = found.blocks
    assert [(each.name, each.text) for each in block.questions] == [
        ("clarity", "How clear is the text?"),
        ("fluency", "How well does it read?"),
    ]
    assert block.notes == (
        "Practice trials first: 2.",
        "Attention checks: 1.",
        "Trials shown a second time: 1.",
        "Order of trials random for each participant.",
    )
    (design,) = found.designs
    assert (design.name, design.squares, design.trials, design.remedies) == (
        "quality",
        "1 Latin square of 6 × 6",
        36,
        (),
    )


def test_a_plan_that_is_not_balanced_shows_by_how_much(tmp_path: Path) -> None:
    def fewer(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = 4
        data["blocks"][0]["design"] = {"order": "williams"}
        del data["blocks"][0]["practice"]

    found = summary(tmp_path / "study", fewer)
    (design,), (block,) = found.designs, found.blocks
    uneven = [row for row in design.balance if row.least != row.most]
    assert uneven
    assert all(row.least < row.most for row in uneven)
    assert design.remedies
    assert block.notes == ("Attention checks: 1.", "Order of trials by Williams squares.")
