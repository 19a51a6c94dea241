"""Published figures of a self-paced reading experiment (Grodner & Gibson 2005, experiment 1), from its data."""

import csv

import numpy as np
import pytest

from textassay.stats import by_subjects_items, paired_t
from textassay.stats.variance.cell_means import cell_means


@pytest.fixture(scope="module")
def rows(data_dir):
    """Reading times at the critical region: 42 subjects × 16 items, object or subject relative clause."""
    path = data_dir / "spr-grodner-gibson" / "df_gg05e1.csv"
    with path.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    columns = {name: [row[name] for row in found] for name in ("subject", "item", "condition")}
    return np.array([float(row["rawRT"]) for row in found]), columns


def test_by_subjects(rows):
    # Published: t(41) = 3.11, p = .003, 102.29 ms, 95 % interval 35.85 to 168.72.
    times, columns = rows
    cells = cell_means(times, columns["subject"], {"condition": columns["condition"]})
    result = paired_t(cells.means[:, 0], cells.means[:, 1], subjects=cells.units)
    assert result.df == 41
    assert (round(result.t, 2), round(result.p, 3), round(result.difference, 2)) == (3.11, 0.003, 102.29)
    assert [round(end, 2) for end in result.ci] == [35.85, 168.72]
    assert result.warnings == ()


def test_by_items(rows):
    # Published: t(15) = 3.75, p = .002.
    times, columns = rows
    cells = cell_means(times, columns["item"], {"condition": columns["condition"]}, unit="item")
    result = paired_t(cells.means[:, 0], cells.means[:, 1])
    assert (result.df, round(result.t, 2), round(result.p, 3)) == (15, 3.75, 0.002)


def test_f1_and_f2_are_the_squares(rows):
    times, columns = rows
    factors = {"condition": columns["condition"]}
    result = by_subjects_items(times, columns["subject"], columns["item"], factors, across_items="within")
    f1, f2, both = result.records()
    assert (f1["df"], f2["df"]) == ((1, 41), (1, 15))
    assert (round(f1["value"] ** 0.5, 2), round(f2["value"] ** 0.5, 2)) == (3.11, 3.75)
    # Clark's formula by hand from the rounded t: 9.67·14.06 / (9.67 + 14.06).
    assert both["value"] == pytest.approx(5.73, abs=0.01)
    assert both["p"] > max(f1["p"], f2["p"])


def test_the_unaggregated_test_is_warned_of(rows):
    # Published as wrong: t(335) = 4 over single trials, as if 336 pairs had come from 336 people.
    times, columns = rows
    whole = zip(columns["subject"], columns["condition"], times, strict=True)
    sides = {"objgap": [], "subjgap": []}
    for who, condition, time in whole:
        sides[condition].append((who, time))
    subjects = [who for who, _ in sides["objgap"]]
    assert subjects == [who for who, _ in sides["subjgap"]]
    result = paired_t(*([time for _, time in side] for side in sides.values()), subjects=subjects)
    assert (result.df, round(result.t, 2)) == (335, 4.0)
    assert "unaggregated repeated measures: 42 subjects gave 336 pairs, 8 each. t(335) takes them" in result.warnings[0]
