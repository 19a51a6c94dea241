from __future__ import annotations

import pytest

from textassay.errors import DataError
from textassay.ordering import GivenOrder, people_references, position_matrix, reorderings, tau

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
