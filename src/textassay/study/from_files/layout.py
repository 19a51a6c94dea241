"""Guess which columns of a table are what: items, systems, texts, context, references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from textassay.errors import UsageError
from textassay.known_names import remedy
from textassay.prose import listed
from textassay.study.from_files.column_facts import CONTEXT_NAMES, PROPERTY_NAMES, ColumnFacts, facts_of
from textassay.study.study_tables import TextSource
from textassay.study.text_cells import SYSTEM_NAMES, TEXT_NAMES, column_value, texts_by_system
from textassay.study.text_sources import CONVERSATION
from textassay.tables.raw_table import RawTable, is_blank

NONE = "none"
"""What is said of a column that there is not."""
_SHOWN = 40
"""Characters of an example."""


@dataclass(frozen=True)
class Said:
    """What somebody said of the columns; whatever is not said is guessed, and `none` means that there is none."""

    item: str | None = None
    systems: tuple[str, ...] = ()
    system: str | None = None
    text: str | None = None
    context: str | None = None
    reference: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """A guess at what the columns are."""

    source: TextSource
    columns: tuple[tuple[str, str, str], ...]
    """Each column: its name, what it is read as, and an example."""
    context: str | None = None
    """The column of the items that a block can show as context."""
    doubts: tuple[str, ...] = ()
    """What is not certain, with the option that settles it."""


def guess_layout(table: RawTable, said: Said, name: str) -> Layout:
    """Guess the layout of a table.

    Args:
        table: The table as it is.
        said: What is known of it.
        name: The file, for messages.

    Raises:
        UsageError: it cannot be told which columns are what, or a column that was named does not exist.
    """
    return _Guess(table, said, name).layout()


def lacks_system(table: RawTable, said: Said, name: str) -> bool:
    """Whether a table holds conversations and no column says whose: they are those of one system, the file's."""
    guess = _Guess(table, said, name)
    said_so = said.system or said.systems or said.text
    return not said_so and guess.first("conversation") is not None and guess.system_column() is None


@dataclass
class _Guess:
    table: RawTable
    said: Said
    name: str
    doubts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = self.table.filled_rows
        self.facts = {fact.name: fact for fact in facts_of(self.table)}
        if not self.facts or not self.rows:
            what = "has a header but no rows" if self.facts else "is empty"
            raise UsageError(f"{self.name} {what}; name a file with texts")
        self.refuse_unknown()

    def layout(self) -> Layout:
        conversations = self.first("conversation")
        outputs = self.first("outputs")
        found: dict[str, object] = {}
        if not (self.said.text or self.said.systems) and conversations:
            found = {"system": self.system_column(needed=True), "messages": conversations}
        elif not (self.said.text or self.said.system) and outputs:
            found = {"outputs": outputs, "systems": list(self.systems_in(outputs))}
        elif self.is_long():
            found = {"system": self.system_column(needed=True), "text": self.text_column()}
        taken: set[str | None] = {value for value in found.values() if isinstance(value, str)}
        context = self.context(taken)
        references = self.references(taken | {context})
        item = self.item(taken | {context, *references}, long="system" in found)
        if not found:
            found = {"systems": self.system_columns({item, context, *references})}
        source = TextSource.model_validate(
            {"file": self.name, "item": item, **found, "context": context, "reference": references}
        )
        self.doubts.extend(self.further_doubts(source))
        shown = CONVERSATION if source.messages and context is None else context
        return Layout(source, tuple(self.columns(source)), shown, tuple(self.doubts))

    # --- what is what ---

    def first(self, holds: str) -> str | None:
        return next((fact.name for fact in self.facts.values() if fact.holds == holds), None)

    def is_long(self) -> bool:
        """Whether each text has its own row, with the name of its system in a column."""
        if self.said.systems:
            return False
        return self.system_column() is not None

    def system_column(self, *, needed: bool = False) -> str | None:
        if self.said.system:
            return self.said.system
        by_name = {fact.plain: fact for fact in reversed(self.facts.values()) if fact.holds in ("text", "number")}
        fact = next((by_name[name] for name in SYSTEM_NAMES if name in by_name), None)
        if fact is not None and (fact.is_class or fact.words <= 4):
            return fact.name
        if needed:
            raise self.unclear("which column is the name of the system?", "--system COLUMN")
        return None

    def text_column(self) -> str:
        if self.said.text:
            return self.said.text
        by_name = {fact.plain: fact.name for fact in reversed(self.facts.values()) if fact.is_text}
        named = next((by_name[name] for name in TEXT_NAMES if name in by_name), None)
        if named is not None:
            return named
        system = self.system_column()
        left = [
            fact.name
            for fact in self.facts.values()
            if fact.is_text and not fact.is_class and fact.name != system and not self.is_known(fact)
        ]
        if len(left) != 1:
            raise self.unclear(
                f"the systems are in column {system!r}, but which column has the texts?", "--text COLUMN"
            )
        return left[0]

    def is_known(self, fact: ColumnFacts) -> bool:
        """Whether its name says what it is, and that it is no system's texts."""
        return fact.is_item or fact.is_reference or bool(fact.as_context) or fact.plain in PROPERTY_NAMES

    def systems_in(self, outputs: str) -> Sequence[str]:
        """The systems that were named, of those in a column with the texts of all."""
        known = dict.fromkeys(
            system for row in self.rows for system in texts_by_system(column_value(row.values, outputs)) or ()
        )
        for system in self.said.systems:
            if system not in known:
                raise UsageError(f"{self.name} has no system {system!r} (--systems); {remedy(system, known)}")
        return self.said.systems

    def context(self, taken: set[str | None]) -> str | None:
        if self.said.context:
            return None if self.said.context == NONE else self.said.context
        free = [
            fact
            for fact in self.facts.values()
            if fact.is_text and fact.as_context and fact.name not in {*taken, *self.explicit()}
        ]
        free = [fact for fact in free if not fact.is_kind]
        free.sort(key=lambda fact: CONTEXT_NAMES.index(fact.as_context or ""))
        for other in free[1:]:
            self.doubts.append(
                f"column {other.name!r} could be the context too, and a page shows one column beside the text; "
                f"to show it instead of {free[0].name!r}: --context {_word(other.name)}"
            )
        return free[0].name if free else None

    def references(self, taken: set[str | None]) -> list[str]:
        if self.said.reference:
            return [column for column in self.said.reference if column != NONE]
        found = []
        for fact in self.facts.values():
            if fact.name in {*taken, *self.explicit()} or not fact.is_reference or fact.holds not in ("text", "texts"):
                continue
            empty = [row.line for row in self.rows if is_blank(column_value(row.values, fact.name))]
            if empty:
                self.doubts.append(
                    f"column {fact.name!r} looks like references but is empty in {_rows(empty)}, so it is not used; "
                    f"fill it in, or omit those rows, then: --reference {_word(fact.name)}"
                )
            else:
                found.append(fact.name)
        return found

    def item(self, taken: set[str | None], *, long: bool) -> str | None:
        if self.said.item:
            return None if self.said.item == NONE else self.said.item
        free = [fact for fact in self.facts.values() if fact.name not in {*taken, *self.explicit()} and fact.is_item]
        free = [fact for fact in free if fact.holds in ("text", "number")]
        if not free:
            if long and not self.said.context and not taken & self.contexts() and self.first("conversation") is None:
                self.doubts.append(
                    "no column says which texts belong to the same item, so the first rows of all systems are item 1, "
                    "the second ones item 2, and so on; to say it: --item COLUMN"
                )
            return None
        fact = free[0]
        twice = None if long else self.repeated(fact.name)
        if twice is not None:
            value, lines = twice
            self.doubts.append(
                f"column {fact.name!r} looks like ids, but {value!r} is in {_rows(lines)}, so items are numbered "
                f"instead; correct the rows, then: --item {_word(fact.name)}"
            )
        return None if twice else fact.name

    def contexts(self) -> set[str | None]:
        return {fact.name for fact in self.facts.values() if fact.as_context}

    def repeated(self, column: str) -> tuple[str, list[int]] | None:
        """The first value that is in several rows (or in none), with the rows."""
        lines: dict[str, list[int]] = {}
        for row in self.rows:
            value = column_value(row.values, column)
            lines.setdefault("" if is_blank(value) else str(value), []).append(row.line)
        return next(((value, at[:3]) for value, at in lines.items() if len(at) > 1 or not value), None)

    def system_columns(self, taken: set[str | None]) -> list[str]:
        """The columns with a system's texts each."""
        if self.said.systems or self.said.text:
            return list(self.said.systems or filter(None, [self.said.text]))
        left = [fact for fact in self.facts.values() if fact.is_text and fact.name not in taken]
        left = [fact for fact in left if not self.is_known(fact) and not fact.is_class] or [
            fact for fact in left if fact.named_like_a_system
        ]
        clear = [fact for fact in left if fact.named_like_a_system]
        names, known = [fact.name for fact in left], taken - {None}
        if len(clear) >= 2 or (clear and len(left) == 1):
            for fact in left:
                if fact not in clear:
                    self.doubts.append(
                        f"column {fact.name!r} could be a system too; to say which are: --systems {_option(names)}"
                    )
            self.refuse_names_in_rows([fact.name for fact in clear])
            return [fact.name for fact in clear]
        if len(left) == 1 or (len(left) > 1 and known and any(not self.facts[each].is_item for each in known if each)):
            if len(left) > 1:
                self.doubts.append(
                    f"{listed(map(repr, names))} are read as systems because nothing else is known of them; "
                    f"to say which are: --systems {_option(names)}"
                )
            return names
        raise self.unclear("which columns are the texts of the systems?", f"--systems {_option(names) or 'A,B'}")

    def refuse_names_in_rows(self, systems: Sequence[str]) -> None:
        """Refuse columns such as response_a beside model_a, where each row says which system wrote its texts."""
        split = {fact.name: fact.plain.rpartition("_") for fact in self.facts.values()}
        texts = {parts[2] for name, parts in split.items() if name in systems and parts[0] not in SYSTEM_NAMES}
        naming = [
            name
            for name, (root, _, ending) in split.items()
            if root in SYSTEM_NAMES
            and ending in texts
            and self.facts[name].distinct > 1
            and self.facts[name].words <= 4
        ]
        if len(naming) > 1:
            raise UsageError(
                f"{self.name}: the systems differ from row to row ({', '.join(naming)}), so no column has the texts of "
                "one system; write one row for each text, with columns item, system and text"
            )

    # --- what is said of it ---

    def explicit(self) -> set[str]:
        """The columns that were named."""
        said = self.said
        return {*said.systems, *said.reference, *filter(None, (said.item, said.system, said.text, said.context))}

    def refuse_unknown(self) -> None:
        """Refuse names of columns that the table does not have."""
        outputs = [fact.name for fact in self.facts.values() if fact.holds == "outputs"]
        inner = dict.fromkeys(system for column in outputs for system in self.inside(column))
        known = {*self.facts, *self.table.header, NONE, *inner}
        for option in ("item", "systems", "system", "text", "context", "reference"):
            value = getattr(self.said, option)
            for column in (value,) if isinstance(value, str) else value or ():
                if column not in known:
                    systems = inner if option == "systems" else {}
                    what, names = ("system", systems) if systems else ("column", self.facts)
                    raise UsageError(f"{self.name} has no {what} {column!r} (--{option}); {remedy(column, names)}")

    def inside(self, column: str) -> Iterator[str]:
        for row in self.rows:
            yield from texts_by_system(column_value(row.values, column)) or ()

    def unclear(self, question: str, option: str) -> UsageError:
        """The error for a table in which something cannot be told: its columns, and an example of a command."""
        width = max((len(name) for name in self.facts), default=0)
        lines = [f"  {fact.name:{width}}  {_example(fact.example)}" for fact in self.facts.values()]
        seen = "\n".join(lines) or "  (no columns)"
        context = next((fact.name for fact in self.facts.values() if fact.words > 3), None)
        also = f" --context {_word(context)}" if context and "--systems" in option and len(self.facts) > 2 else ""
        if also and "--systems" in option:
            names = [name for name in option.removeprefix("--systems ").split(",") if name != _word(context or "")]
            option = f"--systems {','.join(names)}" if names else option
        return UsageError(
            f"{self.name}: {question} Its columns are:\n{seen}\n"
            f"Say it, for example: textassay new my-study --from {_word(self.name)} {option}{also}"
        )

    def further_doubts(self, source: TextSource) -> Iterator[str]:
        for column in source.systems:
            fact = self.facts.get(column)
            if fact is not None and fact.plain in ("human", "humans", "author") and not source.reference:
                yield f"{column!r} is read as a system; if it is the reference: --reference {_word(column)}"
        alone = (source.outputs is None and len(source.systems) == 1) or self.count_named(source) == 1
        if alone and not self.said.systems:
            yield "there is one system only, so nothing can be compared; if other columns are systems: --systems A,B"
        if self.table.header.count(""):
            yield f"{self.table.header.count('')} column without a name is ignored; give it one to use it"

    def count_named(self, source: TextSource) -> int:
        """How many systems a column names; 0 where none does."""
        return len({str(column_value(row.values, source.system)) for row in self.rows}) if source.system else 0

    def columns(self, source: TextSource) -> Iterator[tuple[str, str, str]]:
        """What each column is read as."""
        roles: Mapping[str | None, str] = {
            **dict.fromkeys(source.systems if source.outputs is None else (), "system"),
            **dict.fromkeys(source.reference, "reference"),
            source.context: "context",
            source.item: "item",
            source.system: "name of the system",
            source.text: "text",
            source.outputs: "texts of all systems",
            source.messages: "conversation: context and text",
        }
        if source.item is None:
            alike = source.context or source.messages if source.system else None
            yield f"(same {alike})" if alike else "(row)", "item, numbered", "1"
        for fact in self.facts.values():
            of = "" if source.system else " of the item"
            kept = f"property{of}" if fact.holds in ("text", "number") else "ignored"
            yield fact.name, roles.get(fact.name, kept), _example(fact.example)


def _example(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _rows(lines: Sequence[int]) -> str:
    shown = (
        listed(map(str, lines[:3])) if len(lines) <= 3 else f"{', '.join(map(str, lines[:3]))} … ({len(lines)} in all)"
    )
    return f"row{'s' if len(lines) > 1 else ''} {shown}"


def _word(name: str) -> str:
    """A name as a shell takes it."""
    return name if name and all(letter.isalnum() or letter in "._-/+:@" for letter in name) else f"'{name}'"


def _option(names: Sequence[str]) -> str:
    joined = ",".join(names)
    return _word(joined) if " " in joined else joined
