"""Small made-up data for every recipe, with no option as it is by default, so that an option that is lost shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from people_orders import people_orders, starts_of
from relevance_cases import relevance_cases

from textassay.analysis.annotated_texts import annotated_texts
from textassay.analysis.answer_distribution import describe_answers
from textassay.analysis.cohorts import compare_cohorts
from textassay.analysis.compare_evaluations import compare_evaluations
from textassay.analysis.contrast_models import Contrasts, contrast_systems
from textassay.analysis.crossed_logistic import crossed_logistic, odds_table
from textassay.analysis.evaluation_summary import summarise_evaluation
from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.analysis.leading_test import LeadingTest, leading_contrasts, leading_test
from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.analysis.options import RecipeOptions
from textassay.analysis.orders.evaluation import evaluation_analysis, system_agreement_analysis
from textassay.analysis.orders.materials import arrangement_analysis, bins_table, counts_table, materials_analysis
from textassay.analysis.orders.scored_orders import evaluate_orders
from textassay.analysis.orders.variability import order_variability
from textassay.analysis.published_analysis import system_text_evaluator
from textassay.analysis.ratings import ratings, ratings_in_brief
from textassay.analysis.relevance_trace import relevance_trace
from textassay.analysis.subjects_items import subjects_items_analysis
from textassay.meta import AlignmentOptions, CorrelationOptions
from textassay.metrics.relevance_metrics import RelevanceSettings
from textassay.ordering import ArrangeSettings, GivenOrder, arrange, materials
from textassay.pipeline import analyse_table
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions

OPTIONS = RecipeOptions(
    alpha=0.15,
    confidence=0.8,
    scales={"clarity": (1, 7), "fluency": (0, 100)},
    systems=("mid", "top", "low"),
    item_factors={"topic": {"i1": "sea", "i2": "sea", "i3": "land", "i4": "land"}},
    seed=5,
    draws=99,
)
QUALITY = {"top": 1.2, "mid": 0.6, "low": 0.0}


def judgements(people: int = 7, items: int = 5) -> pd.DataFrame:
    """Two criteria, of which one lacks an answer; the first person answers some trials twice, not always alike."""
    draw = np.random.default_rng(3)
    rows = []
    for p in range(1, people + 1):
        for i in range(1, items + 1):
            for system, quality in QUALITY.items():
                value = 3.5 + quality + 0.4 * (p % 3) - 0.3 * (i % 2) + draw.normal(0, 0.9)
                place = {"trial": 10 * i + len(rows) % 3, "rt_ms": 900 + 37 * (len(rows) % 11), "kind": "main"}
                key = {"participant": f"p{p}", "item": f"i{i}", "system": system}
                rows.append({**key, "criterion": "clarity", "value": float(np.clip(round(value), 1, 7)), **place})
                rows.append({**key, "criterion": "fluency", "value": round(12.5 * value + draw.normal(0, 6)), **place})
    again = [
        {**row, "kind": "repeat", "value": row["value"] + shift}
        for row, shift in zip(rows[:8:2], (0, 1, 2, 0), strict=True)
    ]
    return pd.DataFrame([*rows[:-1], *again])


def people_table() -> pd.DataFrame:
    """Two cohorts, and one participant who is excluded."""
    verdicts = ["valid", "", "valid", "valid", "excluded", "valid", "valid"]
    cohorts = ["lay", "lay", "lay", "expert", "expert", "expert", "expert"]
    names = [f"p{p}" for p in range(1, 8)]
    return pd.DataFrame({"participant": names, "verdict": verdicts, "cohort": cohorts})


def rating_recipe() -> Sequence[Analysis]:
    return with_and_without_exclusions(
        judgements(),
        people_table(),
        lambda rows: ratings(rows, OPTIONS),
        of_everyone=lambda rows: ratings_in_brief(rows, OPTIONS),
        note="A note.",
    )


def one_answer_each() -> Sequence[Analysis]:
    """One answer by each participant: each to an item of its own, so that the published test is valid, or not so."""
    frame = judgements().query("criterion == 'clarity' and kind == 'main'").iloc[::7].reset_index(drop=True)
    alone = frame.assign(participant=[f"p{n}" for n in frame.index], item=[f"i{n}" for n in frame.index])
    shared = frame.assign(participant=alone["participant"])
    few = alone.assign(item="i1")
    return [
        *ratings(alone, OPTIONS),
        system_text_evaluator(shared, OPTIONS),
        ratings(shared, OPTIONS)[0],
        ratings(few, OPTIONS)[0],
    ]


def description() -> Sequence[Analysis]:
    return [describe_answers(judgements(), scales=OPTIONS.scales, systems=OPTIONS.systems, excluded=["p5"])]


def cohorts() -> Sequence[Analysis]:
    rows = judgements()
    gap = (rows["participant"] == "p2") & (rows["system"] == "top")
    found = compare_cohorts(rows[~gap], people_table(), confidence=0.8, systems=OPTIONS.systems)
    assert found is not None
    return [found]


def metrics_and_people() -> Sequence[Analysis]:
    """Six systems by two metrics, one of which counts errors; corpus scores for one of them only."""
    draw = np.random.default_rng(8)
    systems, items = [f"s{n}" for n in range(6)], [f"i{n}" for n in range(4)]
    cells = [(item, system, rank) for item in items for rank, system in enumerate(systems)]
    judged = pd.DataFrame(
        [
            (f"p{p}", item, system, criterion, rank + draw.normal(0, 2))
            for p in range(2)
            for item, system, rank in cells
            for criterion in ("clarity", "fluency")
        ],
        columns=["participant", "item", "system", "criterion", "value"],
    )
    rows: list[tuple[str, str, str, float]] = []
    for item, system, rank in cells[1:]:
        rows.append((item, system, "bleu", 0.1 * rank + draw.normal(0, 0.2)))
        rows.append((item, system, "ter", 1 - 0.1 * rank + draw.normal(0, 0.1)))
    rows += [("", system, "bleu", 20 + 3 * rank + draw.normal(0, 4)) for rank, system in enumerate(systems[:5])]
    scores = pd.DataFrame(rows, columns=["item", "system", "metric", "value"])
    alignment = AlignmentOptions(reference_system="s5")
    return [metric_correlations(judged, scores, MetricOptions(correlation=CorrelationOptions(alignment, 0.2)))]


def two_versions() -> Sequence[Analysis]:
    rows = judgements()
    one = rows[rows["criterion"] == "clarity"]
    other = one.assign(value=8 - one["value"], rt_ms=2 * one["rt_ms"])
    other = other[(other["participant"] != "p7") & (other["system"] != "low")]
    sides = []
    for name, own in (("plain", one), ("turned", other)):
        found = system_text_evaluator(own, OPTIONS)
        sides.append(summarise_evaluation(name, [found], own, own, "rt_ms"))
    return [compare_evaluations(*sides)]


def by_subjects_and_items() -> Sequence[Analysis]:
    """Systems within items, between items as in Lapata (2006), and too few participants for the one analysis."""
    rows = (
        judgements()
        .query("kind == 'main'")
        .pivot(index=["participant", "item", "system"], columns="criterion", values="value")
    )
    frame = rows.reset_index()
    frame.loc[3, "clarity"] = np.nan
    values = {"Clarity": "clarity", "Fluency": "fluency"}
    few = frame[(frame["participant"] == "p1") | (frame["system"] == "low")]
    return [
        subjects_items_analysis(frame, values, alpha=0.15),
        subjects_items_analysis(frame, {"Clarity": "clarity"}, across_items="between", alpha=0.1),
        subjects_items_analysis(few, {"Fluency": "fluency"}, alpha=0.15),
        *(
            _leading(leading_test(own, "fluency", of="fluency", options=LEVELS))
            for own in (frame, few[few["participant"] != "p2"])
        ),
    ]


LEVELS = RecipeOptions(alpha=0.15, confidence=0.8)


def _leading(test: LeadingTest) -> Analysis:
    """With the lines that a table of tests has."""
    lines = [f"{line.name}: {line.advice}" for line in test.tests]
    return Analysis("leading", test.caveat, test.results, warnings=(*lines, *test.warnings))


def odds() -> Sequence[Analysis]:
    frame = judgements().query("criterion == 'clarity' and kind == 'main'")
    frame = frame.assign(hits=(frame["value"] - 1).clip(0, 5), offered=5, right=(frame["value"] > 4).astype(float))
    frame.loc[frame.index[0], "offered"] = 0
    models = [
        crossed_logistic(frame, "hits", of="hits", better="lower", trials="offered", alpha=0.15, confidence=0.8),
        crossed_logistic(frame, "right", of="right", better="higher", alpha=0.3, confidence=0.9),
    ]
    results = tuple(result for model in models for result in model.results)
    warnings = tuple(text for model in models for text in model.warnings)
    return [Analysis("odds", "Odds", results, (odds_table("odds", "Odds", models, "Odds of a hit."),), (), warnings)]


def contrasts() -> Sequence[Analysis]:
    """Preferences with a side, which participants favour to different degrees, and with one item only."""
    draw = np.random.default_rng(4)
    pairs = [(0, 1), (1, 2), (0, 2)]
    trials = [
        (p, i, *pairs[(p + i + r) % 3], (-1) ** (p + i + r // 2)) for p in range(6) for i in range(5) for r in range(3)
    ]
    rows = np.zeros((len(trials), 3))
    for place, (_, _, one, other, _) in enumerate(trials):
        rows[place, one], rows[place, other] = 1, -1
    side = np.array([float(trial[4]) for trial in trials])
    people = np.array([f"p{trial[0]}" for trial in trials])
    tastes = draw.normal(0, 0.4, (6, 3))[[trial[0] for trial in trials]]
    values = (
        rows @ np.array([1.0, 0.5, 0.0]) + (rows * tastes).sum(axis=1) + 0.3 * side + draw.normal(0, 0.8, len(trials))
    )
    found = []
    for items in (np.array([f"i{trial[1]}" for trial in trials]), np.array(["i0"] * len(trials))):
        given = Contrasts(
            values, rows, ("top", "mid", "low"), people, items, {"side": side, "lean": rows[:, 0] - rows[:, 1]}
        )
        model = contrast_systems(given, of="liking", better="lower", alpha=0.15, confidence=0.8)
        found.append(Analysis("contrasts", "Contrasts", model.results, warnings=model.warnings))
        found.append(_leading(leading_contrasts(given, of="liking", options=LEVELS, better="lower")))
    return found


def orders() -> Sequence[Analysis]:
    given = people_orders(2, people=6, texts=3, n=5, pull=0.4)
    targets = {"made": {f"S{n}": tuple("12034") for n in (1, 2, 3)}}
    alone = [GivenOrder(each.item, each.by, each.order) for each in given]
    return [
        *order_variability(given, targets=targets, conditions="TRO", options=OPTIONS),
        *order_variability(alone[1:], targets={}, options=OPTIONS),  # one person lacks a text
        *order_variability(alone[:1], targets={}),
    ]


def orders_against_references() -> Sequence[Analysis]:
    given = people_orders(6, people=4, texts=3, n=5, spread=0.9)
    own = [GivenOrder(each.item, each.by, each.order) for each in given]
    references = {text: [order] for text, order in starts_of(given)["O"].items()}
    references["S1"].append(tuple("10234"))
    agreement = system_agreement_analysis(own, seed=3, notes=["A note."])
    assert agreement is not None
    found = evaluate_orders(own, references, window=2, first_fixed=True, confidence=0.8)
    return [evaluation_analysis(found, ["A note."], by_length=True, each_order=True), agreement]


def orders_made() -> Sequence[Analysis]:
    texts = {
        "t1": {"a": "Mary came home.", "b": "She sat at home.", "c": "Then John left Mary.", "d": "Rain fell."},
        "t2": {"a": "Dogs bark.", "b": "A cat and dogs play.", "c": "The cat sat."},
    }
    made = arrange(
        texts, ["path", "random", "reversed"], ArrangeSettings(similarity="characters", first="free", seed=2)
    )
    drawn = materials(texts, bins=3, by="orders", seed=2)
    many = counts_table(29)  # whose counts are too long for a line
    tables = (counts_table(4), bins_table(5, 3), replace(many, rows=many.rows[:2]))
    counts = Analysis("counts", "Counts", tables=tables)
    return [arrangement_analysis(made), materials_analysis(drawn), counts]


def crossed_rows() -> list[tuple[dict[str, Any], float]]:
    """Six participants, four items of two topics, three systems: the columns of each answer, and how good it is.

    Everybody lacks one of the items, so that what one participant saw is not all that there is.
    """
    draw = np.random.default_rng(7)
    found = []
    for p in range(6):
        for i in range(4):
            for system, quality in QUALITY.items():
                topic = "sea" if i < 2 else "land"
                key = {"participant": f"p{p}", "item": f"i{i}", "system": system, "topic": topic}
                place = {"trial": f"t{p}-{i}", "rt_ms": float(800 + 40 * p + round(abs(draw.normal(0, 150))))}
                found.append(({**key, **place}, quality + 0.3 * (p % 2) - 0.2 * (i % 2) + draw.normal(0, 0.7)))
    return [(key, value) for key, value in found if key["item"] != f"i{int(key['participant'][1:]) % 4}"]


def of_table(rows: Sequence[dict[str, Any]], task: str) -> Sequence[Analysis]:
    return analyse_table(pd.DataFrame(rows), task=task, options=AnalysisOptions(alpha=0.15, confidence=0.8))


def preferences_of_a_table() -> Sequence[Analysis]:
    rows = []
    worth = {(key["participant"], key["item"], key["system"]): value for key, value in crossed_rows()}
    for place, (key, _) in enumerate(crossed_rows()):
        one, other = key["system"], {"top": "mid", "mid": "low", "low": "top"}[key["system"]]
        who = (key["participant"], key["item"])
        lean = round(2 * (worth[*who, other] - worth[*who, one])) + (place % 5 == 0)
        sides = {"system_a": one, "system_b": other, "left": (one, other)[place % 2], "criterion": "liking"}
        rows.append({**{name: key[name] for name in ("participant", "item", "topic", "rt_ms")}, **sides, "value": lean})
    return of_table(rows, "preference")


def rankings_of_a_table() -> Sequence[Analysis]:
    frame = pd.DataFrame([{**key, "criterion": "style", "worth": value} for key, value in crossed_rows()])
    frame["rank"] = frame.groupby(["participant", "item"])["worth"].rank(ascending=False)
    rows = frame.drop(columns="worth").to_dict("records")
    rows[0]["rank"] = rows[1]["rank"]
    return of_table(rows, "ranking")


def decisions_of_a_table() -> Sequence[Analysis]:
    sets = {"appropriate": "a b", "inappropriate": "x y", "target": "a"}
    picks = ("x y", "a x", "b", "a", "a b")
    chosen = [(key, picks[int(np.clip(round(value + 1.5), 0, 4))]) for key, value in crossed_rows()]
    rows = [{**key, **sets, "chosen": pick, "timed_out": n % 11 == 0} for n, (key, pick) in enumerate(chosen)]
    return of_table(rows, "decision")


def reading_times_of_a_table() -> Sequence[Analysis]:
    rows = []
    for place, (key, value) in enumerate(crossed_rows()):
        usual = 450 - 20 * value - 50 * QUALITY[key["system"]]
        for unit in range(3):
            time = round(usual + 25 * unit + 13 * ((place * 7 + unit) % 9), 1) + 4000 * (place == unit == 2)
            more = {"unit": f"u{unit}", "unit_position": unit + 1, "length": 10 + (place + 5 * unit) % 7, "words": 2}
            rows.append({**key, **more, "rt_ms": time})
        rows.append({**key, "unit": "", "question": "Is it so?", "answer": "yes", "correct": value > 0.1})
    return of_table(rows, "reading")


def orders_of_a_table() -> Sequence[Analysis]:
    given = people_orders(4, people=6, texts=3, n=5, pull=0.3)
    rows = [
        {
            "item": each.item, "by": each.by, "participant": each.by, "role": "participant",
            "order": " ".join(each.order), "condition": each.condition, "start": " ".join(each.start or ()),
        }
        for each in given
    ]  # fmt: skip
    rows += [{"item": f"S{n}", "by": "made", "role": "system", "order": "1 0 2 3 4"} for n in (1, 2, 3)]
    return of_table(rows, "reordering")


def relevance_to_actions() -> Sequence[Analysis]:
    cases = relevance_cases()
    settings = RelevanceSettings(cardinality=True, zero_priors="share-equally")
    model = next(iter(cases.values())).model
    texts = {key: case.text for key, case in cases.items()}
    return [
        relevance_trace(cases, settings, confidence=0.8),
        annotated_texts(texts, model.ontology, model.links, place="details"),
    ]


CASES: dict[str, Callable[[], Sequence[Analysis]]] = {
    "ratings": rating_recipe,
    "one-answer-each": one_answer_each,
    "description": description,
    "cohorts": cohorts,
    "metrics-and-people": metrics_and_people,
    "two-versions": two_versions,
    "subjects-items": by_subjects_and_items,
    "odds": odds,
    "contrasts": contrasts,
    "orders": orders,
    "order-references": orders_against_references,
    "orders-made": orders_made,
    "preferences": preferences_of_a_table,
    "rankings": rankings_of_a_table,
    "decisions": decisions_of_a_table,
    "reading": reading_times_of_a_table,
    "reorderings": orders_of_a_table,
    "relevance": relevance_to_actions,
}
