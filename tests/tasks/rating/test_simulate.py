from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist, fmean, stdev
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import write_small_study

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.study import Block, Study
from textassay.tasks.rating.settings import RatingSettings
from textassay.tasks.rating.simulate import RatingParticipant, effects

PEOPLE = 150


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


def cell(item: str, system: str) -> Trial:
    return Trial(f"quality-{item}-{system}", "quality", "main", 9, item, (system,))


@pytest.fixture(scope="module")
def ratings(study: Study) -> dict[str, list[tuple[int, str, str, int]]]:
    """By criterion: (person, item, system, rating) of many people who rate every text."""
    found: dict[str, list[tuple[int, str, str, int]]] = {"clarity": [], "fluency": []}
    for number in range(PEOPLE):
        player = RatingParticipant(study.blocks[0].task, number, Stream(11, "test"))
        for item, system in study.texts:
            for criterion, value in player.respond(cell(item, system), 9).payload["ratings"].items():
                found[criterion].append((number, item, system, value))
    return found


def test_effects_are_a_function_of_the_seed(study: Study) -> None:
    assert effects(study.blocks[0].task) == effects(study.blocks[0].task)
    other = replace(study, file=study.file.model_copy(update={"seed": 8}))
    assert effects(study.blocks[0].task) != effects(other.blocks[0].task)


def test_effects_sum_to_nothing_and_stay_within_reach(study: Study) -> None:
    for put_in in effects(study.blocks[0].task).values():
        assert math.isclose(sum(put_in.systems.values()), 0, abs_tol=1e-9)
        assert math.isclose(sum(put_in.items.values()), 0, abs_tol=1e-9)
    # reach 0.15 spans: the scale 1 to 7 has a span of 6, 0 to 100 one of 100
    by_criterion = effects(study.blocks[0].task)
    assert max(map(abs, by_criterion["clarity"].systems.values())) == pytest.approx(0.9)
    assert max(map(abs, by_criterion["fluency"].systems.values())) == pytest.approx(15)
    assert by_criterion["clarity"].grand_mean == 4
    assert by_criterion["fluency"].grand_mean == 50


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_effects_put_in_come_out(study: Study, ratings: Any, criterion: str) -> None:
    put_in = effects(study.blocks[0].task)[criterion]
    # Everybody rates every text, so participants cancel in differences from the grand mean. What is left is noise and
    # rounding (variance 1/12): the standard error of a mean over n ratings is at most sqrt((noise² + 1/12) / n).
    # Three of them for each of the 3 + 6 means: by chance one falls outside in 1 of 40 seeds.
    spread = math.sqrt(put_in.noise_sd**2 + 1 / 12)
    grand = fmean(value for *_, value in ratings[criterion])
    for system, effect in put_in.systems.items():
        values = [value for _, _, name, value in ratings[criterion] if name == system]
        assert fmean(values) - grand == pytest.approx(effect, abs=3 * spread / math.sqrt(len(values)))
    for item, effect in put_in.items.items():
        values = [value for _, name, _, value in ratings[criterion] if name == item]
        assert fmean(values) - grand == pytest.approx(effect, abs=3 * spread / math.sqrt(len(values)))


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_people_differ_as_much_as_was_put_in(study: Study, ratings: Any, criterion: str) -> None:
    put_in = effects(study.blocks[0].task)[criterion]
    means = [fmean(value for who, *_, value in ratings[criterion] if who == number) for number in range(PEOPLE)]
    # the mean of a person's 18 ratings varies by participant² + (noise² + 1/12) / 18
    expected = math.sqrt(put_in.participant_sd**2 + (put_in.noise_sd**2 + 1 / 12) / 18)
    # the relative standard error of a standard deviation is 1 / sqrt(2 (n - 1))
    assert stdev(means) == pytest.approx(expected, rel=3 / math.sqrt(2 * (PEOPLE - 1)))


def test_few_ratings_are_cut_off(study: Study, ratings: Any) -> None:
    ends = [value for *_, value in ratings["fluency"] if value in (0, 100)]
    # The module says: about 1 in 300 for the outermost system, which is the bound for all of them together.
    total_sd = math.sqrt(0.05**2 + 0.06**2 + 0.10**2)
    assert 1 - NormalDist().cdf(0.35 / total_sd) < 1 / 300
    n = len(ratings["fluency"])
    assert len(ends) / n < 1 / 300 + 3 * math.sqrt(1 / 300 / n)


def test_longer_texts_take_longer(study: Study) -> None:
    long = replace(study, texts={**study.texts, ("i1", "human"): "word " * 400})
    players = [RatingParticipant(each.blocks[0].task, 1, Stream(11, "test")) for each in (study, long)]
    short, longer = (player.respond(cell("i1", "human"), 9).rt_ms for player in players)
    # 400 words instead of 7, at the 3.5 words a second that the task reckons with; 3 words of context, 2 × 4 s to rate
    assert longer / short == pytest.approx((403 / 3.5 + 8) / (10 / 3.5 + 8), rel=0.001)


def test_first_trials_take_longer(study: Study) -> None:
    player = RatingParticipant(study.blocks[0].task, 1, Stream(11, "test"))
    times = [player.respond(cell("i1", "human"), position).rt_ms for position in range(1, 6)]
    assert times == sorted(times, reverse=True)
    # 1.4 times as long at first: 1 + 0.4 · exp(0), and exp(-(100 - 1) / 3) is nothing
    assert times[0] / player.respond(cell("i1", "human"), 100).rt_ms == pytest.approx(1.4, rel=0.001)


def test_some_comments_are_written_where_there_is_a_box(study: Study) -> None:
    block = study.blocks[0]
    played = [
        RatingParticipant(block.task, number, Stream(11, "test")).respond(cell("i1", "human"), 1)
        for number in range(200)
    ]
    written = sum(bool(each.payload["comment"]) for each in played)
    # 200 draws of 0.1: 20 expected, standard deviation 4.2
    assert 7 < written < 33
    without = replace(block, settings=block.settings.model_copy(update={"comment": None}))
    assert (
        "comment" not in RatingParticipant(without.task, 1, Stream(11, "test")).respond(cell("i1", "human"), 1).payload
    )


@given(low=st.integers(-50, 50), half_span=st.integers(1, 60), slider=st.booleans(), number=st.integers(1, 10**6))
def test_every_answer_fits_its_scale(study: Study, low: int, half_span: int, slider: bool, number: int) -> None:
    high = low + (2 * half_span if slider else min(half_span, 10))
    scale = {
        "from": low,
        "to": high,
        "widget": "slider" if slider else "radio",
        "labels": {low: "bad", high: "good"},
    }
    settings = RatingSettings.model_validate(
        {"task": "rating", "name": "q", "criteria": [{"name": "c", "question": "?", "scale": scale}]}
    )
    block = Block("quality", study.blocks[0].task_class, settings, None, {}, study=study)
    trial = cell("i1", "human")
    played = RatingParticipant(block.task, number, Stream(11, "test")).respond(trial, 1)
    assert block.task.read(trial, played.payload)["ratings"] == played.payload["ratings"]


def test_repeats_are_near_the_first_answer_but_not_copies(study: Study) -> None:
    again = replace(cell("i1", "human"), key="quality-9", kind="repeat")
    pairs = []
    for number in range(100):
        player = RatingParticipant(study.blocks[0].task, number, Stream(11, "test"))
        first, second = (
            player.respond(trial, 9).payload["ratings"]["fluency"] for trial in (cell("i1", "human"), again)
        )
        pairs.append(first - second)
    assert len(set(pairs)) > 10
    # two ratings of one text by one person differ by noise alone: sd = sqrt(2 · (10² + 1/12)) = 14.2
    assert stdev(pairs) == pytest.approx(14.2, rel=3 / math.sqrt(2 * 99))


def test_some_texts_cannot_be_judged_and_all_else_is_answered_as_before(study: Study) -> None:
    block = study.blocks[0]
    asked = [each.model_copy(update={"why": "required"}) for each in cast("RatingSettings", block.settings).criteria]
    changes = {"cannot_judge": True, "criteria": asked}
    unsure = replace(block, settings=block.settings.model_copy(update=changes))
    plain, other = (RatingParticipant(each.task, 3, Stream(11, "test")) for each in (block, unsure))
    said = []
    for item, system in study.texts:
        for place in range(5):
            trial = replace(cell(item, system), key=f"quality-{item}-{system}-{place}")
            before, after = plain.respond(trial, 9), other.respond(trial, 9)
            unjudged = after.payload["cannot_judge"]
            assert {**before.payload["ratings"], **after.payload["ratings"]} == before.payload["ratings"]
            assert {*after.payload["ratings"], *unjudged} == {"clarity", "fluency"}
            assert (before.rt_ms, before.payload["comment"]) == (after.rt_ms, after.payload["comment"])
            said += unjudged
            assert all(unsure.task.read(trial, after.payload)["why"].values())
    assert 1 <= len(said) <= 15  # of 180, 3 % each: 5.4 expected, standard deviation 2.3
