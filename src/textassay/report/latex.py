r"""A table as LaTeX, in the manner of booktabs, ready for `\input`.

What stands there is for readers, so numbers are rounded as in the page. Letters beyond ASCII stay as they are (every
LaTeX since 2018 reads UTF-8); symbols that need mathematics get it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from textassay.report.numbers import heading, is_number, kind_of, shown
from textassay.results import Record, Table

Dress = Callable[[int, str, Any], str | None]
"""Number of a row, its column and the value there to LaTeX; None where the value is shown as usual."""

_LONG = 40
"""A table with more rows than this goes over pages."""
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
    "²": "$^2$",
    "α": r"$\alpha$",
    "η": r"$\eta$",
    "κ": r"$\kappa$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "ω": r"$\omega$",
    "…": r"\dots{}",
    "–": "--",
    "—": "---",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))


def escape(text: str) -> str:
    r"""The text with everything that means something to LaTeX made to mean itself.

    >>> print(escape("50 % of R&D_x costs $5; η² <.001"))
    50 \% of R\&D\_x costs \$5; $\eta$$^2$ $<$.001
    """
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], " ".join(text.split()))


def latex_table(table: Table, *, label: str = "", dress: Dress | None = None) -> str:
    """The table with caption, label and note; `dress` shows cells of its choice in its own way, in bold for example."""

    def cell(row: int, column: str, record: Record) -> str:
        dressed = dress(row, column, record[column]) if dress is not None else None
        return escape(shown(record[column], kind_of(column, record))) if dressed is None else dressed

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
