"""Everything that textassay raises on purpose.

    TextassayError
    ├── UsageError          the command or call is wrong                       (exit 2)
    ├── ProblemsError       a file that a person wrote is wrong: all problems  (exit 1)
    │   ├── StudyError      … the study file or what it names
    │   └── TableError      … a table
    ├── DataError           the numbers do not allow what was asked            (exit 1)
    ├── AnswerError         a participant's answer does not fit its trial      (HTTP 422)
    ├── StoreError          the store cannot be opened or written              (exit 1)
    └── BrowserError        there is no local browser, or it failed            (exit 1)

A message names the place, the value and the remedy, and is understood on its own: users see no traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class TextassayError(Exception):
    """Base of all errors that textassay raises on purpose."""

    exit_code = 1


class UsageError(TextassayError):
    """The command or the call is wrong."""

    exit_code = 2


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong in a file that a person wrote.

    >>> print(Problem("study.yaml", 7, 5, "blocks[0].criteria[1].scale", "one step only; set 'to' above 'from'"))
    study.yaml:7:5: blocks[0].criteria[1].scale: one step only; set 'to' above 'from'
    """

    file: str
    """Path as the user would write it, relative to the study directory."""
    line: int
    """Counted from 1; 0 where the file as a whole is meant."""
    column: int
    """Counted from 1; 0 where the line as a whole is meant."""
    where: str
    """Path inside the file (`blocks[0].criteria[1].scale`) or the name of a table's column."""
    message: str
    """What is wrong, the value seen, and the remedy."""

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}"
            if self.column:
                place += f":{self.column}"
        return ": ".join(part for part in (place, self.where, self.message) if part)


class ProblemsError(TextassayError):
    """A file that a person wrote is wrong; holds every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[ProblemsError], tuple[tuple[Problem, ...]]]:
        # So that the error can be sent back from a worker process.
        return type(self), (self.problems,)


class StudyError(ProblemsError):
    """The study file, or a file that it names, is wrong."""


class TableError(ProblemsError):
    """A table is wrong."""


class DataError(TextassayError, ValueError):
    """The numbers do not allow what was asked; the message says which and why."""


class AnswerError(TextassayError):
    """A participant's answer does not fit its trial.

    `fields` maps the name of a form field to the key of the message that the page shows beside it.
    """

    def __init__(self, fields: dict[str, str]) -> None:
        self.fields = fields
        super().__init__("; ".join(f"{name}: {message}" for name, message in fields.items()))

    def __reduce__(self) -> tuple[type[AnswerError], tuple[dict[str, str]]]:
        return type(self), (self.fields,)


class StoreError(TextassayError):
    """The store cannot be opened, read or written."""


class BrowserError(TextassayError):
    """There is no local browser, or it did not do what it was asked."""
