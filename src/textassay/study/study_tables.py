"""The section `tables` of a study file: what its texts, items and references are, in tables or in a file as it came."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from textassay.study.form import Faults, FilePath, Model, Text


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_Columns = Annotated[
    list[Text],
    BeforeValidator(_listed),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class TextSource(Model):
    """A file with texts in a layout of its own, read in place: which of its columns are what.

    A column inside another one, as JSON has them, is written with a dot: `input.text`. All columns that are not named
    here, and say the same of all texts of an item, are properties of the item, as in an items table.
    """

    file: FilePath
    """The file: .csv, .tsv, .xlsx, .json, .jsonl or .parquet."""
    item: Text | None = None
    """Column with the id of the item. Without it rows are numbered from 1; where each text has its own row, items are
    numbered by their context, or else by the place of the row among those of its system."""
    systems: list[Text] = Field(default_factory=list)
    """Columns with the texts, one for each system, which they are named after; with `outputs`, the systems to take."""
    outputs: Text | None = None
    """Column with all texts of an item: an object `{system: text}`, or a list of objects with system and text."""
    system: Text | None = None
    """Column with the name of the system, where each text has its own row; with `text` or `messages`."""
    text: Text | None = None
    """Column with the text, where each text has its own row."""
    messages: Text | None = None
    """Column with a conversation: a list of objects with role and content. The last turn of the assistant is the text;
    what comes before it is the item's column `context`, unless `context` names another one."""
    context: Text | None = None
    """Column that a block may show as context; it is a property of the item like others, and identifies items where
    they have no ids."""
    reference: _Columns = Field(default_factory=list)
    """Column, or list of columns, with references; a cell may hold a list of them."""

    @model_validator(mode="after")
    def _one_layout(self) -> Self:
        faults = [*self._layout_faults()]
        if faults:
            raise Faults(*faults)
        return self

    def _layout_faults(self) -> list[tuple[tuple[str | int, ...], str]]:
        layouts = ("systems", "outputs", "text", "messages")
        used = [key for key in layouts if getattr(self, key) and not (key == "systems" and self.outputs)]
        said = "one of 'systems' (a column for each), 'outputs', 'system' with 'text', or 'system' with 'messages'"
        if len(used) != 1:
            found = f"got {' and '.join(map(repr, used))}; keep" if used else "it does not say where the texts are; add"
            return [((), f"{found} {said}")]
        long = used[0] in ("text", "messages")
        if long and self.system is None:
            return [((used[0],), f"{used[0]!r} needs 'system', the column with the name of the system; add it")]
        if not long and self.system is not None:
            return [
                (("system",), "'system' goes with 'text' or 'messages', where each text has its own row; remove it")
            ]
        doubled = [name for place, name in enumerate(self.systems) if name in self.systems[:place]]
        return [(("systems",), f"duplicate system {doubled[0]!r}; keep one")] if doubled else []


def _form_of_texts(value: Any) -> str:
    return "<source>" if isinstance(value, dict | TextSource) else "<file>"


_Texts = Annotated[
    Annotated[FilePath, Tag("<file>")] | Annotated[TextSource, Tag("<source>")], Discriminator(_form_of_texts)
]


class StudyTables(Model):
    """The tables of the study, as paths relative to the study file."""

    texts: _Texts
    """Table `item, system, text`: what is judged. Or a file in another layout, with what its columns are."""
    items: FilePath | None = None
    """Table `item` and any properties, such as context shown beside the text; the properties that a file of texts in
    another layout has are added."""
    references: FilePath | None = None
    """Table `item, text`: what metrics compare with; with a column `unit`, one row per unit in the reference order."""
    reference_system: str | None = None
    """The system whose texts are also the references, such as the human authors."""
    ontology: FilePath | None = None
    """Ontology (.ttl, .owl, .rdf, .nt or .yaml): the concepts that annotations use."""
    annotations: FilePath | None = None
    """Annotated texts: events and relations, for metrics of content. As .xml or .jsonl, or as brat (.zip of .txt and
    .ann), INCEpTION (.json in UIMA CAS JSON, or a .zip of them) or Label Studio (.json) export them."""
    annotator: Text | None = None
    """Whose annotation metrics use, where several people annotated the same texts."""
    parses: FilePath | None = None
    """Dependency parses (.conllu), with `# item` and `# system` above each text, for metrics of dependencies."""
    relevance: FilePath | None = None
    """Which events have to do with which actions (.yaml), for relevance."""

    @property
    def source(self) -> TextSource | None:
        """The file of texts in a layout of its own, if the texts are in one."""
        return self.texts if isinstance(self.texts, TextSource) else None

    @property
    def has_references(self) -> bool:
        """Whether anything says which texts count as good, beside a system's own."""
        return self.references is not None or bool(self.source and self.source.reference)
