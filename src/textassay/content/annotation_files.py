"""Annotated texts from a file of any form: XML, JSON lines, or what brat, INCEpTION and Label Studio export."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from textassay.content.annotated_text import AnnotatedText
from textassay.content.annotation_imports import read_brat, read_inception, read_label_studio
from textassay.content.annotation_json import read_annotation_json
from textassay.content.annotation_xml import read_annotation_xml
from textassay.content.ontology import Ontology
from textassay.errors import Problem, ProblemsError
from textassay.tables.text_files import decode_text, read_bytes, read_text

_MOST_BYTES = 1 << 30
"""Of all files in an archive together, unpacked."""


def read_annotations(path: Path, name: str, ontology: Ontology | None = None) -> list[AnnotatedText]:
    """The annotated texts of a file; its ending says what it is.

    Args:
        path: The file.
        name: What to call it in messages.
        ontology: Where types of events are looked up; any type is accepted without one.

    Raises:
        ProblemsError: with everything that is wrong, and where.
    """
    ending = path.suffix.lower()
    if ending == ".xml":
        return read_annotation_xml(read_bytes(path, name), name, ontology)
    if ending == ".jsonl":
        return read_annotation_json(read_text(path, name), name, ontology)
    if ending == ".json":
        return _from_json(read_text(path, name), name, ontology)
    if ending == ".zip":
        return list(_from_archive(path, name, ontology))
    known = ".xml, .jsonl, .json (INCEpTION, Label Studio) or .zip (brat, INCEpTION)"
    raise ProblemsError([Problem(name, 0, 0, "", f"annotations in {ending or 'a file without ending'}; use {known}")])


def _from_json(content: str, name: str, ontology: Ontology | None) -> list[AnnotatedText]:
    if content.lstrip()[:1] == "[":
        return read_label_studio(content, name, ontology)
    try:
        return [read_inception(content, ontology=ontology)]
    except ProblemsError as error:
        raise ProblemsError([Problem(name, 0, 0, "", each.message) for each in error.problems]) from None


def _from_archive(path: Path, name: str, ontology: Ontology | None) -> Iterator[AnnotatedText]:
    """Documents of brat, each a `.txt` and an `.ann`; or of INCEpTION, each a `.json`, in a folder of its name."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > _MOST_BYTES:
                raise ProblemsError(
                    [Problem(name, 0, 0, "", "an archive of more than 1 GB; take out what is not needed")]
                )
            held = {
                each: decode_text(archive.read(each), f"{name}/{each}") for each in archive.namelist() if _wanted(each)
            }
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError) as error:
        raise ProblemsError([Problem(name, 0, 0, "", f"an archive that cannot be opened ({error})")]) from None
    found = 0
    for each in sorted(held):
        document = PurePosixPath(each)
        if document.suffix == ".ann":
            text = held.get(str(document.with_suffix(".txt")))
            if text is None:
                raise ProblemsError([Problem(f"{name}/{each}", 0, 0, "", "its .txt file is not in the archive")])
            found += 1
            yield read_brat(text, held[each], f"{document.stem}.txt", ontology)
        elif document.suffix == ".json" and '"%FEATURE_STRUCTURES"' in held[each]:
            found += 1
            yield read_inception(held[each], annotator=document.stem, ontology=ontology)
    if not found:
        raise ProblemsError([Problem(name, 0, 0, "", "no .ann files of brat and no documents of INCEpTION in it")])


def _wanted(name: str) -> bool:
    return name.endswith((".txt", ".ann", ".json"))
