"""The alternative annotator test."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.meta.judge_test import JudgeTest, JudgeTestOptions, judge_test

# Made for the authors' own program, which gave the figures below.
PEOPLE = (
    "2122122200022012010101102022111111212112",
    "2122122000112012022120101021011102222112",
    "2120122020022012021120012021121012022112",
    "-122-222-002-012-201-010-021-122-222-112",
)
JUDGE = "2122122002122012120120102121211112222112"
NO_POWER = JudgeTestOptions(draws=0)


def table(*rows: str) -> np.ndarray:
    """One digit an answer; a dash where there is none."""
    return np.array([[math.nan if each == "-" else float(each) for each in row] for row in rows])


@pytest.mark.parametrize(("epsilon", "rate"), [(0.0, 0.0), (0.1, 0.0), (0.2, 1.0)])
def test_as_the_authors_program(epsilon: float, rate: float) -> None:
    found = judge_test(table(*PEOPLE), table(JUDGE)[0], JudgeTestOptions(epsilon=epsilon, draws=0))
    assert (found.winning_rate, found.passes) == (rate, rate == 1)
    assert found.advantage == pytest.approx(0.89375)


def test_as_the_authors_program_on_numbers() -> None:
    found = judge_test(table(*PEOPLE), table(JUDGE)[0], JudgeTestOptions(scoring="rmse", draws=0))
    assert (found.winning_rate, found.advantage) == (0.0, pytest.approx(0.8875))


def by_hand() -> JudgeTest:
    """Three people and eight items: the judge differs from the first in one, from the others in two each."""
    codes = str.maketrans("ABC", "012")
    people = [each.translate(codes) for each in ("AABBCCAB", "AABBCAAB", "ABBBCCAA")]
    return judge_test(table(*people), table("AABACCAB".translate(codes))[0], NO_POWER, persons=("ann", "bob", "cy"))


def test_by_hand() -> None:
    persons = by_hand().persons
    assert [one.person for one in persons] == ["ann", "bob", "cy"]
    assert [one.difference for one in persons] == [0.125, 0.0, -0.125]
    assert [one.judge_wins for one in persons] == [0.875] * 3
    assert [one.p for one in persons] == pytest.approx([0.576417, 0.306530, 0.176889], abs=5e-7)
    # Benjamini and Yekutieli: times 3 · (1 + 1/2 + 1/3) over the rank, and never falling
    assert [one.p_adjusted for one in persons] == pytest.approx([1, 0.842958, 0.842958], abs=1e-6)
    assert by_hand().winning_rate == 0


@pytest.mark.parametrize(
    ("judge", "key", "advantage", "differences"),
    [
        ("gpt-3.5-turbo", "gpt_result", 0.734735, (0.246246, 0.236236, 0.249249)),
        ("pandalm-7b", "pandalm_result", 0.714715, (0.264264, 0.255255, 0.271271)),
    ],
)
def test_real_judges_of_pairs(
    data_dir: Path, judge: str, key: str, advantage: float, differences: tuple[float, ...]
) -> None:
    """What is neither of the two answers equals nobody's answer."""
    folder = data_dir / "pandalm"
    pairs = json.loads((folder / "testset-v1.json").read_text(encoding="utf-8"))
    said = json.loads((folder / f"{judge}-testset-v1.json").read_text(encoding="utf-8"))
    people = [[float(pair[f"annotator{number}"]) for pair in pairs] for number in (1, 2, 3)]
    its = [float(each[key]) if str(each[key]) in "012" else -1.0 for each in said]
    for epsilon in (0.1, 0.15, 0.2):
        found = judge_test(people, its, JudgeTestOptions(epsilon=epsilon, draws=0))
        assert found.winning_rate == 0
        assert found.advantage == pytest.approx(advantage, abs=1e-6)
        assert [one.difference for one in found.persons] == pytest.approx(differences, abs=1e-6)


def test_a_judge_who_always_or_never_agrees_has_p_of_0_or_1() -> None:
    people = table("0011", "0011", "0011")
    assert [one.p for one in judge_test(people, [0, 0, 1, 1], NO_POWER).persons] == [0, 0, 0]
    never = judge_test(people, [2, 2, 2, 2], NO_POWER)
    assert [one.p for one in never.persons] == [1, 1, 1]
    assert (never.advantage, never.winning_rate, never.losing_rate) == (0, 0, 1)
    assert judge_test(people, [0, 0, 1, 1], JudgeTestOptions(epsilon=0, draws=0)).losing_rate == 0


def test_items_that_one_person_judged_alone_do_not_count() -> None:
    people = table("01100-", "0110--", "011-01")
    found = judge_test(people, table("011001")[0], NO_POWER)
    assert [one.n for one in found.persons] == [5, 4, 4]
    assert "3 of 3 persons have fewer than 30 items" in found.warnings[0]


def test_a_person_with_too_few_items_is_named() -> None:
    found = judge_test(table("0110", "0111", "-0--"), table("0110")[0], NO_POWER, persons=["a", "b", "c"])
    assert [one.person for one in found.persons] == ["a", "b"]
    assert found.warnings[0] == "1 person(s) share fewer than 2 items with judge and others: c"
    assert "2 persons; the authors ask for 3 or more" in found.warnings[-1]


def test_power_is_that_of_another_person() -> None:
    """A judge as good as a person passes rarely with three people and few items, and more often with more items."""
    people = np.array([[int(each) for each in "0011" * 12], [int(each) for each in "0111" * 12]] * 2, dtype=float)
    power = [judge_test(people[:, :n], people[0, :n], JudgeTestOptions(draws=300)).power for n in (24, 48)]
    assert 0 < power[0] < power[1] < 1
    more = judge_test(people, people[0], JudgeTestOptions(epsilon=0.3, draws=300))
    assert more.power > power[1]
    assert judge_test(people, people[0], JudgeTestOptions(draws=300)).power == power[1]  # the same seed
    assert math.isnan(judge_test(people, people[0], NO_POWER).power)


def test_power_is_the_share_that_passes_when_the_raters_are_drawn_afresh() -> None:
    """Five raters of which one is called the judge; some items are hard, some easy."""
    generator = np.random.default_rng(7)

    def study() -> np.ndarray:
        share = generator.choice([0.05, 0.35, 0.65, 0.95], size=60)
        return (generator.uniform(size=(5, 60)) < share).astype(float)

    drawn = [study() for _ in range(300)]
    passed = np.mean([judge_test(each[:4], each[4], NO_POWER).passes for each in drawn])
    told = np.mean([judge_test(each[:4], each[4], JudgeTestOptions(draws=100)).power for each in drawn[:30]])
    assert told == pytest.approx(passed, abs=0.1)


def test_records() -> None:
    records = by_hand().records()
    assert [record["statistic"] for record in records[:3]] == [
        "winning rate", "advantage probability", "power of a judge as good as a person",
    ]  # fmt: skip
    assert (records[3]["by"], records[3]["value"], records[3]["judge_wins"]) == ("ann", 0.125, 0.875)


def test_what_is_refused() -> None:
    people = table("0110", "0111")
    with pytest.raises(DataError, match=r"one value an item; got \(2, 4\) and \(3,\)"):
        judge_test(people, [0, 1, 0])
    with pytest.raises(DataError, match="infinite"):
        judge_test(people, [0, 1, 0, math.inf])
    with pytest.raises(DataError, match="2 persons in answers and 1 names"):
        judge_test(people, [0, 1, 1, 0], persons=["a"])
    with pytest.raises(DataError, match=r"needs two persons with 9 items or more .* there are 0 of 2"):
        judge_test(people, [0, 1, 1, 0], JudgeTestOptions(least_items=9))
    for option, message in (
        ({"epsilon": 1.0}, "epsilon is 1.0"),
        ({"scoring": "kappa"}, "scoring must be one of accuracy, rmse"),
        ({"level": 0.0}, "level is 0.0"),
        ({"least_items": 1}, "a t-test needs 2"),
        ({"draws": -1}, "draws is -1"),
    ):
        with pytest.raises(UsageError, match=message):
            JudgeTestOptions(**option)  # type: ignore[arg-type]
