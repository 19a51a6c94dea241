"""Which properties of items become factors."""

import pandas as pd

from textassay.analysis.options import RecipeOptions, item_factors, item_factors_of_table, table_options
from textassay.analysis.published_analysis import system_text_evaluator
from textassay.study.model import AnalysisOptions
from textassay.tables.schema import JUDGEMENTS


def test_properties_with_few_levels_are_factors():
    items = {f"i{n}": {"item": f"i{n}", "context": f"Text {n}", "set": n % 3, "same": "x"} for n in range(6)}
    assert item_factors(items) == {"set": {f"i{n}": str(n % 3) for n in range(6)}}


def test_a_level_needs_two_items_on_average():
    assert item_factors({f"i{n}": {"set": n // 2} for n in range(6)}).keys() == {"set"}
    assert item_factors({f"i{n}": {"set": n // 2} for n in range(5)}) == {}


def test_items_without_a_level_are_not_in_it():
    items = {f"i{n}": {"set": None if n == 0 else n % 2} for n in range(6)}
    assert sorted(item_factors(items)["set"]) == ["i1", "i2", "i3", "i4", "i5"]


def test_further_columns_of_a_table_that_belong_to_items(small):
    frame = small.assign(topic=small["item"].map({"i1": "a", "i2": "a", "i3": "b", "i4": "b"}), mood=list("aaaabbbb"))
    known = set(small.columns)
    assert item_factors_of_table(frame, known) == {"topic": {"i1": "a", "i2": "a", "i3": "b", "i4": "b"}}
    assert item_factors_of_table(small, known) == {}
    assert item_factors_of_table(frame, [*known, "topic"]) == {}
    partly = frame.assign(topic=frame["topic"].where(frame["participant"] != "q"))  # said by p, not by q
    assert item_factors_of_table(partly, known) == {}


def test_a_bare_table_has_the_levels_it_is_given_and_its_own_item_factors(small):
    frame = small.assign(topic=small["item"].map({"i1": "a", "i2": "a", "i3": "b", "i4": "b"}))
    found = table_options(frame, AnalysisOptions(alpha=0.2, confidence=0.8), JUDGEMENTS, {"clarity": (1.0, 5.0)})
    assert (found.alpha, found.confidence, found.scales) == (0.2, 0.8, {"clarity": (1.0, 5.0)})
    assert found.item_factors.keys() == {"topic"}
    assert table_options(frame.drop(columns="item"), AnalysisOptions(), JUDGEMENTS).item_factors == {}


def test_published_degrees_of_freedom_of_text_1_and_text_2(latin):
    # Belz & Kow (2010), TUNA: 8 systems × 112 items, 8 evaluators; the items come from 15 sets of entities.
    sets = {f"i{n}": str(n % 15) for n in range(112)}
    found = system_text_evaluator(latin(8, 112, 8), RecipeOptions(item_factors={"entity_set": sets}))
    df = {r["by"]: r["df"] for r in found.records() if r["statistic"] == "F"}
    assert (df["Text"], df["entity_set"]) == ((111, 784), (14, 881))


def test_f_of_a_property_by_hand(small):
    # Topic a: i1 1 5, i2 2 4 (mean 3); b: i3 3 2, i4 4 1 (mean 2.5). SS 8·.25² = .5; within 10 + 5 = 15 on 6: F = .2.
    topic = {"i1": "a", "i2": "a", "i3": "b", "i4": "b"}
    found = system_text_evaluator(small, RecipeOptions(item_factors={"topic": topic, "System": topic}))
    f = {r["by"]: r["value"] for r in found.records() if r["statistic"] == "F"}
    assert round(f["topic"], 12) == 0.2
    assert f["System (items)"] == f["topic"] != f["System"]


def test_answers_to_items_without_a_level_are_counted(small):
    found = system_text_evaluator(small, RecipeOptions(item_factors={"topic": {"i1": "a", "i2": "b"}}))
    assert "clarity: 4 of 8 answers are to items without topic; its F leaves them out" in found.warnings


def test_names_of_items_may_be_numbers():
    frame = pd.DataFrame({"item": [1, 2, 3, 4], "topic": ["a", "b", "a", "b"]})
    assert item_factors_of_table(frame, []) == {"topic": {"1": "a", "2": "b", "3": "a", "4": "b"}}
