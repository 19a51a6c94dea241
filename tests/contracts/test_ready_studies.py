"""Studies that are shipped: all their files are packaged, and they hold what they promise.

Their rehearsals and reports are in `tests/browser/test_ready_reports.py`.
"""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest

import textassay
from textassay import metrics, pipeline, ready_studies
from textassay.content.conditions import fact_text
from textassay.content.conllu import ParsedText
from textassay.content.relevance import relevance
from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tasks.decision.settings import suitable_actions

READY = Path(textassay.__file__).parent / "ready_studies"
SETTINGS = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_every_file_of_a_ready_study_is_packaged() -> None:
    patterns = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]["textassay"]
    files = [path for folder in READY.iterdir() if (folder / "study.yaml").is_file() for path in folder.iterdir()]
    assert [path.name for path in files if not any(fnmatch(f"a/{path.name}", each) for each in patterns)] == []


def test_every_ready_study_is_told_in_one_line() -> None:
    assert tuple(sorted(ready_studies.ABOUT)) == ready_studies.names()
    assert [about for about in ready_studies.ABOUT.values() if len(about) > 70] == []  # one line of a terminal


@pytest.mark.parametrize("name", ready_studies.TEMPLATES)
def test_template_is_rehearsed(name: str, tmp_path: Path) -> None:
    """Their reports are read with `-m long`, in tests/browser/test_ready_reports.py."""
    study = pipeline.load(ready_studies.copy(name, tmp_path / name))
    assert pipeline.simulate(study).full
    data = pipeline.collect(study)
    assert any(verdict.valid for verdict in pipeline.screen(study, data))
    (block,) = study.blocks
    assert set(data.of_block(block)["item"]) >= set(study.items_in_order)


@pytest.mark.parametrize("welcome", sorted(READY.glob("*/welcome.md")), ids=lambda path: path.parent.name)
def test_start_page_says_once_how_long_it_takes(welcome: Path) -> None:
    """The page says so itself, as planned or as measured."""
    assert not re.search(r"minute", welcome.read_text(encoding="utf-8"), re.IGNORECASE)


@pytest.fixture(scope="module")
def decisions() -> Study:
    return load_study(READY / "g10-decisions")


def test_the_ontology_is_large_enough_and_sound(decisions: Study) -> None:
    ontology = decisions.content.ontology
    assert ontology is not None
    assert len(ontology) >= 60
    assert not ontology.problems


def test_every_case_has_two_annotated_texts_and_a_plot(decisions: Study) -> None:
    annotations = decisions.content.annotations
    assert len(decisions.items_in_order) == 24
    assert decisions.systems == ("H", "C", "G")
    assert set(annotations) == {(item, system) for item in decisions.items_in_order for system in ("H", "C")}
    for key, text in annotations.items():
        assert text.text == decisions.texts[key].replace("\n\n", "\n")
        assert len(text.paragraphs) >= 2, key
        assert len(text.events) >= 5, key
        assert text.relations, key
    assert len({text.text for text in annotations.values()}) == 48


def test_experts_agree_on_what_suits_every_case(decisions: Study) -> None:
    tables = decisions.blocks[0].tables
    suitable = suitable_actions(tables["targets"], "majority")
    assert set(suitable) == set(decisions.items_in_order)
    assert all(each.appropriate and each.inappropriate and len(each.target) == 1 for each in suitable.values())
    assert all(set(each.target) <= set(each.appropriate) for each in suitable.values())
    assert sum(each.target == ("nothing",) for each in suitable.values()) == 3
    assert len(list(tables["actions"])) == 18
    assert len({row["expert"] for row in tables["targets"]}) == 3


def test_priors_come_from_a_log_that_lacks_one_action(decisions: Study) -> None:
    model = decisions.content.relevance
    assert model is not None
    assert sum(model.priors.counts.values()) >= 300
    assert model.priors.zero == ("cardiovert",)


def test_every_fact_of_a_case_is_asked_for_by_a_rule_and_every_rule_prunes(decisions: Study) -> None:
    model, cases = decisions.content.relevance, decisions.content.cases
    assert model is not None
    asked = {fact for rule in model.rules.values() for fact in rule.facts}
    assert [fact_text(fact) for case in cases.values() for fact in case.state if fact not in asked] == []
    for action, rule in model.rules.items():
        assert {rule.holds(case.state) for case in cases.values()} == {True, False}, action


def test_relevance_differs_between_texts_and_is_not_their_length(decisions: Study) -> None:
    model, cases = decisions.content.relevance, decisions.content.cases
    assert model is not None
    rows = []
    for (item, _), text in decisions.content.annotations.items():
        found = relevance(text, model, cases[item].state)
        events = sum(event.cardinality for event in text.events)
        rows.append((found.of(cases[item].appropriate), len(text.text.split()), events))
    values = np.array(rows)
    assert values[:, 0].std(ddof=1) > 0.15
    assert np.abs(np.corrcoef(values.T)[0, 1:]).max() < 0.5


@pytest.fixture(scope="module")
def wordings() -> Study:
    return load_study(READY / "c09-ranking")


@pytest.fixture(scope="module")
def naturalness() -> Study:
    return load_study(READY / "c09-naturalness")


def test_three_different_wordings_of_every_sentence(wordings: Study) -> None:
    assert len(wordings.items_in_order) == 44
    assert wordings.systems == ("original", "log-linear", "language-model")
    for item in wordings.items_in_order:
        strings = [wordings.texts[item, system] for system in wordings.systems]
        assert len(set(strings)) == 3, item
        assert all(8 <= len(string.split()) <= 20 for string in strings), item


def test_one_string_of_every_sentence_of_which_the_first_are_also_ranked(wordings: Study, naturalness: Study) -> None:
    assert naturalness.systems == ("log-linear",)
    assert len(naturalness.items_in_order) == 52
    assert naturalness.items_in_order[:44] == wordings.items_in_order
    ranked = {key: text for key, text in wordings.texts.items() if key[1] == "log-linear"}
    assert ranked.items() <= naturalness.texts.items()


APART = {"am": "an dem", "im": "in dem", "zum": "zu dem", "zur": "zu der", "vom": "von dem"}


def _words(parse: ParsedText) -> list[str]:
    """The words of a parse in lower case, without punctuation."""
    [sentence] = parse.sentences
    assert sentence.deprels.count("root") == 1
    pairs = zip(sentence.forms, sentence.upos, strict=True)
    return [word.casefold() for word, kind in pairs if kind != "PUNCT"]


def _written(text: str) -> list[str]:
    """The same of a text, with contractions taken apart."""
    words = text.casefold().replace(",", "").removesuffix(".").split()
    return " ".join(APART.get(word, word) for word in words).split()


def test_every_string_and_every_original_has_a_tree_of_its_words(wordings: Study, naturalness: Study) -> None:
    for study in (wordings, naturalness):
        assert set(study.content.parses) == set(study.texts)
        for key, parse in study.content.parses.items():
            assert _words(parse) == _written(study.texts[key]), key
            assert parse.sentences[0].comments["text"] == study.texts[key]
    originals = {item: texts[0] for item, texts in naturalness.content.parsed_references.items()}
    assert set(originals) == set(naturalness.items_in_order)
    for item in wordings.items_in_order:
        assert originals[item].sentences[0].deprels == wordings.content.parses[item, "original"].sentences[0].deprels


@pytest.mark.parametrize("average", ["unweighted", "weighted"])
def test_dependencies_tell_wordings_apart_but_mostly_stay_the_same(wordings: Study, average: str) -> None:
    parses, items = wordings.content.parses, wordings.items_in_order
    references = [[parses[item, "original"]] for item in items]
    f = {
        system: metrics.score("dependency-f", [parses[item, system] for item in items], references, average=average)
        for system in wordings.systems
    }
    assert (f["original"].segments == 1).all()
    for system in ("log-linear", "language-model"):
        assert 10 <= (f[system].segments == 1).sum() <= 34
        assert f[system].segments.std() > 0.03
    assert f["log-linear"].corpus > f["language-model"].corpus > 0.85
