"""Plackett–Luce against R: complete, partial and top-two rankings, ties; and rankings without estimates."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import bradley_terry, plackett_luce
from textassay.stats.preferences.plackett_luce import parse_rankings, rank_choices, stages_of

STORED = json.loads((Path(__file__).parents[2] / "golden" / "plackett_luce.json").read_text(encoding="utf-8"))
NAN = math.nan


@pytest.mark.parametrize("case", STORED["cases"], ids=[case["id"] for case in STORED["cases"]])
def test_equals_r(case):
    expected = case["expect"]
    result = plackett_luce(case["input"]["rankings"], **case["settings"])
    against = result.against(result.systems[0])
    optim = "optim" in case["oracle"]  # good to about 1e-5
    assert against.values == pytest.approx(expected["ability"], rel=1e-6 if optim else 1e-10)
    assert against.se == pytest.approx(expected["se"], rel=5e-5 if optim else 1e-10)
    assert result.loglik == pytest.approx(expected["loglik"], rel=1e-11)
    if "loglik_equal" in expected:
        assert result.chi2 == pytest.approx(2 * (expected["loglik"] - expected["loglik_equal"]), rel=1e-10)
    if optim:
        assert [each.name for each in result.extras] == [f"log δ{size}" for size in expected["sizes"]]
        assert [each.value for each in result.extras] == pytest.approx(expected["log_delta"], rel=1e-6)
        assert [each.se for each in result.extras] == pytest.approx(expected["se_log_delta"], rel=5e-5)


@st.composite
def tables(draw, ties=False):
    """Rankings of four systems, some of them partial."""
    rows = []
    for _ in range(draw(st.integers(6, 14))):
        order = draw(st.permutations(range(1, 5)))
        row = [float(rank) for rank in order]
        for place in draw(st.sets(st.integers(0, 3), max_size=2)):
            row[place] = NAN
        if ties and draw(st.booleans()):
            row = [min(rank, 2.0) for rank in row]
        rows.append(row)
    return rows


@given(tables(), st.permutations(range(4)))
def test_names_scale_of_ranks_and_order_of_rankings_do_not_matter(rankings, order):
    before = plackett_luce(rankings, systems=list("abcd"))
    table = np.array(rankings)[::-1][:, order] * 3 - 7
    after = plackett_luce(table, systems=["abcd"[index] for index in order])
    for ability in before.abilities:
        other = after.ability(ability.system)
        assert other.value == pytest.approx(ability.value, abs=1e-7, nan_ok=True)
        assert other.se == pytest.approx(ability.se, abs=1e-7, nan_ok=True)


@given(tables(ties=True))
def test_rankings_of_two_are_davidsons_comparisons(rankings):
    pairs = [[rank if place in (0, 1) else NAN for place, rank in enumerate(row)] for row in rankings]
    pairs += [[rank if place in (1, 3) else NAN for place, rank in enumerate(row)] for row in rankings]
    pairs += [[rank if place in (0, 3) else NAN for place, rank in enumerate(row)] for row in rankings]
    seen = [[place for place, rank in enumerate(row) if not math.isnan(rank)] for row in pairs]
    rows = [
        (a, b, np.sign(row[b] - row[a]))
        for row, (a, b) in ((r, s) for r, s in zip(pairs, seen, strict=True) if len(s) == 2)
    ]
    assume(rows)
    compared = bradley_terry(*map(list, zip(*rows, strict=True)))
    assume(len(compared.systems) == 3)
    ranked = plackett_luce(np.array(pairs)[:, [0, 1, 3]], systems=["0", "1", "3"])
    assert ranked.converged == compared.converged
    assert ranked.values == pytest.approx(compared.values, abs=1e-6, nan_ok=True)
    assert ranked.se == pytest.approx(compared.se, abs=1e-6, nan_ok=True)
    assert ranked.loglik == pytest.approx(compared.loglik, nan_ok=True)


def test_worth_is_the_share_of_first_places_where_nothing_else_is_known():
    # First places only, of three: 5, 3, 2 of 10.
    top = [[1, NAN, NAN]] * 5 + [[NAN, 1, NAN]] * 3 + [[NAN, NAN, 1]] * 2
    result = plackett_luce(top, unranked="last")
    # The unranked come last, so nobody beats … without second places the worth is the share of first places.
    assert result.worth == pytest.approx((0.5, 0.3, 0.2))
    assert [record["value"] for record in result.records() if record["statistic"] == "worth"] == list(result.worth)


def test_pairs_count_who_was_placed_above_whom():
    result = plackett_luce([[1, 2, NAN], [2, 1, 3], [3, 1, 2], [1, NAN, 2], [3, 2, 1]], systems=list("abc"))
    assert [pair.n for pair in result.pairs] == [4, 4, 3]
    assert [ability.n for ability in result.abilities] == [5, 4, 4]


@pytest.mark.parametrize(
    ("rankings", "reason"),
    [
        (np.zeros((0, 3)), "no two systems were judged"),
        ([[1], [1]], "no two systems were judged"),
        ([[1, NAN], [NAN, 1]], "no two systems were judged"),
        ([[1, 1, 1], [2, 2, 2]], "all systems are tied everywhere"),
        ([[1, 2, 3], [1, 3, 2]], "system 1 was never placed below"),
        ([[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 1, 2], [NAN, NAN, 2, 1]], "2 groups never compared"),
        ([[1, 2], [1, 1]], "the likelihood keeps growing"),
    ],
)
def test_rankings_without_estimates_are_nan_with_their_reason(rankings, reason):
    result = plackett_luce(rankings)
    assert all(math.isnan(value) for value in (*result.values, result.chi2, *result.worth))
    assert reason in result.warnings[0]


def test_rankings_that_say_nothing_are_counted():
    result = plackett_luce([[1, 2], [2, 1], [1, NAN]])
    assert result.n == 2
    assert result.warnings == ("1 of 3 rankings place no system against another",)
    assert [ability.n for ability in result.abilities] == [2, 2]  # of rankings that say something


def test_a_hundred_thousand_rankings_cost_little():
    generator = np.random.Generator(np.random.PCG64(2))
    rankings = np.argsort(np.argsort(generator.gumbel(size=(100_000, 6)) + np.arange(6) / 4, axis=1), axis=1)
    result = plackett_luce(-rankings)
    assert np.diff(result.values) == pytest.approx([0.25] * 5, abs=0.03)  # the truth, with standard error below .01


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="shape"):
        plackett_luce([1, 2, 3])
    with pytest.raises(DataError, match="infinite rank in row 0, column 1"):
        plackett_luce([[1, math.inf]])
    with pytest.raises(DataError, match="2 columns"):
        plackett_luce([[1, 2]], systems=["a"])
    with pytest.raises(DataError, match="1 of 2 rankings have ties, which ties='refuse' does not allow"):
        plackett_luce([[1, 1], [1, 2]], ties="refuse")
    with pytest.raises(DataError, match="make 184776 possible choices"):
        plackett_luce([[*[1] * 10, *range(2, 12)], [*range(20)]])
    with pytest.raises(UsageError, match="unranked must be one of not shown, last; got 'first'"):
        plackett_luce([[1, 2]], unranked="first")
    with pytest.raises(UsageError, match="confidence"):
        plackett_luce([[1, 2]], confidence=1)


# --- The alternatives of a ranking with ties: which there are, and what they are worth ------------------------------


def choices_of(rankings):
    return rank_choices(stages_of(parse_rankings(rankings, None, last=False)))


def test_without_ties_the_alternatives_are_the_systems():
    choices = choices_of([[1, 2, 3], [3, 1, 2]])
    assert np.array_equal(choices.design, np.eye(3)[:, 1:])
    assert choices.counts.sum() == 4


def test_a_tie_of_two_has_the_mean_of_their_abilities_and_its_own_parameter():
    choices = choices_of([[1, 1, 2]])
    # Alternatives a, b, c, ab, ac, bc; parameters b, c, log δ2.
    assert choices.design[3:].tolist() == [[0.5, 0, 1], [0, 0.5, 1], [0.5, 0.5, 1]]
    # One choice, of ab out of all: with equal abilities and δ = e^t the probability is e^t / (3 + 3e^t).
    for t in (-1.0, 0.0, 2.0):
        expected = t - np.log(3 + 3 * np.exp(t))
        assert choices.evaluate(np.array([0, 0, t])).loglik == pytest.approx(expected)


def test_ties_larger_than_what_is_left_are_no_alternatives():
    choices = choices_of([[1, 2, 2], [2, 1, 3]])
    sizes = {tuple(row) for row in choices.allowed.tolist()}
    # From two left: those two or their tie, three alternatives; from three left: three and three.
    assert sorted(sum(row) for row in sizes) == [3, 3, 6]


def test_too_many_possible_ties_are_refused():
    with pytest.raises(DataError, match="analyse fewer systems at a time"):
        choices_of([[1] * 10 + [2] * 15])


# --- Rankings as choices: who was left, who was taken, who was above whom -------------------------------------------


NAN_RANK_CHOICES_RANKINGS = math.nan


def stages(rankings, *, last=False):
    found = stages_of(parse_rankings(rankings, None, last=last))
    name = np.array(list("abcd"))[: found.left.shape[1]]
    return [("".join(name[left]), "".join(name[taken])) for left, taken in zip(found.left, found.taken, strict=True)]


def test_a_complete_ranking_is_a_choice_for_every_place_but_the_last():
    assert stages([[2, 1, 3]]) == [("abc", "b"), ("ac", "a")]


def test_systems_without_rank_are_not_there_or_come_last():
    assert stages([[2, 1, NAN_RANK_CHOICES_RANKINGS]]) == [("ab", "b")]
    assert stages([[2, 1, NAN_RANK_CHOICES_RANKINGS]], last=True) == [("abc", "b"), ("ac", "a")]
    assert stages([[1, NAN_RANK_CHOICES_RANKINGS, NAN_RANK_CHOICES_RANKINGS]]) == []
    assert stages([[1, NAN_RANK_CHOICES_RANKINGS, NAN_RANK_CHOICES_RANKINGS]], last=True) == [("abc", "a")]


def test_a_tie_is_a_choice_of_several():
    assert stages([[1, 2, 2, 3]]) == [("abcd", "a"), ("bcd", "bc")]
    assert stages([[1, 1]]) == [("ab", "ab")]
    assert stages_of(parse_rankings([[1, 1, 1, 2, 2]], None, last=False)).tie_sizes == (2, 3)


ranks = st.one_of(st.integers(1, 4).map(float), st.just(NAN_RANK_CHOICES_RANKINGS))


@given(st.lists(st.lists(ranks, min_size=4, max_size=4), min_size=1, max_size=8), st.booleans())
def test_orders_are_those_of_a_plain_loop(rows, last):
    above, tied = parse_rankings(rows, None, last=last).orders()
    for i in range(4):
        for j in range(4):
            if i == j:
                continue
            pairs = [(row[i], row[j]) for row in rows]
            expected = sum(a < b or (last and not math.isnan(a) and math.isnan(b)) for a, b in pairs)
            assert above[i, j] == expected
            assert tied[i, j] == sum(a == b for a, b in pairs)


@given(st.lists(st.lists(ranks, min_size=4, max_size=4), min_size=1, max_size=8), st.booleans())
def test_every_telling_ranking_has_a_choice(rows, last):
    data = parse_rankings(rows, None, last=last)
    first_choices = stages_of(data)
    assert (len(first_choices.left) > 0) == bool(data.telling.any())
    assert not np.any(first_choices.taken & ~first_choices.left)
