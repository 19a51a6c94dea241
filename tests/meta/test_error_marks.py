"""Error marks as judgements: weights, texts without error, files of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import DataError, UsageError
from textassay.meta.error_marks import (
    CRITERION,
    MarkWeight,
    is_marks,
    marks_columns,
    marks_judgements,
    parse_weights,
    read_marks,
)

COLUMNS = ["participant", "item", "system", "category", "severity"]


def marks(*rows: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


MARKS = marks(
    ("p", "1", "a", "Style/Awkward", "Minor"),
    ("p", "1", "a", "Fluency/Punctuation", "Minor"),
    ("p", "1", "a", "Fluency/Punctuation", "Major"),
    ("q", "1", "a", "No-error", "No-error"),
    ("q", "2", "a", "Non-translation!", "Major"),
)


def values(table: pd.DataFrame, *weights: Any) -> dict[tuple[str, str], float]:
    found = marks_judgements(table, *weights).judgements
    return dict(zip(zip(found["participant"], found["item"], strict=True), found["value"], strict=True))


def test_weights_are_summed_by_rater_and_text() -> None:
    assert values(MARKS) == {("p", "1"): 1 + 0.1 + 5, ("q", "1"): 0, ("q", "2"): 25}
    found = marks_judgements(MARKS, name="mqm")
    assert (found.name, found.error_criteria) == ("mqm", {CRITERION})
    assert found.judgements["marks"].tolist() == [3, 0, 1]
    assert set(found.judgements["criterion"]) == {CRITERION}


def test_own_weights_come_before_those_of_mqm() -> None:
    given = parse_weights("major = 3, :fluency=0.5")
    assert values(MARKS, given) == {("p", "1"): 1 + 0.5 + 3, ("q", "1"): 0, ("q", "2"): 3}
    assert values(MARKS[:1], [MarkWeight(2.0, "minor", "style")]) == {("p", "1"): 2}


@pytest.mark.parametrize("text", ["major", "major=", "=3", "major=many", "major=inf"])
def test_weights_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="cannot read the weight"):
        parse_weights(text)


def test_what_cannot_be_weighted_is_refused() -> None:
    with pytest.raises(DataError, match=r"row 1: no weight for severity 'Critical', category 'Other'; give it one"):
        marks_judgements(marks(("p", "1", "a", "Other", "Critical")))
    with pytest.raises(DataError, match=r"error marks need the column\(s\) severity; there are: participant, item"):
        marks_judgements(MARKS.drop(columns="severity"))
    with pytest.raises(DataError, match="row 1: participant, item or system is missing"):
        marks_judgements(MARKS[:1].assign(item=None))


def test_files_of_others_are_recognised(tmp_path: Path) -> None:
    file = tmp_path / "marks.tsv"
    header, row = "system\tseg_id\trater\ttarget\tcategory\tseverity", 'a\t7\tr1\t"So\tOther\tMajor'
    file.write_text(f"{header}\n{row}\n", encoding="utf-8")
    assert is_marks(marks_columns(file))
    assert values(read_marks(file)) == {("r1", "7"): 5}
    assert read_marks(file)["target"].tolist() == ['"So']
    file.write_text(file.read_text(encoding="utf-8") + "a\t8\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"marks.tsv, row 3: 2 values, but the header has 6"):
        read_marks(file)
    plain = tmp_path / "marks.csv"
    MARKS.to_csv(plain, index=False)
    assert is_marks(marks_columns(plain))
    assert values(read_marks(plain)) == values(MARKS)
    assert not is_marks(["participant", "item", "system", "criterion", "value"])


def test_marks_of_ted_talks_give_the_published_means(data_dir: Path) -> None:
    folder = data_dir / "mqm-ted-ende"
    judged = marks_judgements(read_marks(folder / "mqm_ted_ende.tsv")).judgements
    texts = judged.groupby(["system", "item"])["value"].mean()
    lines = (folder / "mqm_ted_ende.avg_seg_scores.tsv").read_text(encoding="utf-8").splitlines()[1:]
    parts = (line.split() for line in lines)
    # the file of means calls the reference ref-A, and has None for segments that nobody judged
    published = {(one.removesuffix("-A"), item): -float(value) for one, value, item in parts if value != "None"}
    assert set(texts.index) == set(published)
    np.testing.assert_allclose([texts[key] for key in published], list(published.values()), atol=5e-7)
    means = texts.groupby("system").mean().sort_values().round(2)
    assert (means.index[0], means.index[1], means.index[-1]) == ("ref", "Facebook-AI", "Nemo")
    assert means.iloc[[0, 1, -1]].tolist() == [0.91, 1.06, 2.14]
