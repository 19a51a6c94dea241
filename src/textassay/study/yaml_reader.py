"""YAML with the place of every key and value; duplicate keys and syntax errors are reported in plain words."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from textassay.errors import Problem, ProblemsError, StudyError
from textassay.tables.text_files import read_text

Path_ = tuple[Any, ...]
"""The path of a value in the file: keys and indices of list entries."""

_MOST_VALUES = 100_000
"""Limit against aliases of aliases, which can make a short file arbitrarily large; no study needs as many values."""
_INVISIBLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "str", "int", "float", "bool", "null"))


@dataclass
class Document:
    """A YAML file as plain Python values, with the place of each."""

    file: str
    data: Any = None
    places: dict[Path_, tuple[int, int]] = field(default_factory=dict)
    """Line and column, from 1, of each key or list entry."""
    problems: list[Problem] = field(default_factory=list)
    broken: set[Path_] = field(default_factory=set)
    """Paths of values that could not be read, for which no further problem is reported."""

    def place(self, path: Path_) -> tuple[int, int]:
        """Line and column of the path, or of its nearest ancestor that exists."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))

    def problem(self, path: Path_, message: str) -> Problem:
        """A problem at the path."""
        return Problem(self.file, *self.place(path), format_path(path), message)


def format_path(path: Path_) -> str:
    """A path as text.

    >>> format_path(("blocks", 0, "criteria", 1, "scale"))
    'blocks[0].criteria[1].scale'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def read_yaml(path: Path, name: str) -> Document:
    """Read a YAML file.

    Raises:
        StudyError: it is missing, not UTF-8, or not YAML. Duplicate keys and the like are left in `problems`.
    """
    try:
        text = read_text(path, name)
    except ProblemsError as error:
        raise StudyError(error.problems) from None
    yaml = YAML(typ="safe", pure=True)
    document = Document(name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReusedAnchorWarning)  # an anchor may be redefined
            node = yaml.compose(text)
        if node is not None:
            document.data = _Builder(yaml, document).value(node, ())
    except YAMLError as error:
        raise StudyError([syntax_problem(error, text, name)]) from None
    except RecursionError:
        raise StudyError([Problem(name, 1, 1, "", "nested too deeply; a study needs only a few levels")]) from None
    return document


class _Builder:
    """Turns nodes into values, noting places and duplicate keys."""

    def __init__(self, yaml: YAML, document: Document) -> None:
        self.constructor = yaml.constructor
        self.document = document
        self.open: set[int] = set()
        self.values = 0

    def problem(self, node: Node, path: Path_, message: str) -> None:
        place = node.start_mark.line + 1, node.start_mark.column + 1
        self.document.problems.append(Problem(self.document.file, *place, format_path(path), message))

    def value(self, node: Node, path: Path_) -> Any:
        self.document.places.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
        self.values += 1
        if self.values > _MOST_VALUES:
            message = f"more than {_MOST_VALUES} values, counting aliases; write the study without aliases"
            raise StudyError([self.document.problem(path[:1], message)])
        if id(node) in self.open:
            return self.unreadable(node, path, "this refers to itself; write the value out")
        self.open.add(id(node))
        try:
            return self.content(node, path)
        finally:
            self.open.discard(id(node))

    def content(self, node: Node, path: Path_) -> Any:
        if isinstance(node, ScalarNode):
            return self.scalar(node, path)
        if node.tag not in _PLAIN_TAGS:
            self.problem(node, path, f"the tag {_tag(node)} is not known; remove it")
        if isinstance(node, MappingNode):
            return dict(self.pairs(node, path))
        assert isinstance(node, SequenceNode)  # noqa: S101 -- YAML has no fourth kind of node
        return [self.value(child, (*path, index)) for index, child in enumerate(node.value)]

    def pairs(self, node: MappingNode, path: Path_) -> Iterator[tuple[Any, Any]]:
        seen: dict[Any, int] = {}
        for key_node, value_node in node.value:
            line, column = key_node.start_mark.line + 1, key_node.start_mark.column + 1
            if not isinstance(key_node, ScalarNode) or not key_node.value or str(key_node.tag).endswith(":null"):
                self.problem(key_node, path, "a key must be a word or a number; name the key before ':'")
                continue
            if str(key_node.tag).endswith(":merge"):
                self.problem(key_node, path, "'<<' does not work here; write the keys out")
                continue
            key = self.scalar(key_node, path)
            if key in seen:
                self.problem(key_node, path, f"key {key!r} is already in line {seen[key]}; keep one of the two")
                continue
            seen[key] = line
            self.document.places[*path, key] = (line, column)
            yield key, self.value(value_node, (*path, key))

    def scalar(self, node: ScalarNode, path: Path_) -> Any:
        # A date stays the text that was written: no key of the study file wants a date object.
        if str(node.tag).endswith(":timestamp"):
            return node.value
        if node.tag not in _PLAIN_TAGS:
            return self.unreadable(node, path, f"the tag {_tag(node)} is not known; remove it")
        invisible = _INVISIBLE.search(node.value)
        if invisible:
            code = f"U+{ord(invisible.group()):04X}"
            return self.unreadable(node, path, f"the value contains the invisible character {code}; remove it")
        try:
            return self.constructor.construct_object(node, deep=True)
        except (YAMLError, ValueError):
            seen = node.value if len(node.value) <= 40 else node.value[:39] + "…"
            remedy = "write a shorter one, or put it in quotation marks"
            return self.unreadable(node, path, f"{seen} cannot be read as a number; {remedy}")

    def unreadable(self, node: Node, path: Path_, message: str) -> None:
        self.problem(node, path, message)
        self.document.broken.add(path)


def _tag(node: Node) -> str:
    return str(node.tag).replace("tag:yaml.org,2002:", "!!")


_QUOTE = "put the whole value in quotation marks"
_REMEDIES = (
    ("found character '\\t'", "a tab where only spaces are allowed; indent with spaces"),
    ("mapping values are not allowed here", f"':' where no key is allowed; correct the indentation, or {_QUOTE}"),
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
"""Problems that the parser notices far after the place where they were made."""


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
