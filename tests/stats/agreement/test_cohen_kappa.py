"""Cohen's kappa against R's vcd and psych and statsmodels, by identity, under changes, and on bad data."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import cohen_kappa, cohen_kappa_matrix, fleiss_kappa, krippendorff_alpha, percentage_agreement
from textassay.stats.agreement.cohen_kappa import confusion_of_lists, confusion_of_matrix

FOLDER = Path(__file__).parents[2] / "golden"
LISTS = json.loads((FOLDER / "cohen_kappa.json").read_text(encoding="utf-8"))["cases"]
MATRICES = json.loads((FOLDER / "cohen_kappa_matrix.json").read_text(encoding="utf-8"))["cases"]
MATRIX = np.array(MATRICES[0]["input"]["matrix"])

scale = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=30)


def check(result, expected):
    for key in ("kappa", "ase", "po", "pe", "se_null", "z"):
        if key in expected:
            assert getattr(result, key) == pytest.approx(expected[key], rel=1e-9)
    if "ci" in expected:
        assert result.ci == pytest.approx(tuple(expected["ci"]), rel=1e-9)


@pytest.mark.parametrize("case", LISTS, ids=[case["id"] for case in LISTS])
def test_lists_equal_r(case):
    given_lists = case["input"]
    check(cohen_kappa(given_lists["first"], given_lists["second"], **case.get("settings", {})), case["expect"])


@pytest.mark.parametrize("case", MATRICES, ids=[case["id"] for case in MATRICES])
def test_matrices_equal_r(case):
    check(cohen_kappa_matrix(case["input"]["matrix"], **case.get("settings", {})), case["expect"])


def test_weighted_interval_of_psych_has_a_slip():
    # psych 2.2.9 takes rs[i] Σ w[i, j] where the formula has Σ w[i, j] rs[j]; with that slip its figures come out.
    p = MATRIX / MATRIX.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    place = np.arange(4)
    w = 1 - (place[:, None] - place) ** 2 / 9
    po, pe = (w * p).sum(), (w * np.outer(rows, columns)).sum()
    slipped = (columns @ w)[:, None] + rows * w.sum(axis=1)
    variance = ((p * (w * (1 - pe) - slipped * (1 - po)) ** 2).sum() - (po * pe - 2 * pe + po) ** 2) / (1 - pe) ** 4
    half = 1.959963984540054 * math.sqrt(variance / MATRIX.sum())
    result = cohen_kappa_matrix(MATRIX, weights="quadratic")
    slip = MATRICES[2]["expect"]["psych_wrong_ci"]
    assert (result.kappa - half, result.kappa + half) == pytest.approx(tuple(slip), rel=1e-9)
    assert result.ci != pytest.approx(tuple(slip), rel=1e-5)


@pytest.mark.parametrize(("weights", "theirs"), [("identity", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_equals_statsmodels(weights, theirs):
    from statsmodels.stats.inter_rater import cohens_kappa

    other = cohens_kappa(MATRIX, wt=theirs)
    result = cohen_kappa_matrix(MATRIX, weights=weights)
    assert (result.kappa, result.ase, result.se_null) == pytest.approx((other.kappa, other.std_kappa, other.std_kappa0))
    assert result.p == pytest.approx(other.pvalue_two_sided, rel=1e-6)


@given(scale)
def test_matrix_and_lists_are_one(pairs):
    first, second = zip(*pairs, strict=True)
    matrix = np.zeros((4, 4))
    np.add.at(matrix, (np.array(first) - 1, np.array(second) - 1), 1)
    for weights in ("identity", "linear", "quadratic", "ordinal"):
        by_list = cohen_kappa(first, second, weights=weights, categories=[1, 2, 3, 4])
        by_matrix = cohen_kappa_matrix(matrix, weights=weights)
        assert by_list.kappa == pytest.approx(by_matrix.kappa, nan_ok=True)
        assert by_list.ase == pytest.approx(by_matrix.ase, nan_ok=True)
        assert by_list.z == pytest.approx(by_matrix.z, nan_ok=True)


@given(scale)
def test_quadratic_kappa_is_the_concordance_of_the_values(pairs):
    # 2 cov(x, y) / (var x + var y + (mean x - mean y)²), all with divisor n.
    x, y = np.array(pairs, dtype=float).T
    spread = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    assume(spread > 0)
    expected = 2 * np.cov(x, y, bias=True)[0, 1] / spread
    assert cohen_kappa(x, y, weights="quadratic").kappa == pytest.approx(expected, abs=1e-12)


@given(scale)
def test_raters_may_change_places_and_labels_their_names(pairs):
    first, second = zip(*pairs, strict=True)
    kappa = cohen_kappa(first, second)
    assert cohen_kappa(second, first).kappa == pytest.approx(kappa.kappa, nan_ok=True)
    names = {1: "d", 2: "a", 3: "c", 4: "b"}
    renamed = cohen_kappa([names[x] for x in first], [names[x] for x in second])
    assert (renamed.kappa, renamed.ase) == pytest.approx((kappa.kappa, kappa.ase), nan_ok=True)


@given(scale, st.integers(1, 9), st.integers(-20, 20))
def test_weighted_kappa_does_not_change_with_unit_and_origin(pairs, factor, shift):
    x, y = np.array(pairs, dtype=float).T
    for weights in ("linear", "quadratic", "ordinal"):
        moved = cohen_kappa(factor * x + shift, factor * y + shift, weights=weights).kappa
        assert moved == pytest.approx(cohen_kappa(x, y, weights=weights).kappa, nan_ok=True)


def test_two_categories_need_no_weights():
    matrix = [[20, 5], [10, 15]]
    plain = cohen_kappa_matrix(matrix)
    for weights in ("linear", "quadratic", "ordinal"):
        assert cohen_kappa_matrix(matrix, weights=weights).kappa == pytest.approx(plain.kappa)


def test_category_that_nobody_used_changes_plain_kappa_not_at_all():
    first, second = [1, 2, 2, 1], [1, 2, 1, 1]
    assert cohen_kappa(first, second, categories=[1, 2, 3]).kappa == cohen_kappa(first, second).kappa
    assert cohen_kappa(first, second, categories=[1, 2, 3]).categories == ("1", "2", "3")


def test_missing_labels_are_left_out_and_counted():
    result = cohen_kappa(["a", None, "b", "b"], ["a", "b", math.nan, "a"])
    assert result.n == 2
    assert result.warnings[0] == "2 of 4 items are excluded: one label is missing"


def test_text_and_numbers_may_meet():
    assert cohen_kappa(["a", "b"], [1, 2]).po == 0


def test_many_categories_take_little_memory():
    # A full matrix of 30,000 categories would be 7 GB.
    x = np.arange(30_000)
    assert cohen_kappa(x, np.roll(x, 1)).kappa == pytest.approx(-1 / 29_999)


@pytest.mark.parametrize(
    ("first", "second", "kappa", "reason"),
    [
        (["a", "a"], ["a", "a"], math.nan, "every item the same category (a)"),
        (["a", "b", "b"], ["a", "a", "a"], 0.0, "z is undefined: one rater"),
        (["a", "b", "b"], ["a", "b", "b"], 1.0, "zero width"),
    ],
)
def test_undefined_figures_have_their_reason(first, second, kappa, reason):
    result = cohen_kappa(first, second)
    assert result.kappa == pytest.approx(kappa, nan_ok=True)
    assert any(reason in each for each in result.warnings)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (["a"], ["a", "b"], "first has 1, second has 2"),
        ([], [], r"they share none \(0 items given\)"),
        ([None, "a"], ["a", None], "Cohen's kappa needs items that both raters judged"),
        ([1, math.inf], [1, 2], "first has 1 infinite value"),
        ([[1, 2]], [[1, 2]], "first must be a plain list"),
    ],
)
def test_bad_lists_are_refused(first, second, message):
    with pytest.raises(DataError, match=message):
        cohen_kappa(first, second)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], r"must be square.*\(2, 3\)"),
        ([1, 2], "must be square"),
        ([[1, -2], [0, 1]], "row 1, column 2 holds -2.0"),
        ([[1, math.nan], [0, 1]], "holds nan"),
        ([[0, 0], [0, 0]], "all counts are 0"),
    ],
)
def test_bad_matrices_are_refused(matrix, message):
    with pytest.raises(DataError, match=message):
        cohen_kappa_matrix(matrix)


def test_bad_settings_are_refused():
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        cohen_kappa([1, 2], [1, 2], confidence=95)
    with pytest.raises(UsageError, match="needs the order of the categories"):
        cohen_kappa(["low", "high"], ["low", "low"], weights="linear")
    with pytest.raises(DataError, match="2 categories but categories names 3"):
        cohen_kappa_matrix([[1, 0], [0, 1]], categories=["a", "b", "c"])


# --- Two raters' labels as a confusion matrix that holds its filled cells only --------------------------------------


def test_lists_become_cells_and_margins():
    found = confusion_of_lists(["a", "b", "b", None], ["a", "a", "b", "b"], None, "kappa")
    assert (found.n, found.left_out) == (3, 1)
    assert list(zip(found.row.tolist(), found.column.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1)]
    assert found.rows == pytest.approx(np.array([1, 2]) / 3)
    assert found.columns == pytest.approx(np.array([2, 1]) / 3)


def test_matrix_keeps_empty_categories():
    found = confusion_of_matrix([[2, 0, 0], [1, 1, 0], [0, 0, 0]], None)
    assert found.categories.names == ("1", "2", "3")
    assert found.rows.tolist() == [0.5, 0.5, 0]
    assert found.row.size == 3


def test_measure_is_named_where_nothing_is_shared():
    with pytest.raises(DataError, match="some kappa needs items that both raters judged"):
        confusion_of_lists([None], [1], None, "some kappa")
    with pytest.raises(DataError, match="square"):
        confusion_of_matrix([[1, 2]], None)
    with pytest.raises(DataError, match="second must be a plain list"):
        confusion_of_lists([1, 2], 3, None, "kappa")


# --- Agreement of the annotators of PandaLM's test set, as its makers publish it. Apache-2.0; read, not copied ------


@pytest.fixture(scope="module")
def annotators(data_dir):
    stored = json.loads((data_dir / "pandalm" / "testset-v1.json").read_text(encoding="utf-8"))
    return [[pair[f"annotator{index}"] for pair in stored] for index in (1, 2, 3)]


def test_kappa_of_every_two_annotators(annotators):
    # The makers' README: .85, .88, .86 for 999 pairs.
    one, two, three = annotators
    found = [cohen_kappa(*pair) for pair in ((one, two), (one, three), (two, three))]
    assert sorted(round(result.kappa, 2) for result in found) == [0.85, 0.86, 0.88]
    assert {result.n for result in found} == {999}


def test_labels_of_the_majority(annotators):
    # 105 ties, 422 for the first, 472 for the second output.
    majority = Counter(Counter(labels).most_common(1)[0][0] for labels in zip(*annotators, strict=True))
    assert (majority[0], majority[1], majority[2]) == (105, 422, 472)


def test_all_three_together_agree_as_their_pairs_do(annotators):
    # Without gaps the mean of the pairwise kappas and Fleiss' kappa differ in the third digit only.
    one, two, three = annotators
    mean = sum(cohen_kappa(*pair).kappa for pair in ((one, two), (one, three), (two, three))) / 3
    kappa = fleiss_kappa(annotators).kappa
    assert kappa == pytest.approx(mean, abs=2e-3)
    assert krippendorff_alpha(annotators, level="nominal").alpha == pytest.approx(kappa + (1 - kappa) / 2997)
    assert percentage_agreement(annotators).agreement > kappa
