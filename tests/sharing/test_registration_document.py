"""The document answers what registries ask, and marks what only the researcher can add."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from registered_study import NOON, REHEARSED
from small_study import write_small_study

from textassay.sharing.registration import make_registration
from textassay.sharing.registration_document import registration_document
from textassay.study.load import load_study
from textassay.study.planning import draw_plan, stored_plan


def document(directory: Path, change: Callable[[dict[str, Any]], None] | None = None, simulated: int = 0) -> str:
    study = load_study(write_small_study(directory, change))
    made = make_registration(study, stored_plan(study), REHEARSED, simulated=simulated, now=NOON)
    return registration_document(made, study, draw_plan(study))


def test_what_the_study_says_is_there(tmp_path: Path) -> None:
    text = document(tmp_path)
    for words in (
        "# Registration: Small study\n\nRegistered on 2026-03-01 at 12:00 UTC with textassay ",
        "No real participant had begun when this was written.\n\n",
        "Texts of 3 systems are compared: human, neural, template.",
        "two-sided, for each outcome below: the systems differ.",
        "- `clarity`: How clear is the text? Answered on: 1 (not clear at all) to 7 (perfectly clear), radio",
        "- quality: 1 Latin square of 6 × 6; 36 main trials in all; the balance is exact.\n",
        "  - a system, for one participant: 2\n",
        "2 practice trials first, 1 attention checks, 1 trials shown a second time.\n",
        "- 6 participants, one for each list of the plan.\n",
        "Recruiting stops when every list is filled.",
        "too fast, or whose median time is too short. Settings: seconds: 1, share: 0.25.\n",
        "- Answer in the questionnaire: `age` (How old are you?) below 18.\n",
        "Level of significance: 0.05, two-sided. Confidence intervals: 95 %.",
        "equivalence is not tested.",
        "comes first for each outcome: ANOVA-type test (alpha: 0.05). The other models",
        "- Systems compared\n  - ANOVA-type test (alpha: 0.05)\n  - linear mixed model (alpha: 0.05)\n- Habits (sec",
        "- rouge-l: `rouge-l|version:0`\n",
        "| `texts.csv` | `",
        "| `plan.json` | `",
    ):
        assert words in text
    assert text.count("**TO ADD**") == 5
    assert "SMALL-42" not in text
    assert "\n\n\n\n" not in text


def test_hypotheses_cohorts_and_an_open_end(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["registration"] = {
            "hypotheses": ["People are clearer than templates."],
            "exploratory": ["Whether age matters."],
            "remarks": "The number is what we can pay.",
        }
        cohorts = [{"name": "lay", "wanted": 6}, {"name": "experts", "wanted": 3}]
        data["participants"] = {"cohorts": cohorts, "when_full": "continue"}
        data["analysis"] = {"smallest_difference": {"clarity": 0.5}}
        data["metrics"] = []

    text = document(tmp_path, change, simulated=4)
    for words in (
        "4 simulated participants had taken the study as a rehearsal",
        "\n1. People are clearer than templates.\n",
        "- 3 participants in cohort experts, one for each list of the plan.\n",
        "**TO ADD**: when recruiting stops.",
        "Smallest difference that matters: clarity 0.5; pairs",
        "- Whether age matters.\n",
        "## Anything else\n\nThe number is what we can pay.\n",
    ):
        assert words in text
    assert "states no hypothesis" not in text
