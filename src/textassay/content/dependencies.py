"""Dependencies of a text as triples deprel(head, word), each word tied to its position in the reference.

Two words of one form are different words: "the doctor gives the baby a drug" has two determiners. So that a text in
another word order can be compared, each is tied to one occurrence of its form in the reference (Cahill 2009 ties words
to their position in the original string): to one that depends on the same form in the same way, if there is one, else
to one that depends on the same form, else to the next in order. A word that the reference lacks matches nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from textassay.content.conllu import ParsedText

Triple = tuple[str, int, int]
"""Type of the dependency, position of the head and of the word, counted from 1 over the whole text."""
ANY = "any"
"""The type of every dependency where types are not compared."""


@dataclass(frozen=True)
class TripleOptions:
    """Which dependencies are compared, and how."""

    labels: bool = True
    """Whether types must agree; else all dependencies have one type."""
    subtypes: bool = True
    """Whether `nsubj:pass` differs from `nsubj`."""
    root: bool = False
    """Whether "this word is the root" counts as a dependency."""
    punctuation: bool = True
    """Whether dependencies of the type `punct` count."""
    lowercase: bool = True
    """Whether words are matched without regard to case, since another word order begins with another word."""


DEFAULT = TripleOptions()


@dataclass(frozen=True)
class TypeCounts:
    """How many triples of one type there are."""

    matched: int
    hypothesis: int
    reference: int

    @property
    def precision(self) -> float:
        """Share of the hypothesis's triples that the reference has; 0 where the hypothesis has none."""
        return self.matched / self.hypothesis if self.hypothesis else 0.0

    @property
    def recall(self) -> float:
        """Share of the reference's triples that the hypothesis has; 0 where the reference has none."""
        return self.matched / self.reference if self.reference else 0.0

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.matched / (self.hypothesis + self.reference)


def reference_triples(text: ParsedText, options: TripleOptions = DEFAULT) -> list[Triple]:
    """The triples of a reference, whose words have their own positions."""
    return list(_triples(text, range(1, len(text) + 1), options))


def aligned_triples(text: ParsedText, reference: ParsedText, options: TripleOptions = DEFAULT) -> list[Triple]:
    """The triples of a text with the positions of the reference; words that the reference lacks have negative ones."""
    return list(_triples(text, aligned_positions(text, reference, lowercase=options.lowercase), options))


def aligned_positions(text: ParsedText, reference: ParsedText, *, lowercase: bool = True) -> list[int]:
    """For each word of a text the position of the same occurrence of its form in the reference, from 1.

    A word that the reference lacks has a negative position of its own.
    """
    ours, theirs = (_uses(each, lowercase=lowercase) for each in (text, reference))
    found = [0] * len(text)
    for form, uses in ours.items():
        for number, position in _tied(uses, theirs.get(form, [])):
            found[number - 1] = position
    return [position or -number for number, position in enumerate(found, 1)]


def count_types(hypothesis: Iterable[Triple], reference: Iterable[Triple]) -> dict[str, TypeCounts]:
    """Counts of every type that either side has, in alphabetical order.

    >>> gold = [("det", 2, 1), ("subj", 3, 2), ("obj", 3, 5), ("det", 5, 4)]
    >>> counts = count_types([("det", 2, 1), ("subj", 3, 2), ("iobj", 3, 5)], gold)
    >>> {name: round(each.f, 2) for name, each in counts.items()}
    {'det': 0.67, 'iobj': 0.0, 'obj': 0.0, 'subj': 1.0}
    """
    ours, theirs = Counter(hypothesis), Counter(reference)
    found = [Counter[str]() for _ in range(3)]
    for counted, triples in zip(found, (ours & theirs, ours, theirs), strict=True):
        for (name, _, _), times in triples.items():
            counted[name] += times
    return {name: TypeCounts(*(counted[name] for counted in found)) for name in sorted(found[1] | found[2])}


Use = tuple[int, str, str]
"""The position of a word, the form on which it depends, and how; a root depends on nothing."""


_ALIKE: tuple[Callable[[Use], object], ...] = (lambda use: use[1:], lambda use: use[1], lambda _: None)
"""In what two occurrences of a form may agree, from most to least."""


def _uses(text: ParsedText, *, lowercase: bool) -> dict[str, list[Use]]:
    """All occurrences of each form, in order."""
    found: dict[str, list[Use]] = {}
    position = 0
    for sentence in text.sentences:
        forms = [form.casefold() if lowercase else form for form in sentence.forms]
        for form, head, deprel in zip(forms, sentence.heads, sentence.deprels, strict=True):
            position += 1
            found.setdefault(form, []).append((position, forms[head - 1] if head else "", deprel))
    return found


def _tied(ours: Sequence[Use], theirs: Sequence[Use]) -> Iterable[tuple[int, int]]:
    """Pairs of positions, each of ours and each of theirs at most once: those most alike first, then in order."""
    if len(ours) == len(theirs) == 1:
        yield ours[0][0], theirs[0][0]
        return
    for alike in _ALIKE:
        free: dict[object, list[Use]] = {}
        for use in reversed(theirs):
            free.setdefault(alike(use), []).append(use)
        rest = []
        for use in ours:
            same = free.get(alike(use))
            if same:
                yield use[0], same.pop()[0]
            else:
                rest.append(use)
        ours, theirs = rest, sorted(use for uses in free.values() for use in uses)


def _triples(text: ParsedText, positions: Iterable[int], options: TripleOptions) -> Iterable[Triple]:
    own = [0, *positions]
    start = 0
    for sentence in text.sentences:
        for word, (head, deprel) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1):
            name = deprel if options.subtypes else deprel.partition(":")[0]
            if (head or options.root) and (options.punctuation or name.partition(":")[0] != "punct"):
                yield (name if options.labels else ANY), (own[start + head] if head else 0), own[start + word]
        start += len(sentence)
