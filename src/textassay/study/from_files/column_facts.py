"""What can be seen of the columns of somebody's file: what kind of values they hold, and what their names mean."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from textassay.study.text_cells import TEXT_NAMES, column_value, conversation, plain_name, texts_by_system
from textassay.tables.raw_table import RawRow, RawTable, is_blank

Holds = Literal["text", "number", "texts", "outputs", "conversation", "other", "nothing"]
"""`texts` is a list of texts, `outputs` the texts of several systems, `other` what a table cannot show."""

ITEM_NAMES = (
    "item", "id", "item_id", "itemid", "uid", "uuid", "guid", "example_id", "sample_id", "instance_id", "question_id",
    "prompt_id", "segment_id", "seg_id", "segment", "doc_id", "document_id", "task_id", "qid", "idx", "index", "key",
    "nr", "no", "number", "row", "unnamed_0",
)  # fmt: skip
CONTEXT_NAMES = (
    "prompt", "source", "src", "input", "question", "instruction", "context", "article", "document", "query", "data",
    "meaning_representation", "mr", "passage", "dialogue", "dialog", "conversation", "source_text", "input_text",
    "user", "user_prompt", "premise", "original", "post", "story", "table", "triples", "facts", "background",
)  # fmt: skip
"""In the order in which they are preferred: a block shows one of them."""
REFERENCE_NAMES = (
    "reference", "references", "ref", "refs", "gold", "golden", "gold_text", "target", "targets", "tgt", "ground_truth",
    "groundtruth", "truth", "expected", "expected_output", "ideal", "reference_text", "gold_standard", "gold_answer",
    "reference_answer", "reference_summary", "reference_translation",
)  # fmt: skip
OUTPUT_NAMES = (
    "outputs", "responses", "completions", "generations", "predictions", "systems", "models", "candidates", "answers",
    "results", "hypotheses", "texts", "summaries", "translations",
)  # fmt: skip
PROPERTY_NAMES = (
    "title", "category", "type", "genre", "topic", "domain", "language", "lang", "split", "url", "link", "date", "time",
    "timestamp", "difficulty", "notes", "note", "comment", "comments", "author", "tag", "tags", "label", "dataset",
    "license", "subset", "level", "group", "subject", "annotator", "status", "finish_reason", "explanation",
    "rationale", "keywords", "subreddit", "country", "winner", "preferred", "vote", "judge", "score",
)  # fmt: skip
"""Columns that say something of an item and are no system's texts."""
_SYSTEM_WORDS = (
    "gpt", "chatgpt", "llama", "claude", "gemini", "gemma", "mistral", "mixtral", "qwen", "deepseek", "falcon", "t5",
    "bart", "bert", "pegasus", "opus", "nllb", "m2m", "deepl", "palm", "bloom", "vicuna", "alpaca", "cohere", "grok",
    "phi", "olmo", "baseline", "system", "sys", "model", "output", "response", "hyp", "hypothesis", "prediction",
    "pred", "generated", "generation", "candidate", "completion", "answer", "summary", "translation", "mt", "human",
    "template", "ours", "proposed", "finetuned", "transformer", "rnn", "lstm", "nmt", "smt", "rag", "text",
)  # fmt: skip
_ID_ENDING = re.compile(r"(^|_)(id|nr|idx|index|key)$")
_NUMBER = re.compile(r"\s*[-+]?[0-9]+([.,][0-9]+)?\s*%?\s*")
_LOOKED_AT = 1000
"""Rows by which columns are judged."""


@dataclass(frozen=True)
class ColumnFacts:
    """What can be seen of one column."""

    name: str
    holds: Holds
    filled: int
    """Rows of those looked at in which it has a value."""
    distinct: int
    """Different values in them, where they are plain."""
    words: float
    """Words of a value, on average."""
    example: str
    """Its first value, in one line."""

    @property
    def plain(self) -> str:
        """Its name as lists of names have it; that of `meta.id` is `id`."""
        return plain_name(self.name.rpartition(".")[2] or self.name)

    @property
    def as_context(self) -> str | None:
        """The name by which it could be context: its own, or that of `input` for `input.text`; else nothing."""
        outer = plain_name(self.name.rpartition(".")[0].rpartition(".")[2])
        own = outer if self.plain in TEXT_NAMES and outer else self.plain
        return own if own in CONTEXT_NAMES else None

    @property
    def is_text(self) -> bool:
        """Whether it holds texts or short words."""
        return self.holds == "text"

    @property
    def is_class(self) -> bool:
        """Whether it holds few different short values, as a topic or a language does."""
        return self.holds == "text" and self.words <= 3 and self.distinct * 2 <= self.filled

    @property
    def is_kind(self) -> bool:
        """Whether it holds so few values that it cannot be what texts were written for, such as a data set's name."""
        return self.is_class and self.distinct <= 5 and self.distinct * 4 <= self.filled

    @property
    def is_reference(self) -> bool:
        """Whether its name says that it holds references."""
        return re.sub(r"_?[0-9a-z]?$", "", self.plain) in REFERENCE_NAMES or self.plain in REFERENCE_NAMES

    @property
    def is_item(self) -> bool:
        """Whether its name says that it identifies items."""
        return self.plain in ITEM_NAMES or bool(_ID_ENDING.search(self.plain))

    @property
    def named_like_a_system(self) -> bool:
        """Whether its name is that of a known model, or says output, system, or nothing but a letter."""
        parts = self.plain.split("_")
        stems = [re.sub(r"[0-9.]+[a-z]*$", "", part) or part for part in parts]
        letter = re.fullmatch(r"[a-z]_?[0-9]*", self.plain)  # a, b, c; s1, s2
        return bool(letter) or any(word in (*parts, *stems) for word in _SYSTEM_WORDS)


def facts_of(table: RawTable) -> list[ColumnFacts]:
    """The columns of a table in their order; those inside others are listed by themselves, with dots."""
    rows = table.filled_rows[:_LOOKED_AT]
    return [fact for column in dict.fromkeys(table.header) if column.strip() for fact in _facts(column, rows, depth=0)]


def _facts(column: str, rows: Sequence[RawRow], *, depth: int) -> list[ColumnFacts]:
    values = [value for row in rows if not is_blank(value := column_value(row.values, column))]
    holds = _holds(column, values)
    if holds == "other" and depth < 3 and values and all(isinstance(value, Mapping) for value in values):
        inner = dict.fromkeys(str(key) for value in values for key in value)
        return [fact for key in inner for fact in _facts(f"{column}.{key}", rows, depth=depth + 1)]
    plain = holds in ("text", "number")
    words = fmean(len(str(value).split()) for value in values) if values and plain else 0.0
    first = values[0] if values else ""
    shown = json.dumps(first, ensure_ascii=False, default=str) if _is_nested(first) else str(first)
    example = " ".join(shown.split())
    return [ColumnFacts(column, holds, len(values), len(set(map(str, values))) if plain else 0, words, example)]


def _holds(column: str, values: Sequence[Any]) -> Holds:
    if not values:
        return "nothing"
    first = values[0]
    if conversation(first) is not None:
        return "conversation"
    if _are_outputs(column, first):
        return "outputs"
    if _is_nested(first):
        return "texts" if isinstance(first, list | tuple) and all(isinstance(part, str) for part in first) else "other"
    numbers = sum(
        isinstance(value, int | float) or bool(_NUMBER.fullmatch(value)) for value in values if not _is_nested(value)
    )
    return "number" if numbers * 2 > len(values) else "text"


def _are_outputs(column: str, value: Any) -> bool:
    """Whether a value holds the texts of several systems, by its form and the column's name or the texts' length."""
    found = texts_by_system(value)
    if found is None or not all(isinstance(text, str) or text is None for text in found.values()):
        return False
    if not isinstance(value, Mapping):
        return True
    if plain_name(column.rpartition(".")[2]) in OUTPUT_NAMES:
        return True
    fields = {*TEXT_NAMES, *ITEM_NAMES, *CONTEXT_NAMES, *REFERENCE_NAMES, *PROPERTY_NAMES}
    if len(found) < 2 or fields.intersection(map(plain_name, found)):
        return False
    return fmean(len(str(text).split()) for text in found.values()) > 3


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)
