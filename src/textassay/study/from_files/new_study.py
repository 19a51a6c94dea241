"""Make a study directory from somebody's own texts: in a folder beside it first, moved there when it is sound."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textassay.errors import StudyError, UsageError
from textassay.prose import listed, numbered
from textassay.seeds import Stream
from textassay.study import SCHEMA_FILE
from textassay.study.checks import Sound, study_problems
from textassay.study.from_files import own_files
from textassay.study.from_files.design_choice import MANY_PEOPLE, choose_design
from textassay.study.from_files.layout import Layout, Said, guess_layout, lacks_system
from textassay.study.from_files.own_files import OwnFile
from textassay.study.load import STUDY_FILE, load_study
from textassay.study.model import StudyFile
from textassay.study.study import Study
from textassay.study.study_tables import TextSource
from textassay.study.text_cells import column_value, texts_by_system
from textassay.study.text_sources import SourceTables, read_source
from textassay.study.yaml_reader import read_yaml
from textassay.tables.excel import sheet_names
from textassay.tables.raw_table import RawTable
from textassay.tables.reader import Row, Rows, raw_table
from textassay.tables.writer import write_table, write_text

_KEYWORDS = ("yes", "no", "true", "false", "null", "on", "off", "y", "n", "none")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.+/-]*( [A-Za-z0-9_.+/-]+)*")
_SOME, _MANY = 5, 12
"""How many missing texts, and how many systems, are named."""


@dataclass(frozen=True)
class NewStudy:
    """A study that was made from texts."""

    study: Study
    columns: tuple[tuple[str, str, str], ...]
    """Each column or file: its name, what it was read as, an example."""
    numbers: str
    """How many items, systems and texts, and which are missing."""
    design: str
    """Who sees how much."""
    doubts: tuple[str, ...]
    """What is not certain, with the option that settles it."""
    notes: tuple[str, ...]
    """What was done with the files."""
    written: tuple[str, ...]
    """The files of the study."""


def study_from_files(
    directory: Path, paths: Sequence[Path], said: Said, task: str = "", items: int | None = None
) -> NewStudy:
    """Make a study from files.

    Args:
        directory: The directory to make; it may exist if nothing but these files is in it.
        paths: Tables, plain files with one text per line, or folders with them; `-` is standard input.
        said: What is known of the columns.
        task: The kind of trial.
        items: How many items to draw from all; by default all are taken.

    Raises:
        UsageError: the directory is not empty, or it cannot be told what the columns are.
        ProblemsError: a file is wrong.
    """
    _refuse_occupied(directory, paths)
    with _staged(directory) as staging:
        given = staging.with_name(f"{staging.name}-given")
        given.mkdir()
        try:
            material = _Material.of(
                own_files.find_files(paths, given), said, directory, staging, sampled=items is not None
            )
        finally:
            shutil.rmtree(given)
        return _made(directory, staging, material, task, items)


def study_from_table(
    directory: Path, table: RawTable, said: Said, task: str = "", items: int | None = None, origin: str = "a table"
) -> NewStudy:
    """Make a study from a table in memory; see `study_from_files`."""
    _refuse_occupied(directory, ())
    layout = guess_layout(table, said, origin)
    with _staged(directory) as staging:
        material = _Material(origin, layout, table, in_place=False)
        return _made(directory, staging, material, task, items)


def _refuse_occupied(directory: Path, paths: Sequence[Path]) -> None:
    if directory.is_file():
        given = " ".join(map(str, paths or [directory]))
        raise UsageError(f"{directory} is a file; name a new directory first: textassay new my-study --from {given}")
    own = {path.resolve() for path in paths}
    others = (
        [path.name for path in sorted(directory.iterdir()) if path.resolve() not in own] if directory.exists() else []
    )
    if others:
        raise UsageError(f"{directory} is not empty ({others[0]} is in it); name a new directory")


@contextmanager
def _staged(directory: Path) -> Iterator[Path]:
    """A folder beside the directory; nothing of it stays if anything goes wrong."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@dataclass(frozen=True)
class _Material:
    """What was found in the files."""

    origin: str
    layout: Layout
    table: RawTable
    in_place: bool
    """Whether the study can read the file as it is; tidy tables are written otherwise."""
    notes: tuple[str, ...] = ()
    stays: str | None = None
    """A file of the study that is in its directory already."""

    def count_systems(self) -> int:
        """How many systems there are."""
        source, rows = self.layout.source, self.table.filled_rows
        if source.outputs is not None:
            cells = (column_value(row.values, source.outputs) for row in rows)
            return len(source.systems or {system for cell in cells for system in texts_by_system(cell) or ()})
        return len(source.systems or {str(column_value(row.values, source.system or "")) for row in rows})

    @classmethod
    def of(cls, files: list[OwnFile], said: Said, directory: Path, staging: Path, *, sampled: bool) -> _Material:
        """What the files hold."""
        origin = listed(file.name for file in files) if len(files) <= 3 else f"{len(files)} files"
        if not files[0].is_table:
            return cls._of_plain(files, said, origin)
        if len(files) > 1:
            return cls._of_tables(files, said, origin)
        (file,) = files
        inside = file.path.resolve().is_relative_to(directory.resolve())
        name = file.path.resolve().relative_to(directory.resolve()).as_posix() if inside else file.path.name
        name = f"outputs{file.path.suffix}" if file.name == "standard input" else name
        copy = staging / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        note = own_files.readable_copy(file, copy, convert=not inside)
        table = raw_table(copy, file.name)
        notes = [note] if note else []
        if file.path.suffix.lower() == ".xlsx" and len(sheets := sheet_names(copy)) > 1:
            notes.append(f"only the first sheet with anything in it is read, of {listed(sheets)}")
        if lacks_system(table, said, file.name):
            joined, column = own_files.joined_tables([table], [file.stem])
            layout = guess_layout(joined, replace(said, system=column), file.name)
            copy.unlink()
            return cls(origin, layout, joined, in_place=False, notes=tuple(notes))
        layout = guess_layout(table, said, file.name)
        if sampled:
            copy.unlink()
        elif not inside:
            notes.append(f"{file.name} was copied into {directory}; the study reads that copy, so correct texts there")
        layout = replace(layout, source=layout.source.model_copy(update={"file": name}))
        return cls(origin, layout, table, not sampled, tuple(notes), name if inside else None)

    @classmethod
    def _of_tables(cls, files: Sequence[OwnFile], said: Said, origin: str) -> _Material:
        """Tables that belong together: parts of one, or one for each system."""
        tables = own_files.read_tables(files)
        if not said.text and all(table.header == tables[0].header for table in tables):
            joined, _ = own_files.joined_tables(tables, None)
            try:
                layout = guess_layout(joined, said, origin)
            except UsageError:
                layout = None
            if layout and (layout.source.system or layout.source.outputs or len(layout.source.systems) > 1):
                return cls(origin, layout, joined, in_place=False)
        names = own_files.system_names(files)
        joined, column = own_files.joined_tables(tables, names)
        layout = guess_layout(joined, replace(said, system=column), origin)
        shown = tuple((file.name, f"system {name!r}", "") for file, name in zip(files, names, strict=True))
        columns = tuple(each for each in layout.columns if each[0] != column)
        return cls(origin, replace(layout, columns=(*shown, *columns)), joined, in_place=False)

    @classmethod
    def _of_plain(cls, files: Sequence[OwnFile], said: Said, origin: str) -> _Material:
        if said.item or said.system or said.text:
            raise UsageError(
                f"{files[0].name} is a plain file, in which each line is an item; omit --item, --system, --text"
            )
        plain = own_files.read_plain(files, said.context, said.reference)
        systems = said.systems or plain.systems
        missing = [name for name in systems if name not in plain.systems]
        if missing:
            raise UsageError(f"there is no system {missing[0]!r} (--systems); there are: {', '.join(plain.systems)}")
        source = TextSource.model_validate(
            {
                "file": origin,
                "systems": list(systems),
                "context": plain.context,
                "reference": list(plain.references),
            }
        )
        doubts = () if len(files) > 1 else (f"{files[0].name} is read as the texts of one system, one per line",)
        return cls(origin, Layout(source, plain.columns, plain.context, doubts), plain.table, in_place=False)


def _made(directory: Path, staging: Path, material: _Material, task: str, items: int | None) -> NewStudy:
    from textassay.ready_studies import starters  # noqa: PLC0415 -- it needs the study package

    task = task or starters.DEFAULT
    starters.refuse_unknown(task)
    tables = None
    if not material.in_place:
        tables = read_source(material.table, material.layout.source, material.origin)
        tables = _sample(tables, items) if items is not None else tables
        _write_tables(staging, tables)
    values: dict[str, Any] = {
        "origin": " ".join(material.origin.split()),
        "title": "How good are these texts?",
        "mapping": list(_mapping(material.layout.source)) if tables is None else [],
        "items": tables is not None and tables.items is not None,
        "references": bool(material.layout.source.reference),
        "context": _scalar(material.layout.context) if material.layout.context else None,
        "systems": material.count_systems(),
        "design": "    design: {everyone: all}",
        "wanted": 1,
        "why": "",
    }
    shutil.copy(SCHEMA_FILE, staging)
    study = _loaded(staging, starters.study_files(task, values), task, material.origin)
    chosen = choose_design(study)
    values |= {"design": chosen.lines, "wanted": chosen.wanted, "why": chosen.why}
    study = _redesigned(study, staging, starters.study_files(task, values)[STUDY_FILE])
    written = _move(staging, directory, material.stays)
    people = f"{numbered(chosen.participants, 'participant')}, {numbered(_per_participant(study), 'trial')} each"
    doubts = list(material.layout.doubts)
    if chosen.participants > MANY_PEOPLE and items is None:
        many = f"{chosen.participants:,} participants are many"
        doubts.append(f"{many}; with a sample of the items, drawn at random, there are fewer: --items 50")
    return NewStudy(
        replace(study, directory=directory),
        material.layout.columns,
        _numbers(study),
        people,
        tuple(doubts),
        material.notes,
        written,
    )


def _per_participant(study: Study) -> int:
    return study.blocks[0].task.scheme().per_participant


def _loaded(staging: Path, files: dict[str, str], task: str, origin: str) -> Study:
    """Write the study's files and load it; what is wrong with the texts for this kind of trial is told as such."""
    for name, text in files.items():
        write_text(staging / name, text)
    try:
        return load_study(staging)
    except StudyError as error:
        ours = [problem for problem in error.problems if problem.file == STUDY_FILE]
        if len(ours) == len(error.problems):
            raise UsageError(f"{origin} cannot be a study of the kind {task!r}: {ours[0].message}") from None
        raise


def _redesigned(study: Study, staging: Path, text: str) -> Study:
    """The study with its final design, written and checked; its tables, which may be large, are not read again."""
    write_text(staging / STUDY_FILE, text)
    data = read_yaml(staging / STUDY_FILE, STUDY_FILE).data
    (block,) = study.blocks
    settings = type(block.settings).model_validate(data["blocks"][0])
    study = replace(study, file=StudyFile.model_validate(data), blocks=(replace(block, settings=settings),))
    for _, message in study_problems(study, Sound(frozenset(), texts=True, items=True, blocks={0: study.blocks[0]})):
        raise UsageError(f"no design was found for these texts: {message}")
    return study


def _numbers(study: Study) -> str:
    systems, items = study.systems, study.items_in_order
    named = f"{', '.join(systems[:_MANY])}{' …' if len(systems) > _MANY else ''}"
    told = f"{numbered(len(items), 'item')} × {numbered(len(systems), 'system')} ({named})"
    told = f"{told}, {numbered(len(study.texts), 'text')}"
    missing = [(item, system) for item in items for system in systems if (item, system) not in study.texts]
    if not missing:
        return told
    some = "; ".join(f"item {item}, {system}" for item, system in missing[:_SOME])
    more = "" if len(missing) <= _SOME else " …"
    are = "is" if len(missing) == 1 else "are"
    return f"{told}; {numbered(len(missing), 'text')} {are} missing ({some}{more})"


def _sample(tables: SourceTables, wanted: int) -> SourceTables:
    """Some of the items, drawn at random, in their order."""
    names = list(dict.fromkeys(row["item"] for row in tables.texts))
    if not 1 <= wanted <= len(names):
        raise UsageError(f"--items {wanted}: there are {numbered(len(names), 'item')}; draw from 1 to {len(names)}")
    kept = set(Stream(1, "sample of items").shuffled(names)[:wanted])

    def some(rows: Rows) -> Rows:
        return replace(rows, rows=tuple(row for row in rows if row["item"] in kept))

    return SourceTables(
        some(tables.texts), tables.items and some(tables.items), tables.references and some(tables.references)
    )


def _write_tables(staging: Path, tables: SourceTables) -> None:
    for name, table in tables._asdict().items():
        if table is not None:
            rows: Sequence[Row] = table.rows
            write_table(staging / f"{name}.csv", table.columns, [row.values for row in rows], formulas=True)


def _move(staging: Path, directory: Path, stays: str | None) -> tuple[str, ...]:
    """Move the files into the directory, over nothing that is there."""
    directory.mkdir(exist_ok=True)
    names = sorted(path.name for path in staging.iterdir())
    there = Path(stays).parts[0] if stays else None
    for name in names:
        if name != there:
            if (directory / name).exists():
                raise UsageError(f"{directory / name} exists; name a new directory")
            shutil.move(staging / name, directory / name)
    return tuple(name for name in names if name != SCHEMA_FILE.name)


def _mapping(source: TextSource) -> Iterator[str]:
    """The lines of the study file that say which columns are what."""
    said = {
        "item": "identifies the item",
        "outputs": "all texts of an item, by system",
        "systems": "a column of texts for each",
        "system": "name of the system",
        "text": "what is judged",
        "messages": "conversations, of which the last answer is judged",
        "context": "what a text was written for",
        "reference": "what metrics compare with",
    }
    yield f"file: {_scalar(source.file)}"
    for key, comment in said.items():
        value = getattr(source, key)
        if value:
            listed_ = isinstance(value, list) and not (key == "reference" and len(value) == 1)
            names = [_scalar(each) for each in (value if isinstance(value, list) else [value])]
            line = f"{key}: [{', '.join(names)}]" if listed_ else f"{key}: {names[0]}"
            yield f"{line:28}  # {comment if key != 'systems' or source.outputs is None else 'those to take'}"


def _scalar(text: str) -> str:
    """A text as YAML writes it."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _KEYWORDS
    return text if plain else json.dumps(text, ensure_ascii=False)
