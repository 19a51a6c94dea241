"""Ready studies about the order of sentences hold what they promise: texts, designs, degrees of freedom."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import textassay
from textassay import pipeline
from textassay.analysis.subjects_items import subjects_items
from textassay.ordering import arrange, materials, tau
from textassay.rehearsal.true_effects import with_true_effects
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study

READY = Path(textassay.__file__).parent / "ready_studies"


@pytest.fixture(scope="module")
def ratings() -> Study:
    return load_study(READY / "l06-ratings")


@pytest.fixture(scope="module")
def reading() -> Study:
    return load_study(READY / "l06-reading")


@pytest.fixture(scope="module")
def reordering() -> Study:
    return load_study(READY / "m07-reordering")


def orders(study: Study) -> dict[tuple[str, str], tuple[str, ...]]:
    return {key: tuple(unit.id for unit in units) for key, units in study.units.items()}


def originals(study: Study) -> dict[str, dict[str, str]]:
    return {item: {unit.id: unit.text for unit in units} for item, (units,) in study.reference_units.items()}


def test_texts_in_eight_orders_are_those_of_the_command_in_the_readme(ratings: Study) -> None:
    texts = originals(ratings)
    assert [len(sentences) for sentences in texts.values()] == [8] * 8
    made = materials(texts, bins=8, seed=7)
    assert made.warnings == ()  # no sentence opens with a pronoun or connective, and none of the texts is longer
    assert orders(ratings) == {(each.item, f"bin {each.bin.number}"): each.order for each in made.drawn}


def test_three_orders_of_each_text_are_chosen_from_the_eight(ratings: Study, reading: Study) -> None:
    known = {item: [order for key, order in orders(ratings).items() if key[0] == item] for item in originals(ratings)}
    made = materials(originals(reading), bins=(0.75, 0), among=known, seed=7)
    names = ("high", "medium", "low")
    assert orders(reading) == {(each.item, names[each.bin.number - 1]): each.order for each in made.drawn}
    assert set(reading.texts.values()) <= set(
        ratings.texts.values()
    )  # in the same words, so that studies can be matched
    assert reading.reference_units == ratings.reference_units


@pytest.mark.parametrize("name", ["l06-ratings", "l06-reading", "m07-reordering", "m07-comprehension"])
def test_tau_in_the_table_is_that_of_the_order(name: str) -> None:
    study = load_study(READY / name)
    scores = {(row["item"], row["system"]): row["value"] for row in pipeline.score(study).rows() if row["item"]}
    assert len(scores) == len(study.texts)
    for key, rows in study.text_rows.items():
        assert [float(row["tau"]) for row in rows] == [pytest.approx(scores[key], abs=1e-12)] * len(rows)


def test_questions_can_be_answered_yes_as_often_as_no(reading: Study) -> None:
    questions = list(reading.blocks[0].tables["questions"])
    asked = {row["item"]: row["correct"] for row in questions if row["item"] in reading.items_in_order}
    assert set(asked) == set(reading.items_in_order)
    assert Counter(asked.values()) == {"yes": 4, "no": 4}


def test_first_experiment_of_the_second_is_the_study_beside_it(reading: Study) -> None:
    rule = next(rule for rule in reading.rules if rule.name == "took-part-elsewhere")
    assert rule.model_dump() == {"studies": ["../l06-ratings"], "if_missing": "note"}


def test_third_order_is_the_shortest_path_from_the_first_sentence(reordering: Study) -> None:
    given = orders(reordering)
    texts = {item: {unit.id: unit.text for unit in reordering.units[item, "O"]} for item in reordering.items_in_order}
    assert len(texts) == 9
    made = arrange(texts, ["path"])
    assert made.warnings == ()
    assert {each.item: each.order for each in made.arranged} == {item: given[item, "T"] for item in texts}
    assert all(each.path is not None and each.path.exact for each in made.arranged)
    assert {order[0] for order in given.values()} == {"1"}
    assert all(given[item, "R"] not in (given[item, "O"], given[item, "T"]) for item in texts)


def test_texts_read_against_the_clock_are_those_that_were_reordered(reordering: Study) -> None:
    clock = load_study(READY / "m07-comprehension")
    assert (clock.texts, clock.items.keys()) == (reordering.texts, reordering.items.keys())
    asked = Counter(row["item"] for row in clock.blocks[0].tables["questions"])
    assert asked == dict.fromkeys([*clock.items_in_order, "museum"], 2)


def test_everybody_sees_three_groups_of_texts_in_three_conditions(reordering: Study) -> None:
    groups = reordering.groups("group")
    assert groups is not None
    cells: Counter[tuple[str, str]] = Counter()
    for slot in draw_plan(reordering).slots:
        seen = {trial.item: trial.systems[0] for trial in slot.trials if trial.kind == "main"}
        conditions = {group: {seen[item] for item in items} for group, items in groups.items()}
        assert sorted(condition for each in conditions.values() for condition in each) == ["O", "R", "T"]
        cells.update((group, condition) for group, each in conditions.items() for condition in each)
    assert set(cells.values()) == {6}


def answers(study: Study, participants: int) -> pd.DataFrame:
    """A table with an answer to every main trial of a plan for so many participants; only its design matters."""
    wanted = study.file.participants.model_copy(update={"wanted": participants})
    planned = draw_plan(replace(study, file=study.file.model_copy(update={"participants": wanted})))
    return pd.DataFrame(
        [
            {
                "participant": str(number),
                "item": trial.item,
                "system": trial.systems[0],
                "value": (7 * number + place) % 5,
            }
            for number, slot in enumerate(planned.slots)
            for place, trial in enumerate(slot.trials)
            if trial.kind == "main"
        ]
    )


@pytest.mark.parametrize(("participants", "error"), [(178, 1239), (179, 1246)])
def test_degrees_of_freedom_of_ratings(ratings: Study, participants: int, error: int) -> None:
    """F2(7, 56) as printed; the F1(7, 1239) that is printed with 179 participants belongs to 178."""
    found = subjects_items(answers(ratings, participants), "value", of="rating", across_items="between", alpha=None)
    assert {line.test: line.df for line in found.lines if line.test != "min F′"} == {"F1": (7, error), "F2": (7, 56)}


def test_degrees_of_freedom_of_reading_times(reading: Study) -> None:
    """F1(2, 62) and F2(2, 14), as printed, where nobody lacks a condition."""
    found = subjects_items(answers(reading, 32), "value", of="time", alpha=None)
    assert {line.test: line.df for line in found.lines if line.test != "min F′"} == {"F1": (2, 62), "F2": (2, 14)}


def played(study: Study, participants: int) -> pd.DataFrame:
    """Answers of simulated participants to the main trials of the first lists; no store and no screening are needed."""
    known = with_true_effects(study)
    task = known.blocks[0].task
    rows = []
    for number, slot in enumerate(draw_plan(known).slots[:participants], 1):
        person = task.simulated_participant(number, Stream(1, "ready"))
        for place, trial in enumerate(slot.trials, 1):
            if trial.kind == "main":
                kept = task.read(trial, person.respond(trial, place).payload)
                rows += [{"participant": str(number), "kind": "main", **row} for row in task.rows(trial, kept)]
    return pd.DataFrame(rows)


def tau_of(study: Study) -> pd.Series[float]:
    return pd.Series({key: float(rows[0]["tau"]) for key, rows in study.text_rows.items()})


def test_simulated_people_rate_and_read_in_the_published_direction(ratings: Study, reading: Study) -> None:
    """Texts with a high tau are rated higher and read faster; so ratings and times of the shared texts go apart."""
    rated = played(ratings, 64).groupby(["item", "system"])["value"].mean()
    times = played(reading, 30).dropna(subset=["unit_position"])
    read = times.assign(each=times["rt_ms"] / times["words"]).groupby(["item", "system"])["each"].mean()
    assert rated.corr(tau_of(ratings).rename_axis(["item", "system"])) > 0.5
    assert read.corr(tau_of(reading).rename_axis(["item", "system"])) < -0.4
    assert 150 < times["rt_ms"].sum() / times["words"].sum() < 300  # milliseconds per word, as people take
    texts = {text: key for key, text in ratings.texts.items()}
    shared = [(rated[texts[text]], read[key]) for key, text in reading.texts.items()]
    assert pd.DataFrame(shared).corr().iloc[0, 1] < -0.3


def test_simulated_people_come_closest_to_the_original_from_the_original(reordering: Study) -> None:
    given = played(reordering, 18)
    close = [tau(row["order"].split(), sorted(row["order"].split())) for _, row in given.iterrows()]
    means = given.assign(close=close).groupby("condition")["close"].mean()
    assert means["O"] > means["T"] > means["R"]
