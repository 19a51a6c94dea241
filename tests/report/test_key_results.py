from __future__ import annotations

import math
from typing import Any

import pytest
from made_up_results import Found, made_up

from textassay.report.key_results import KeyResult, SystemName, key_results
from textassay.report.summary import Section
from textassay.results import Analysis, Figure, Record


def text_of(result: KeyResult) -> list[str]:
    return [
        "".join(piece.system if isinstance(piece, SystemName) else piece for piece in one) for one in result.sentences
    ]


def section(groups: list[tuple[str, float]], records: list[Record] | None = None, **scale: Any) -> Section:
    rows = [{"system": name, "mean": mean, "low": mean - 0.1, "high": mean + 0.1, "n": 9} for name, mean in groups]
    figure = Figure("m", "Means", "means", {"criterion": "clarity", "groups": rows, **scale})
    result = Found(method="m", settings={"confidence": 0.9}, found=tuple(records or ()))
    return Section("Quality", Analysis("q", "Q", (result,), (), (figure,)))


def sentences(*arguments: Any, **scale: Any) -> list[str]:
    (result,) = key_results([section(*arguments, **scale)])
    return text_of(result)


def test_best_and_worst_with_intervals() -> None:
    found = sentences(
        [("a", 2.0), ("b", 4.5), ("c", 3.0)], [{"statistic": "mean", "value": 2.0}], scale_from=1, scale_to=5
    )
    assert found == [
        (
            "b has the highest mean, 4.50 (90 % interval 4.40 to 4.60); "
            "a has the lowest, 2.00 (90 % interval 1.90 to 2.10) on the scale from 1 to 5."
        )
    ]


def test_systems_that_share_a_place_are_all_named() -> None:
    assert sentences([("a", 4.0), ("b", 4.0), ("c", 3.0)])[0].startswith("a and b share the highest mean, 4.00")
    assert sentences([("a", 4.0), ("b", 4.0), ("c", 4.0)])[0].startswith("a, b and c share the mean 4.00")
    assert sentences([("a", 4.0)])[0].startswith("a has the mean 4.00")


def test_without_a_mean_it_says_so() -> None:
    assert sentences([("a", math.nan)]) == ["No system has a mean."]
    assert sentences([]) == ["No system has a mean."]


def test_differences_and_agreement() -> None:
    records: list[Record] = [
        {"statistic": "F", "value": 13.5, "of": "clarity", "by": "Text", "df": (1, 4), "p": 0.5},
        {"statistic": "F", "value": 13.5, "of": "clarity", "by": "System", "df": (1, 4), "p": 0.0213},
        {"statistic": "F", "value": 99.0, "of": "fluency", "by": "System", "df": (1, 4), "p": 0.5},
        {"statistic": "significant pairs", "value": 2, "of": "clarity", "pairs": 3, "alpha": 0.05},
        {"statistic": "W", "value": 0.75, "of": "clarity", "n": 12},
    ]
    assert sentences([("a", 2.0), ("b", 4.5)], records)[1:] == [
        "F(1, 4) = 13.50, p = .021; 2 of 3 pairs of systems differ significantly at α = .05 (m).",
        "Participants agree strongly on the order of the systems: Kendall's W = .750, 12 participants.",
    ]


# The words are those of Schmidt (1997): .1 very weak, .3 weak, .5 moderate, .7 strong, .9 unusually strong.
@pytest.mark.parametrize(
    ("w", "words"),
    [(0.0, "hardly agree"), (0.1, "very weakly"), (0.3, "weakly"), (0.5, "moderately"), (0.7, "strongly"),
     (0.95, "unusually strongly")],
)  # fmt: skip
def test_words_for_agreement(w: float, words: str) -> None:
    assert words in sentences([("a", 1.0)], [{"statistic": "W", "value": w, "of": "clarity"}])[1]


def test_undefined_statistics_give_no_sentence() -> None:
    records: list[Record] = [
        {"statistic": "W", "value": math.nan, "of": "clarity"},
        {"statistic": "F", "value": math.nan, "of": "clarity", "by": "System", "df": (1, 0), "p": math.nan},
    ]
    assert len(sentences([("a", 2.0), ("b", 4.5)], records)) == 1


def test_coefficients_of_metrics_and_people() -> None:
    records = tuple(
        {"statistic": "pearson", "value": value, "of": "rouge-l and clarity", "p": 0.04, "n": 6, **more}
        for value, more in (
            (0.1, {"level": "segment"}),
            (0.9, {"level": "system", "systems": "all"}),
            (math.nan, {"level": "system", "systems": "without human"}),
            *[(0.1, {})] * 5,
        )
    )
    analysis = Analysis("m", "M", (Found(method="m", found=records),))
    (result,) = key_results([Section("Metrics and people", analysis)])
    found = text_of(result)
    assert result.subject == "Metrics and people"
    assert found[0] == "rouge-l and clarity, by system: Pearson's r = .900, p = .040, n = 6."
    assert found[1] == "rouge-l and clarity, by system, without human: Pearson's r is undefined."
    assert found[2] == "rouge-l and clarity, by segment: Pearson's r = .100, p = .040, n = 6."
    assert found[-1] == "2 more coefficients in the table."


def test_one_finding_a_criterion_and_the_figure_that_shows_it() -> None:
    _, sections = made_up()
    found = key_results(sections)
    assert [(each.subject, each.section, each.figure) for each in found] == [
        ("clarity", 0, 0), ("fluency", 0, 2), ("Metrics and people", 1, 0),
    ]  # fmt: skip
    assert all(len(each.sentences) == 3 for each in found)


def test_a_tall_figure_stays_in_its_section() -> None:
    (result,) = key_results([section([(f"s{n}", float(n)) for n in range(13)])])
    assert result.figure is None


def test_nothing_found_nothing_said() -> None:
    assert key_results([Section("Empty", Analysis("e", "E"))]) == []
