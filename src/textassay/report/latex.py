r"""A table as LaTeX with booktabs, ready for `\input`.

Numbers are rounded as in the page. Characters beyond ASCII stay as they are (LaTeX has read UTF-8 since 2018); symbols
that need math mode get it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from textassay.report.numbers import format_value, heading, is_number, number_format
from textassay.results import Record, Table

CellFormat = Callable[[int, str, Any], str | None]
"""Index of a row, name of a column and the value of the cell to LaTeX; None for the default format."""

_LONG = 40
"""A table with more rows than this is broken over pages."""
HIDDEN = frozenset({"signature"})
"""Too long for a printed line; CSV and JSON have it."""
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # at the start of a row these two would be read as an argument of the line break before it
    "[": "{[}",
    "*": "{*}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "◇": r"$\diamond$",
    "²": "$^2$",
    "′": "$'$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "δ": r"$\delta$",
    "η": r"$\eta$",
    "κ": r"$\kappa$",
    "μ": r"$\mu$",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "ω": r"$\omega$",
    "…": r"\dots{}",
    "–": "--",
    "—": "---",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))


def escape(text: str) -> str:
    r"""The text with all special characters of LaTeX escaped.

    >>> print(escape("50 % of R&D_x costs $5; η² <.001"))
    50 \% of R\&D\_x costs \$5; $\eta$$^2$ $<$.001
    """
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], " ".join(text.split()))


def latex_table(table: Table, *, label: str = "", format_cell: CellFormat | None = None) -> str:
    """The table with caption, label and note; `format_cell` can format single cells, for example in bold."""

    def cell(row: int, column: str, record: Record) -> str:
        formatted = format_cell(row, column, record[column]) if format_cell is not None else None
        return escape(format_value(record[column], number_format(column, record))) if formatted is None else formatted

    places = [place for place, column in enumerate(table.columns) if column not in HIDDEN]
    columns = [table.columns[place] for place in places]
    head = " & ".join(escape(heading(column)) for column in columns) + r" \\"
    lines = [
        " & ".join(cell(row, column, record) for column in columns) + r" \\"
        for row, record in enumerate(table.records())
    ]
    align = "".join(_alignment(table, place) for place in places)
    caption = rf"\caption{{{escape(table.title)}}}\label{{tab:{label or table.name}}}"
    note = escape(table.note)
    build = _over_pages if len(table.rows) > _LONG else _on_a_page
    return "\n".join(build(caption, align, head, lines, note)) + "\n"


def _alignment(table: Table, place: int) -> str:
    cells = [row[place] for row in table.rows if row[place] is not None]
    return "r" if cells and all(is_number(cell) for cell in cells) else "l"


def _on_a_page(caption: str, align: str, head: str, lines: list[str], note: str) -> list[str]:
    return [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        caption,
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        head,
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\par\smallskip{{\footnotesize {note}\par}}"] if note else []),
        r"\end{table}",
    ]


def _over_pages(caption: str, align: str, head: str, lines: list[str], note: str) -> list[str]:
    last = [rf"\multicolumn{{{len(align)}}}{{l}}{{\footnotesize {note}}} \\"] if note else []
    return [
        r"% needs \usepackage{booktabs,longtable}",
        rf"\begin{{longtable}}{{{align}}}",
        caption + r" \\",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        *last,
        r"\endlastfoot",
        *lines,
        r"\end{longtable}",
    ]
