"""The files of a study: the study file's parts, and the tables and Markdown files that it names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from textassay.errors import Problem, ProblemsError
from textassay.study.messages import problems_of
from textassay.study.yaml_reader import Document, Path_
from textassay.tables.reader import Rows, read_table
from textassay.tables.schema import TableSchema
from textassay.tables.text_files import read_text

AnyModel = TypeVar("AnyModel", bound=BaseModel)


@dataclass
class Sources:
    """Reads what a study is made of, and collects what is wrong with it."""

    directory: Path
    document: Document
    problems: list[Problem] = field(init=False)

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
            found = list(problems_of(error, data, model))
            for inside, message in found:
                self.problem((*path, *inside), message)
            return None, {inside[0] for inside, _ in found if inside}

    def table(self, path: Any, schema: TableSchema, where: Path_) -> Rows | None:
        """The table, or nothing where none is named or where it is wrong."""
        if not self._is_there(path, where):
            return None
        try:
            return read_table(self.directory / path, schema, path)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return None

    def markdown(self, path: Any, where: Path_) -> str | None:
        """The file's text, or nothing where none is named or where it is wrong."""
        if not self._is_there(path, where):
            return None
        try:
            text = read_text(self.directory / path, path)
        except ProblemsError as error:
            self.problems.extend(error.problems)
            return None
        if not text.strip():
            self.problem(where, f"file {_short(path)} is empty; write something in it or remove this key")
        return text

    def _is_there(self, path: Any, where: Path_) -> bool:
        if not isinstance(path, str) or not path.strip():
            return False  # not named, or reported with the form of the study file
        reason = self._why_not(path)
        if reason is not None:
            self.problem(where, f"file {_short(path)} {reason}")
        return reason is None

    def _why_not(self, path: str) -> str | None:
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
        return None


def _short(path: str) -> str:
    return f"'{path}'" if len(path) <= 60 else f"'{path[:57]}…'"
