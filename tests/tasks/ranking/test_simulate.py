from __future__ import annotations

import math
from itertools import combinations

import pytest
from ranking_study import write_ranking_study
from small_study import SYSTEMS

from textassay.design.plan import Trial
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.ranking.simulate import REACH, TIE, RankingParticipant, worths

PEOPLE = 400


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_ranking_study(tmp_path_factory.mktemp("ranking")))


def trial(number: int) -> Trial:
    drawn = {"start": Stream(number, "start").permutation(3), "ids": [f"{name}{number}" for name in "abc"]}
    return Trial(f"places-{number}", "places", "main", 1, "i1", SYSTEMS, drawn)


def test_worths_are_centred_and_reach_as_far_as_stated(study: Study) -> None:
    found = worths(study.blocks[0].task)
    assert set(found) == {"clarity", "fluency"}
    for worth in found.values():
        assert math.isclose(math.fsum(worth.values()), 0, abs_tol=1e-9)
        assert max(map(abs, worth.values())) == pytest.approx(REACH)
    assert found["clarity"] != found["fluency"]


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_worths_put_in_come_out(study: Study, criterion: str) -> None:
    block = study.blocks[0]
    worth = worths(block.task)[criterion]
    above = dict.fromkeys(combinations(SYSTEMS, 2), 0)
    for number in range(PEOPLE):
        person = RankingParticipant(block.task, number, Stream(5, "test"))
        rows = block.task.rows(trial(number), person.respond(trial(number), 5).payload)
        ranks = {row["system"]: row["rank"] for row in rows if row["criterion"] == criterion}
        for one, other in above:
            above[one, other] += ranks[one] < ranks[other]
    # Plackett-Luce: P(one above other) = 1 / (1 + exp(worth of other - worth of one)); three standard errors
    for (one, other), wins in above.items():
        p = 1 / (1 + math.exp(worth[other] - worth[one]))
        assert wins / PEOPLE == pytest.approx(p, abs=3 * math.sqrt(p * (1 - p) / PEOPLE))


def test_every_answer_can_be_given_and_some_are_ties_where_allowed(tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = write_ranking_study(tmp_path_factory.mktemp("ties"), lambda block: block.update(ties=True))
    study = load_study(directory)
    block = study.blocks[0]
    tied = 0
    for slot in draw_plan(study).slots:
        person = RankingParticipant(block.task, slot.number, Stream(5, "test"))
        for each in slot.trials:
            kept = block.task.read(each, person.respond(each, each.position).payload)
            tied += each.kind == "main" and any(len(group) > 1 for group in kept["rankings"]["clarity"])
    assert TIE > 0
    assert tied > 0


def test_the_same_again_is_done_to_the_same_places(study: Study) -> None:
    block = study.blocks[0]
    person = RankingParticipant(block.task, 1, Stream(5, "test"))
    first, second = trial(1), trial(2)
    payload = person.respond(first, 1).payload
    again = block.task.read(second, person.repeat_response(payload, second))
    one, two = (block.task.response(block.task.rows(t, p)) for t, p in ((first, payload), (second, again)))
    assert one == two


def test_checks_are_answered_as_they_say_and_longer_texts_take_longer(study: Study) -> None:
    block = study.blocks[0]
    check = next(each for each in draw_plan(study).slots[0].trials if each.kind == "check")
    played = RankingParticipant(block.task, 1, Stream(5, "test")).respond(check, 3)
    assert block.task.passed_attention_check(block.task.rows(check, played.payload))
    # 3 texts of 7 words, 3 words of context, at 3.5 words a second; 3 texts × 2 criteria × 3 s
    assert block.task.expected_seconds(trial(1)) == pytest.approx(24 / 3.5 + 18)
