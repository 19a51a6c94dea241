"""Figures by hand, and simulation and analysis agree."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from reordering_study import write_madnani_study, write_reordering_study

from textassay.ordering import AgreementTest, ScoreTests, TargetScores
from textassay.ordering.variability.score_tests import greater_means
from textassay.rehearsal.power import PowerOptions, power
from textassay.results import Analysis
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import AnalysisOptions
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.reordering import analysis
from textassay.tasks.reordering.analysis import analyse, analyse_table, system_test
from textassay.tasks.reordering.orders import OTHERS, START, TAU
from textassay.tasks.reordering.simulate import ReorderingParticipant, slips


def only(analyses: Any) -> Analysis:
    """The first analysis, of what participants did; those of variability follow."""
    found = analyses[0]
    assert isinstance(found, Analysis)
    assert found.name == "orders"
    return found


def values(analysis: Analysis, of: str) -> dict[str, Any]:
    found = [record for record in analysis.records() if record["of"] == of and record["statistic"] == "mean"]
    return {record["by"]: record for record in found}


HAND = pd.DataFrame(
    [
        # participant, item, condition, order, start, moves
        ("p", "i", "O", "a b c", "a b c", "[]"),
        ("p", "j", "O", "b a c", "a b c", '[["b", 2, 1, 900]]'),
        ("q", "i", "O", "a b c", "a b c", "[]"),
        ("q", "j", "R", "c b a", "b a c", '[["c", 3, 1, 900], ["b", 2, 3, 950], ["b", 3, 2, 990]]'),
    ],
    columns=["participant", "item", "condition", "order", "start", "moves"],
).assign(role="participant", rt_ms=[1000, 2000, 4000, 8000])
REFERENCE = pd.DataFrame({"by": ["gold"] * 2, "role": ["reference"] * 2, "item": ["i", "j"], "order": ["a b c"] * 2})


def test_by_hand() -> None:
    table = pd.concat([HAND.assign(by=HAND["participant"]), REFERENCE], ignore_index=True)
    found = only(analyse_table(table, AnalysisOptions()))
    # O: p 1 and 1/3 (one of three pairs turned), mean 2/3; q 1; mean of the two 5/6
    kept = values(found, f"tau with {START}")
    assert kept["O"]["value"] == pytest.approx(5 / 6)
    assert kept["O"]["n"] == 2
    # sd of 2/3 and 1 is 0.2357, t(1) = 12.706: 5/6 ± 12.706 · 0.2357 / √2
    assert kept["O"]["ci"] == (-1, 1)  # 5/6 ± 12.7062/6, cut where tau ends
    # R: c b a against b a c: pairs (b, c) and (a, c) are turned: 1 - 4 · 2 / 6
    assert kept["R"]["value"] == pytest.approx(-1 / 3)
    # the reference is a b c: reversed in R
    assert values(found, "tau with gold")["R"]["value"] == pytest.approx(-1)
    assert values(found, "tau with gold")["O"]["value"] == pytest.approx(5 / 6)
    # p left one of two as it was, q all in O; nothing in R
    assert {by: record["value"] for by, record in values(found, "share left as it was").items()} == {"O": 0.75, "R": 0}
    # b moved twice in a row counts once
    assert {by: record["value"] for by, record in values(found, "moves").items()} == {"O": 0.25, "R": 2}
    # p (1 + 2) / 2, q 4
    assert {by: record["value"] for by, record in values(found, "seconds").items()} == {"O": 2.75, "R": 8}
    # both left i as it was; nobody else had j in either condition
    others = values(found, f"tau with {OTHERS}")
    assert others["O"]["value"] == 1
    assert all(math.isnan(end) for end in others["O"]["ci"])
    assert "R" not in others
    assert f"R, tau with {OTHERS}: the mean is undefined: there are no values" in found.warnings


def answers(study: Study) -> pd.DataFrame:
    block = study.blocks[0]
    rows = []
    for slot in draw_plan(study).slots:
        person = ReorderingParticipant(block.task, slot.number, Stream(study.file.seed, "agree"))
        for trial in slot.trials:
            played = person.respond(trial, trial.position)
            common = {"participant": f"p-{slot.number}", "by": f"p-{slot.number}", "block": trial.block}
            seen = {"trial": trial.key, "kind": trial.kind, "rt_ms": played.rt_ms}
            rows += [{**common, **seen, **row} for row in block.task.rows(trial, played.payload)]
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def madnani(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_madnani_study(tmp_path_factory.mktemp("madnani")))


def people(table: pd.DataFrame, *excluded: str) -> pd.DataFrame:
    names = list(dict.fromkeys(table["participant"]))
    return pd.DataFrame({"participant": names, "verdict": ["excluded" if n in excluded else "valid" for n in names]})


def test_tau_with_each_systems_order_comes_out(madnani: Study) -> None:
    block, table = madnani.blocks[0], answers(madnani)
    found = only(analyse(block.task, table, people(table)))
    for condition, p in slips(block.task).items():
        record = values(found, "tau with O")[condition]
        assert record["n"] == 18
        # 54 orders; as in the module's docstring, with n = 10 and one unit fixed
        cost = 4 / 90
        error = cost * math.sqrt(8 * p * (1 - p) / 54)
        assert record["value"] == pytest.approx(1 - cost * 8 * p, abs=3 * error)
    # in the condition O the order shown first is O's
    kept = values(found, f"tau with {START}")["O"]["value"]
    assert values(found, "tau with O")["O"]["value"] == pytest.approx(kept)
    assert "the first unit could not be moved" in found.warnings[0]
    tables = {each.name: each.records() for each in found.tables}
    assert [row["Orders"] for row in tables["changes"]] == [54, 54, 54]
    assert {row["Compared with"] for row in tables["tau"]} == {START, "O", "R", "T", OTHERS}
    (figure,) = found.figures
    assert [group["system"] for group in figure.data["groups"]] == ["O", "R", "T"]


def test_variability_of_a_simulated_study_gives_back_what_was_put_in(madnani: Study) -> None:
    block, table = madnani.blocks[0], answers(madnani)
    found = {each.name: each for each in analyse(block.task, table, people(table))}
    put_in = slips(block.task)
    by_slips = sorted(put_in, key=put_in.__getitem__)  # the surest condition first
    # With p a slip's probability, a unit stays in its place if it is neither carried on nor replaced: (1-p)² in the
    # middle, 1-p for the first that can move and for the last, 1 for the fixed one; kappa = (accuracy - 1/10) / (9/10).
    scores = next(s for s in found["variability-details"].results if isinstance(s, TargetScores)).scores
    for condition, p in put_in.items():
        own = [s.values["kappa"] for s in scores if (s.condition, s.target) == (condition, "O")]
        assert len(own) == 9
        accuracy = (1 + 2 * (1 - p) + 7 * (1 - p) ** 2) / 10
        error = stdev(own) / 3
        assert fmean(own) == pytest.approx((accuracy - 0.1) / 0.9, abs=3.5 * error)
    (tests,) = [r for r in found["condition-effect"].results if isinstance(r, ScoreTests)]
    kappa = tests.tests[0]
    assert (kappa.name, kappa.two_way.error.df, kappa.one_way.error.df) == ("kappa with O", 16, 24)
    assert kappa.p < 0.05
    # every pair of conditions differs in the direction put in
    assert {pair[:2] for pair in greater_means(kappa.tukey)} == set(combinations(by_slips, 2))
    # as published: 27 means vectors in the numbers of O, which is the reference system, with O, R and T
    published = [t for t in found["variability-details"].tables if t.title.startswith("Published: closeness")]
    assert [table.title.endswith(("numbers of O", "texts not a factor")) for table in published] == [True, True]
    rows = [table.records() for table in published]
    assert [row["Score"] for row in rows[0]][3:6] == ["r with O", "r with R", "r with T"]
    assert [(own[5]["df 1"], own[5]["df 2"]) for own in rows] == [(2, 16), (2, 24)]
    r = next(test for test in tests.tests if test.name == "r with T")
    assert rows[0][5]["F"] != pytest.approx(r.two_way["condition"].f, rel=0.01)
    # the surer people are, the more they agree
    (agreement,) = [r for r in found["condition-effect"].results if isinstance(r, AgreementTest)]
    means = dict(zip(agreement.groups, agreement.means, strict=True))
    assert sorted(means, key=lambda name: -means[name]) == by_slips
    assert agreement.p < 0.05
    # the order that all look for is the consensus of every text
    consensus = found["agreement"].tables[0].records()
    assert {row["Consensus"] for row in consensus} == {" ".join(f"s{place}" for place in range(1, 11))}
    assert found["references"].tables[0].records()[0]["Order of"] == "O"


def test_of_conditions_with_unequal_numbers_the_larger_weighs_more() -> None:
    sizes = ((0.2, 30), (0.8, 10), (math.nan, 5))
    parts = [SimpleNamespace(taus=(None, SimpleNamespace(of=f"{TAU}gold", mean=mean, n=n))) for mean, n in sizes]
    said = analysis._targets_in_words(parts)  # type: ignore[arg-type]
    assert said == [("Participants' orders have a mean tau of .350 with gold.",)]


def test_bare_table_has_its_variability_too() -> None:
    names = [each.name for each in analyse_table(HAND.drop(columns=["start", "moves"]), AnalysisOptions())]
    assert names[0] == "orders"
    assert "agreement" in names


def test_excluded_and_unscored_are_left_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    study = load_study(write_reordering_study(tmp_path_factory.mktemp("small")))
    table = answers(study)
    found, *_, side_by_side = analyse(study.blocks[0].task, table, people(table, "p-1"))
    counts = [row for each in found.tables if each.name == "changes" for row in each.records()]
    # 5 people × 6 items; practice, checks and repeats do not count
    assert sum(row["Orders"] for row in counts) == 30
    assert side_by_side.tables[0].name == "with-and-without-exclusions"
    other = table.assign(block="another")
    assert only(analyse(study.blocks[0].task, other, people(table))).warnings == ("there are no orders to analyse",)


@pytest.mark.long
@pytest.mark.parametrize(("start", "with_what"), [("data", START), ("random", OTHERS)])
def test_level_of_the_quick_test(tmp_path_factory: pytest.TempPathFactory, start: str, with_what: str) -> None:
    # 40 studies of 6 people (two to an item and condition) where all systems are alike: at most 7 are significant with
    # probability .998 (binomial, 40, .05).
    small = load_study(write_reordering_study(tmp_path_factory.mktemp(start), lambda block: block.update(start=start)))
    (alike,) = power(small, small.blocks[0], PowerOptions(participants=(6,), effects=(0.0,), runs=40)).estimates
    assert (alike.of, alike.null, alike.undefined) == (f"tau with {with_what}", True, 0)
    assert alike.significant <= 7


def test_quick_test_finds_what_differs_and_needs_answers(tmp_path_factory: pytest.TempPathFactory) -> None:
    small = load_study(write_reordering_study(tmp_path_factory.mktemp("data")))
    (apart,) = power(small, small.blocks[0], PowerOptions(participants=(24,), effects=(0.35,), runs=10)).estimates
    assert apart.significant >= 8
    (p,) = system_test(small.blocks[0].task, HAND.iloc[:0]).values()
    assert math.isnan(p)
