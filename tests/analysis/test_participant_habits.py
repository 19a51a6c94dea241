"""Participants' habits: by hand, and leave-one-out agreement against R."""

import json
import math
from pathlib import Path

import pandas as pd
import pytest

from textassay.analysis.judgements import read_judgements
from textassay.analysis.participant_habits import diagnostics, diagnostics_figure, diagnostics_table
from textassay.results import plain
from textassay.stats import pearson

FILE = Path(__file__).parents[1] / "golden" / "leave_one_out.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))["cases"][0]
SCALE = {"clarity": (1.0, 5.0)}


def ratings_frame(ratings):
    rows = [(f"p{i}", f"i{j}", "A", value) for i, row in enumerate(ratings) for j, value in enumerate(row)]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")


def test_agreement_equals_r():
    found = diagnostics(read_judgements(ratings_frame(GOLDEN["input"]["ratings"])), SCALE)
    assert [person.agreement for person in found.participants] == pytest.approx(GOLDEN["expect"]["r"], rel=1e-12)
    assert found.agreement_over == "text"


def test_excluded_do_not_shape_the_mean_of_the_others():
    ratings = GOLDEN["input"]["ratings"]
    contrary = [6 - value for value in ratings[0]]
    alone = diagnostics(read_judgements(ratings_frame(ratings)), SCALE)
    judged = read_judgements(ratings_frame([*ratings, contrary]))
    found = diagnostics(judged, SCALE, excluded=["p5"])
    assert [p.agreement for p in found.participants[:5]] == pytest.approx([p.agreement for p in alone.participants])
    # An excluded participant is compared with the mean of all who were kept; the own answer is not in it.
    mean = [sum(column) / 5 for column in zip(*ratings, strict=True)]
    assert found.participants[5].agreement == pytest.approx(pearson(contrary, mean).r)
    assert found.participants[5].excluded


def test_habits_by_hand(small):
    # p: 1 2 3 4, times 1000 2000 3000 9000; mean 2.5, sd √(5/3), median 2500, no value twice: 1/4.
    # q: 5 4 2 1: the same spread; its times are unknown.
    frame = small.assign(rt_ms=[1000, 2000, 3000, 9000] + [math.nan] * 4)
    p, q = diagnostics(read_judgements(frame), SCALE).participants
    assert (p.mean, p.sd, p.median_rt_ms, p.modal_share, p.n) == (2.5, pytest.approx(math.sqrt(5 / 3)), 2500, 0.25, 4)
    assert math.isnan(q.median_rt_ms)


def test_criteria_of_one_page_share_one_time(small):
    one = small.head(3).assign(rt_ms=[1000, 2000, 3000])
    both = pd.concat([one, one.head(1).assign(criterion="fluency")])
    (p,) = diagnostics(read_judgements(both), {**SCALE, "fluency": (1.0, 5.0)}).participants
    assert p.median_rt_ms == 2000


def test_scales_that_differ_are_put_on_one():
    frame = pd.DataFrame(
        {"participant": "p", "item": ["i", "j"] * 2, "system": "A", "criterion": ["a", "a", "b", "b"]}
    ).assign(value=[1, 5, 0, 100])
    found = diagnostics(read_judgements(frame), {"a": (1.0, 5.0), "b": (0.0, 100.0)})
    assert found.unit == "share of the scale"
    assert found.participants[0].mean == 0.5


def test_same_answer_throughout_shows():
    (constant, _) = diagnostics(read_judgements(ratings_frame([[3, 3, 3, 3], [1, 2, 3, 4]])), SCALE).participants
    assert (constant.modal_share, constant.sd) == (1.0, 0.0)
    assert math.isnan(constant.agreement)


def test_most_frequent_answer_is_the_mean_over_criteria():
    # 3 of 4 answers equal on one criterion, 2 of 4 on the other
    one = ratings_frame([[3, 3, 3, 4]])
    other = ratings_frame([[1, 1, 2, 3]]).assign(criterion="fluency")
    (p,) = diagnostics(read_judgements(pd.concat([one, other])), {**SCALE, "fluency": (1.0, 5.0)}).participants
    assert p.modal_share == (3 / 4 + 2 / 4) / 2


def test_where_no_texts_are_shared_agreement_is_over_systems(latin):
    found = diagnostics(read_judgements(latin(10, 30, 10)), {"clarity": (1.0, 7.0)})
    assert found.agreement_over == "system"
    assert "over the systems' means" in found.warnings[0]
    assert all(-1 <= person.agreement <= 1 for person in found.participants)


def test_single_participant_has_nobody_to_agree_with(small):
    found = diagnostics(read_judgements(small[small["participant"] == "p"]), SCALE)
    assert math.isnan(found.participants[0].agreement)
    assert "undefined for 1 of 1 participants" in found.warnings[0]


def test_table_and_figure_tell_the_same(small):
    found = diagnostics(read_judgements(small), SCALE, excluded=["q"])
    table, figure = diagnostics_table(found), diagnostics_figure(found)
    assert figure.kind == "diagnostics"
    assert [row[0] for row in table.rows] == [person["participant"] for person in figure.data["participants"]]
    wanted = {"participant", "mean", "sd", "median_rt_ms", "modal_share", "agreement", "excluded"}
    assert wanted <= set(figure.data["participants"][0])
    json.dumps(plain(figure.data), allow_nan=False)


def test_three_shared_texts_are_enough_for_agreement_and_two_are_not():
    three, two = ([[1, 2, 4, 5][:n], [2, 1, 4, 3][:n], [1, 3, 5, 2][:n]] for n in (3, 2))
    assert not math.isnan(diagnostics(read_judgements(ratings_frame(three)), SCALE).participants[0].agreement)
    assert math.isnan(diagnostics(read_judgements(ratings_frame(two)), SCALE).participants[0].agreement)
