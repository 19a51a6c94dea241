from __future__ import annotations

import itertools

from people_orders import people_orders

from textassay.ordering import GivenOrder, pair_anova, reorderings
from textassay.ordering.variability import pair_anova as module
from textassay.ordering.variability.pair_anova import NOT_VALID, greater_sets


def test_every_pair_is_an_observation_and_that_is_said() -> None:
    found = pair_anova(reorderings(people_orders(1)))
    assert found is not None
    assert found.n == 153 * 9  # pairs of 18 people, texts
    assert [effect.name for effect in found.anova.effects] == ["text", "pair", "condition"]
    assert found.anova["text"].df == 8
    assert found.warnings[0] == NOT_VALID
    assert found.tukey is not None
    assert len(found.tukey.pairs) == 36
    assert "published" in found.records()[0]["method"]


def test_table_2_of_the_paper() -> None:
    # Madnani et al. (2007), Table 2, from its 20 significant comparisons
    order = ["8", "9", "6", "5", "3", "1", "2", "4", "7"]
    pairs = [(more, "7") for more in order[:-1]]
    pairs += list(itertools.product(["8", "9", "6"], ["4", "2"]))
    pairs += list(itertools.product(["8", "9"], ["1", "3", "5"]))
    assert len(pairs) == 20
    lines = greater_sets(pairs, order)
    assert [(sorted(more), sorted(less)) for more, less in lines] == [
        (["1", "2", "3", "4", "5", "6", "8", "9"], ["7"]),
        (["6", "8", "9"], ["2", "4"]),
        (["8", "9"], ["1", "3", "5"]),
    ]
    assert lines[0][0] == order[:-1]
    assert greater_sets([], order) == []


def test_nothing_to_analyse() -> None:
    assert pair_anova(reorderings([GivenOrder("s", by, "abc") for by in "pq"])) is None
    # all alike: no variance at all
    assert pair_anova(reorderings([GivenOrder(t, by, "abc") for t in "stu" for by in "pqr"])) is None


def test_too_many_pairs_are_no_factor(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "_MOST_CELLS", 1000)
    found = pair_anova(reorderings(people_orders(1, people=6, texts=3)))
    assert found is not None
    assert [effect.name for effect in found.anova.effects] == ["text", "condition"]
    assert "the factor pair is excluded: 15 pairs are too many to fit at once" in found.warnings
