"""Annotated texts from files of every form."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from annotations import WARD_XML

from textassay.content import annotation_files
from textassay.content.annotation_files import read_annotations
from textassay.content.annotation_json import write_annotation_json
from textassay.content.annotation_xml import read_annotation_xml
from textassay.errors import ProblemsError

ANN = "T1\tfall 0 1\ta\n"
CAS = json.dumps(
    {
        "%FEATURE_STRUCTURES": [
            {"sofaString": "a"},
            {"%TYPE": "x.DocumentMetaData", "documentTitle": "1.A.txt"},
            {"%ID": 3, "%TYPE": "c.Event", "begin": 0, "end": 1, "label": "fall"},
        ]
    }
)
STUDIO = json.dumps(
    [
        {
            "data": {"item": "1", "system": "A", "text": "a"},
            "annotations": [{"result": [{"id": "x", "value": {"start": 0, "end": 1, "labels": ["fall"]}}]}],
        }
    ]
)


def archive(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in files.items():
            made.writestr(name.replace("__", "/").replace("_", "."), content)
    return path


def test_every_form_is_known_by_its_ending(tmp_path: Path) -> None:
    texts = read_annotation_xml(WARD_XML.encode())
    (tmp_path / "a.xml").write_text(WARD_XML, encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(write_annotation_json(texts), encoding="utf-8")
    assert read_annotations(tmp_path / "a.xml", "a.xml") == texts == read_annotations(tmp_path / "a.jsonl", "a.jsonl")
    (tmp_path / "cas.json").write_text(CAS, encoding="utf-8")
    (tmp_path / "studio.json").write_text(STUDIO, encoding="utf-8")
    brat = archive(tmp_path / "brat.zip", ward__1_A_txt="a", ward__1_A_ann=ANN, notes_txt="")
    project = archive(tmp_path / "project.zip", annotation__1_A_txt__ann_json=CAS, settings_json="{}")
    for path in (tmp_path / "cas.json", tmp_path / "studio.json", brat, project):
        [text] = read_annotations(path, path.name)
        assert (text.item, text.system, [event.type for event in text.events]) == ("1", "A", ["fall"])
    assert read_annotations(project, "project.zip")[0].annotator == "ann"


def test_mistakes_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("", encoding="utf-8")
    (tmp_path / "bad.zip").write_text("no archive", encoding="utf-8")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    archive(tmp_path / "lonely.zip", **{"1_A_ann": ANN})
    archive(tmp_path / "empty.zip", readme_txt="x")
    for name, message in (
        ("a.csv", "a.csv: annotations in .csv; use .xml, .jsonl"),
        ("bad.zip", "bad.zip: an archive that cannot be opened"),
        ("bad.json", "bad.json: no UIMA CAS JSON"),
        ("lonely.zip", "lonely.zip/1.A.ann: its .txt file is not in the archive"),
        ("empty.zip", "empty.zip: no .ann files of brat and no documents of INCEpTION in it"),
        ("none.xml", "none.xml: no such file"),
    ):
        with pytest.raises(ProblemsError) as caught:
            read_annotations(tmp_path / name, name)
        assert message in str(caught.value)
    monkeypatch.setattr(annotation_files, "_MOST_BYTES", 0)
    with pytest.raises(ProblemsError, match="an archive of more than 1 GB"):
        read_annotations(tmp_path / "lonely.zip", "lonely.zip")
