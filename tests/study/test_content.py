"""Annotations, parses, ontology and relevance of a study: read, checked against its texts, scored."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from content_study import annotated, write_content_study
from decision_study import ACTIONS, ITEMS
from small_study import write_csv

from textassay import pipeline
from textassay.errors import StudyError
from textassay.study.study import Study


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write_content_study(tmp_path)


def test_texts_are_scored_by_what_they_say(directory: Path) -> None:
    study = pipeline.load(directory)
    assert isinstance(study, Study)
    scores = pipeline.score(study)
    found = {(row["metric"], row["system"], row["item"]): row["value"] for row in scores.rows()}
    assert found["event-count", "neural", "case1"] == 2
    # desaturation references oxygen .2, suction .2 and call .4; oxygen and call suit case1, feed does not.
    assert found["relevance", "human", "case1"] == pytest.approx(0.6 / 0.8)
    assert found["irrelevance", "human", "case1"] == 0
    # case2 is on a ventilator, which rules oxygen out: suction .2 and call .4; suction and turn suit it.
    assert found["relevance", "human", "case2"] == pytest.approx(0.2 / 0.6)
    # bradycardia references call only: (.75 + 1) / 2 in case1.
    assert found["relevance", "neural", "case1"] == pytest.approx((0.75 + 1) / 2)
    assert found["tree-preorder-distance", "neural", "case1"] == 1
    assert found["dependency-f", "neural", ""] == 0
    # The graph has a description in words, but participants see a plot.
    assert not [key for key in found if key[1] == "graph"]


def test_tables_and_tests_leave_out_what_a_metric_does_not_score(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from textassay.cli.score import score
    from textassay.cli.score_files import Files
    from textassay.cli.score_tests import UncertaintyOptions

    # The graph's texts are read, but nobody annotated them.
    change(directory, "study.yaml", "graph: plot", "graph: text")
    score(directory, files=Files(), tests=UncertaintyOptions(ci=True, paired_ar=True, resamples=99), format="json")
    output = capsys.readouterr().out
    assert '"by": "graph"' in output
    scored = pipeline.score(pipeline.load(directory))
    from textassay.cli.score_tables import segment_records

    rows = {(row["item"], row["system"]): row for row in segment_records(scored)}
    assert math.isnan(rows["case1", "graph"]["relevance"])
    assert rows["case1", "neural"]["event-count"] == 2


def change(directory: Path, name: str, old: str, new: str) -> None:
    path = directory / name
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("annotations.xml", "desaturation", "desturation", "annotations.xml:2: event e1 has the type 'desturation'"),
        ("annotations.xml", "writer puts", "writer put", "item case1, system human: the annotated text differs from"),
        ("annotations.xml", 'SYSTEM="human"', 'SYSTEM="x"', "item case1, system x: annotated, but not in the texts"),
        ("annotations.xml", 'SYSTEM="neural"', 'SYSTEM="human"', "item case1, system human: 2 annotations; keep one"),
        (
            "annotations.xml",
            'ITEM="case1"',
            'ITEM="case1" ANNOTATOR="Ann"',
            "2 annotators (Ann, no name); say",
        ),
        ("annotations.xml", "</TEXTS>", "", "annotations.xml:"),
        ("parses.conllu", "system = human", "system = x", "item case1, system x: parsed, but not in the texts table"),
        ("parses.conllu", "\t2\t", "\t7\t", "the head of word 1 is 7"),
        ("ward.yaml", "is_a: event", "is_a: evnt", "ward.yaml:5:"),
        ("relevance.yaml", "links: [concerns]", "links: []", "relevance.yaml:2:"),
        ("relevance.yaml", "not on(", "not on((", "relevance.yaml:6:9: rules.oxygen: 'not on((ventilator)', column 8"),
        ("relevance.yaml", "therapy, call", "therapi, call", "relevance.yaml: ward has no concept 'therapi'"),
        ("relevance.yaml", "targets.csv", "none.csv", "file 'none.csv' is not there; create it or correct the path"),
        ("relevance.yaml", "priors: {", "log: actions.csv\npriors: {", "priors come from 'priors' or from a 'log'"),
        ("relevance.yaml", "nothing: 0", "nothing: -1", "the prior of 'nothing' is -1"),
        ("items.csv", "on(ventilator)", "on(", "'on(', column 4"),
        ("study.yaml", "relevance: relevance.yaml", "annotator: Ann", "relevance needs what events have to do with"),
        ("study.yaml", "parses: parses.conllu", "annotator: Ann", "dependency-f takes parsed texts; name their file"),
        (
            "study.yaml",
            "ontology: ward.yaml",
            "annotator: Ann",
            "relevance needs an ontology; name it",
        ),
        (
            "study.yaml",
            "annotations: annotations.xml",
            "annotations: texts.csv",
            "annotations in .csv; use .xml, .jsonl",
        ),
        ("targets.csv", "case3", "case9", "relevance needs the actions that suit each item, but item case3 has none"),
    ],
)
def test_mistakes_are_named(directory: Path, name: str, old: str, new: str, message: str) -> None:
    change(directory, name, old, new)
    with pytest.raises(StudyError) as caught:
        pipeline.load(directory)
    assert message in str(caught.value)


def test_references_are_asked_for_where_a_metric_compares(directory: Path) -> None:
    change(directory, "study.yaml", "reference_system: human, ", "")
    with pytest.raises(StudyError) as caught:
        pipeline.load(directory)
    for message in (
        'tree-preorder-distance needs references, but item case1 has none; mark one with ROLE="reference"',
        "dependency-f needs references, but item case1 has none; mark one with # role = reference",
        "rouge-l needs references; add tables.references or tables.reference_system",
    ):
        assert message in str(caught.value)
    assert "event-count needs" not in str(caught.value)


def test_priors_come_from_a_log_and_one_annotator_is_chosen(directory: Path) -> None:
    priors = "{oxygen: .2, suction: .2, call: .4, feed: .1, turn: .1, nothing: 0}"
    change(directory, "relevance.yaml", f"priors: {priors}", "log: log.csv\nsmoothing: 1")
    write_csv(directory / "log.csv", ("action",), [("call",)] * 3 + [("oxygen",)])
    change(
        directory,
        "annotations.xml",
        "<TEXTS>",
        "<TEXTS>\n" + annotated("human", "case1").replace("<TEXT ", '<TEXT ANNOTATOR="Ben" '),
    )
    for _ in range(2 * len(ITEMS)):
        change(directory, "annotations.xml", "<TEXT ITEM", '<TEXT ANNOTATOR="Ann" ITEM')
    change(directory, "study.yaml", "annotations:", "annotator: Ben, annotations:")
    study = pipeline.load(directory)
    assert study.content.relevance is not None
    assert study.content.relevance.priors.values == pytest.approx(
        {action: {"call": 0.4, "oxygen": 0.2}.get(action, 0.1) for action in ACTIONS}
    )
    assert (len(study.content.all_annotations), list(study.content.annotations)) == (13, [("case1", "human")])
