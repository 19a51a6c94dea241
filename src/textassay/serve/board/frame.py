"""What all pages of the board share."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from textassay.serve.site import Site


def page(site: Site, template: str, here: str, *, status: int = 200, **values: Any) -> Response:
    """A page of the board; `here` is its place in the board's navigation."""
    cohorts = [cohort.name for cohort in site.study.cohorts if cohort.name]
    return site.renderer.page(template, status=status, here=here, cohorts=cohorts, **values)
