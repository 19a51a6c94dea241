"""The data that METEOR's modules go by, read from files that the user has: nothing of the original is shipped here."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from pathlib import Path
from typing import NamedTuple, TypeVar

from textassay.errors import UsageError

_ENDINGS = (
    *(
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    *(("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
"""WordNet's rules from an inflected word to its base form (morphy): of nouns, verbs and adjectives, in this order."""
_T = TypeVar("_T")
_PARTS = ("noun", "verb", "adj", "adv")


class JarData(NamedTuple):
    """What METEOR's own file has for English."""

    function_words: frozenset[str]
    abbreviations: frozenset[str]
    before_numbers: frozenset[str]
    wordnet: WordNet


class WordNet:
    """Sets of synonyms by word."""

    def __init__(self, synsets: Mapping[str, frozenset[str]], bases: Mapping[str, Sequence[str]]) -> None:
        self._synsets = synsets
        self._bases = bases

    def synsets(self, word: str) -> frozenset[str]:
        """The sets that the word or its base form is in."""
        found = self._synsets.get(word, frozenset())
        return found.union(*(self._synsets.get(base, frozenset()) for base in self._base_forms(word)))

    def _base_forms(self, word: str) -> Sequence[str]:
        """Those that WordNet lists, or else the first that a rule makes and that is a word."""
        if word in self._bases:
            return self._bases[word]
        if len(word) <= 2 or word.endswith("ss"):
            return ()
        made = (word.removesuffix(end) + base for end, base in _ENDINGS if word.endswith(end))
        return [form for form in made if form in self._synsets][:1]


def file_hash(path: str) -> str:
    """For the signature: the first digits of the file's SHA-256; of a folder, those of its WordNet files together."""
    digest = hashlib.sha256()
    for each in _files(path):
        digest.update(_content(each))
    return f"sha256-{digest.hexdigest()[:12]}"


def _files(path: str) -> list[Path]:
    return [Path(path) / name for name in _wordnet_files()] if Path(path).is_dir() else [Path(path)]


def _wordnet_files() -> list[str]:
    return [f"index.{part}" for part in _PARTS] + [f"{part}.exc" for part in _PARTS]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"meteor: {path} cannot be read ({error.strerror}); name a file that METEOR can use") from None


def _kept(read: Callable[[str], _T]) -> Callable[[str], _T]:
    """Reads each file once, and anew when it has changed: the signature names the file as it is."""

    @lru_cache(maxsize=1)
    def known(path: str, state: Sequence[tuple[int, int, int]]) -> _T:
        del state
        return read(path)

    @wraps(read)
    def found(path: str) -> _T:
        states = (each.stat() for each in _files(path) if each.exists())
        return known(path, tuple((state.st_ino, state.st_size, state.st_mtime_ns) for state in states))

    return found


@_kept
def read_jar(path: str) -> JarData:
    """METEOR's English data from its program file, such as meteor-1.5.jar.

    Raises:
        UsageError: the file is not METEOR's.
    """
    try:
        with zipfile.ZipFile(path) as jar:
            parts = ("function/english.words", "nonbreaking/english.prefixes", "synonym/english.synsets")
            words, prefixes, synsets, exceptions = (
                jar.read(name).decode("utf-8").splitlines() for name in (*parts, "synonym/english.exceptions")
            )
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise UsageError(f"meteor: {path} is not METEOR's program file ({error}); name meteor-1.5.jar") from None
    named = [line.split() for line in prefixes if line.strip() and not line.startswith("#")]
    bases: dict[str, list[str]] = defaultdict(list)
    for base, forms in zip(exceptions[::2], exceptions[1::2], strict=False):
        for form in forms.split():
            bases[form].append(base)
    return JarData(
        frozenset(word.strip() for word in words if word.strip()),
        frozenset(fields[0] for fields in named if len(fields) == 1),
        frozenset(fields[0] for fields in named if len(fields) > 1),
        WordNet({word: frozenset(ids.split()) for word, ids in zip(synsets[::2], synsets[1::2], strict=False)}, bases),
    )


@_kept
def read_wordnet(folder: str) -> WordNet:
    """WordNet from its database files, such as those in the folder `dict` of WordNet 3.0 or of nltk's corpus.

    As in METEOR, a synset is known by its number alone, whatever the part of speech.

    Raises:
        UsageError: a file is missing or has another form.
    """
    synsets: dict[str, set[str]] = defaultdict(set)
    bases: dict[str, list[str]] = defaultdict(list)
    for part in _PARTS:
        for line in _lines(Path(folder) / f"index.{part}"):
            fields = line.split()
            if not line.startswith(" ") and fields:
                if len(fields) < 6 or not fields[2].isdecimal():
                    raise UsageError(f"meteor: {folder}/index.{part}: {line!r} is not a line of a WordNet index")
                synsets[fields[0]].update(fields[-int(fields[2]) :])
        for line in _lines(Path(folder) / f"{part}.exc"):
            form, *found = line.split()
            bases[form].extend(found)
    return WordNet({word: frozenset(ids) for word, ids in synsets.items()}, bases)


def _lines(path: Path) -> Iterable[str]:
    return _content(path).decode("utf-8").splitlines()


@_kept
def read_paraphrases(path: str) -> tuple[Mapping[str, Sequence[str]], int]:
    """METEOR's paraphrase table, such as paraphrase-en.gz: second phrases by first phrase, and its longest phrase.

    In the file, compressed or not, each entry has three lines: a probability and two phrases.

    Raises:
        UsageError: the file has another form; the message names the line.
    """
    content = _content(Path(path))
    try:
        lines = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8").splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(
            f"meteor: {path} is no paraphrase table ({error}); name METEOR's, or one of its form"
        ) from None
    if len(lines) % 3:
        raise UsageError(f"meteor: {path}, line {len(lines)}: an entry has three lines: a probability and two phrases")
    table: dict[str, list[str]] = defaultdict(list)
    longest = 0
    for first, second in zip(lines[1::3], lines[2::3], strict=True):
        phrase, paraphrase = " ".join(first.split()), " ".join(second.split())
        longest = max(longest, phrase.count(" ") + 1, paraphrase.count(" ") + 1)
        table[phrase].append(paraphrase)
    return dict(table), longest
