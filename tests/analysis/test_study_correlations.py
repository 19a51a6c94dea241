"""Two studies set against each other, as a reader sees it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.study_correlations import study_correlations
from textassay.meta.judged_texts import JudgedTexts


def study(name: str, criterion: str, values: dict[tuple[str, str], float]) -> JudgedTexts:
    rows = [("p", item, system, criterion, value) for (item, system), value in values.items()]
    return JudgedTexts(name, pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "value"]))


RATED = study("ratings", "clarity", {(f"t{i}", s): i + 2 * n for i in range(4) for n, s in enumerate("abc")})
READ = study(
    "reading", "words a second", {(f"t{i}", s): (i + 2 * n) ** 2 for i in range(4) for n, s in enumerate("ab")}
)


def test_texts_of_both_studies_are_correlated() -> None:
    found = study_correlations(RATED, READ)
    pooled = found.records()[0]
    one = np.array([i + 2 * n for i in range(4) for n in range(2)])
    assert (pooled["by"], pooled["n"]) == ("", 8)
    assert pooled["value"] == pytest.approx(np.corrcoef(one, one**2)[0, 1])
    (headline,) = found.headlines
    assert headline.text.startswith(
        "Over 8 texts that both studies have, clarity (ratings) and words a second (reading): Pearson's r = .9"
    )
    table, alone = found.tables
    assert table.columns[:3] == ("level", "reading", "ratings")
    assert table.rows[0][:3] == ("all texts", "words a second", "clarity")
    assert "8 texts that both studies have, by names of items and systems" in table.note
    assert alone.rows == tuple(("ratings", f"t{i}", "c") for i in range(4))
    assert found.warnings[0].startswith("4 of 12 texts are in ratings only")


def test_texts_of_one_study_only_are_not_shown_where_there_are_none() -> None:
    assert [table.name for table in study_correlations(RATED, RATED).tables] == ["two-studies"]
