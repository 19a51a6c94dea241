from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.report.latex import escape, latex_table
from textassay.results import Table

# What LaTeX prints for each command that may stand in an escaped text, written down apart from the code under test.
PRINTS = {
    r"\textbackslash{}": "\\", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\_": "_", r"\%": "%",
    r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", "{[}": "[", "{*}": "*", "$<$": "<", "$>$": ">", "$|$": "|",
}  # fmt: skip
COMMAND = re.compile("|".join(re.escape(command) for command in sorted(PRINTS, key=len, reverse=True)))


@given(st.text(alphabet=st.sampled_from("\\{}$&#_%~^[]*<>|ab c"), max_size=40))
def test_every_special_character_prints_itself(text: str) -> None:
    escaped = escape(text)
    assert COMMAND.sub(lambda match: PRINTS[match.group()], escaped) == " ".join(text.split())
    assert not re.search(r"[\\{}$&#_%~^\[*<>|]", COMMAND.sub("", escaped))


def test_symbols_become_mathematics() -> None:
    assert escape("η² × −1 ≤ τ…") == r"$\eta$$^2$ $\times$ $-$1 $\le$ $\tau$\dots{}"


def test_letters_of_other_scripts_stay() -> None:
    assert escape("größer 文") == "größer 文"


TABLE = Table(
    "means", "Means & more", ("system", "mean", "p", "signature"),
    (("[a]_1", 1.234, 0.0001, "x|y"), ("b", math.nan, None, "x|y")), "95 % intervals.",
)  # fmt: skip


def test_a_table_in_the_manner_of_booktabs() -> None:
    assert latex_table(TABLE) == "\n".join([
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{Means \& more}\label{tab:means}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"system & mean & p \\",
        r"\midrule",
        r"{[}a]\_1 & 1.23 & $<$.001 \\",
        r"b & undefined &  \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip{\footnotesize 95 \% intervals.\par}",
        r"\end{table}",
        "",
    ])  # fmt: skip


@pytest.mark.parametrize("rows", [40, 41])
def test_a_long_table_goes_over_pages(rows: int) -> None:
    text = latex_table(Table("t", "T", ("x",), tuple((n,) for n in range(rows)), "Note."), label="here")
    assert (r"\begin{longtable}{r}" in text) is (rows > 40)
    assert r"\label{tab:here}" in text
    assert text.count(r" \\") >= rows
    assert text.count(r"\begin") == text.count(r"\end{")


def test_an_empty_table_is_still_a_table() -> None:
    assert r"a & b \\" in latex_table(Table("t", "T", ("a", "b"), ()))


def test_columns_of_numbers_are_set_right_and_a_column_of_nothing_left() -> None:
    text = latex_table(Table("t", "T", ("a", "b", "c"), (("x", 1.0, None), ("y", 2.0, None))))
    assert "{lrl}" in text


def test_cells_can_be_dressed() -> None:
    table = Table("t", "T", ("name", "x"), (("A_1", 1.0), ("B", 2.0)))
    text = latex_table(
        table, format_cell=lambda row, column, value: rf"\textbf{{{value}}}" if (row, column) == (1, "x") else None
    )
    assert "A\\_1 & 1.00 \\\\\nB & \\textbf{2.0} \\\\" in text
