"""The researcher's own answers: `datasheet.yaml` beside the study file, number of the question → answer.

A text answers a text question. Of options, numbers choose, and a text beside them explains: `3.2.2.2: [1, 12 euros an
hour]`. Languages may be given by their codes. A question about criteria takes one answer for all, or one by criterion.
The file is apart from the study file, because it is written when the study is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from textassay.errors import Problem, StudyError
from textassay.known_names import unknown
from textassay.sharing.datasheet.questions import BY_NUMBER, LANGUAGES, SheetQuestion
from textassay.sharing.datasheet.sheet import Answer
from textassay.study.yaml_reader import Document, read_yaml

FILE = "datasheet.yaml"
_CODES = {code: place for place, code in enumerate(LANGUAGES.split(), 2)}


def own_answers(directory: Path, criteria: Sequence[str]) -> dict[tuple[str, str], Answer]:
    """The answers in the file, by question and criterion; nothing where there is no file.

    Raises:
        StudyError: the file cannot be read, or has an unknown question, criterion or option; with the place of each.
    """
    path = directory / FILE
    if not path.exists():
        return {}
    document = read_yaml(path, FILE)
    problems = list(document.problems)
    if document.data is not None and not isinstance(document.data, dict):
        problems.append(document.problem((), "no mapping of questions to answers; write lines such as '5.1: …'"))
    if problems:
        raise StudyError(problems)
    found: dict[tuple[str, str], Answer] = {}
    for key, value in (document.data or {}).items():
        for criterion, said in _answers(document, key, value, criteria):
            if isinstance(said, Problem):
                problems.append(said)
            else:
                found[_number(key), criterion] = said
    if problems:
        raise StudyError(problems)
    return found


def _number(key: Any) -> str:
    """A question's number as it is written; YAML reads 5.1 as a number."""
    return f"{key:g}" if isinstance(key, float) else str(key)


def _answers(
    document: Document, key: Any, value: Any, criteria: Sequence[str]
) -> Iterator[tuple[str, Answer | Problem]]:
    question = BY_NUMBER.get(_number(key))
    if question is None:
        remedy = "the numbers are those of the datasheet that 'textassay datasheet' writes, such as 3.1.2"
        yield "", document.problem((key,), f"there is no question {_number(key)}; {remedy}")
        return
    if not question.of_criterion:
        if value is not None:
            yield "", _answer(document, (key,), question, value)
        return
    by_criterion = value if isinstance(value, dict) else dict.fromkeys(criteria, value)
    for criterion, said in by_criterion.items():
        if criterion not in criteria:
            yield "", document.problem((key, criterion), unknown("criterion", criterion, criteria))
        elif said is not None:
            path = (key, criterion) if isinstance(value, dict) else (key,)
            yield criterion, _answer(document, path, question, said)


def _answer(document: Document, path: tuple[Any, ...], question: SheetQuestion, value: Any) -> Answer | Problem:
    parts = value if isinstance(value, list) else [value]
    if any(isinstance(part, (dict, list, bool)) for part in parts):
        return document.problem(path, "an answer is a text, the number of an option, or a list of these; mend it")
    if question.kind == "text":
        return Answer("; ".join(str(part) for part in parts), source="researcher")
    chosen, texts = [], []
    for part in parts:
        if question.languages and part in _CODES:
            chosen.append(_CODES[part])
        elif isinstance(part, int):
            chosen.append(part)
        else:
            texts.append(str(part))
    most = len(question.options)
    wrong = next((place for place in chosen if not 1 <= place <= most), None)
    if wrong is not None:
        return document.problem(path, f"there is no option {wrong}; choose from 1 to {most}")
    if not chosen:
        return document.problem(path, f"no option is chosen; give its number, 1 to {most}, beside the text")
    if question.kind == "one" and len(chosen) > 1:
        return document.problem(path, f"{len(chosen)} options are chosen; only one can be")
    return Answer("; ".join(texts), tuple(sorted(set(chosen))), "researcher")
