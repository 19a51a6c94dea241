"""What the YAML parser found wrong, in words for people who have never read the YAML specification."""

from __future__ import annotations

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from textassay.errors import Problem

_QUOTE = "put the whole value in quotation marks"
_REMEDIES = (
    ("found character '\\t'", "a tab stands where only spaces can; indent with spaces"),
    ("mapping values are not allowed here", f"':' stands where no key can be; correct the indentation, or {_QUOTE}"),
    ("could not find expected ':'", "this line has no ':' after its key; add it, or indent the line"),
    ("but found another document", "a second document begins here; remove the line '---'"),
    ("found undefined alias", f"a value begins with '*'; {_QUOTE}"),
    ("that cannot start any token", f"a value cannot begin with this character; {_QUOTE}"),
    ("unknown escape character", "'\\' has a meaning in double quotation marks; write it twice or use single ones"),
    ("expected ',' or", "a bracket opened here is not closed; close it"),
    ("unexpected end of stream", "the quotation mark here is never closed; close it"),
    ("expected <block end>", "this does not fit the lines above; line up what belongs together, close quotation marks"),
)  # fmt: skip
_AT_CONTEXT = ("expected ',' or", "unexpected end of stream", "could not find expected ':'")
"""Problems that are noticed far behind the place where they were made."""


def syntax_problem(error: YAMLError, text: str, file: str) -> Problem:
    """The parser's error as a problem of the file."""
    if isinstance(error, ReaderError):
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        return Problem(file, line, column, "", f"not YAML: the invisible character U+{error.character:04X}; remove it")
    said = " ".join(filter(None, (getattr(error, "context", ""), getattr(error, "problem", "")))) or str(error)
    line, column = _place(error, said)
    remedy = next((words for key, words in _REMEDIES if key in said), None)
    message = remedy or f"{said.partition(chr(10))[0]}; check indentation, colons and quotation marks"
    return Problem(file, line, column, "", f"not YAML: {message}")


def _place(error: YAMLError, said: str) -> tuple[int, int]:
    if not isinstance(error, MarkedYAMLError):
        return 1, 1
    marks = [error.problem_mark, error.context_mark]
    if any(key in said for key in _AT_CONTEXT):
        marks.reverse()
    mark = next(filter(None, marks), None)
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)
