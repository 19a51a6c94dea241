"""YAML with the place of every key and value, and every duplicate key reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from textassay.errors import Problem, StudyError
from textassay.tables.decode import read_text

Path_ = tuple[Any, ...]


@dataclass
class Document:
    """A YAML file as plain Python values, with the place of each."""

    file: str
    data: Any = None
    places: dict[Path_, tuple[int, int]] = field(default_factory=dict)
    """Line and column, from 1, of each key or list entry."""
    problems: list[Problem] = field(default_factory=list)

    def place(self, path: Path_) -> tuple[int, int]:
        """Line and column of the path, or of the nearest thing above it that is there."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))

    def problem(self, path: Path_, message: str) -> Problem:
        """A problem at the path."""
        return Problem(self.file, *self.place(path), written(path), message)


def written(path: Path_) -> str:
    """A path as people write it.

    >>> written(("blocks", 0, "criteria", 1, "scale"))
    'blocks[0].criteria[1].scale'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def read_yaml(path: Path, name: str) -> Document:
    """Read a YAML file.

    Raises:
        StudyError: it is missing, not UTF-8, or not YAML. Duplicate keys are left in `problems`.
    """
    text = read_text(path, name)
    yaml = YAML(typ="safe", pure=True)
    document = Document(name)
    try:
        node = yaml.compose(text)
        if node is not None:
            _Builder(yaml, document).walk(node, ())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = " ".join(part for part in (error.context, error.problem) if part)
        hint = "indent with spaces, not tabs" if "\\t" in what else "check indentation, colons and quotation marks"
        raise StudyError([Problem(name, line, column, "", f"not YAML: {what}; {hint}")]) from None
    except YAMLError as error:
        raise StudyError([Problem(name, 1, 1, "", f"not YAML: {str(error).splitlines()[0]}")]) from None
    return document


class _Builder:
    """Turns nodes into values, noting places and duplicate keys."""

    def __init__(self, yaml: YAML, document: Document) -> None:
        self.constructor = yaml.constructor
        self.document = document
        self.open: set[int] = set()

    def walk(self, node: Node, path: Path_) -> None:
        self.document.data = self.value(node, path)

    def value(self, node: Node, path: Path_) -> Any:
        self.document.places.setdefault(path, (node.start_mark.line + 1, node.start_mark.column + 1))
        if id(node) in self.open:
            self.document.problems.append(self.document.problem(path, "refers to itself; write the value out"))
            return None
        self.open.add(id(node))
        try:
            if isinstance(node, MappingNode):
                return dict(self.pairs(node, path))
            if isinstance(node, SequenceNode):
                return [self.value(child, (*path, index)) for index, child in enumerate(node.value)]
            return self.scalar(cast("ScalarNode", node), path)
        finally:
            self.open.discard(id(node))

    def pairs(self, node: MappingNode, path: Path_) -> Iterator[tuple[Any, Any]]:
        seen: dict[Any, int] = {}
        for key_node, value_node in node.value:
            key = self.scalar(key_node, path) if isinstance(key_node, ScalarNode) else None
            line = key_node.start_mark.line + 1
            here = (*path, key)
            if key is None or key in seen:
                what = (
                    "a key must be a plain word"
                    if key is None
                    else f"key {key!r} stands already in line {seen[key]}; keep one"
                )
                problem = Problem(self.document.file, line, key_node.start_mark.column + 1, written(path), what)
                self.document.problems.append(problem)
                continue
            seen[key] = line
            self.document.places[here] = (line, key_node.start_mark.column + 1)
            yield key, self.value(value_node, here)

    def scalar(self, node: ScalarNode, path: Path_) -> Any:
        # A date stays the text that was written: no key of the study file wants a date object.
        if str(node.tag).endswith(":timestamp"):
            return node.value
        try:
            return self.constructor.construct_object(node, deep=True)
        except (YAMLError, ValueError):
            self.document.problems.append(
                self.document.problem(path, f"{node.value!r} cannot be read; put it in quotation marks")
            )
            return None
