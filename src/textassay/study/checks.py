"""What must hold between the parts of a study, beyond the form of its file: one function per section or table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from textassay import catalogue
from textassay.errors import Problem, UsageError
from textassay.known_names import remedy, unknown
from textassay.study.design_checks import design_problems, missing_texts, wanted_problems
from textassay.study.interface_messages import interface_languages
from textassay.study.model import (
    ChoiceField,
    Cohort,
    Finish,
    MetricChoice,
    NumberField,
    Outcome,
    Participants,
    Problems,
    QuestionnaireField,
    StudyFile,
)
from textassay.study.study import Block, Study
from textassay.study.text_properties import simulate_problems
from textassay.study.yaml_reader import Path_
from textassay.tables.reader import Rows
from textassay.tables.schema import PARTICIPANTS

if TYPE_CHECKING:
    from textassay.metrics.contract import Metric


@dataclass(frozen=True)
class Sound:
    """Which parts of a study can be checked against each other."""

    unsound: frozenset[str]
    """Sections of the study file in which something is wrong."""
    texts: bool
    """Whether the texts table was read."""
    items: bool
    """Whether the items table was read, or there is none."""
    blocks: Mapping[int, Block | None]
    """The blocks by their place in the file; nothing for those in which something is wrong."""

    def all(self, *sections: str) -> bool:
        """Whether nothing is wrong in these sections."""
        return not self.unsound.intersection(sections)


def study_problems(study: Study, sound: Sound) -> Problems:
    """All problems of the study beyond the form of its file: path and message."""
    file = study.file
    blocks_are_sound = None not in sound.blocks.values()
    checks = [
        (sound.all("participants"), participants_problems(file.participants)),
        (sound.all("questionnaire"), questionnaire_problems(file.questionnaire)),
        (sound.all("finish", "participants"), finish_problems(file.finish, file.participants)),
        (sound.all("interface"), _interface(file)),
        (sound.all("tables") and sound.texts, _reference_system(study)),
        (sound.all("metrics"), _metrics(file.metrics)),
        (sound.all("metrics", "tables") and sound.texts, _metrics_have_input(study)),
        (sound.all("questionnaire", "participants") and blocks_are_sound, _rules(study)),
        (sound.all("simulate", "metrics") and sound.texts, simulate_problems(study)),
        (True, _block_names(sound.blocks)),
        (sound.texts, _blocks(study, sound)),
        (sound.all("participants"), wanted_problems(study, texts_are_sound=sound.texts and blocks_are_sound)),
        (sound.texts and sound.all("analysis"), _smallest_differences(study, sound)),
        (sound.all("analysis", "metrics"), _published_tables(file)),
    ]
    for can_be_checked, found in checks:
        if can_be_checked:
            yield from found


def _interface(file: StudyFile) -> Problems:
    known = interface_languages()
    if file.messages is None and file.interface is not None and file.interface.partition("-")[0].lower() not in known:
        message = f"buttons and hints are not translated into {file.interface!r}; {remedy(file.interface, known)}"
        yield ("interface",), message


def _reference_system(study: Study) -> Problems:
    reference = study.file.tables.reference_system
    if reference is not None and reference not in study.systems:
        yield ("tables", "reference_system"), unknown("system", reference, study.systems)


def _metrics(choices: Sequence[MetricChoice]) -> Problems:
    known = catalogue.names("metric")
    labels: list[str] = []
    for index, choice in enumerate(choices):
        path: Path_ = ("metrics", index)
        if choice.metric not in known:
            yield (*path, "metric"), unknown("metric", choice.metric, known)
            continue
        label = choice.label or choice.metric
        if label in labels:
            yield path, f"duplicate metric {label!r}; give one of the two another 'label'"
        labels.append(label)
        metric = catalogue.find("metric", choice.metric)
        for key, value in choice.settings.items():
            try:
                metric(**{key: value})
            except UsageError as error:
                yield (*path, key), str(error)


def _metrics_have_input(study: Study) -> Problems:
    """Each metric has what it takes, and what it compares that with."""
    known = catalogue.names("metric")
    for index, choice in enumerate(study.file.metrics):
        if choice.metric in known:
            metric = catalogue.find("metric", choice.metric)
            for message in _NEEDS.get(metric.takes.kind, _needs_nothing)(study, metric):
                yield ("metrics", index), f"{choice.metric} {message}"


def _needs_nothing(study: Study, metric: type[Metric]) -> Iterator[str]:
    del study, metric
    yield from ()


def _needs_texts(study: Study, metric: type[Metric]) -> Iterator[str]:
    tables = study.file.tables
    if metric.needs_references and not tables.has_references and tables.reference_system is None:
        yield "needs references; add tables.references or tables.reference_system"
    without = [item for item in study.items_in_order if item not in study.items or not study.items[item].get("source")]
    if metric.needs_sources and without:
        remedy = "give the table tables.items a column 'source'"
        yield f"needs what each text was made from, but item {without[0]} has no source; {remedy}"


def _needs_units(study: Study, metric: type[Metric]) -> Iterator[str]:
    del metric
    tables = study.file.tables
    if not tables.has_references and tables.reference_system is None:
        remedy = "give tables.references one row per unit, or name the system that has it in tables.reference_system"
        yield f"compares orders with a reference order; {remedy}"
    lacking = [item for item in study.items_in_order if item not in study.reference_units]
    if lacking and tables.has_references and tables.reference_system is None:
        remedy = "give the references table one row per unit, or name a tables.reference_system"
        yield f"compares orders of units, but the reference of item {lacking[0]} has none; {remedy}"
    without = [key for key in study.texts if key not in study.units]
    if without:
        place = "item {}, system {}".format(*without[0])
        remedy = "give the texts table one row per unit, with its id in the column 'unit'"
        yield f"compares orders of units, but {place} has none; {remedy}"


def _needs_annotations(study: Study, metric: type[Metric]) -> Iterator[str]:
    if study.file.tables.annotations is None:
        yield "takes annotated texts; name their file in tables.annotations"
    elif metric.needs_references:
        references = study.content.annotated_references
        yield from _lack_references(study, study.content.annotations, references, 'ROLE="reference"')


def _needs_parses(study: Study, metric: type[Metric]) -> Iterator[str]:
    del metric
    if study.file.tables.parses is None:
        yield "takes parsed texts; name their file in tables.parses"
    else:
        yield from _lack_references(study, study.content.parses, study.content.parsed_references, "# role = reference")


def _lack_references(
    study: Study, values: Mapping[tuple[str, str], Any], references: Mapping[str, Any], mark: str
) -> Iterator[str]:
    system = study.file.tables.reference_system
    without = [item for item, _ in values if item not in references and (item, system) not in values]
    if without:
        remedy = f"mark one with {mark}, or name a tables.reference_system"
        yield f"needs references, but item {without[0]} has none; {remedy}"


def _needs_relevance(study: Study, metric: type[Metric]) -> Iterator[str]:
    del metric
    for key, what in (("annotations", "annotated texts"), ("relevance", "what events have to do with actions")):
        if getattr(study.file.tables, key) is None:
            yield f"needs {what}; name the file in tables.{key}"
    without = [item for item, _ in study.content.annotations if item not in study.content.cases]
    if without and study.content.cases:
        yield f"needs the actions that suit each item, but item {without[0]} has none in the table of targets"


_NEEDS: dict[str, Callable[[Study, type[Metric]], Iterator[str]]] = {
    "text": _needs_texts,
    "order": _needs_units,
    "annotation": _needs_annotations,
    "parse": _needs_parses,
    "case": _needs_relevance,
}
"""Kind of input → what a study lacks for a metric that takes it."""


def _rules(study: Study) -> Problems:
    for rule in study.rules:
        message = rule.check(study)
        if message is not None:
            yield ("screening", rule.name), message


def _block_names(blocks: Mapping[int, Block | None]) -> Problems:
    names: list[str] = []
    for index, block in blocks.items():
        if block is not None and block.name in names:
            yield ("blocks", index, "name"), f"duplicate block {block.name!r}; give each block its own name"
        names += [block.name] if block else []


def _blocks(study: Study, sound: Sound) -> Problems:
    for index, block in sound.blocks.items():
        if block is not None:
            found = [
                *design_problems(study, block, items_are_sound=sound.items),
                *(block.task.validate() if sound.items else ()),
            ]
            yield from ((("blocks", index, *path), message) for path, message in found)


def _smallest_differences(study: Study, sound: Sound) -> Problems:
    """Measures that no block has, and differences that no two systems can have."""
    blocks = [block for block in sound.blocks.values() if block is not None]
    if len(blocks) < len(sound.blocks) or not sound.items:
        return
    largest: dict[str, float] = {}
    for block in blocks:
        for name, most in block.task.largest_differences().items():
            largest[name] = min(most, largest.get(name, most))
    for name, smallest in study.file.analysis.smallest_difference.items():
        where = ("analysis", "smallest_difference", name)
        if not largest:
            yield where, "no block of this study has a measure that can be tested for equivalence; remove it"
        elif name not in largest:
            yield where, unknown("criterion or measure", name, list(largest))
        elif smallest >= largest[name]:
            remedy = "give the smallest difference that matters"
            yield where, f"got {smallest:g}, but systems can differ by {largest[name]:g} at most; {remedy}"


def _published_tables(file: StudyFile) -> Problems:
    if file.analysis.published_tables is not None and not file.metrics:
        yield ("analysis", "published_tables"), "these tables are about metrics, and the study has none; add 'metrics'"


def participants_problems(people: Participants) -> Problems:
    """Problems of the section `participants` alone."""
    if people.cohorts and people.wanted is not None:
        message = f"got {people.wanted}, but each cohort has its own number; remove 'wanted' or the cohorts"
        yield ("participants", "wanted"), message
    if people.platform is not None and people.id_parameter is not None:
        message = f"got {people.id_parameter!r}, but {people.platform} has its own parameters; remove one of the two"
        yield ("participants", "id_parameter"), message
    yield from _duplicate_cohorts(people.cohorts)


def finish_problems(finish: Finish, people: Participants) -> Problems:
    """Problems of the codes on the last page."""
    path: Path_ = ("finish", "codes", "completed")
    completed = finish.code("completed")
    if finish.completion_code is not None and finish.codes.completed is not None:
        yield path, "'completion_code' is the same code; remove one of the two"
    if people.platform == "prolific" and completed is None:
        message = "prolific needs a code; copy it from the study's page there, or remove participants.platform"
        yield path, f"'completed' is missing: {message}"
    for outcome in get_args(Outcome):
        if outcome != "completed" and completed is not None and finish.code(outcome) == completed:
            message = f"got {completed!r}, which is also the code for 'completed'; use another one"
            yield ("finish", "codes", outcome), message


def _duplicate_cohorts(cohorts: Sequence[Cohort]) -> Problems:
    names = [cohort.name for cohort in cohorts]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("participants", "cohorts", index, "name"), f"duplicate cohort {name!r}; rename one"


def questionnaire_problems(fields: Sequence[QuestionnaireField]) -> Problems:
    """Problems of the questionnaire."""
    taken = {column.name for column in PARTICIPANTS.columns}
    names = [asked.name for asked in fields]
    for index, asked in enumerate(fields):
        path: Path_ = ("questionnaire", index)
        if asked.name in taken:
            yield (*path, "name"), f"{asked.name!r} is already a column of the participants table; choose another name"
        elif asked.name in names[:index]:
            yield (*path, "name"), f"duplicate field {asked.name!r}; rename one"
        if isinstance(asked, ChoiceField):
            yield from (((*path, *below), message) for below, message in _choices(asked))
        if isinstance(asked, NumberField):
            yield from (((*path, *below), message) for below, message in _limits(asked))


def _choices(asked: ChoiceField) -> Problems:
    for place, choice in enumerate(asked.choices):
        if choice in asked.choices[:place]:
            yield ("choices", place), f"duplicate choice {choice!r}; remove one"
    for place, answer in enumerate(asked.exclude):
        if answer not in asked.choices:
            yield ("exclude", place), f"{answer!r} is not one of the choices; {remedy(answer, asked.choices)}"
    if set(asked.choices) <= set(asked.exclude):
        yield ("exclude",), "every choice excludes; leave at least one that does not"


def _limits(asked: NumberField) -> Problems:
    if asked.min is not None and asked.max is not None and asked.min > asked.max:
        yield ("max",), f"max {asked.max:g} is below min {asked.min:g}; swap them"
        return
    if asked.exclude_below is not None and asked.max is not None and asked.exclude_below > asked.max:
        yield ("exclude_below",), f"every number up to max {asked.max:g} is below {asked.exclude_below:g}; lower it"
    if asked.exclude_above is not None and asked.min is not None and asked.exclude_above < asked.min:
        yield ("exclude_above",), f"every number from min {asked.min:g} is above {asked.exclude_above:g}; raise it"


_SHOWN = 5
"""How many cases of one kind are listed; the rest is counted."""


def table_problems(study: Study, texts: Rows, items: Rows | None, references: Rows | None) -> Iterator[Problem]:
    """Items and texts that are missing in one of the tables."""
    first = {row["item"]: row for row in reversed(texts.rows)}
    missing = missing_texts(study)
    for item, system in missing[:_SHOWN]:
        yield texts.problem(first[item], "system", f"item {item!r} has no text from system {system!r}; add that row")
    if len(missing) > _SHOWN:
        message = f"{len(missing) - _SHOWN} more texts are missing; every system needs a text for every item"
        yield texts.problem(first[missing[_SHOWN][0]], "system", message)
    yield from unit_problems(texts, ("item", "system"))
    for table, what in ((items, "properties"), (references, "reference")):
        if table is None:
            continue
        known = {row["item"] for row in table}
        for item in [item for item in study.items_in_order if item not in known][:_SHOWN]:
            yield Problem(table.file, 0, 0, "item", f"no {what} for item {item!r} of {texts.file}; add a row for it")
        for row in [row for row in table if row["item"] not in first][:_SHOWN]:
            message = f"item {row['item']!r} has no texts in {texts.file}; correct it or remove the row"
            yield table.problem(row, "item", message)


def unit_problems(table: Rows, of_one_text: tuple[str, ...]) -> Iterator[Problem]:
    """Problems with the ids of units, where a table has one row per unit."""
    texts = Counter(tuple(row[column] for column in of_one_text) for row in table)
    wrong: list[Problem] = []
    for row in table:
        unit = str(row.get("unit") or "")
        if not unit and texts[tuple(row[column] for column in of_one_text)] > 1:
            wrong.append(table.problem(row, "unit", "this text has several rows; give each the id of its unit"))
        elif len(unit.split()) > 1 or unit != unit.strip():
            message = f"unit {unit!r} contains a space, which separates units in orders; use another id"
            wrong.append(table.problem(row, "unit", message))
    yield from wrong[:_SHOWN]
