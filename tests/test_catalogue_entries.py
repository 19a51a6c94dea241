from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from textassay import catalogue
from textassay.catalogue_entries import KINDS, entries, entry


@pytest.mark.parametrize("kind", KINDS.values())
def test_every_entry_describes_itself_and_all_its_settings(kind: str) -> None:
    found = entries(kind)
    assert [each.name for each in found] == list(catalogue.names(kind))
    for each in found:
        assert each.summary
        assert "\n" not in each.summary
        if kind != "statistic":  # whose arguments are in its text where they need more than a name
            assert [setting.name for setting in each.settings if not setting.meaning] == [], each.name


@pytest.mark.parametrize(
    ("kind", "name", "settings"),
    [
        ("metric", "cer", "multi=best|mean, lowercase=no|yes"),
        ("statistic", "adjust_p", "p=…, method=holm|"),
        ("screening", "too-fast", "seconds=1.0, share=0.25, median"),
        ("screening", "took-part-elsewhere", "studies=…, if_missing=refuse|note"),
    ],
)
def test_settings_are_shown_with_their_values_the_default_first(kind: str, name: str, settings: str) -> None:
    assert ", ".join(map(str, entry(kind, name).settings)).startswith(settings)


def test_a_metric_says_its_scale_and_which_end_is_better() -> None:
    assert entry("metric", "bleu").facts == {"scale": "0 to 100", "better": "high"}
    assert entry("metric", "ter").facts["better"] == "low"


def test_a_package_that_cannot_be_loaded_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("tidiness", "no_such_package:Tidiness", "textassay.metrics")
    monkeypatch.setattr(catalogue, "_entry_points", lambda kind: [broken] if kind == "metric" else [])
    said = {each.name: each.summary for each in entries("metric")}
    assert said["tidiness"].startswith("cannot be loaded (ModuleNotFoundError: No module named 'no_such_package')")
    assert said["bleu"] == "BLEU of sentences and corpora."
