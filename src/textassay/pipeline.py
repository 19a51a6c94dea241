"""The whole program on one page: load → plan → serve or simulate → screen → analyse → score → correlate → report.

Each stage is a function of the study and of what earlier stages gave, and each also works alone. The rooms do the
work; here they are connected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textassay.study.load import load_study
from textassay.study.planning import stored_plan

if TYPE_CHECKING:
    import pandas as pd

    from textassay.answers.dataset import Dataset
    from textassay.design.plan import Plan
    from textassay.metrics import Metric, ScoreTable
    from textassay.results import Analysis
    from textassay.screening.screen import Verdict
    from textassay.study.study import Study

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


@dataclass(frozen=True)
class Findings:
    """What the answers to one block say."""

    block: str
    valid: tuple[Analysis, ...]
    """Of the participants who passed the screening."""
    everyone: tuple[Analysis, ...]
    """Of all who answered; the same where nobody was left out."""


def load(where: Path | str) -> Study:
    """Read and check a study directory."""
    return load_study(where)


def plan(study: Study) -> Plan:
    """Who sees what: drawn once and stored beside the study."""
    return stored_plan(study)


def serve(study: Study, *, host: str = "127.0.0.1", port: int = 8000, public_url: str | None = None) -> None:
    """Serve the study's pages until stopped."""
    from textassay.serve.server import run_server  # noqa: PLC0415 -- a stage loads only what it needs

    run_server(study, plan(study), host=host, port=port, public_url=public_url)


def simulate(study: Study, *, participants: int | None = None, over_http: bool = False, progress: Progress | None = None) -> int:
    """Let simulated participants take the study until every slot is filled, or so many have come; returns how many came."""
    from textassay.answers.store import Store  # noqa: PLC0415
    from textassay.rehearsal import direct, over_http as http  # noqa: PLC0415

    simulated = http.simulate if over_http else direct.simulate
    with Store.open(study.store_url) as store:
        return len(simulated(study, plan(study), store, count=participants, progress=progress))


def collect(study: Study) -> Dataset:
    """All answers: those in the store, and tables that were imported."""
    from textassay.answers.dataset import load_dataset  # noqa: PLC0415

    return load_dataset(study)


def screen(study: Study, data: Dataset) -> list[Verdict]:
    """Who is left out of the results, and why."""
    from textassay.screening import screen as screening  # noqa: PLC0415

    return screening.screen(data.cases, study)


def analyse(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> list[Findings]:
    """The statistics of each block, with and without those who were left out."""
    valid = {verdict.participant for verdict in verdicts if verdict.valid}
    people = data.frame("participants")
    findings = []
    for block in study.blocks:
        table = data.frame(block.task.schema.name)
        table = table[table["block"] == block.name] if "block" in table else table
        everyone = tuple(block.task.analyse(block, study, table, people))
        kept = table[table["participant"].isin(valid)]
        passed = everyone if len(kept) == len(table) else tuple(block.task.analyse(block, study, kept, people))
        findings.append(Findings(block.name, passed, everyone))
    return findings


def score(study: Study, *, progress: Progress | None = None) -> ScoreTable:
    """Score all texts with the study's metrics."""
    from textassay.metrics import score_table  # noqa: PLC0415

    items, systems = zip(*study.texts, strict=True)
    return score_table(metrics(study), items, systems, list(study.texts.values()), references(study), progress=progress)


def metrics(study: Study) -> dict[str, Metric]:
    """The study's metrics by their names in tables."""
    from textassay.metrics import metric  # noqa: PLC0415

    return {choice.label or choice.metric: metric(choice.metric, **choice.settings) for choice in study.file.metrics}


def references(study: Study) -> Mapping[str, Sequence[str]]:
    """What metrics compare with: the references table, or else the texts of the system that is the reference."""
    reference = study.file.tables.reference_system
    if study.references or reference is None:
        return study.references
    return {item: (study.texts[item, reference],) for item in study.items_in_order}


def correlate(study: Study, data: Dataset, verdicts: Sequence[Verdict], scores: pd.DataFrame) -> Analysis:
    """Whether the metrics agree with the people who passed the screening."""
    import pandas as pd  # noqa: PLC0415

    from textassay import meta  # noqa: PLC0415

    valid = {verdict.participant for verdict in verdicts if verdict.valid}
    tables = []
    for block in study.blocks:
        judged = block.task.judgements(data.frame(block.task.schema.name))
        tables.append(judged[judged["participant"].isin(valid)])
    people = pd.concat(tables)
    return meta.analysis(people, scores, reference_system=study.file.tables.reference_system)


def report(study: Study) -> Path:
    """Run every stage that comes after the answers and write the report; returns its page."""
    from textassay.report.page import write_report  # noqa: PLC0415
    from textassay.summarise import parts, summary  # noqa: PLC0415
    from textassay.tables.frames import to_frame  # noqa: PLC0415
    from textassay.tables.schema import SCORES  # noqa: PLC0415
    from textassay.tables.writer import write_table  # noqa: PLC0415

    data = collect(study)
    verdicts = screen(study, data)
    findings = analyse(study, data, verdicts)
    agreement = None
    if study.file.metrics:
        rows = score(study).rows()
        write_table(study.scores_path, [column.name for column in SCORES.columns], rows)
        agreement = correlate(study, data, verdicts, to_frame(rows, SCORES))
    shown = parts(findings, agreement)
    return write_report(summary(study, plan(study), data, verdicts, shown), shown, study.directory)
