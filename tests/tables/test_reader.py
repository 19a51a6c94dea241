from __future__ import annotations

from pathlib import Path

import pytest

from textassay.errors import TableError
from textassay.tables.reader import columns_of, read_table
from textassay.tables.schema import JUDGEMENTS, REFERENCES, SCORES, TEXTS, TableSchema

HEADER = "participant,item,system,criterion,value"


def problems(tmp_path: Path, text: str, schema: TableSchema = TEXTS, name: str = "t.csv") -> list[str]:
    path = tmp_path / name
    path.write_bytes(text.encode())
    with pytest.raises(TableError) as caught:
        read_table(path, schema)
    return str(caught.value).split("\n")


def test_values_have_their_declared_kind_and_further_columns_are_carried_along(tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_text(f"{HEADER},rt_ms,mood\np1,i1,A,clarity,4,,fine\np1,i2,A,clarity,2.5,1200,\n", encoding="utf-8")
    rows = read_table(path, JUDGEMENTS)
    assert (rows.file, len(rows), rows.columns[-1]) == ("judgements.csv", 2, "mood")
    assert [(row.line, row["value"], row["rt_ms"], row["mood"], row.get("block")) for row in rows] == [
        (2, 4, None, "fine", None),
        (3, 2.5, 1200, "", None),
    ]


def test_a_table_without_key_may_repeat_itself(tmp_path: Path) -> None:
    path = tmp_path / "references.tsv"
    path.write_text("item\ttext\ni1\tone, or\ni1\tone, or\n", encoding="utf-8")
    assert [row["text"] for row in read_table(path, REFERENCES)] == ["one, or", "one, or"]


def test_an_undefined_score_is_an_empty_cell(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item,system,metric,value\ni1,A,m,\n,A,m,0.5\n", encoding="utf-8")
    assert [(row["item"], row["value"]) for row in read_table(path, SCORES)] == [("i1", None), ("", 0.5)]


def test_rows_whose_key_is_partly_empty_may_not_repeat_either(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item,system,metric,value\n,A,m,0.5\n,B,m,0.5\n,A,m,0.6\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"scores\.csv:4: .* is already in line 2; keep one of the two rows"):
        read_table(path, SCORES)


def test_empty_rows_of_a_spreadsheet_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,system,text,,\n1,A,One,,\n,,,,\n2,A,Two,,\n,,,,\n", encoding="utf-8")
    table = read_table(path, TEXTS)
    assert table.columns == ("item", "system", "text")
    assert [(row.line, row["text"]) for row in table] == [(2, "One"), (4, "Two")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["t.csv: the table is empty; it needs the columns item, system, text"]),
        ("\n , ,\n", ["t.csv:2: the table is empty; it needs the columns item, system, text"]),
        ("item,system,text\n", ["t.csv:1: the table has a header but no rows; add at least one"]),
        ("\nitem,text\ni,t\n", ["t.csv:2: system: column 'system' is missing; add it; columns seen: item, text"]),
        ("item,sytem,text\ni,s,t\n", ["t.csv:1: system: column 'system' is missing; rename 'sytem' to 'system'"]),
        (" Item,system,text\ni,s,t\n", ["t.csv:1: item: column 'item' is missing; rename ' Item' to 'item'"]),
        (
            "item,system,text,,text\ni,s,t,,\n",
            [
                "t.csv:1:18: column 4 has no name; name it or remove it",
                "t.csv:1:19: text: duplicate column 'text'; rename or remove one",
            ],
        ),
        (
            "item,Systems,\n,system,text\ni,s,t\n",
            [
                (
                    "t.csv:1: the header seems to have two rows, as merged cells leave it (no name in column 3); "
                    "make it one row: item, system, text"
                )
            ],
        ),
        (
            'item,system,text\ni,A,"a\nb"\ni,,t\ni,A, \nj,B\n',
            [
                "t.csv:4:3: system: column 'system' is empty; fill it in or remove the row",
                "t.csv:5: item, system: item 'i', system 'A' is already in line 2; keep one of the two rows",
                "t.csv:5:5: text: column 'text' is empty; fill it in or remove the row",
                "t.csv:6: 2 values, but the header has 3 columns; add the missing values, if only as empty ones",
            ],
        ),
    ],
)
def test_all_problems_of_a_table_at_once(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert problems(tmp_path, text) == expected


def test_place_of_a_value_after_values_of_several_lines(tmp_path: Path) -> None:
    text = f'{HEADER}\n"p\n1","i, ""1""",A,"x\n",five\n'
    # Row begins in line 2; line 3 ends the first value, line 4 the fourth: `",five` has the value in column 3.
    assert problems(tmp_path, text, JUDGEMENTS) == ["t.csv:4:3: value: 'five' is not a number; write a number"]


def test_json_lines_have_lines_but_no_columns(tmp_path: Path) -> None:
    text = '{"item": "i", "system": "A", "text": "t"}\n{"item": "i", "text": {}}\n'
    assert problems(tmp_path, text, name="t.jsonl") == [
        "t.jsonl:2: system: column 'system' is empty; fill it in or remove the row",
        "t.jsonl:2: text: {} is not a text; write it as a string",
    ]


def test_the_many_problems_of_a_table_are_counted(tmp_path: Path) -> None:
    found = problems(tmp_path, "item,system,text\n" + "i,A,t\n" * 100)
    assert len(found) == 51
    assert found[-1] == "t.csv:53: 49 more problems from here on; correct those above first"


@pytest.mark.parametrize(("name", "seen"), [("t.xls", ".xls"), ("t", "no ending")])
def test_unknown_formats(tmp_path: Path, name: str, seen: str) -> None:
    known = ".csv, .json, .jsonl, .ndjson, .parquet, .tsv, .xlsx"
    assert problems(tmp_path, "", name=name) == [f"{name}: unknown file format ({seen}); use one of: {known}"]


def test_columns_of_what_is_no_table_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert columns_of(tmp_path / "t.csv") == ["a", "b"]
    (tmp_path / "t.docx").write_text("", encoding="utf-8")
    for given, name in ((None, "t.docx"), ("mine", "mine")):
        with pytest.raises(TableError, match=name):
            columns_of(tmp_path / "t.docx", given)


def test_a_rating_is_empty_where_the_text_could_not_be_judged(tmp_path: Path) -> None:
    header = f"{HEADER},cannot_judge\n"
    path = tmp_path / "judgements.csv"
    path.write_text(f"{header}p,i,s,clarity,,yes\np,j,s,clarity,3,\np,k,s,clarity,4,false\n")
    assert [row["value"] for row in read_table(path, JUDGEMENTS)] == [None, 3, 4]
    contradictory = f"{header}p,i,s,clarity,2,true\np,j,s,clarity,,false\n"
    first, second = problems(tmp_path, contradictory, JUDGEMENTS)
    assert "'value' has a value, but 'cannot_judge' is true; empty it, or set 'cannot_judge' to false" in first
    assert "column 'value' is empty; fill it in or remove the row" in second
