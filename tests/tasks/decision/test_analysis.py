"""Means over participants, paired differences, with and without items that need no action, use of the time; by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from decision_study import write_decision_study
from scipy import stats
from small_study import write_csv

from textassay.analysis.leading_test import leading_p
from textassay.report.outline import outline
from textassay.report.summary import Section
from textassay.results import Analysis, Record
from textassay.stats import krippendorff_alpha
from textassay.study.load import load_study
from textassay.study.model import AnalysisOptions
from textassay.study.study import Study
from textassay.tasks.decision.analysis import OVER_PEOPLE, UNKNOWN_NO_ACTION, analyse, analyse_table
from textassay.tasks.decision.comparison import SUBJECTS
from textassay.tasks.decision.scores import with_scores

# Item i wants a and b, x is wrong, item j wants to be left alone; the text is "t", the plot "g".
SETS = {"i": ("a b", "x", "a"), "j": ("nothing", "", "nothing"), "k": ("a", "x", "a")}


def row(participant: str, item: str, system: str, chosen: str, **more: Any) -> dict[str, Any]:
    good, bad, target = SETS[item]
    sets = {"appropriate": good, "inappropriate": bad, "target": target}
    return {"participant": participant, "item": item, "system": system, "chosen": chosen, **sets, **more}


ROWS = [
    row("p", "i", "human", "a b", rt_ms=10_000),  # P 1
    row("p", "k", "human", "x", rt_ms=20_000),  # P -1, so p's mean for human is 0
    row("p", "j", "graph", "nothing", rt_ms=30_000),  # P 1
    row("q", "i", "human", "a", rt_ms=8_000),  # P 0.5
    row("q", "j", "graph", "", rt_ms=60_000, timed_out=True),  # P 0, SP_AP undefined
    row("r", "k", "human", "a x", rt_ms=9_000),  # P 0
    row("r", "i", "graph", "a b x", rt_ms=62_000, timed_out=True, late=True),  # P 0
]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    directory = write_decision_study(tmp_path_factory.mktemp("study"), _plain)
    header = ("item", "appropriate", "inappropriate", "target")
    write_csv(directory / "targets.csv", header, [(item, *sets) for item, sets in SETS.items()])
    write_csv(
        directory / "actions.csv", ("action", "label"), [(action, action) for action in ("a", "b", "x", "nothing")]
    )
    texts = [(item, system, "A text.") for item in SETS for system in ("human", "neural", "graph")]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    return load_study(directory)


def _plain(data: dict[str, Any]) -> None:
    del data["tables"]["items"]
    block = {key: data["blocks"][0][key] for key in ("task", "name", "question", "actions", "targets", "no_action")}
    data["blocks"] = [block]


@pytest.fixture(scope="module")
def found(study: Study) -> Analysis:
    """What is found in `ROWS`."""
    return analysed(study, ROWS)[0]


@pytest.fixture(scope="module")
def crossed() -> Analysis:
    """What is found in a table of decisions that belongs to no study."""
    return analyse_table(crossed_decisions(), AnalysisOptions())[0]


def analysed(study: Study, rows: list[dict[str, Any]], *excluded: str) -> list[Analysis]:
    people = pd.DataFrame({"participant": ["p", "q", "r"]})
    people["verdict"] = ["excluded" if name in excluded else "valid" for name in people["participant"]]
    return list(analyse(study.blocks[0].task, pd.DataFrame(rows), people))


def records(analysis: Analysis, statistic: str, of: str = "") -> dict[str, Record]:
    return {r["by"]: r for r in analysis.records() if r["statistic"] == statistic and r["of"] == of}


def test_means_are_over_participants_means(found: Analysis) -> None:
    means = records(found, "mean", "P")
    # human: 0, 0.5, 0; graph: 1, 0, 0
    assert means["human"]["value"] == pytest.approx(0.5 / 3)
    assert means["human"]["n"] == 3
    low, high = stats.t.interval(0.95, 2, 0.5 / 3, stats.sem([0, 0.5, 0]))
    assert means["human"]["ci"] == pytest.approx((low, high))
    assert means["graph"]["value"] == pytest.approx(1 / 3)
    assert records(found, "mean", "P_AP")["human"]["value"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert records(found, "mean", "P_INAP")["graph"]["value"] == pytest.approx((0 + 0 + 1) / 3)
    # q chose nothing from the graph, so that SP_AP of graph is over p and r: 1 and 2/3
    assert records(found, "mean", "SP_AP")["graph"]["value"] == pytest.approx((1 + 2 / 3) / 2)
    assert records(found, "mean", "SP_AP")["graph"]["n"] == 2
    assert "SP_AP leaves out 1 answer(s) in which nothing was chosen" in found.warnings


def test_items_that_need_no_action_can_be_left_out(found: Analysis) -> None:
    some = "P without items whose target is no action"
    means = records(found, "mean", some)
    assert means["human"]["value"] == pytest.approx(0.5 / 3)
    assert (means["graph"]["value"], means["graph"]["n"]) == (0, 1)  # only r's answer to item i
    assert math.isnan(means["graph"]["sd"])
    assert any(
        text.startswith(f"{some}, graph") and text.endswith(": one value only: it has no interval")
        for text in found.warnings
    )


def test_without_such_items_there_is_one_set_of_results(study: Study) -> None:
    (found,) = analysed(study, [each for each in ROWS if each["item"] != "j"])
    assert {r["of"] for r in found.records() if r["statistic"] == "mean"} == {
        *("P", "P_AP", "P_INAP", "SP_AP"),
    }


def pair_records(analysis: Analysis, of: str) -> dict[tuple[str, str], Record]:
    return {
        (r["first"], r["second"]): r
        for r in analysis.records()
        if (r["statistic"], r["of"], r["method"]) == ("difference", of, "paired t-tests, Holm")
    }


def test_systems_are_compared_within_participants(found: Analysis) -> None:
    test = pair_records(found, "P")["human", "graph"]
    # p 0 - 1, q 0.5 - 0, r 0 - 0; SciPy's paired t-test (one pair, so no correction)
    paired = stats.ttest_rel([0, 0.5, 0], [1, 0, 0])
    interval = paired.confidence_interval(0.95)
    assert (test["test_value"], test["p"], test["df"]) == pytest.approx((paired.statistic, paired.pvalue, 2))
    assert (test["value"], test["favours"]) == (pytest.approx(-0.5 / 3), "graph")
    assert test["ci"] == pytest.approx((interval.low, interval.high))
    table = next(table for table in found.tables if table.name == "paired-differences")
    assert [r["Significant"] for r in table.records() if r["Score"] == "P"] == [False, False]


def test_several_pairs_are_corrected(study: Study) -> None:
    rows = [*ROWS, *(row(name, "k", "neural", chosen) for name, chosen in zip("pqr", ["a", "x", "a x"], strict=True))]
    (found,) = analysed(study, rows)
    tests = pair_records(found, "P")
    assert list(tests) == [("human", "neural"), ("human", "graph"), ("neural", "graph")]
    # p 0 - 1, q 0.5 - -1, r 0 - 0; the intervals of three pairs hold together at 1 - 0.05/3
    paired = stats.ttest_rel([0, 0.5, 0], [1, -1, 0])
    interval = paired.confidence_interval(1 - 0.05 / 3)
    assert tests["human", "neural"]["ci"] == pytest.approx((interval.low, interval.high))
    # Holm: the least p times 3, and none below the one before it
    ordered = sorted(tests.values(), key=lambda record: record["p_raw"])
    holm = [min(1.0, 3 * ordered[0]["p_raw"])]
    holm.append(max(holm[0], min(1.0, 2 * ordered[1]["p_raw"])))
    assert [record["p"] for record in ordered[:2]] == pytest.approx(holm)
    count = records(found, "significant pairs", "P")["system"]
    assert (count["value"], count["pairs"], count["alpha"]) == (0, 3, 0.05)


def test_analysis_of_variance_by_subjects_is_the_published_one() -> None:
    """Gatt & Portet (2010): F(1, n - 1) of two systems; it is t² of the paired test."""
    frame = crossed_decisions()
    frame = frame[frame["system"] != "c"]
    (found,) = analyse_table(frame, AnalysisOptions())
    means = with_scores(frame).pivot_table(index="participant", columns="system", values="P")
    paired = stats.ttest_rel(means["b"], means["a"])
    f1 = records(found, "F1", "P")["system"]
    assert (f1["value"], f1["df"], f1["p"]) == (
        pytest.approx(paired.statistic**2),
        (1, len(means) - 1),
        pytest.approx(paired.pvalue),
    )


def test_by_items_over_both_and_by_a_mixed_model(crossed: Analysis) -> None:
    tables = {table.name: table.records() for table in crossed.tables}
    tests = {(row["Score"], row["Test"]): row for row in tables["tests"]}
    names = ("ANOVA-type test", "mixed model", "min F′", "F1", "F2")
    assert list(tests) == [(score, test) for score in ("P", "P_AP", "P_INAP", "SP_AP") for test in names]
    assert (tests["P", "F1"]["df 2"], tests["P", "F2"]["df 2"]) == (2 * 23, 2 * 5)
    assert tests["P", "min F′"]["Value"] < min(tests["P", "F1"]["Value"], tests["P", "F2"]["Value"])
    assert max(tests["P", test]["p"] for test in names) < 0.001  # put in: 1.6 logits
    assert {row["Test"] for row in tables["f-ratios"]} == {"F1", "F2", "min F′"}
    pairs = {(row["First"], row["Second"]): row for row in tables["pairs"] if row["Score"] == "P_INAP"}
    assert pairs["a", "c"]["Difference"] > 0
    assert pairs["a", "c"]["Winner"] == "c"  # fewer inappropriate actions are better


def test_without_idle_items_all_tests_are_shown_again(study: Study) -> None:
    rows = [
        row(f"p{n}", item, system, chosen)
        for n in range(6)
        for item, (system, chosen) in zip(
            SETS,
            [("human", "a b"), ("graph", "nothing"), (("human", "graph")[n % 2], "a" if n % 3 else "x")],
            strict=True,
        )
    ]
    (found,) = analysed(study, rows)
    names = [table.name for table in found.tables]
    assert names[:7] == [
        "scores", "tests", "pairs", "scores-without-no-action", "tests-without-no-action", "variances",
        "paired-differences",
    ]  # fmt: skip
    assert [table.detail for table in found.tables[:4]] == [False, False, False, True]
    assert found.tables[0].rows != found.tables[3].rows
    assert found.tables[3].title.endswith("(without items whose target is no action)")
    # a report has a section for each score, and only the first has a headline
    sections = outline([Section("Decisions", found)], ())
    assert [section.heading for section in sections] == list(SUBJECTS.values())
    assert [len(section.headlines) for section in sections] == [1, 0, 0, 0]
    for section, score in zip(sections, SUBJECTS, strict=True):
        assert [figure.subject for figure in section.figures] == [score]
        assert [table.name for table in section.tables][:3] == [
            f"{name}-{score}" for name in ("scores", "tests", "pairs")
        ]


def test_single_actions_are_counted_out_of_those_offered(crossed: Analysis) -> None:
    rows = {
        (row["Of"], row["Compared"]): row
        for row in next(t for t in crossed.tables if t.name == "single-actions").records()
    }
    assert rows["appropriate chosen", "all systems"]["p"] < 0.05
    # put in: a system that is better by 1 logit for appropriate actions has e times the odds
    odds = rows["appropriate chosen", "a / c"]
    assert odds["Low"] < math.e**-1.6 < odds["High"]


def test_system_test_tells_each_score(study: Study) -> None:
    block, random = study.blocks[0], np.random.default_rng(4)
    better = {"human": ("a b", "a", "a"), "neural": ("a", "x", "a x"), "graph": ("x", "nothing", "b x")}
    rows = [
        row(f"p{p}", item, system, better[system][random.integers(3)])
        for p in range(12)
        for place, item in enumerate(SETS)
        for system in [list(better)[(p + place) % 3]]
    ]
    bare = pd.DataFrame(rows).drop(columns=["appropriate", "inappropriate", "target"])  # the study knows them
    found = block.task.system_test(bare)
    assert list(found) == ["P", "P_AP", "P_INAP", "SP_AP"]
    scores = with_scores(pd.DataFrame(rows))
    assert found == pytest.approx({score: leading_p(scores, score) for score in found}, nan_ok=True)
    assert all(0 < p < 1 for p in found.values())
    nobody = block.task.system_test(bare.iloc[:0])
    assert all(math.isnan(p) for p in nobody.values())


def crossed_decisions() -> pd.DataFrame:
    """24 people, 6 items, 3 systems; the odds of appropriate actions rise by .8 logits from system to system."""
    random = np.random.default_rng(3)
    skill, ease, rows = random.normal(0, 0.4, 24), random.normal(0, 0.3, 6), []
    for p in range(24):
        for i in range(6):
            s = (p + i) % 3
            logit = -0.8 + 0.8 * s + skill[p] + ease[i]
            good = [action for action in "klmn" if random.random() < 1 / (1 + math.exp(-logit))]
            bad = [action for action in "xyz" if random.random() < 1 / (1 + math.exp(1 + logit))]
            sets = {"appropriate": "k l m n", "inappropriate": "x y z"}
            chosen = " ".join(good + bad) or "other"
            rows.append({"participant": f"p{p}", "item": f"i{i}", "system": "abc"[s], "chosen": chosen, **sets})
    return pd.DataFrame(rows)


def test_comparison_by_participants_is_friedmans(study: Study) -> None:
    chosen = {"human": ["a b", "a", "a b", "a b"], "neural": ["a", "x", "a x", "a"], "graph": ["x", "a x", "x", "a x"]}
    rows = [row(f"p{n}", "i", system, cell) for system, cells in chosen.items() for n, cell in enumerate(cells)]
    found = analyse_table(pd.DataFrame(rows), AnalysisOptions())[0]
    p = {system: [_p(cell) for cell in cells] for system, cells in chosen.items()}
    friedman = stats.friedmanchisquare(*p.values())
    w = records(found, "W", "P")["System"]
    assert w["value"] == pytest.approx(friedman.statistic / (4 * 2))
    assert w["n"] == 4


def _p(chosen: str) -> float:
    return len({"a", "b"} & set(chosen.split())) / 2 - ("x" in chosen.split())


def test_use_of_the_time(found: Analysis) -> None:
    counts = {name: records(found, name) for name in ("timed out", "late", "nothing chosen", "nothing inappropriate")}
    assert {name: by["graph"]["value"] for name, by in counts.items()} == {
        "timed out": 1,  # the one that only came late does not count
        "late": 1,
        "nothing chosen": 1,
        "nothing inappropriate": 2,
    }
    assert counts["timed out"]["human"]["value"] == 0
    seconds = records(found, "mean seconds")
    assert seconds["human"]["value"] == pytest.approx((15 + 8 + 9) / 3)
    assert (seconds["human"]["n"], counts["late"]["human"]["n"]) == (3, 4)


def test_only_first_answers_to_main_trials_count(study: Study, found: Analysis) -> None:
    more = [
        row("p", "i", "human", "x", kind="repeat"),
        row("p", "i", "human", "x", kind="practice"),
        row("p", "k", "graph", "x", kind="main", block="another"),
    ]
    assert _figures(analysed(study, [*ROWS, *more])[0]) == _figures(found)


def _figures(analysis: Analysis) -> dict[tuple[str, str, str], str]:
    return {(r["statistic"], r["of"], r["by"]): repr(r["value"]) for r in analysis.records()}


def test_study_knows_the_sets_of_a_table_that_has_none(study: Study) -> None:
    bare = [{name: each[name] for name in ("participant", "item", "system", "chosen", "rt_ms")} for each in ROWS]
    found, full = (records(analysed(study, rows)[0], "mean", "P") for rows in (bare, ROWS))
    assert {system: r["value"] for system, r in found.items()} == {system: r["value"] for system, r in full.items()}


def test_excluded_are_left_out_and_set_beside(study: Study) -> None:
    kept, beside = analysed(study, ROWS, "q")
    assert records(kept, "mean", "P")["human"]["n"] == 2
    row = next(r for r in beside.tables[0].records() if (r["Criterion"], r["Of"]) == ("P", "human"))
    assert (row["All: n"], row["Kept: n"]) == (3, 2)


def test_table_alone_says_what_it_cannot_know() -> None:
    (found,) = analyse_table(pd.DataFrame(ROWS), AnalysisOptions(confidence=0.9))
    assert found.warnings[:2] == (OVER_PEOPLE, UNKNOWN_NO_ACTION)
    low, high = stats.t.interval(0.9, 2, 0.5 / 3, stats.sem([0, 0.5, 0]))
    assert records(found, "mean", "P")["human"]["ci"] == pytest.approx((low, high))


def test_item_without_appropriate_actions_is_counted_and_left_out() -> None:
    rows = [dict(each, appropriate="") if each["item"] == "k" else each for each in ROWS]
    (found,) = analyse_table(pd.DataFrame(rows), AnalysisOptions())
    assert records(found, "mean", "P")["human"]["n"] == 2  # r answered nothing else
    assert "P and P_AP leave out 2 answer(s) to items without appropriate actions" in found.warnings


def test_figures_show_the_whole_range(found: Analysis) -> None:
    ranges = {f.data["criterion"]: (f.data["scale_from"], f.data["scale_to"]) for f in found.figures}
    assert ranges == {"P": (-1, 1), "P_AP": (0, 1), "P_INAP": (0, 1), "SP_AP": (0, 1)}


def test_report_can_be_written(found: Analysis, tmp_path: Path) -> None:
    from textassay.report.figures.render import describe_figure

    assert all(describe_figure(figure) for figure in found.figures)


def test_experts_who_differ_are_compared(tmp_path: Path) -> None:
    directory = write_decision_study(tmp_path)
    header = ("item", "appropriate", "inappropriate", "target", "expert")
    # Six actions. Ann and Ben agree on five items; in case1 Ben finds oxygen and feed appropriate, Ann oxygen and call.
    same = [(f"case{number}", "turn", "", "turn") for number in range(2, 7)]
    rows = [(*row, who) for who in ("Ann", "Ben") for row in same]
    rows += [("case1", "oxygen call", "feed", "oxygen", "Ann"), ("case1", "oxygen feed", "", "oxygen", "Ben")]
    write_csv(directory / "targets.csv", header, rows)
    task = load_study(directory).blocks[0].task
    answers = [{"participant": "p", "item": f"case{n}", "system": "human", "chosen": "turn"} for n in range(1, 7)]
    people = pd.DataFrame({"participant": ["p"]})
    found = {analysis.name: analysis for analysis in task.analyse(pd.DataFrame(answers), people)}
    [table] = found["experts"].tables
    # Together (majority of two: both) oxygen alone in case1: Ann differs in call and feed, Ben in feed.
    assert table.rows == (
        ("Ann", 6, 7, 1, pytest.approx(34 / 36)),
        ("Ben", 6, 7, 0, pytest.approx(35 / 36)),
    )
    [alpha] = found["experts"].results
    values = [
        (1, 1),
        (1, 0),
        (2, 1),
    ]  # oxygen, call and feed of case1; all others agree: 5 times turn, 28 times neutral
    agreed = [(1, 1)] * 5 + [(0, 0)] * 28
    assert alpha.alpha == pytest.approx(
        krippendorff_alpha(list(zip(*values, *agreed, strict=True)), level="nominal").alpha
    )
