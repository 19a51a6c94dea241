from __future__ import annotations

from made_up_results import Found, made_up

from textassay.report.comparison import side_by_side
from textassay.results import Analysis, Record


def analysis(*records: Record) -> Analysis:
    return Analysis("a", "A", (Found(method="m", found=records),))


def test_the_same_record_of_both_stands_in_one_row() -> None:
    valid = analysis({"statistic": "F", "value": 2.0, "of": "clarity", "by": "System", "p": 0.1, "n": 9})
    everyone = analysis({"statistic": "F", "value": 3.0, "of": "clarity", "by": "System", "p": 0.2, "n": 12})
    table = side_by_side(valid, everyone)
    assert table.columns == ("of", "statistic", "by", "value", "p", "n", "value (all)", "p (all)", "n (all)")
    assert table.rows == (("clarity", "F", "System", 2.0, 0.1, 9, 3.0, 0.2, 12),)


def test_what_only_one_has_leaves_the_other_side_empty() -> None:
    valid = analysis({"statistic": "difference", "value": 1.0, "first": "a", "second": "b"})
    everyone = analysis({"statistic": "difference", "value": 2.0, "first": "a", "second": "c"})
    rows = side_by_side(valid, everyone).records()
    assert [(row["second"], row["value"], row["value (all)"]) for row in rows] == [("b", 1.0, None), ("c", None, 2.0)]


def test_all_records_of_a_study_are_there_once() -> None:
    _, (part, _) = made_up()
    assert part.everyone is not None
    table = side_by_side(part.valid, part.everyone)
    assert len(table.rows) == len(part.valid.records())
    assert all(row["value"] is not None and row["value (all)"] is not None for row in table.records())
