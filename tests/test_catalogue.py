from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest

from textassay import catalogue
from textassay.errors import UsageError

EVERYTHING = [(kind, name) for kind, names in catalogue.CATALOGUE.items() for name in names]


@pytest.mark.parametrize(("kind", "name"), EVERYTHING)
def test_everything_in_the_catalogue_is_there(kind: str, name: str) -> None:
    found = catalogue.find(kind, name)
    if kind != "statistic":
        assert found.name == name
    assert found.__doc__


@pytest.mark.parametrize("kind", catalogue.CATALOGUE)
def test_names_are_sorted_and_complete(kind: str) -> None:
    names = catalogue.names(kind)
    assert list(names) == sorted(names)
    assert set(names) >= set(catalogue.CATALOGUE[kind])


@pytest.mark.parametrize("look_up", [catalogue.find, catalogue.meant])
def test_an_unknown_name_is_refused_with_what_was_meant_or_all_there_are(look_up: Callable[[str, str], object]) -> None:
    with pytest.raises(UsageError) as caught:
        look_up("task", "xyzzy")
    assert str(caught.value) == f"there is no task 'xyzzy'; use one of: {', '.join(catalogue.names('task'))}"
    with pytest.raises(UsageError, match=r"^there is no screening rule 'Too_Fsat'; did you mean 'too-fast'\?$"):
        look_up("screening", "Too_Fsat")


def test_names_are_understood_in_any_case() -> None:
    assert [catalogue.meant("metric", typed) for typed in ("BLEU", "ROUGE_L", "chrF++")] == [
        "bleu",
        "rouge-l",
        "chrf++",
    ]


def test_other_packages_add_theirs_but_replace_none(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("tidiness", "textassay.errors:Problem", "textassay.metrics"),
        EntryPoint("rouge-l", "textassay.errors:Problem", "textassay.metrics"),
    ]
    monkeypatch.setattr(catalogue, "_entry_points", lambda kind: points if kind == "metric" else [])
    catalogue.find.cache_clear()
    try:
        assert "tidiness" in catalogue.names("metric")
        assert catalogue.find("metric", "tidiness").__name__ == "Problem"
        assert catalogue.meant("metric", "Tidiness") == "tidiness"
        assert catalogue.find("metric", "rouge-l").__name__ == "RougeL"
    finally:
        catalogue.find.cache_clear()
