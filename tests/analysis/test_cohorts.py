"""Cohorts compared: by hand, against the statistics, and where there is nothing to compare."""

import math

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.cohorts import compare_cohorts
from textassay.stats import rm_anova


def people(frame, expert):
    names = sorted(set(frame["participant"]))
    return pd.DataFrame({"participant": names, "cohort": ["experts" if expert(name) else "lay" for name in names]})


def rows(analysis, name):
    return next(table for table in analysis.tables if table.name == name).records()


@pytest.fixture
def frame():
    """Four systems; experts and lay people put them in the same places, experts one lower throughout."""
    rows_ = [
        (f"{cohort}{n}", f"i{item}", f"s{system}", system + lower + 0.1 * n + 0.05 * ((item + n * system) % 3))
        for cohort, lower in (("x", -1), ("l", 0))
        for n in range(4)
        for system in range(4)
        for item in (0, 1)
    ]
    return pd.DataFrame(rows_, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")


def is_expert(name):
    return name.startswith("x")


def test_cohorts_that_agree_correlate_and_do_not_interact(frame):
    found = compare_cohorts(frame, people(frame, is_expert))
    (correlation,) = rows(found, "cohort-correlations")
    assert correlation["r"] > 0.99
    assert (correlation["n"], correlation["Cohort"], correlation["Other cohort"]) == (4, "lay", "experts")
    effects = {row["Effect"]: row for row in rows(found, "cohort-tests")}
    assert list(effects) == ["System × cohort", "Cohort", "System"]
    assert effects["System × cohort"]["p"] > 0.5
    assert effects["Cohort"]["p"] < 0.001
    assert effects["System"]["p"] < 0.001
    (said,) = found.headlines
    assert said.subject == "Cohorts compared"
    assert said.text.startswith(
        "On clarity, it is not clear that lay and experts see the differences between systems differently: F(3, 18) = "
    )
    assert said.text.endswith("(System × cohort, by participants).")


def test_the_level_decides_what_is_clear(frame):
    shifted = frame.assign(value=frame["value"] + 0.5 * (frame["system"] == "s0") * frame["participant"].map(is_expert))
    known = people(shifted, is_expert)
    p = rows(compare_cohorts(shifted, known), "cohort-tests")[0]["p GG"]
    assert 0 < p < 1
    texts = [compare_cohorts(shifted, known, alpha=alpha).headlines[0].text for alpha in (0.9 * p, 1.1 * p)]
    assert ["it is not clear" in text for text in texts] == [True, False]


def test_cohorts_that_see_systems_differently_interact(frame):
    turned = frame.copy()
    experts = turned["participant"].map(is_expert)
    turned.loc[experts, "system"] = turned.loc[experts, "system"].map({f"s{n}": f"s{3 - n}" for n in range(4)})
    found = compare_cohorts(turned, people(turned, is_expert))
    assert rows(found, "cohort-correlations")[0]["r"] < -0.99
    assert rows(found, "cohort-tests")[0]["p"] < 0.001
    assert found.headlines[0].text.startswith("On clarity, lay and experts see the differences between systems differ")


def test_interaction_is_that_of_the_statistics(drawn):
    frame = drawn(10, 6, 3).frame(4, 1.0)
    known = people(frame, lambda name: int(name[1:]) % 2)
    whose = dict(zip(known["participant"], known["cohort"], strict=True))
    means = frame.groupby(["participant", "system"])["value"].mean().reset_index()
    expected = rm_anova(
        means["value"].to_numpy(),
        means["participant"].to_numpy(),
        {"system": means["system"].to_numpy()},
        between={"cohort": means["participant"].map(whose).to_numpy()},
    )["system:cohort"]
    row = rows(compare_cohorts(frame, known), "cohort-tests")[0]
    assert (row["F"], row["df 1"], row["df 2"]) == (pytest.approx(expected.f), 2, 16)
    assert (row["p"], row["p GG"]) == pytest.approx((expected.p, expected.p_gg))


def test_each_cohort_by_itself(frame):
    found = compare_cohorts(frame, people(frame, is_expert), systems=["s3"])
    alone = {row["Cohort"]: row for row in rows(found, "cohort-systems")}
    assert {name: row["Participants"] for name, row in alone.items()} == {"lay": 4, "experts": 4}
    assert alone["lay"]["W"] == pytest.approx(1.0)
    means = rows(found, "cohort-means")
    assert [(row["System"], row["Cohort"]) for row in means][:3] == [("s3", "lay"), ("s3", "experts"), ("s0", "lay")]
    own = frame[(frame["system"] == "s3") & frame["participant"].map(is_expert)]
    assert means[1]["Mean"] == pytest.approx(own["value"].mean())


def test_figure_shows_one_cohort_against_the_other(frame):
    (figure,) = compare_cohorts(frame, people(frame, is_expert)).figures
    assert figure.kind == "scatter"
    assert (figure.data["x_label"], figure.data["y_label"]) == ("lay", "experts")
    assert len(figure.data["points"]) == 4
    assert figure.data["r"] > 0.99


def test_three_cohorts_make_three_pairs(frame):
    known = people(frame, is_expert)
    known.loc[known["participant"].isin(["l0", "l1"]), "cohort"] = "students"
    found = compare_cohorts(frame, known)
    assert len(rows(found, "cohort-correlations")) == 3
    assert "the 3 cohorts see" in found.headlines[0].text


def test_excluded_and_unknown_people_do_not_count(frame):
    known = people(frame, is_expert).assign(verdict=["excluded"] + ["valid"] * 7)
    without = compare_cohorts(frame, known)
    assert sum(row["Participants"] for row in rows(without, "cohort-systems")) == 7
    nobody = known.assign(cohort=[None, "", *known["cohort"][2:]], verdict="valid")
    assert sum(row["Participants"] for row in rows(compare_cohorts(frame, nobody), "cohort-systems")) == 6


def test_participants_who_lack_a_system_are_left_out_of_tests_and_counted(frame):
    short = frame[~((frame["participant"] == "x0") & (frame["system"] == "s0"))]
    found = compare_cohorts(short, people(short, is_expert))
    assert any("leave out 1 of 8 participants, who have not judged every system" in text for text in found.warnings)
    assert rows(found, "cohort-tests")[0]["df 2"] == 3 * 5


def test_where_nobody_has_every_system_there_is_a_reason_instead_of_a_test(frame):
    alone = frame[frame["participant"].str[-1] == frame["system"].str[-1]]
    found = compare_cohorts(alone, people(alone, is_expert))
    assert rows(found, "cohort-tests") == []
    assert found.headlines[0].text == "On clarity, no test of a difference between lay and experts was possible."
    assert any("no test" in text for text in found.warnings)


def test_one_cohort_is_nothing_to_compare(frame):
    assert compare_cohorts(frame, people(frame, lambda _: True)) is None
    assert compare_cohorts(frame, people(frame, is_expert).drop(columns="cohort")) is None
    assert compare_cohorts(frame[frame["participant"].map(is_expert)], people(frame, is_expert)) is None


def test_one_shared_system_has_no_correlation(frame):
    found = compare_cohorts(frame[frame["system"] == "s0"], people(frame, is_expert))
    assert math.isnan(rows(found, "cohort-correlations")[0]["r"])
    assert found.warnings


def test_labels_and_order_of_rows_do_not_matter(frame):
    known = people(frame, is_expert)
    found = rows(compare_cohorts(frame, known), "cohort-tests")
    order = np.random.default_rng(1).permutation(len(frame))
    again = rows(compare_cohorts(frame.iloc[order], known), "cohort-tests")
    assert [row["F"] for row in again] == pytest.approx([row["F"] for row in found])


def test_a_system_that_one_cohort_did_not_judge_is_not_in_the_correlation(frame):
    kept = frame[~(frame["participant"].map(is_expert) & (frame["system"] == "s3"))]
    found = compare_cohorts(kept, people(frame, is_expert))
    (correlation,) = rows(found, "cohort-correlations")
    assert (correlation["n"], math.isnan(correlation["r"])) == (3, False)
    assert [point["system"] for point in found.figures[0].data["points"]] == ["s0", "s1", "s2"]
