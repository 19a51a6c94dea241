"""Ready studies taken by simulated participants: each is simulated, analysed and reported once for all who look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest
from analysed_once import analysed_once
from svg_only import svg_only

from textassay import pipeline, ready_studies
from textassay.analysis.study_correlations import study_correlations
from textassay.analysis.wording import slug
from textassay.report.outline import outline
from textassay.report.summary import Findings
from textassay.results import Analysis, Table
from textassay.study.study import Study


@dataclass
class Rehearsed:
    """A ready study, what came out of it, and its report."""

    study: Study
    findings: Findings
    page: Path

    @property
    def analyses(self) -> list[Analysis]:
        return [section.analysis for section in self.findings.sections]

    @property
    def headlines(self) -> dict[str, str]:
        """What a reader takes home, by criterion or measure."""
        return {each.subject: each.text for analysis in self.analyses for each in analysis.headlines}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables of the report by their names there."""
        sections = outline(self.findings.sections, self.findings.summary.blocks)
        return {slug(table.name): table for section in sections for table in section.tables}


@dataclass
class Rehearsals:
    """The studies by name, next to each other in one folder."""

    folder: Path
    done: dict[str, Rehearsed] = field(default_factory=dict)
    both: dict[tuple[str, str], list[Analysis]] = field(default_factory=dict)
    """What two studies say together, by their names."""

    def __getitem__(self, name: str) -> Rehearsed:
        if name not in self.done:
            self.done[name] = self._rehearse(name)
        return self.done[name]

    def _rehearse(self, name: str) -> Rehearsed:
        study = pipeline.load(ready_studies.copy(name, self.folder / name))
        pipeline.simulate(study)
        found: list[Findings] = []
        findings = pipeline.findings
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pipeline, "findings", lambda *of, **how: found.append(findings(*of, **how)) or found[-1])
            page = pipeline.report(study)
        return Rehearsed(study, found[0], page)

    def correlated(self, one: str, other: str) -> Analysis:
        """Two studies of the same texts, as `textassay correlate ONE OTHER` has them."""
        if (one, other) not in self.both:
            judged = []
            for study in (self[one].study, self[other].study):
                data = pipeline.collect(study)
                judged += pipeline.judged(study, data, pipeline.screen(study, data))
            self.both[one, other] = [study_correlations(*judged)]
        return self.both[one, other][0]

    def compared(self, one: str, other: str) -> list[Analysis]:
        """Two versions of one evaluation, as `textassay analyse ONE OTHER` sets them side by side."""
        if (one, other) not in self.both:
            summaries = []
            for study in (self[one].study, self[other].study):
                data = pipeline.collect(study)
                summaries.append(pipeline.evaluation_summaries(study, data, pipeline.screen(study, data)))
            self.both[one, other] = pipeline.compare(*summaries)
        return self.both[one, other]


@contextmanager
def rehearsing(folder: Path) -> Iterator[Rehearsals]:
    """The studies, each made when it is first asked for."""
    with svg_only(), analysed_once():
        yield Rehearsals(folder)
