from __future__ import annotations

import math

import numpy as np
import pytest
from people_orders import people_orders, starts_of

from textassay.errors import DataError
from textassay.ordering import GivenOrder, people_references, position_matrix, references_needed, reorderings, tau

PEOPLE = [GivenOrder("s", by, order) for by, order in (("p", "abc"), ("q", "bac"), ("r", "abc"))]


def test_matrix_and_means_vector_of_the_references() -> None:
    found = people_references(reorderings(PEOPLE), {"sys": {"s": "bac", "not there": "ab"}})
    assert found is not None
    (score,) = found.scores
    # rows b, a, c as the system orders them: b stands first once and second twice
    assert score.matrix.tolist() == [[1, 2, 0], [2, 1, 0], [0, 0, 3]]
    assert score.matrix.tolist() == position_matrix([p.order for p in PEOPLE], "bac").T.tolist()
    # 5 of 9 on the diagonal: (5/9 - 1/3) / (2/3)
    assert score.values["kappa"] == pytest.approx(1 / 3)
    # numbers by the system: b 1, a 2, c 3; means (2+1+2)/3, (1+2+1)/3, 3 against 1 2 3
    assert score.values["rho"] == pytest.approx(0.5)
    assert score.mean_tau == pytest.approx(sum(tau(p.order, "bac") for p in PEOPLE) / 3)
    # the best order is abc: 1, 1/3, 1
    assert (score.highest, score.exact) == (pytest.approx(7 / 9), True)
    assert found.mean("sys", "kappa") == score.values["kappa"]
    assert {record["of"] for record in found.records()} == {"s", "all texts"}


def test_without_systems_and_with_other_units() -> None:
    assert people_references(reorderings(PEOPLE), {}) is None
    with pytest.raises(DataError, match=r"text s, system sys: .*'d'"):
        people_references(reorderings(PEOPLE), {"sys": {"s": "abd"}})


def test_the_more_the_steadier() -> None:
    given = people_orders(1)
    people = reorderings(given)
    found = references_needed(people, people_references(people, starts_of(given)))
    assert found is not None
    assert [each.references for each in found.curve] == list(range(1, 19))
    halves = [each.halves for each in found.curve[:9]]
    assert halves == pytest.approx(sorted(halves), abs=0.02)
    assert halves[-1] > halves[0] + 0.2
    assert all(math.isnan(each.halves) for each in found.curve[9:])
    assert found.curve[-1].same_order == 1


def test_standard_error_is_that_of_peoples_own_means() -> None:
    given = people_orders(4, people=6, texts=3)
    people, targets = reorderings(given), starts_of(given)
    found = references_needed(people, people_references(people, targets))
    assert found is not None
    deviations = []
    for by_text in targets.values():
        own = [np.mean([tau(g.order, by_text[g.item]) for g in given if g.by == name]) for name in people.people]
        deviations.append(np.std(own, ddof=1))
    assert found.curve[3].se == pytest.approx(np.mean(deviations) / 2)  # four references: S / √4


def test_one_reference_each_is_the_mean_tau_of_pairs() -> None:
    people = reorderings(people_orders(1, people=3, texts=3))
    found = references_needed(people, None, draws=5000)
    assert found is not None
    # orders by mean places of one person each are their orders
    assert found.curve[0].halves == pytest.approx(float(np.nanmean(people.taus)), abs=0.02)
    assert math.isnan(found.curve[0].se)
    assert all(record["value"] == record["value"] for record in found.records())  # nothing undefined is told


def test_those_who_lack_a_text_are_left_out() -> None:
    given = people_orders(1, people=6, texts=3)
    people = reorderings([each for each in given if (each.item, each.by) != ("S2", "p2")])
    found = references_needed(people, people_references(people, starts_of(given)))
    assert found is not None
    assert found.people == 5
    assert found.warnings == ("1 people who did not order every text are excluded",)
    assert references_needed(reorderings([GivenOrder("s", "p", "ab"), GivenOrder("s", "q", "ab")]), None) is None
