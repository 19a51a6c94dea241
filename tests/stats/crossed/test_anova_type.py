"""The leading test: against tests that it equals, in designs of every shape, and what it refuses."""

import math

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats import anova_type_contrasts, anova_type_test, one_sample_t, two_sample_t
from textassay.stats.crossed import anova_type


def answers(people=12, items=12, systems=3, seed=0, effect=0.0):
    random = np.random.default_rng(seed)
    person, item = np.divmod(np.arange(people * items), items)
    system = (person + item) % systems
    y = random.normal(size=people)[person] + random.normal(size=items)[item] + random.normal(size=person.size)
    return y + effect * (system == 0), system, person, item


def test_independent_answers_give_welchs_t():
    y, system = np.random.default_rng(1).normal(size=20), np.repeat(["a", "b"], 10)
    found, welch = anova_type_test(y, system, range(20), range(20)), two_sample_t(y[:10], y[10:])
    assert (found.f, found.p) == pytest.approx((welch.t**2, welch.p))
    assert found.settings["nested in systems"] == "participants, items"


def test_choices_of_people_who_answer_once_give_students_t():
    values = np.array([1.0, 1, -1, 1, 0, 1, 1, -1, 1, 1])
    found = anova_type_contrasts(values, [[1, -1]] * 10, range(10), range(10), systems=["a", "b"])
    student = one_sample_t(values)
    assert found.pairs["a", "b"].difference == pytest.approx(values.mean())
    assert (found.f, found.p) == pytest.approx((student.t**2, student.p))


def test_two_systems_have_one_p():
    y, system, person, item = answers(systems=2, effect=0.4)
    found = anova_type_test(y, system, person, item)
    assert found.p == pytest.approx(found.pairs[0].p)
    assert found.f == pytest.approx(found.pairs[0].test_value ** 2)


def test_neither_names_nor_order_nor_level_nor_scale_matter():
    y, system, person, item = answers(effect=0.5)
    found = anova_type_test(y, system, person, item)
    order = np.random.default_rng(2).permutation(y.size)
    names = np.array(["z", "x", "y"])
    other = anova_type_test(7 - 3 * y[order], names[system[order]], [f"p{x}" for x in person[order]], 50 - item[order])
    assert (other.f, *other.df, other.p) == pytest.approx((found.f, *found.df, found.p))
    assert other.pairs["z", "x"].difference == pytest.approx(-3 * found.pairs["0", "1"].difference)
    assert other.pairs["z", "x"].p == pytest.approx(found.pairs["0", "1"].p)


def test_differences_between_participants_and_items_do_not_count():
    y, system, person, item = answers(effect=0.5)
    found = anova_type_test(y, system, person, item)
    moved = anova_type_test(y + 100 * person - 30 * item, system, person, item)
    assert (moved.f, moved.p) == pytest.approx((found.f, found.p))


def test_intervals_of_pairs_hold_together_and_p_is_holms():
    found = anova_type_test(*answers(effect=1.0))
    assert (found.pairs.adjustment, found.pairs.family, found.pairs.interval) == ("Holm", 3, "simultaneous")
    least = min(found.pairs, key=lambda pair: pair.p_raw)
    assert least.p == pytest.approx(3 * least.p_raw)
    assert least.ci[0] < least.difference < least.ci[1]
    assert (least.ci[0] > 0 or least.ci[1] < 0) == (least.p < 0.05)  # of the first step, Holm's is Bonferroni's
    assert anova_type_test(*answers(effect=1.0), alpha=least.p / 2).pairs.n_significant == 0


def test_side_is_taken_out():
    random = np.random.default_rng(3)
    person, item = np.divmod(np.arange(120), 12)
    side = random.choice([-1.0, 1.0], 120)
    values = random.normal(size=120)
    given = {"contrasts": [[1, -1]] * 120, "participants": person, "items": item, "systems": ["a", "b"]}
    found = anova_type_contrasts(values, **given, covariates={"side": side})
    moved = anova_type_contrasts(values + 9 * side, **given, covariates={"side": side})
    assert (moved.f, moved.p) == pytest.approx((found.f, found.p))


def test_parts_that_share_nobody_are_not_compared():
    y, system, person, item = answers(people=6, items=6, systems=2)
    far = np.repeat([0, 1], y.size)
    twice = [np.tile(each, 2) + 10 * far for each in (system, person, item)]
    found = anova_type_test(np.tile(y, 2), *twice)
    assert math.isnan(found.p)
    assert "falls into parts" in found.warnings[0]
    assert [(pair.first, pair.second) for pair in found.pairs] == [("0", "1"), ("10", "11")]
    assert not any(math.isnan(pair.p) for pair in found.pairs)


@pytest.mark.parametrize(
    ("people", "items", "few"), [(2, 12, "2 participants"), (12, 2, "2 items"), (1, 9, "1 participant")]
)
def test_fewer_than_three_stand_for_nobody(people, items, few):
    found = anova_type_test(*answers(people, items, 2))
    assert math.isnan(found.p)
    assert few in found.warnings[0]
    fixed = anova_type_test(*answers(people, items, 2), random=["items"] if people < 3 else ["participants"])
    assert (0 < fixed.p < 1) or people == 1  # one participant saw each item once, with one system
    assert fixed.holds_for == ("items" if people < 3 else "participants")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda y, s, p, i: (y * 0 + 3, s, p, i), "all values are equal (3)"),
        (lambda y, s, p, i: (y, s * 0, p, i), "one system only"),
        (lambda y, s, p, i: (s + p + 10.0 * i, s, p, i), "differ equally for every participant and item"),
        (lambda y, s, p, i: (y[:0], s[:0], p[:0], i[:0]), "no values"),
    ],
    ids=["constant", "one system", "nothing left", "nothing"],
)
def test_what_cannot_be_tested_has_no_p_and_says_why(change, why):
    found = anova_type_test(*change(*answers()))
    assert math.isnan(found.p)
    assert why in found.warnings[0]


def test_ranks_that_cancel_for_every_participant_and_item_have_no_p():
    person, item = np.divmod(np.arange(16), 4)
    values = np.where((person + item) % 2, 0.5, -0.5)  # a chequerboard: all sums are exactly 0
    found = anova_type_contrasts(values, [[1, -1]] * 16, person, item, systems=["a", "b"])
    assert math.isnan(found.p)
    assert "differ equally for every participant and item" in found.warnings[0]


def test_one_system_has_a_mean_with_an_interval():
    y, system, person, item = answers()
    (mean,) = anova_type_test(y, system * 0, person, item).means
    assert mean.estimate == pytest.approx(y.mean())
    assert mean.ci[0] < mean.estimate < mean.ci[1]


def test_refuses_what_does_not_fit():
    y, system, person, item = answers()
    with pytest.raises(UsageError, match="random must name participants, items or both, got nothing"):
        anova_type_test(y, system, person, item, random=[])
    with pytest.raises(UsageError, match="got people"):
        anova_type_test(y, system, person, item, random=["people"])
    with pytest.raises(DataError, match="lengths"):
        anova_type_test(y, system[1:], person, item)
    given = {"participants": person, "items": item, "systems": ["a", "b"]}
    with pytest.raises(DataError, match="3 columns for 2 systems"):
        anova_type_contrasts(y, np.eye(3)[system], **given)
    with pytest.raises(DataError, match="sum to 0"):
        anova_type_contrasts(y, np.eye(2)[system % 2], **given)


def test_records_tell_test_means_and_pairs():
    found = anova_type_test(*answers(effect=1.0)).about("clarity", better="higher")
    test, *rest = found.records()
    assert (test["statistic"], test["of"], test["by"], test["holds_for"]) == (
        "F", "clarity", "system", "participants and items"
    )  # fmt: skip
    assert test["units"] == {"participants": 12, "items": 12}
    assert [each["statistic"] for each in rest] == ["adjusted mean"] * 3 + ["difference"] * 3
    assert rest[-3]["favours"] == "0"


@pytest.mark.parametrize("seed", range(8))
def test_the_names_of_participants_decide_nothing_where_items_or_participants_alone_count(seed):
    """Rounding, which differs with the order of participants, must not choose between two ways to count."""
    y, system, person, item = answers(5, 6, 3, seed=seed)
    found = [anova_type_test(y, system, names[person], item).p for names in (np.arange(5), np.arange(5)[::-1])]
    assert found[0] == pytest.approx(found[1])


def test_large_designs_are_not_remembered(monkeypatch):
    anova_type._prepared.cache_clear()
    found = anova_type_test(*answers())
    assert anova_type._prepared.cache_info().currsize == 1
    anova_type._prepared.cache_clear()
    monkeypatch.setattr(anova_type, "_REMEMBERED", 1)
    assert anova_type_test(*answers()).p == found.p
    assert anova_type._prepared.cache_info().currsize == 0


def test_want_of_memory_is_said(monkeypatch):
    def none(*_):
        raise MemoryError

    monkeypatch.setattr(anova_type, "system_means", none)
    found = anova_type_test(*answers())
    assert math.isnan(found.p)
    assert found.warnings == ("no p: 144 answers to 3 systems need more memory than there is",)
