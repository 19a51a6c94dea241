from __future__ import annotations

import inspect
import re

import pytest

from textassay.analysis.methods_section import bibliography, design, people, statistics
from textassay.analysis.methods_section.bibliography import BIBLIOGRAPHY, cited_in
from textassay.catalogue import CATALOGUE, find

CITATION = re.compile(r"\(((?:[A-Z][\w’'-]+(?:, | & | et al\.)?|Babington )[\w &,.’'-]*? (?:19|20)\d\d)\)")


def sources() -> str:
    """The code that writes methods, with strings that go over several lines joined."""
    tasks = [find("task", name) for name in CATALOGUE["task"]]
    folders = [task.folder() / "methods.py" for task in tasks]
    texts = [inspect.getsource(module) for module in (design, people, statistics)]
    texts += [path.read_text(encoding="utf-8") for path in folders]
    return re.sub(r'"\s*\n\s*f?"', "", "\n".join(texts))


def test_every_citation_is_in_the_list_of_references() -> None:
    cited = set(CITATION.findall(sources()))
    assert len(cited) > 15
    assert [words for words in cited if words not in BIBLIOGRAPHY] == []


@pytest.mark.parametrize("text", ["(Holm 1979)", "Holm (1979)", "Holm's (1979) method", "Holm’s (1979)"])
def test_a_work_is_found_however_it_is_cited(text: str) -> None:
    assert [work.cited for work in cited_in(f"corrected {text}.")] == ["Holm 1979"]


def test_works_are_facts_in_the_order_of_their_authors() -> None:
    works = list(bibliography.BIBLIOGRAPHY.values())
    assert [work.cited for work in works] == sorted(work.cited for work in works)
    for work in works:
        assert work.cited.endswith(str(work.year))
        surnames = [name.rpartition(" ")[2] for name in work.authors]
        assert re.match(r"[\w-]+", work.cited.removeprefix("Babington "))
        assert work.cited.split()[0].rstrip(",") in surnames
        assert not work.title.endswith(".")
