"""Which papers' tables of metrics and people can be made, by the paper's key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, assert_never

if TYPE_CHECKING:
    from textassay.analysis.metric_correlations import MetricRecipe

Paper = Literal["c09", "g10"]


def published_tables(paper: Paper) -> MetricRecipe:
    """The recipe for the tables of Cahill (2009), `c09`, or of Gatt & Portet (2010), `g10`, in their layout."""
    if paper == "c09":
        from textassay.analysis.cahill_tables import cahill_tables  # noqa: PLC0415 -- only where asked for

        return cahill_tables
    if paper == "g10":
        from textassay.analysis.gatt_portet_tables import gatt_portet_tables  # noqa: PLC0415

        return gatt_portet_tables
    assert_never(paper)
