"""Figures of metrics against people."""

from __future__ import annotations

import re

from textassay.meta.agreement import Agreement
from textassay.meta.align import Aligned
from textassay.results import Figure


def scatter(aligned: Aligned, agreement: Agreement, coefficient: str) -> Figure:
    """A point for each text or system: the metric's score across, people's mean judgement up."""
    unit = "system" if aligned.level == "system" else "text"
    points = [
        {"label": f"{item}, {system}" if item else system, "system": system, "x": x, "y": y}
        for item, system, x, y in aligned.pairs[["item", "system", "score", "judgement"]].itertuples(index=False)
    ]
    data = {
        "x_label": aligned.metric,
        "y_label": aligned.criterion,
        "points": points,
        "r": agreement.r,
        "p": agreement.p,
        "n": agreement.n,
        "coefficient": coefficient,
    }
    name = _slug(f"{aligned.metric} {aligned.criterion} by {unit}")
    title = f"{aligned.metric} and {aligned.criterion}, by {unit}"
    return Figure(
        name, title, "scatter", data, f"{coefficient.title()} correlation; judgements are means over participants."
    )


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")
