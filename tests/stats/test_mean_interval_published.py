"""Error marks on TED talks (MQM, English to German): means of systems and segments as published. Apache-2.0."""

import csv
from collections import defaultdict

import pytest

from textassay.stats import anova, mean_interval

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
