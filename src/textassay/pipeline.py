"""The whole program on one page: load → plan → serve or simulate → screen → analyse → score → correlate → report.

Each stage is a function of the study and the results of earlier stages, and each also works alone. The packages do
the work; here they are connected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textassay.errors import DataError, UsageError
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

if TYPE_CHECKING:
    import pandas as pd

    from textassay.analysis.evaluation_runs import EvaluationRun
    from textassay.analysis.evaluation_summary import EvaluationSummary
    from textassay.analysis.metric_correlations import MetricOptions, MetricRecipe
    from textassay.answers.dataset import Dataset
    from textassay.design.plan import Plan
    from textassay.meta.judged_texts import JudgedTexts
    from textassay.metrics import Metric, ScoreTable
    from textassay.rehearsal.recruiting import Rehearsal
    from textassay.report.summary import Findings
    from textassay.results import Analysis
    from textassay.screening.verdicts import Verdict
    from textassay.serve.server import Links
    from textassay.sharing.datasheet.sheet import Datasheet
    from textassay.sharing.registration import Registration
    from textassay.sharing.verification import Verification
    from textassay.study.model import AnalysisOptions
    from textassay.study.study import Study

Progress = Callable[[int, int], None]
"""Called with the number done and the total."""
Stage = Callable[[str], None]
"""Called with what is done next, in words."""


def _silent(_: str) -> None:
    """Tell nobody."""


def load(where: Path | str, store: str | None = None) -> Study:
    """Read and check a study directory; its answers are in `store`, or where the study file says, or in answers.db."""
    return load_study(where, store)


def plan(study: Study) -> Plan:
    """The plan: who sees what. It is made once and stored with the study."""
    return stored_plan(study)


def serve(
    study: Study,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    public: str | None = None,
    on_ready: Callable[[Links], None] | None = None,
) -> None:
    """Serve the study's web pages until stopped; `on_ready` is called with the links; see `run_server`."""
    from textassay.serve.server import run_server  # noqa: PLC0415 -- a stage loads only what it needs

    run_server(study, plan(study), host=host, port=port, public=public, on_ready=on_ready)


def simulate(
    study: Study,
    *,
    participants: int | None = None,
    effects: Mapping[str, float] | None = None,
    over_http: bool = False,
    among_others: bool = False,
) -> Rehearsal:
    """Run the study with simulated participants until every slot is filled, or with the given number.

    Args:
        study: The study.
        participants: The largest number of participants.
        effects: What they react to, beside what the study file says under `simulate` or in its place.
        over_http: Take the study through the web server.
        among_others: Allow it in a study that has participants already.

    Raises:
        UsageError: The study has participants already, and `among_others` is not set; or an effect is unknown.
        DataError: A property whose effect is asked for does not vary.
    """
    from textassay.answers.served_material import record_material  # noqa: PLC0415
    from textassay.answers.study_store import open_store  # noqa: PLC0415
    from textassay.rehearsal import direct  # noqa: PLC0415
    from textassay.rehearsal import over_http as http  # noqa: PLC0415
    from textassay.rehearsal.true_effects import with_true_effects  # noqa: PLC0415
    from textassay.serve.server import ServerThread  # noqa: PLC0415

    study = with_true_effects(study, effects)
    with open_store(study) as store:
        known = store.participants()
        if known and not among_others:
            real = sum(not each.simulated for each in known)
            remedy = "simulate in a copy of the study, or add --among-others"
            raise UsageError(f"{study.directory} has {len(known)} participants already, {real} of them real; {remedy}")
        put_in = "".join(f"Effect put in: {name} = {size:g}\n" for name, size in study.true_effects.named.items())
        where = "the study's database" if study.store else "answers.db"  # a bundle has this note, and not the address
        note = f"Participants in {where} are simulated.\n{put_in}"
        study.simulated_path.write_text(note, encoding="utf-8")
        if not over_http:
            record_material(study, store, direct.BEGIN)
            return direct.simulate(study, plan(study), store, count=participants)
        with ServerThread(study, plan(study), store=store) as server:
            return http.simulate(study, plan(study), store, server.links, count=participants)


def register(
    study: Study, *, replace_earlier: bool = False, document: Path | None = None, stage: Stage = _silent
) -> tuple[Registration, Sequence[Path]]:
    """Freeze what the study has settled, with the analyses of a rehearsal; returns also the files written.

    Raises:
        DataError: A real participant has begun.
        UsageError: It is registered already, and `replace_earlier` is not set.
    """
    from textassay.sharing.registering import register_study  # noqa: PLC0415

    def rehearse(copy: Study) -> Findings:
        stage("rehearsing the study, to list its analyses")
        simulate(copy)
        return findings(copy, stage=stage)

    return register_study(study, plan, rehearse, replace_earlier=replace_earlier, document=document)


def collect(study: Study) -> Dataset:
    """All answers: those in the store, and imported tables.

    Raises:
        DataError: There are no answers yet.
    """
    from textassay.answers.dataset import load_dataset  # noqa: PLC0415

    data = load_dataset(study)
    if not data.participants:
        where = study.directory
        ways = f"'textassay serve {where}', try it out with 'textassay simulate {where}', or use 'textassay import'"
        raise DataError(f"{where} has no answers yet; collect them with {ways}")
    return data


def screen(study: Study, data: Dataset) -> list[Verdict]:
    """Which participants are excluded, and why; the slot of an excluded participant opens again."""
    from textassay.answers.study_store import store_verdicts  # noqa: PLC0415
    from textassay.screening.verdicts import judge_all  # noqa: PLC0415

    verdicts = judge_all(data.cases, study)
    store_verdicts(study, verdicts)
    return verdicts


def analyse(
    study: Study, data: Dataset, verdicts: Sequence[Verdict], *, stage: Stage = _silent
) -> dict[str, Sequence[Analysis]]:
    """The statistics of each block, by its name, with and without excluded participants."""
    from textassay.analysis.study_analyses import analyse_blocks  # noqa: PLC0415

    return analyse_blocks(study, plan, data, verdicts, stage)


def analyse_table(
    source: Path | str | pd.DataFrame, *, task: str | None = None, options: AnalysisOptions | None = None
) -> list[Analysis]:
    """The statistics of a table of answers that belongs to no study.

    Args:
        source: The file, or a data frame with the same columns.
        task: Which task's answers it holds, where its columns fit several.
        options: Levels of significance and confidence.

    Raises:
        UsageError: it is not clear which task's answers it holds.
        TableError: the file is not such a table.
    """
    from textassay.analysis.study_analyses import of_everyone  # noqa: PLC0415 -- a stage loads only what it needs
    from textassay.study.model import AnalysisOptions  # noqa: PLC0415
    from textassay.tables.frames import read_frame  # noqa: PLC0415
    from textassay.tables.reader import columns_of  # noqa: PLC0415
    from textassay.tasks.matching import matching_task  # noqa: PLC0415

    options = options or AnalysisOptions()
    if isinstance(source, (str, Path)):
        kind = matching_task(columns_of(Path(source)), task, table=str(source))
        table = read_frame(Path(source), kind.schema)
    else:
        kind, table = matching_task(source.columns, task), source
    return of_everyone(kind.analyse_table(table, options), table)


def evaluation_summaries(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> list[EvaluationSummary]:
    """Each block as an evaluation that can be compared with another one."""
    from textassay.analysis.evaluation_summary import summarise_evaluation  # noqa: PLC0415
    from textassay.analysis.study_analyses import not_counted  # noqa: PLC0415
    from textassay.answers.columns import trial_time  # noqa: PLC0415

    findings = analyse(study, data, verdicts)
    gone = not_counted(data, verdicts)
    found = []
    for block in study.blocks:
        table = data.of_block(block, without=gone)
        where = study.directory.resolve().name
        name = f"{where}, {block.name}" if len(study.blocks) > 1 else where
        judged = block.task.block_judgements(table)
        found.append(summarise_evaluation(name, findings[block.name], judged, table, trial_time(block.task.schema)))
    return found


def compare(one: Sequence[EvaluationSummary], other: Sequence[EvaluationSummary]) -> list[Analysis]:
    """Two versions of one evaluation side by side; where there are several, each with each that asks the same.

    Raises:
        UsageError: no two of them have a criterion and a system in common.
    """
    from textassay.analysis.compare_evaluations import compare_all  # noqa: PLC0415

    return compare_all(one, other)


def evaluation_runs(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> list[EvaluationRun]:
    """Each block as one run of an evaluation, which other runs of it can be set beside."""
    from textassay.analysis.evaluation_runs import study_runs  # noqa: PLC0415

    own = [each.judgements for each in judged(study, data, verdicts)]
    summaries = evaluation_summaries(study, data, verdicts)
    return study_runs(study, summaries, own, simulated=all(row.get("simulated") for row in data.participants))


def replicate(sources: Sequence[Sequence[EvaluationRun]], begins: Mapping[str, float] | None = None) -> list[Analysis]:
    """Runs of one evaluation compared, the original first; a source with several blocks has a run for each."""
    from textassay.analysis.replication import replications  # noqa: PLC0415

    return replications(sources, begins)


def score(study: Study, *, progress: Progress | None = None) -> ScoreTable:
    """Score all texts with the study's metrics."""
    from textassay.analysis.study_scores import score_study  # noqa: PLC0415
    from textassay.metrics import ScoringOptions  # noqa: PLC0415

    return score_study(study, metrics(study), references(study), ScoringOptions(progress=progress))


def all_scores(study: Study, *, stage: Stage = _silent) -> list[dict[str, Any]]:
    """Rows of the table `scores`: by the study's own metrics, then those that were imported."""
    from textassay.answers.score_imports import imported_scores  # noqa: PLC0415

    if not study.file.metrics:
        return imported_scores(study)
    stage("scoring the texts")
    return [*score(study).rows(), *imported_scores(study)]


def metrics(study: Study) -> dict[str, Metric]:
    """The study's metrics by their names in tables."""
    from textassay.analysis.study_scores import study_metrics  # noqa: PLC0415

    return study_metrics(study)


def references(study: Study) -> Mapping[str, Sequence[str]]:
    """The references of metrics: the references table, or the texts of the reference system."""
    from textassay.analysis.study_scores import study_references  # noqa: PLC0415

    return study_references(study)


def judged(study: Study, data: Dataset, verdicts: Sequence[Verdict]) -> list[JudgedTexts]:
    """What valid participants say of texts, for each block."""
    from textassay.analysis.judged_sources import judged_block  # noqa: PLC0415
    from textassay.analysis.study_analyses import not_counted  # noqa: PLC0415

    gone = not_counted(data, verdicts)
    return [judged_block(study, block, data.of_block(block, without=gone)) for block in study.blocks]


def correlate(
    study: Study,
    data: Dataset,
    verdicts: Sequence[Verdict],
    scores: pd.DataFrame,
    options: MetricOptions | None = None,
    recipe: MetricRecipe | None = None,
) -> dict[str, Analysis]:
    """Agreement of the metrics with the judgements of valid participants, for each block by its name.

    The study itself says which system is the reference, and how sure tests are to be.
    """
    from textassay.analysis.judged_sources import study_metric_options  # noqa: PLC0415
    from textassay.analysis.metric_correlations import metric_correlations  # noqa: PLC0415
    from textassay.analysis.study_analyses import named  # noqa: PLC0415

    lengths = {key: float(len(text.split())) for key, text in study.texts.items()}
    found = {}
    for block, own in zip(study.blocks, judged(study, data, verdicts), strict=True):
        chosen = study_metric_options(study, own, options)
        analysis = (recipe or metric_correlations)(own.judgements, scores, chosen, lengths)
        found[block.name] = named(analysis, block, study)
    return found


def content(study: Study) -> list[Analysis]:
    """What the annotated texts say, and what that has to do with actions; nothing where the study knows neither."""
    from textassay.analysis.relevance_trace import study_content  # noqa: PLC0415

    return study_content(study)


def findings(study: Study, *, stage: Stage = _silent) -> Findings:
    """All that comes out of a study: what its report says, and what a bundle holds and `verify` works out again."""
    from textassay.analysis.judged_sources import reported_metric_options  # noqa: PLC0415
    from textassay.analysis.published_tables import published_tables  # noqa: PLC0415
    from textassay.analysis.report_summary import report_sections, study_summary  # noqa: PLC0415
    from textassay.report.summary import Findings, Section  # noqa: PLC0415
    from textassay.sharing.registration import registration_summary  # noqa: PLC0415
    from textassay.tables.frames import to_frame  # noqa: PLC0415
    from textassay.tables.schema import SCORES  # noqa: PLC0415

    stage("reading and screening the answers")
    data = collect(study)
    verdicts = screen(study, data)
    found = analyse(study, data, verdicts, stage=stage)
    scores, agreement, published = all_scores(study, stage=stage), {}, []
    if scores:
        table, paper = to_frame(scores, SCORES), study.file.analysis.published_tables
        agreement = correlate(study, data, verdicts, table, reported_metric_options())
        if paper is not None:
            published = [*correlate(study, data, verdicts, table, recipe=published_tables(paper)).values()]
    said = [Section(analysis.title, analysis) for analysis in (*content(study), *published)]
    sections = (*report_sections(found, agreement), *said)
    summary = study_summary(study, plan(study), data, verdicts, sections, scores)
    registered = registration_summary(study, plan(study), data.participants, sections)
    return Findings(replace(summary, registration=registered), sections, tuple(scores))


def report(study: Study, *, screens: bool = False, stage: Stage = _silent) -> Path:
    """Run all stages after data collection and write the report; returns its page.

    Args:
        study: The study.
        screens: Picture the participants' pages, where this machine has a browser; a report without says so.
        stage: Told what is done next.
    """
    from textassay.rehearsal.page_pictures import page_pictures  # noqa: PLC0415
    from textassay.report.page import FILES, write_report  # noqa: PLC0415
    from textassay.tables.schema import SCORES  # noqa: PLC0415
    from textassay.tables.writer import write_table  # noqa: PLC0415

    found = findings(study, stage=stage)
    if found.scores:
        write_table(study.scores_path, [column.name for column in SCORES.columns], found.scores)
    summary = found.summary
    if screens:
        stage("taking pictures of the participants' pages")
        pictures = page_pictures(study, plan(study), study.directory / FILES / "screens")
        summary = replace(summary, screens=pictures)
    stage("drawing figures and writing tables")
    return write_report(summary, found.sections, study.directory)


def datasheet(study: Study, *, stage: Stage = _silent) -> Datasheet:
    """The Human Evaluation Datasheet of a study: what it knows of itself and of its answers, and what is open."""
    from textassay.answers.dataset import load_dataset  # noqa: PLC0415
    from textassay.sharing.datasheet import fill_datasheet  # noqa: PLC0415
    from textassay.sharing.datasheet.collected import collected  # noqa: PLC0415

    data = load_dataset(study)
    if not data.of_real_people:
        return fill_datasheet(study, None)
    verdicts = screen(study, data)
    own = [each.judgements for each in judged(study, data, verdicts)]
    return fill_datasheet(
        study, collected(study, plan(study), data, verdicts, own, analyse(study, data, verdicts, stage=stage))
    )


def bundle(study: Study, to: Path | None = None, *, stage: Stage = _silent) -> Path:
    """All that others need to redo the study, as one archive without personal data; returns its path."""
    from textassay.sharing.bundle import write_bundle  # noqa: PLC0415

    return write_bundle(study, partial(findings, stage=stage), to or study.directory / "bundle.zip")


def verify(source: Path | str, *, tolerance: float = 1e-9, stage: Stage = _silent) -> Verification:
    """Work out all results of a bundle again, from the answers in it, and compare them with those that it holds."""
    from textassay.sharing.verification import verify_bundle  # noqa: PLC0415

    return verify_bundle(Path(source), partial(findings, stage=stage), tolerance=tolerance)
