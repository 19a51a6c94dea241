"""`docs/what-the-numbers-mean.md` explains every statistic of the catalogue, under the names that results give them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from textassay import catalogue

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "what-the-numbers-mean.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^### [^\n]*\(`(\w+)`\)\n\n(.*?)(?=\n##|\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))
KEPT = sorted((ROOT / "tests" / "contracts" / "kept_results").glob("stats-*.txt"))
SAID_OTHERWISE = re.compile(r"^(?:bootstrap of|pairwise comparisons, |estimated marginal|\w+-?\w* correction$)")
"""Names that are made from another one: of the function, the model or the correction."""


def test_every_statistic_has_an_entry_and_no_entry_is_of_something_else() -> None:
    assert sorted(ENTRIES) == sorted(catalogue.CATALOGUE["statistic"])


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_entry_is_a_few_plain_sentences(name: str) -> None:
    sentences = re.split(r"(?<=[.?!…])\s+", ENTRIES[name].strip())
    assert 2 <= len(sentences) <= 8
    assert len(ENTRIES[name].split()) <= 120


def test_names_that_results_give_to_methods_are_found_on_the_page() -> None:
    methods = {name for file in KEPT for name in re.findall(r"(?m)^method: (.+)$", file.read_text(encoding="utf-8"))}
    assert len(methods) > 60
    plain = " ".join(PAGE.replace("*", "").split()).casefold()
    unknown = [each for each in sorted(methods) if not SAID_OTHERWISE.match(each)]
    assert [each for each in unknown if each.strip("*").casefold() not in plain] == []


def test_links_within_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", PAGE, flags=re.MULTILINE)
    places = {re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= places
