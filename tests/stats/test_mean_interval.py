"""The mean with its t interval against R, under change of scale, and on data that have none."""

import csv
import json
import math
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import anova, mean_interval

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mean_interval.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_equals_r(case):
    result = mean_interval(case["input"]["values"], confidence=case["input"]["confidence"])
    expected = case["expect"]
    assert (result.mean, result.sd, result.se) == pytest.approx(
        (expected["mean"], expected["sd"], expected["se"]), rel=1e-13
    )
    assert result.ci == pytest.approx(expected["ci"], rel=1e-12)
    assert result.n == expected["n"]


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=30), st.integers(-1000, 1000), st.integers(1, 20))
def test_affine_change_moves_the_interval_with_it(values, shift, scale):
    before = mean_interval(values)
    after = mean_interval([scale * value + shift for value in values])
    moved = [scale * end + shift for end in before.ci]
    assert after.ci == pytest.approx(moved, rel=1e-9, abs=1e-9)
    assert after.sd == pytest.approx(scale * before.sd, rel=1e-9)


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=30))
def test_more_confidence_is_wider(values):
    narrow, wide = mean_interval(values, confidence=0.9), mean_interval(values, confidence=0.99)
    assert wide.ci[0] <= narrow.ci[0] <= narrow.mean <= narrow.ci[1] <= wide.ci[1]


def test_few_values():
    empty, single = mean_interval([]), mean_interval([4])
    assert math.isnan(empty.mean)
    assert empty.warnings == ("the mean is undefined: there are no values",)
    assert single.mean == 4.0
    assert all(math.isnan(value) for value in (single.sd, single.se, *single.ci))
    assert single.warnings == ("one value only: it has no interval",)


def test_constant_values_have_an_interval_without_width():
    result = mean_interval([0.1, 0.1, 0.1])
    assert (result.sd, result.se) == (0.0, 0.0)
    assert result.ci == (result.mean, result.mean)


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="2 missing or infinite value"):
        mean_interval([None, math.nan, 1.0])
    with pytest.raises(UsageError, match="confidence must lie between 0 and 1"):
        mean_interval([1, 2, 3], confidence=95)


# --- Error marks on TED talks (MQM, English to German): means of systems and segments as published. Apache-2.0 ------


PENALTY = {"Major": 5.0, "Minor": 1.0, "No-error": 0.0}


def penalty(mark):
    """Points of one mark: a text that is no translation 25, Major 5, Minor 1 but 0.1 for punctuation."""
    if mark["category"].startswith("Non-translation"):
        return 25.0
    if mark["severity"] == "Minor" and mark["category"] == "Fluency/Punctuation":
        return 0.1
    return PENALTY[mark["severity"]]


@pytest.fixture(scope="module")
def segments(data_dir):
    """(system, segment) → mean over its raters of their sums of points."""
    points = defaultdict(float)
    with (data_dir / "mqm-ted-ende" / "mqm_ted_ende.tsv").open(encoding="utf-8", newline="") as file:
        for mark in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            points[mark["system"], int(mark["seg_id"]), mark["rater"]] += penalty(mark)
    by_segment = defaultdict(list)
    for (system, segment, _), total in points.items():
        by_segment[system, segment].append(total)
    return {key: mean_interval(totals).mean for key, totals in by_segment.items()}


def test_every_segment_equals_the_makers_average(segments, data_dir):
    # Their file has penalties below 0, mixes tabs and blanks, and calls the reference ref-A.
    lines = (data_dir / "mqm-ted-ende" / "mqm_ted_ende.avg_seg_scores.tsv").read_text(encoding="utf-8").splitlines()
    theirs = {}
    for line in lines[1:]:
        system, score, segment = line.split()
        if score != "None":
            theirs[system.removesuffix("-A"), int(segment)] = -float(score)
    assert set(theirs) == set(segments)
    assert [segments[key] for key in theirs] == pytest.approx(list(theirs.values()), abs=1e-6)


def test_system_means(segments):
    by_system = defaultdict(list)
    for (system, _), value in segments.items():
        by_system[system].append(value)
    means = {system: mean_interval(values).mean for system, values in by_system.items()}
    assert len(means) == 14
    order = sorted(means, key=means.get)
    assert (order[0], order[1], order[-1]) == ("ref", "Facebook-AI", "Nemo")
    assert [round(means[system], 2) for system in (order[0], order[1], order[-1])] == [0.91, 1.06, 2.14]


def test_systems_differ(segments):
    values = list(segments.values())
    result = anova(values, [system for system, _ in segments], factor="System")
    assert result.df[0] == 13
    assert result.p < 1e-6


def test_the_interval_of_a_bounded_measure_ends_where_the_measure_does() -> None:
    shares = [0.0, 0.0, 0.0, 0.5]
    free, cut = mean_interval(shares), mean_interval(shares, bounds=(0, 1))
    assert free.ci[0] < 0
    assert (cut.ci[0], cut.ci[1], cut.mean, cut.se) == (0, free.ci[1], free.mean, free.se)
    assert cut.settings["bounds"] == "0 to 1"
    assert "bounds" not in free.settings
    assert mean_interval([0.9, 1.0, 1.0], bounds=(0, 1)).ci[1] == 1


def test_one_value_has_no_interval_whatever_the_bounds() -> None:
    assert all(math.isnan(end) for end in mean_interval([0.5], bounds=(0, 1)).ci)
