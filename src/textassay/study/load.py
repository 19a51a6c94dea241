"""From a study directory to a `Study`, with all problems at once.

What is wrong in one place must not hide what is wrong in another: a section of the file that is not sound is replaced
by a stand-in, every file that can be found is read, and each check runs as long as what it looks at is sound.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from textassay import catalogue
from textassay.errors import Problem, ProblemsError, StudyError
from textassay.known_names import did_you_mean, unknown
from textassay.study import checks
from textassay.study.checks import table_problems, unit_problems
from textassay.study.content import read_content
from textassay.study.interface_messages import OwnMessages, read_messages
from textassay.study.model import DEFAULT_RULE, BlockSettings, StudyFile
from textassay.study.own_plan import plan_problems
from textassay.study.store_address import address_problem, settled_address
from textassay.study.study import Block, Study, Unit
from textassay.study.study_tables import TextSource
from textassay.study.text_sources import joined_items, read_source
from textassay.study.units import join_unit_rows, row_units, rows_of_references
from textassay.study.validation_messages import describe_value, validation_problems
from textassay.study.yaml_reader import Document, Path_, read_yaml
from textassay.tables.reader import Row, Rows, raw_table, read_table
from textassay.tables.schema import ITEMS, PRACTICE, REFERENCES, TEXTS, WHO_SEES_WHAT, TableSchema
from textassay.tables.text_files import read_text

if TYPE_CHECKING:
    from textassay.screening.contract import Rule

LOG = logging.getLogger(__name__)


STUDY_FILE = "study.yaml"
_SHOWN = 5
"""Studies that a message lists."""
FORMAT = 1
_TABLES = {"texts": TEXTS, "items": ITEMS, "references": REFERENCES}
_STAND_INS: dict[str, Any] = {
    "format": FORMAT,
    "title": "-",
    "tables": {"texts": "-"},
    "participants": {"wanted": 1},
    "blocks": [{}],
}
"""For required sections that are missing or not sound; no check looks at them."""


def load_study(where: Path | str, store: str | None = None) -> Study:
    """Read and check a study.

    Args:
        where: The study directory, or the study file in it.
        store: Address of the database with the answers; by default the one that the study file names, or the file in
            the study directory.

    Raises:
        StudyError: with every problem found in the study file and the files that it names.
    """
    path = Path(where)
    path = path / STUDY_FILE if path.is_dir() else path
    if not path.exists():
        raise StudyError([Problem(str(path), 0, 0, "", _no_study(path))])
    if path.suffix.lower() not in (".yaml", ".yml"):
        message = f"not a study file; give a study directory, or the {STUDY_FILE} in it"
        raise StudyError([Problem(str(path), 0, 0, "", message)])
    document = read_yaml(path, path.name)
    if not isinstance(document.data, dict):
        message = (
            f"a mapping of keys to values is needed, got {describe_value(document.data)}; begin with 'format: {FORMAT}'"
        )
        raise StudyError([*document.problems, document.problem((), message)])
    newer = document.data.get("format")
    if type(newer) is int and newer > FORMAT:
        # A format that this release does not know cannot be checked further.
        message = (
            f"this release of textassay reads format {FORMAT}, got {describe_value(newer)}; install a newer release"
        )
        raise StudyError([document.problem(("format",), message)])
    study = _Loader(Sources(path.parent, document), document.data).study()
    if store is not None:
        study = replace(study, store=store)
    LOG.debug("read the study %s: %d systems, %d items", path, len(study.systems), len(study.items_in_order))
    return study


def _no_study(path: Path) -> str:
    """What to say where there is no study: the ones that are near."""
    missing = path.parent if path.name == STUDY_FILE else path
    around = missing if missing.is_dir() else missing.absolute().parent
    try:
        studies = sorted(each.parent.name for each in around.glob(f"*/{STUDY_FILE}"))
    except OSError:
        studies = []
    near = did_you_mean(missing.name, studies) if around != missing else ""
    if not near and studies:
        near = f"; studies in {around.resolve().name}: {', '.join(studies[:_SHOWN])}"
    return f"no such file{near or '; give a study directory, or make one with ' + repr('textassay new')}"


class _Loader:
    """Reads one study, collecting problems as long as anything can still be checked."""

    def __init__(self, sources: Sources, data: dict[str, Any]) -> None:
        self.sources = sources
        self.data = data

    def study(self) -> Study:
        file, unsound = self.study_file()
        wrong_store = address_problem(file.store) if file.store is not None else None
        if wrong_store is not None:
            self.sources.problem(("store",), wrong_store)
        named = self.section("tables")
        tables = {key: self.sources.table(named.get(key), schema, ("tables", key)) for key, schema in _TABLES.items()}
        if file.tables.source is not None and "tables" not in unsound:
            tables = self.source_tables(file.tables.source, tables)
        blocks = self.blocks()
        texts = _by(tables["texts"], "item", "system")
        references = rows_of_references(tables["references"] or ())
        study = Study(
            directory=self.sources.directory,
            file=file,
            store=settled_address(file.store, self.sources.directory) if file.store is not None else "",
            blocks=tuple(block for block in blocks.values() if block is not None),
            texts={key: join_unit_rows(rows)["text"] for key, rows in texts.items()},
            items={row["item"]: row for row in tables["items"] or ()},
            references={
                item: tuple(str(join_unit_rows(rows)["text"]) for rows in its) for item, its in references.items()
            },
            pages=self.pages(),
            messages=self.messages(file, blocks.values()),
            rules=tuple(self.rules()),
            units=_named_units(texts),
            text_rows={key: tuple(rows) for key, rows in texts.items()},
            reference_units={
                item: units for item, its in references.items() if all(units := tuple(map(row_units, its)))
            },
        )
        study = replace(study, content=read_content(self.sources, named, study.texts, study.items))
        study = replace(study, files=tuple(self.sources.found))
        if tables["texts"] is not None:
            self.sources.problems.extend(table_problems(study, tables["texts"], tables["items"], tables["references"]))
            for block in study.blocks:
                self.sources.problems.extend(plan_problems(study, block))
        bound = iter(study.blocks)
        sound = checks.Sound(
            unsound,
            texts=tables["texts"] is not None,
            items=tables["items"] is not None or "items" not in named,
            blocks={index: block and next(bound) for index, block in blocks.items()},
        )
        for path, message in checks.study_problems(study, sound):
            self.sources.problem(path, message)
        if self.sources.problems:
            raise StudyError(self.sources.problems)
        return study

    def source_tables(self, source: TextSource, tables: Mapping[str, Rows | None]) -> dict[str, Rows | None]:
        """The tables, with what a file in a layout of its own holds of them."""
        where = ("tables", "texts", "file")
        if not self.sources.is_there(source.file, where):
            return {**tables}
        try:
            raw = raw_table(self.sources.directory / source.file, source.file)
            found = read_source(raw, source, source.file)
        except ProblemsError as error:
            self.sources.problems.extend(error.problems)
            return {**tables}
        items, references = tables["items"], tables["references"]
        if source.reference and references is not None:
            message = "references come from this file and from tables.references; remove one of the two"
            self.sources.problem(("tables", "texts", "reference"), message)
        if items is not None and found.items is not None:
            items = joined_items(items, found.items, self.sources.problems)
        return {"texts": found.texts, "items": items or found.items, "references": references or found.references}

    def section(self, key: str) -> dict[str, Any]:
        """A section as it was written, or nothing where it is no mapping."""
        value = self.data.get(key)
        return value if isinstance(value, dict) else {}

    def study_file(self) -> tuple[StudyFile, frozenset[str]]:
        """The file with stand-ins for the sections that are not sound, and which those are."""
        file, unsound = self.sources.validated(StudyFile, self.data, ())
        if file is None:
            kept = {key: self.data[key] for key in self.data.keys() & StudyFile.model_fields.keys() - unsound}
            file = StudyFile.model_validate(_STAND_INS | kept)
        return file, frozenset(unsound)

    def blocks(self) -> dict[int, Block | None]:
        """The blocks by their place; nothing for those that are not sound."""
        entries = self.data.get("blocks")
        found: dict[int, Block | None] = {}
        for index, data in enumerate(entries) if isinstance(entries, list) else ():
            if isinstance(data, dict):
                found[index] = self.block(index, data, [block for block in found.values() if block])
        return found

    def block(self, index: int, data: dict[str, Any], before: list[Block]) -> Block | None:
        path = ("blocks", index)
        practice = self.sources.table(data.get("practice"), PRACTICE, (*path, "practice"))
        self.sources.problems.extend(unit_problems(practice, ("item",)) if practice else ())
        instructions = self.sources.markdown(data.get("instructions"), (*path, "instructions"))
        tables = self.block_tables(index, data)
        own_plan = self.own_plan(index, data)
        settings = self.block_settings(index, data)
        if settings is None or (practice is None and settings.practice is not None):
            return None
        if own_plan is None and settings.design.plan is not None:
            return None
        if any(table is None and getattr(settings, key) is not None for key, table in tables.items()):
            return None
        same = sum(block.settings.task == settings.task and not block.settings.name for block in before)
        name = settings.name or (f"{settings.task}-{same + 1}" if same else settings.task)
        by_item = _by(practice, "item")
        return Block(
            name,
            catalogue.find("task", settings.task),
            settings,
            instructions,
            practice={item: join_unit_rows(rows) for (item,), rows in by_item.items()},
            tables={key: table for key, table in tables.items() if table is not None},
            practice_units={item: units for (item,), units in _named_units(by_item).items()},
            plan_rows=own_plan,
        )

    def own_plan(self, index: int, data: dict[str, Any]) -> Rows | None:
        """The table that says who sees what; nothing where none is named or where it is wrong."""
        design = data.get("design")
        path = design.get("plan") if isinstance(design, dict) else None
        return self.sources.table(path, WHO_SEES_WHAT, ("blocks", index, "design", "plan"))

    def block_tables(self, index: int, data: dict[str, Any]) -> dict[str, Rows | None]:
        """The tables that this kind of block has beside those of the study; nothing for those not named or wrong."""
        task = data.get("task")
        if task not in catalogue.names("task"):
            return {}
        wanted: Mapping[str, TableSchema] = catalogue.find("task", str(task)).block_tables
        return {
            key: self.sources.table(data.get(key), schema, ("blocks", index, key)) for key, schema in wanted.items()
        }

    def block_settings(self, index: int, data: dict[str, Any]) -> BlockSettings | None:
        path, known = ("blocks", index), catalogue.names("task")
        task = data.get("task")
        if task not in known:
            seen = f"{describe_value(task)} is not a task; use" if "task" in data else "'task' is missing; add it with"
            near = did_you_mean(task, known) if isinstance(task, str) else ""
            self.sources.problem((*path, "task"), f"{seen} one of: {', '.join(known)}{near}")
            return None
        model: type[BlockSettings] = catalogue.find("task", str(task)).Settings
        settings, _ = self.sources.validated(model, data, path)
        return settings

    def pages(self) -> dict[str, str]:
        named = {
            "welcome": (self.data.get("welcome"), ("welcome",)),
            "consent": (self.data.get("consent"), ("consent",)),
            "finish": (self.section("finish").get("message"), ("finish", "message")),
        }
        read = {name: self.sources.markdown(path, where) for name, (path, where) in named.items()}
        return {name: text for name, text in read.items() if text is not None}

    def messages(self, file: StudyFile, blocks: Iterable[Block | None]) -> OwnMessages:
        """Words of the interface that the study brings itself."""
        language = (file.interface or file.language).partition("-")[0].lower()
        return read_messages(
            self.sources, self.data.get("messages"), language, [block.task_class for block in blocks if block]
        )

    def rules(self) -> Iterator[Rule]:
        known = catalogue.names("screening")
        given = self.section("screening")
        for name, settings in ({**given, DEFAULT_RULE: {}} if DEFAULT_RULE not in given else given).items():
            if name not in known:
                self.sources.problem(("screening", name), unknown("screening rule", name, known))
            elif isinstance(settings, dict):
                rule, _ = self.sources.validated(catalogue.find("screening", name), settings, ("screening", name))
                if rule is not None:
                    yield rule


def _by(table: Rows | None, *columns: str) -> dict[tuple[Any, ...], list[Row]]:
    """The rows of a table, those together that agree on the columns."""
    grouped: dict[tuple[Any, ...], list[Row]] = {}
    for row in table or ():
        grouped.setdefault(tuple(row[column] for column in columns), []).append(row)
    return grouped


def _named_units(grouped: Mapping[Any, Sequence[Row]]) -> dict[Any, tuple[Unit, ...]]:
    """The units of each text, where the table has a row for each."""
    return {key: units for key, rows in grouped.items() if (units := row_units(rows))}


AnyModel = TypeVar("AnyModel", bound=BaseModel)


@dataclass
class Sources:
    """Reads what a study is made of, and collects what is wrong with it."""

    directory: Path
    document: Document
    problems: list[Problem] = field(init=False)
    found: dict[str, None] = field(default_factory=dict)
    """Files that are named and there, in the order in which they were asked for."""

    def __post_init__(self) -> None:
        self.problems = list(self.document.problems)

    def problem(self, path: Path_, message: str) -> None:
        """Something is wrong at a place of the study file; not said of a value that could not even be read."""
        if not any(path[:length] in self.document.broken for length in range(len(path) + 1)):
            self.problems.append(self.document.problem(path, message))

    def validated(self, model: type[AnyModel], data: Any, path: Path_) -> tuple[AnyModel | None, set[Any]]:
        """The data as the model; else nothing, and the keys under which something is wrong."""
        try:
            return model.model_validate(data), set()
        except ValidationError as error:
            found = list(validation_problems(error, data, model))
            for inside, message in found:
                self.problem((*path, *inside), message)
            return None, {inside[0] for inside, _ in found if inside}

    def table(self, path: Any, schema: TableSchema, where: Path_) -> Rows | None:
        """The table, or nothing where none is named or where it is wrong."""
        if not self.is_there(path, where):
            return None
        try:
            return read_table(self.directory / path, schema, path)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return None

    def markdown(self, path: Any, where: Path_) -> str | None:
        """The file's text, or nothing where none is named or where it is wrong."""
        if not self.is_there(path, where):
            return None
        try:
            text = read_text(self.directory / path, path)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return None
        if not text.strip():
            self.problem(where, f"file {_short(path)} is empty; write something in it or remove this key")
        return text

    def is_there(self, path: Any, where: Path_) -> bool:
        """Whether a file is named and can be read; says why not."""
        if not isinstance(path, str) or not path.strip():
            return False  # not named, or reported with the form of the study file
        reason = self.why_not(path)
        if reason is not None:
            self.problem(where, f"file {_short(path)} {reason}")
        return reason is None

    def why_not(self, path: str) -> str | None:
        """Why a file cannot be read, with the remedy."""
        full = self.directory / path
        try:
            # A study directory is its own archive: nothing in it may depend on a file elsewhere.
            inside = full.resolve().is_relative_to(self.directory.resolve()) and not Path(path).is_absolute()
            there, folder = full.is_file(), full.is_dir()
        except (OSError, ValueError):
            return "cannot be the name of a file; shorten or correct it"
        if not inside:
            return "is outside the study directory; copy it into the directory"
        if folder:
            return "is a folder; name a file in it"
        if not there:
            return "is not there; " + ("write '/' for '\\'" if "\\" in path else "create it or correct the path")
        self.found[path] = None
        return None


def _short(path: str) -> str:
    return f"'{path}'" if len(path) <= 60 else f"'{path[:57]}…'"
