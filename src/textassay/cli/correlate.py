"""`textassay correlate`: agreement of metrics with people, for a study or tables; or of two studies with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

from cyclopts import Parameter

from textassay import pipeline
from textassay.analysis.judged_sources import judged_table
from textassay.analysis.metric_correlations import MetricOptions, metric_correlations
from textassay.analysis.metric_data_sets import DataSetCollector, metric_data_sets
from textassay.analysis.study_correlations import study_correlations
from textassay.cli.metric_parts import PartOptions
from textassay.cli.options import Database, Format, refuse_for_several
from textassay.cli.output import show_analyses
from textassay.errors import UsageError
from textassay.meta.alignment import AlignmentOptions, SystemScores
from textassay.meta.coefficients import Coefficient
from textassay.meta.correlation import CorrelationOptions
from textassay.meta.error_marks import is_marks, marks_columns, marks_judgements, parse_weights, read_marks
from textassay.meta.raters import Raters
from textassay.tables.frames import read_frame, to_frame
from textassay.tables.schema import SCORES

if TYPE_CHECKING:
    from textassay.analysis.metric_correlations import MetricRecipe
    from textassay.meta.judged_texts import JudgedTexts
    from textassay.results import Analysis


_NOTHING = PartOptions()


@dataclass(frozen=True)
class _Given:
    """What flags say beyond the recipe's own options."""

    options: MetricOptions
    task: str | None
    weights: str
    match: str | None
    recipe: MetricRecipe | None
    """What takes the place of metrics and people."""
    also: tuple[tuple[Path, Path], ...]
    """Further data sets: answers and scores."""
    db: str | None
    """The database of the study, if one is named."""


def correlate(  # noqa: PLR0913 -- one parameter per flag
    source: Path,
    scores: Path | None = None,
    *,
    reference_system: str | None = None,
    task: str | None = None,
    coefficient: tuple[Coefficient, ...] = ("pearson", "spearman"),
    raters: Raters = "mean",
    system_scores: SystemScores = "corpus",
    signs_as_given: Annotated[bool, Parameter(negative="")] = False,
    only_significant_groups: float | None = None,
    weights: str = "",
    match: str | None = None,
    also: tuple[tuple[Path, Path], ...] = (),
    beside: PartOptions = _NOTHING,
    db: Database = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Compare metrics with human judgements, or two studies of the same texts with each other.

    Args:
        source: A study directory, or a table of answers: ratings, rankings, preferences, decisions, reading times,
            error marks …
        scores: A table of scores (`item, system, metric, value`, and `better`: higher or lower); for a study, by
            default its own metrics and imported scores. Or another study or table of answers about the same texts.
        reference_system: The system whose texts are the references, for a table (a study names its own); it is left
            out, with the figures that include it beside.
        task: Which task's answers a table holds, where its columns fit several.
        coefficient: Which coefficients; the first leads.
        raters: What several raters make of a text: the mean, the mean without what belongs to the rater, or the mean of
            z-scores.
        system_scores: A metric's score of a system: its own row of the table, or the mean over all or judged texts.
        signs_as_given: Do not turn the signs of metrics that count errors.
        only_significant_groups: Take the mean within items or systems over those alone whose own p is at most this, as
            some published figures do; it makes metrics look better than they are.
        weights: What error marks cost, such as `major=5,minor=1,minor:fluency/punctuation=0.1`; others as in MQM.
        match: How the texts of two studies are matched: `text` (the same words), `item-system` (the same names), or a
            column that both have.
        also: With --compare: a further data set, its answers (or study) and its table of scores; may be given several
            times. Metrics are then ranked over all data sets.
        beside: What comes beside correlations.
        db: Address of the database with the answers, if it is not where the study says.
        format: How the result is printed.
    """
    alignment = AlignmentOptions(raters, system_scores, reference_system)
    correlation = CorrelationOptions(
        alignment, given_signs=signs_as_given, significant_groups=_share(only_significant_groups)
    )
    if reference_system is not None and _is_study(source):
        raise UsageError(
            "a study names its reference system itself, in 'tables.reference_system' of the study file; change it there"
        )
    everything = [source, scores, *(path for pair in also for path in pair)]
    refuse_for_several(db, sum(path is not None and _is_study(path) for path in everything))
    with beside.parts() as parts:
        options = MetricOptions(_several(coefficient), correlation, parts)
        given = _Given(options, task, weights, match, beside.recipe, also, db)
        if also and not beside.compare:
            raise UsageError("--also is about metrics compared over several data sets; add --compare")
        found = _of_data_sets(source, scores, given) if also else _found(source, scores, given)
    show_analyses(found, format)


def _found(source: Path, scores: Path | None, given: _Given) -> list[Analysis]:
    if scores is not None and (_is_study(scores) or not _is_scores(scores)):
        if given.options.parts or given.recipe:
            raise UsageError(
                "--compare, --details, --accuracies, --mixed and --tables are for metrics; two studies have none"
            )
        return _two(source, scores, given)
    if given.match is not None:
        raise UsageError("--match is for two studies of the same texts; give another study or table of answers")
    if _is_study(source):
        return _of_study(source, scores, given)
    return [_of_table(source, scores, given)]


def _of_data_sets(source: Path, scores: Path | None, given: _Given) -> list[Analysis]:
    """The ranks of the metrics over all data sets, then each data set by itself."""
    collector = DataSetCollector()
    apart = []
    for name, (answers, table) in _named([(source, scores), *given.also]).items():
        parts = (*given.options.parts, collector.part(name))
        own = replace(given, options=replace(given.options, parts=parts))
        apart += [analysis.within(name) for analysis in _found(answers, table, own)]
    chosen = given.options
    over = metric_data_sets(collector.grids, chosen.coefficients[0], alpha=chosen.correlation.alpha)
    return [over, *apart]


def _named(sources: Sequence[tuple[Path, Path | None]]) -> dict[str, tuple[Path, Path | None]]:
    """Each data set under a name of its own: that of its answers, with the folder where the names are the same."""
    stems = [answers.resolve().stem for answers, _ in sources]
    folders = [f"{answers.resolve().parent.name}-{answers.resolve().stem}" for answers, _ in sources]
    names = stems if len(set(stems)) == len(stems) else folders
    if len(set(names)) < len(names):
        raise UsageError(f"two data sets have the same name: {', '.join(names)}; rename a file or its folder")
    return dict(zip(names, sources, strict=True))


def _several(coefficients: Sequence[Coefficient]) -> tuple[Coefficient, ...]:
    if not coefficients:
        raise UsageError(f"give at least one coefficient: {', '.join(get_args(Coefficient))}")
    return tuple(dict.fromkeys(coefficients))


def _share(value: float | None) -> float | None:
    if value is not None and not 0 < value < 1:
        raise UsageError(f"--only-significant-groups must lie between 0 and 1, got {value:g}")
    return value


def _is_study(source: Path) -> bool:
    return source.is_dir() or source.suffix in (".yaml", ".yml")


def _is_scores(source: Path) -> bool:
    """Whether a file holds scores and not answers of people."""
    columns = marks_columns(source)
    return "metric" in columns or not ({"participant", "rater", "annotator", "by"} & set(columns))


def _of_study(source: Path, scores: Path | None, given: _Given) -> list[Analysis]:
    study = pipeline.load(source, given.db)
    own = pipeline.all_scores(study) if scores is None else []
    if scores is None and not own:
        ways = "add them to the study file, import scores with 'textassay import', or give a table of scores"
        raise UsageError(f"{source} names no metrics; {ways}")
    frame = read_frame(scores, SCORES) if scores else to_frame(own, SCORES)
    data = pipeline.collect(study)
    verdicts = pipeline.screen(study, data)
    return list(pipeline.correlate(study, data, verdicts, frame, given.options, given.recipe).values())


def _of_table(source: Path, scores: Path | None, given: _Given) -> Analysis:
    if scores is None:
        raise UsageError(f"{source} is a table of judgements; give a table of scores after it")
    (judged,) = _judged(source, given)
    correlation = given.options.correlation
    alignment = replace(correlation.alignment, error_criteria=judged.error_criteria)
    options = replace(given.options, correlation=replace(correlation, alignment=alignment))
    frame = read_frame(scores, SCORES)
    if given.recipe is not None:
        return given.recipe(judged.judgements, frame, options, {})
    return metric_correlations(judged.judgements, frame, options)


def _judged(source: Path, given: _Given) -> list[JudgedTexts]:
    """What people say of texts in a study, one for each block, or in a table."""
    if _is_study(source):
        study = pipeline.load(source, given.db)
        data = pipeline.collect(study)
        return pipeline.judged(study, data, pipeline.screen(study, data))
    if is_marks(marks_columns(source)):
        return [marks_judgements(read_marks(source), parse_weights(given.weights), name=source.stem)]
    return [judged_table(source, task=given.task)]


def _two(source: Path, other: Path, given: _Given) -> list[Analysis]:
    """Each block of the one with each block of the other that has texts in common."""
    found: list[Analysis] = []
    refused: list[UsageError] = []
    for first, second in product(_judged(source, given), _judged(other, given)):
        try:
            found.append(study_correlations(first, second, given.match, given.options))
        except UsageError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return [analysis.within(str(place)) for place, analysis in enumerate(found, 1)] if len(found) > 1 else found
