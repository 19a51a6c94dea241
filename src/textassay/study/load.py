"""From a study directory to a `Study`, with all problems at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from textassay import catalogue
from textassay.errors import Problem, ProblemsError, StudyError, UsageError
from textassay.study import checks
from textassay.study.messages import problems_of, shown
from textassay.study.model import BlockSettings, StudyFile
from textassay.study.study import Block, Study
from textassay.study.yaml_reader import Document, Path_, read_yaml
from textassay.tables.decode import read_text
from textassay.tables.reader import Row, Rows, read_table
from textassay.tables.schema import ITEMS, PRACTICE, REFERENCES, TEXTS, TableSchema

STUDY_FILE = "study.yaml"


def load_study(where: Path | str) -> Study:
    """Read and check a study.

    Args:
        where: The study directory, or the study file in it.

    Raises:
        StudyError: with every problem found in the study file and the files that it names.
    """
    path = Path(where)
    path = path / STUDY_FILE if path.is_dir() else path
    if not path.exists():
        hint = "give a study directory, or make one with 'textassay new'"
        raise StudyError([Problem(str(path), 0, 0, "", f"no such file; {hint}")])
    return _Loader(path).study()


class _Loader:
    """Reads one study, collecting problems as long as anything can still be checked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.directory = path.parent
        self.problems: list[Problem] = []
        self.document = Document(path.name)

    def study(self) -> Study:
        try:
            self.document = read_yaml(self.path, self.path.name)
        except ProblemsError as error:
            raise StudyError(error.problems) from None
        self.problems.extend(self.document.problems)
        if not isinstance(self.document.data, dict):
            message = f"a mapping of keys to values is needed, got {shown(self.document.data)}; begin with 'format: 1'"
            raise StudyError([*self.problems, self.document.problem((), message)])
        file = self.validated(StudyFile, self.document.data, ())
        settings = [self.block_settings(index, data) for index, data in enumerate(self.block_data())]
        if file is None or any(each is None for each in settings):
            raise StudyError(self.problems)
        study = self.assembled(file, [each for each in settings if each is not None])
        if study is not None:
            self.problems.extend(self.document.problem(*found) for found in checks.study_problems(study))
        if study is None or self.problems:
            raise StudyError(self.problems)
        return study

    def block_data(self) -> list[dict[str, Any]]:
        blocks = self.document.data.get("blocks")
        return [block if isinstance(block, dict) else {} for block in blocks] if isinstance(blocks, list) else []

    def validated(self, model: type[BaseModel], data: Any, path: Path_) -> Any:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for inside, message in problems_of(error, data, model):
                self.problem((*path, *inside), message)
            return None

    def problem(self, path: Path_, message: str) -> None:
        self.problems.append(self.document.problem(path, message))

    def block_settings(self, index: int, data: dict[str, Any]) -> BlockSettings | None:
        path = ("blocks", index)
        task = data.get("task")
        if not isinstance(task, str) or task not in catalogue.names("task"):
            known = ", ".join(catalogue.names("task"))
            message = (
                f"{shown(task)} is not a task; use one of {known}"
                if "task" in data
                else f"'task' is missing; add one of {known}"
            )
            self.problem((*path, "task"), message)
            return None
        settings: BlockSettings | None = self.validated(catalogue.find("task", task).Settings, data, path)
        return settings

    def assembled(self, file: StudyFile, settings: list[BlockSettings]) -> Study | None:
        texts = self.table(file.tables.texts, TEXTS, ("tables", "texts"))
        items = self.table(file.tables.items, ITEMS, ("tables", "items"))
        references = self.table(file.tables.references, REFERENCES, ("tables", "references"))
        pages = {
            name: self.markdown(path, where)
            for name, path, where in (
                ("welcome", file.welcome, ("welcome",)),
                ("consent", file.consent, ("consent",)),
                ("finish", file.finish.message, ("finish", "message")),
            )
            if path is not None
        }
        blocks = tuple(self.block(index, each, settings) for index, each in enumerate(settings))
        rules = tuple(self.rules(file))
        if texts is None:
            return None
        study = Study(
            directory=self.directory,
            file=file,
            blocks=blocks,
            texts={(row["item"], row["system"]): row["text"] for row in texts},
            items={row["item"]: row for row in items or ()},
            references=_grouped(references),
            pages=pages,
            rules=rules,
        )
        self.problems.extend(checks.table_problems(study, texts, items, references))
        return study

    def block(self, index: int, settings: BlockSettings, others: list[BlockSettings]) -> Block:
        path = ("blocks", index)
        same = sum(each.task == settings.task and not each.name for each in others[:index])
        name = settings.name or (f"{settings.task}-{same + 1}" if same else settings.task)
        practice = self.table(settings.practice, PRACTICE, (*path, "practice"))
        instructions = settings.instructions and self.markdown(settings.instructions, (*path, "instructions"))
        rows: Mapping[str, Row] = {row["item"]: row for row in practice or ()}
        return Block(name, catalogue.find("task", settings.task)(), settings, instructions, rows)

    def rules(self, file: StudyFile) -> Any:
        for name, settings in file.screening.items():
            try:
                rule = catalogue.find("screening", name)
            except UsageError as error:
                self.problem(("screening", name), str(error))
                continue
            validated = self.validated(rule, settings, ("screening", name))
            if validated is not None:
                yield validated

    def table(self, path: str | None, schema: TableSchema, where: Path_) -> Rows | None:
        if path is None or not self.exists(path, where):
            return None
        try:
            return read_table(self.directory / path, schema, path)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return None

    def markdown(self, path: str, where: Path_) -> str:
        if not self.exists(path, where):
            return ""
        try:
            text = read_text(self.directory / path, path)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return ""
        if not text.strip():
            self.problem(where, f"file {path!r} is empty; write something in it or remove this key")
        return text

    def exists(self, path: str, where: Path_) -> bool:
        # A study directory is its own archive: nothing in it may depend on a file elsewhere.
        inside = (self.directory / path).resolve().is_relative_to(self.directory.resolve())
        if not inside or Path(path).is_absolute():
            self.problem(where, f"file {path!r} is outside the study directory; copy it into the directory")
            return False
        if not (self.directory / path).is_file():
            self.problem(where, f"file {path!r} is not there; create it or correct the path")
            return False
        return True


def _grouped(references: Rows | None) -> dict[str, tuple[str, ...]]:
    grouped: dict[str, tuple[str, ...]] = {}
    for row in references or ():
        grouped[row["item"]] = (*grouped.get(row["item"], ()), row["text"])
    return grouped
