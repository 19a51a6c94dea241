"""Effects put in by `simulate:` and `--effect`: what they are worked out to, what is refused, what comes out again."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev

import numpy as np
import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.answers.store import Store
from textassay.design.plan import Trial
from textassay.errors import DataError, StudyError, UsageError
from textassay.meta.given_covariate import given_covariate
from textassay.rehearsal import direct
from textassay.rehearsal.power import PowerOptions, power
from textassay.rehearsal.true_effects import property_values, with_true_effects
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.model import SimulateOptions
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.decision.settings import suitable_actions
from textassay.tasks.decision.simulate import DecisionParticipant, effects

READY = Path(pipeline.__file__).parent / "ready_studies" / "g10-decisions"
PEOPLE = 40


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Its texts have 7 words each; here the later ones have more."""
    study = load_study(write_small_study(tmp_path_factory.mktemp("small")))
    return replace(study, texts={key: f"{text} {'so ' * n}" for n, (key, text) in enumerate(study.texts.items())})


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """24 cases, each with two texts and a plot; without a time limit, and doing nothing is an action like others."""
    directory = shutil.copytree(READY, tmp_path_factory.mktemp("ward") / "study")
    path = directory / "study.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if "limit_seconds:" not in line and "no_action:" not in line]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return asked(load_study(directory), SimulateOptions())


def asked(study: Study, options: SimulateOptions) -> Study:
    return replace(study, file=study.file.model_copy(update={"simulate": options}))


# --- what they are worked out to ------------------------------------------------------------------------------------


def test_a_property_is_standardised_over_the_texts(small: Study) -> None:
    study = with_true_effects(asked(small, SimulateOptions(effects={"length": 0.5}, systems={"human": 2.0})))
    lengths = {key: len(text.split()) for key, text in small.texts.items()}
    mean, sd = fmean(lengths.values()), pstdev(lengths.values())
    assert study.true_effects.texts == pytest.approx({key: 0.5 * (n - mean) / sd for key, n in lengths.items()})
    assert study.true_effects.systems == {"human": 2.0}
    assert study.true_effects.named == {"length": 0.5, "systems.human": 2.0}
    assert with_true_effects(study) is study


def test_without_effects_the_study_stays_as_it_is(small: Study) -> None:
    assert with_true_effects(small) is small
    assert with_true_effects(small, {}) is small


def test_given_effects_replace_those_of_the_file_and_add_to_them(small: Study) -> None:
    study = asked(small, SimulateOptions(effects={"length": 0.5}, systems={"human": 2.0, "neural": 1.0}))
    found = with_true_effects(study, {"length": -1.0, "systems.neural": 0.0}).true_effects
    assert found.named == {"length": -1.0, "systems.human": 2.0, "systems.neural": 0.0}
    assert found.texts[min(small.texts, key=lambda key: len(small.texts[key].split()))] > 0


def test_texts_that_a_metric_does_not_score_and_plots_have_no_effect(ward: Study) -> None:
    found = with_true_effects(ward, {"relevance": 1.0, "length": 1.0}).true_effects
    assert {system for _, system in found.texts} == {"H", "C"}
    relevance = property_values(ward, ["relevance"])["relevance"]
    assert len(relevance) == 48
    scores = {
        (row["item"], row["system"]): row["value"]
        for row in pipeline.score(ward).rows()
        if row["metric"] == "relevance"
    }
    assert relevance == {key: scores[key] for key in relevance}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"lenght": 1.0}, UsageError, "--effect lenght: there is no property of texts 'lenght'; did you"),
        ({"chrf": 1.0}, UsageError, "--effect chrf: chrf is not among the study's metrics; add it to 'metrics'"),
        ({"systems.x": 1.0}, UsageError, "--effect systems.x: there is no system 'x'; use one of: human, neu"),
        ({"length": math.nan}, UsageError, "--effect length=nan: give a number from -10 to 10"),
        ({"length": 11.0}, UsageError, "--effect length=11: give a number from -10 to 10"),
    ],
)  # fmt: skip
def test_what_cannot_be_an_effect_is_refused(
    small: Study, given: Mapping[str, float], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        with_true_effects(small, given)
    assert str(caught.value).startswith(message)


def test_a_property_that_does_not_vary_is_refused(small: Study) -> None:
    same = replace(small, texts=dict.fromkeys(small.texts, "three words here"))
    with pytest.raises(
        DataError, match=r"simulate\.effects\.length: length is 3 for all 18 texts, so nobody can react"
    ):
        with_true_effects(same, {"length": 1.0})


def test_a_column_of_the_texts_table_is_a_property(tmp_path: Path) -> None:
    directory = write_small_study(tmp_path, lambda data: data.update(simulate={"effects": {"tau": 1.5}}))
    table = directory / "texts.csv"
    first, *rows = table.read_text(encoding="utf-8").splitlines()
    lines = [f"{first},tau", *(f"{row},{place % 2}" for place, row in enumerate(rows))]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = with_true_effects(load_study(directory)).true_effects.texts
    assert set(found.values()) == {-1.5, 1.5}
    table.write_text("\n".join([*lines[:-1], f"{rows[-1]},high"]) + "\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"column 'tau' must hold one number per text, but item 'i6', .* has 'high'"):
        load_study(directory)


def test_power_says_that_it_does_not_use_them(small: Study) -> None:
    study = asked(small, SimulateOptions(effects={"length": 0.5}))
    said, unsaid = (power(each, each.blocks[0], PowerOptions(runs=1)).warnings for each in (study, small))
    message = "what the study file says under simulate is not used: power draws texts and people by these assumptions"
    assert message in said
    assert message not in unsaid


# --- what comes out --------------------------------------------------------------------------------------------------


def test_a_rehearsal_follows_the_file(small: Study, tmp_path: Path) -> None:
    plan = draw_plan(small)

    def answers(study: Study, name: str) -> list[object]:
        with Store.open(f"sqlite:///{tmp_path / name}.db") as store:
            direct.simulate(study, plan, store, count=4)
            people = store.participants()
            given = [store.answers(each.id) for each in people]
            return [its[page].payload for its in given for page in its if page.startswith("quality")]

    plain = answers(small, "plain")
    assert answers(small, "again") == plain
    moved = asked(small, SimulateOptions(effects={"length": 2.0}))
    assert answers(moved, "moved") != plain
    assert answers(moved, "moved again") == answers(moved, "moved once more")


@pytest.mark.parametrize("name", ["relevance", "length"])
def test_correlations_come_out_as_put_in(ward: Study, name: str) -> None:
    """Of the property with P and P_AP over 48 texts, by the model's own means and the noise of the answers."""
    study = with_true_effects(ward, {name: 0.8, "systems.H": 0.0})
    cells = list(study.true_effects.texts)
    put_in = effects(study.blocks[0].task)
    sets = suitable_actions(study.blocks[0].tables["targets"], "majority")
    harmful = np.array([bool(sets[item].inappropriate) for item, _ in cells])
    told = np.array([put_in.expected(system, study.true_effects.texts[item, system]) for item, system in cells])
    told[:, 1] = told[:, 0] - told[:, 1] * harmful  # now P_AP and P
    values = np.array([property_values(study, [name])[name][cell] for cell in cells])
    seen = decisions(study, cells)
    for measure in (0, 1):
        means, noise = seen[..., measure].mean(axis=0), seen[..., measure].var(axis=0, ddof=1).mean() / PEOPLE
        truth = np.corrcoef(values, told[:, measure])[0, 1]
        expected = truth * math.sqrt(told[:, measure].var() / (told[:, measure].var() + noise))
        assert expected > 0.6
        # Only the answers are random: the error of r is that of the noise's part, below (1 - r²) / √48.
        assert np.corrcoef(values, means)[0, 1] == pytest.approx(expected, abs=3 * (1 - expected**2) / math.sqrt(48))
        # One standard deviation moves an appropriate action by .8 · .6 logits.
        assert np.mean(np.abs(means - told[:, measure])) < 3 * math.sqrt(noise)


def test_relevance_is_found_at_equal_length_and_only_where_people_react_to_it(ward: Study) -> None:
    values = property_values(ward, ["relevance", "length"])
    tables = {name: grid(ward, its) for name, its in values.items()}
    found = {}
    for name in values:
        study = with_true_effects(ward, {name: 0.8, "systems.H": 0.0})
        cells = list(study.true_effects.texts)
        people = dict(zip(cells, decisions(study, cells)[..., 1].mean(axis=0), strict=True))
        found[name] = given_covariate(grid(ward, people), tables["relevance"], tables["length"])
    assert found["relevance"].p < 0.001
    assert found["relevance"].r > 0.6
    assert found["length"].p > 0.001  # one study; `docs/calibration.md` has the rate of many
    assert found["length"].df == 24 * 2 - 24 - 1 - 2 - 1


def decisions(study: Study, cells: list[tuple[str, str]]) -> np.ndarray:
    """P_AP and P of each person and text."""
    task = study.blocks[0].task
    sets = suitable_actions(study.blocks[0].tables["targets"], "majority")
    found = np.empty((PEOPLE, len(cells), 2))
    for number in range(PEOPLE):
        person = DecisionParticipant(task, number, Stream(1, "test"))
        for place, (item, system) in enumerate(cells):
            trial = Trial(f"t{place}", task.block.name, "main", 1, item, (system,))
            chosen = set(person.respond(trial, 1).payload["chosen"])
            good, bad = set(sets[item].appropriate), set(sets[item].inappropriate)
            share = len(chosen & good) / len(good)
            found[number, place] = share, share - len(chosen & bad) / max(len(bad), 1)
    return found


def grid(study: Study, values: Mapping[tuple[str, str], float]) -> np.ndarray:
    return np.array(
        [[values.get((item, system), math.nan) for system in study.systems] for item in study.items_in_order]
    )
