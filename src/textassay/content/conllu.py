"""CoNLL-U: dependency parses as files, read with the line of whatever is wrong.

Of the ten columns ID, FORM, LEMMA, UPOS, HEAD and DEPREL are kept. Multiword tokens (`3-4`) and empty nodes (`3.1`) are
checked and counted, but are no words of the tree. A sentence must be a forest: heads exist, no word is above itself.

Comments `# key = value` of a sentence are kept. `# newdoc` begins a text; `# item`, `# system` and `# role` say which
text of a study it is, and hold until the next `# newdoc` or until they are given again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from textassay.errors import Problem, ProblemsError

COLUMNS = 10
_NUMBERS = {str(number): number for number in range(500)}
"""Faster than `int`, and stricter."""
_MOST_PROBLEMS = 50
"""A file in another format has as many problems as lines; the first ones are enough."""


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """One sentence as a dependency tree; words are counted from 1, and 0 is the head of a root."""

    forms: tuple[str, ...]
    heads: tuple[int, ...]
    deprels: tuple[str, ...]
    lemmas: tuple[str, ...] = ()
    upos: tuple[str, ...] = ()
    comments: Mapping[str, str] = field(default_factory=dict)
    """What was written as `# key = value`; a comment without a value has an empty one."""
    line: int = 0
    """Where it begins in its file, from 1; 0 where it comes from no file."""
    multiword_tokens: int = 0
    empty_nodes: int = 0

    def __len__(self) -> int:
        return len(self.forms)


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The sentences of one text; made of sentences, so that it can be compared and hashed by what it says."""

    sentences: tuple[ParsedSentence, ...]
    parser: str = ""
    """What made the parse, for the signature; empty where the file does not say."""

    def __len__(self) -> int:
        return sum(map(len, self.sentences))


def read_conllu(text: str, name: str = "text") -> list[ParsedSentence]:
    r"""All sentences of a file in CoNLL-U.

    Args:
        text: What the file holds.
        name: What to call it in messages.

    Raises:
        ProblemsError: with the line of everything that is wrong, one problem per sentence.

    >>> dogs = "1 Dogs dog NOUN _ _ 2 nsubj _ _\n2 bark bark VERB _ _ 0 root _ _\n".replace(" ", "\t")
    >>> [sentence] = read_conllu(dogs)
    >>> sentence.forms, sentence.heads, sentence.deprels
    (('Dogs', 'bark'), (2, 0), ('nsubj', 'root'))
    """
    sentences: list[ParsedSentence] = []
    problems: list[Problem] = []
    for first, lines in _blocks(text):
        try:
            sentences.append(_sentence(first, lines))
        except _WrongLine as wrong:
            problems.append(Problem(name, wrong.line, 0, "", str(wrong)))
            if len(problems) == _MOST_PROBLEMS:
                break
    if problems:
        raise ProblemsError(problems)
    return sentences


def forest_problem(heads: Sequence[int]) -> tuple[int, str] | None:
    """What is wrong with the heads of a sentence, and at which word (from 1); nothing if it is a forest.

    >>> forest_problem([2, 0]), forest_problem([2, 1])
    (None, (1, 'word 1 is above itself (1 → 2 → 1); a sentence must be a tree'))
    """
    n = len(heads)
    for word, head in enumerate(heads, 1):
        if not 0 <= head <= n:
            return word, f"the head of word {word} is {head}, but the sentence has {n} words"
    walk = [0] * (n + 1)  # the word from which each was first reached; a walk ends at what is known, or in a circle
    walk[0] = n + 1
    for word in range(1, n + 1):
        above = word
        while not walk[above]:
            walk[above] = word
            above = heads[above - 1]
        if walk[above] == word:
            circle = [above, heads[above - 1]]
            while circle[-1] != above:
                circle.append(heads[circle[-1] - 1])
            return above, f"word {above} is above itself ({' → '.join(map(str, circle))}); a sentence must be a tree"
    return None


class _WrongLine(Exception):  # noqa: N818 -- becomes a `Problem`
    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(message)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of each sentence, with the number of the first."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    first = 0
    for number, line in enumerate([*lines, ""]):
        if not line or line.isspace():
            if number > first:
                yield first + 1, lines[first:number]
            first = number + 1


def _sentence(first: int, lines: list[str]) -> ParsedSentence:
    n_comments = 0
    while n_comments < len(lines) and lines[n_comments][0] == "#":
        n_comments += 1
    if n_comments == len(lines):
        raise _WrongLine(first, "comments without a sentence; a sentence follows its comments without an empty line")
    start = first + n_comments
    rows = [line.split("\t") for line in lines[n_comments:]]
    if set(map(len, rows)) != {COLUMNS}:
        raise next(_wrong_columns(start, lines[n_comments:], rows))
    numbers: Sequence[int] = range(start, start + len(rows))
    multiword = empty = 0
    columns = tuple(zip(*rows, strict=True))
    if columns[0] != _ids(len(rows)):
        kinds = [_kind(identifier) for identifier in columns[0]]
        multiword, empty = kinds.count("range"), kinds.count("empty")
        _check_ranges(kinds, columns[0], numbers)
        numbers = [number for kind, number in zip(kinds, numbers, strict=True) if kind == "word"]
        columns = tuple(zip(*(row for kind, row in zip(kinds, rows, strict=True) if kind == "word"), strict=True))
        if not columns:
            raise _WrongLine(start, "a sentence without words; remove it")
        _check_ids(columns[0], numbers)
    _, forms, lemmas, upos, _, _, heads, deprels, _, _ = columns
    whole = _heads(heads, numbers)
    for column, values, no_value in (("FORM", forms, ""), ("DEPREL", deprels, "_"), ("DEPREL", deprels, "")):
        if no_value in values:
            word = values.index(no_value)
            raise _WrongLine(numbers[word], f"word {word + 1} has no {column}; give one, or remove the sentence")
    wrong = forest_problem(whole)
    if wrong is not None:
        raise _WrongLine(numbers[wrong[0] - 1], wrong[1])
    comments = _comments(lines[:n_comments])
    return ParsedSentence(forms, whole, deprels, lemmas, upos, comments, start, multiword, empty)


@lru_cache(maxsize=256)
def _ids(n: int) -> tuple[str, ...]:
    """What the IDs of a sentence of n words are."""
    return tuple(map(str, range(1, n + 1)))


def _comments(lines: Iterable[str]) -> dict[str, str]:
    found = {}
    for line in lines:
        key, _, value = line[1:].partition("=")
        found[key.strip()] = value.strip()
    return found


def _wrong_columns(start: int, lines: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[_WrongLine]:
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), start):
        if len(row) == COLUMNS:
            continue
        if line.startswith("#"):
            hint = "a comment inside a sentence; put comments first, and an empty line between sentences"
            yield _WrongLine(number, hint)
        seen = f"{len(row)} column{'s' if len(row) != 1 else ''} instead of {COLUMNS}"
        spaces = len(line.split()) == COLUMNS
        yield _WrongLine(number, f"{seen}; separate them by tabs" + (", not spaces" if spaces else ", with _ if empty"))


def _kind(identifier: str) -> str:
    if "-" in identifier:
        return "range"
    return "empty" if "." in identifier else "word"


def _check_ranges(kinds: Sequence[str], ids: Sequence[str], numbers: Sequence[int]) -> None:
    last = kinds.count("word")
    word = 0
    for kind, identifier, number in zip(kinds, ids, numbers, strict=True):
        if kind == "word":
            word += 1
            continue
        low, _, high = identifier.partition("-" if kind == "range" else ".")
        if not (low.isdecimal() and high.isdecimal()):
            raise _WrongLine(number, f"{identifier!r} is no ID; write 3, or 3-4 for a multiword token, or 3.1")
        if kind == "range" and not word + 1 == int(low) < int(high) <= last:
            here = f"before word {word + 1} of {last}"
            raise _WrongLine(number, f"the multiword token {identifier} is {here}; put it before its first word")


def _check_ids(ids: Sequence[str], numbers: Sequence[int]) -> None:
    for word, (identifier, number) in enumerate(zip(ids, numbers, strict=True), 1):
        if identifier != str(word):
            hint = "an empty line is missing before a new sentence" if identifier == "1" else "count from 1"
            raise _WrongLine(number, f"the ID is {identifier!r}, but this is word {word} of its sentence; {hint}")


def _heads(heads: Sequence[str], numbers: Sequence[int]) -> tuple[int, ...]:
    try:
        return tuple(map(_NUMBERS.__getitem__, heads))
    except KeyError:
        return tuple(_head(word, head, number) for word, (head, number) in enumerate(zip(heads, numbers, strict=True)))


def _head(word: int, head: str, number: int) -> int:
    if head.isascii() and head.isdecimal() and len(head) < 10:
        return int(head)
    why = "has no head; parse the text first" if head == "_" else f"has the head {head!r}; give the number of a word"
    raise _WrongLine(number, f"word {word + 1} {why}")


@dataclass(frozen=True, slots=True)
class TextName:
    """Which text of a study a parse or an annotation is of."""

    item: str
    system: str = ""
    """Empty for a reference."""
    role: str = "system"
    """`system` or `reference`."""


def texts_by_name(
    sentences: Sequence[ParsedSentence], name: str = "text"
) -> tuple[dict[tuple[str, str], ParsedText], dict[str, list[ParsedText]]]:
    """The texts of systems by item and system, and the reference texts of each item, from the sentences' comments.

    Raises:
        ProblemsError: a sentence does not say which text it is of, or a text of a system occurs twice.
    """
    systems: dict[tuple[str, str], list[ParsedSentence]] = {}
    references: dict[str, list[list[ParsedSentence]]] = {}
    problems: list[Problem] = []
    current: TextName | None = None
    for sentence in sentences:
        begins = any(key.split()[0] == "newdoc" for key in sentence.comments if key)
        before = None if begins else current
        try:
            named = _name(sentence, before)
            _add(sentence, named, systems, references, begins=begins or named != before)
            current = named
        except _WrongLine as wrong:
            problems.append(Problem(name, wrong.line, 0, "", str(wrong)))
    if problems:
        raise ProblemsError(problems[:_MOST_PROBLEMS])
    return (
        {key: ParsedText(tuple(its), _parser(its)) for key, its in systems.items()},
        {item: [ParsedText(tuple(its), _parser(its)) for its in texts] for item, texts in references.items()},
    )


def _name(sentence: ParsedSentence, before: TextName | None) -> TextName:
    comments, line = sentence.comments, sentence.line
    item = comments.get("item", before.item if before else "")
    if not item:
        raise _WrongLine(line, "no comment says which text this is; add '# item = …' and '# system = …' above it")
    same = before is not None and item == before.item
    role = comments.get("role", before.role if before and same and "system" not in comments else "system")
    if role not in ("system", "reference"):
        raise _WrongLine(line, f"# role = {role}; it is system or reference")
    if role == "reference":
        return TextName(item, "", role)
    system = comments.get("system", before.system if before else "")
    if not system:
        raise _WrongLine(line, f"item {item}: no comment says whose text this is; add '# system = …'")
    return TextName(item, system, role)


def _add(
    sentence: ParsedSentence,
    named: TextName,
    systems: dict[tuple[str, str], list[ParsedSentence]],
    references: dict[str, list[list[ParsedSentence]]],
    *,
    begins: bool,
) -> None:
    if named.role == "reference":
        if begins:
            references.setdefault(named.item, []).append([])
        references[named.item][-1].append(sentence)
    elif begins and (named.item, named.system) in systems:
        first = systems[named.item, named.system][0].line
        twice = f"item {named.item}, system {named.system}: duplicate of the text in line {first}"
        raise _WrongLine(sentence.line, f"{twice}; keep the sentences of one text together, and one text each")
    else:
        systems.setdefault((named.item, named.system), []).append(sentence)


def _parser(sentences: Sequence[ParsedSentence]) -> str:
    return next((each.comments["parser"] for each in sentences if each.comments.get("parser")), "")
