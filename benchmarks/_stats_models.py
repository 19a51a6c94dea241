"""Models with crossed participants and items against lme4 and ordinal, on ratings of texts that were drawn at random.

Exact fits are to be within .001 standard errors of their estimates and within 2 % of their standard errors; the fit by
conjugate gradients, for what nobody can factorise, within .1 and 10 %. It is tried here on ratings that lme4 can fit.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from _crossed_ratings import crossed_ratings, groupings
from _house import RESULTS, Row, best_of

from textassay.stats import logistic_model, mixed_model, ordinal_model
from textassay.stats.mixed import mixed_fit

_RANDOM = "(1 | participant) + (1 | participant:system) + (1 | item) + (1 | item:system)"
_R = """
suppressMessages({library(lme4); library(ordinal)})
data <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE)
spent <- system.time(model <- %s)
found <- coef(summary(model))
found <- found[grep("^system", rownames(found)), 1:2]
cat(spent[["elapsed"]], found[, 1], found[, 2])
"""
CALLS = {
    "lmer": f"lmer(value ~ system + {_RANDOM}, data)",
    "clmm": f"clmm(factor(pmin(pmax(round(value), 2), 6)) ~ system + {_RANDOM}, data)",
    "glmer": f"glmer(value > 4.4 ~ system + {_RANDOM}, data, binomial, "
    'control = glmerControl("bobyqa", optCtrl = list(rhobeg = 2e-4, rhoend = 2e-9, maxfun = 1e5), tolPwrss = 1e-12))',
}
EXACT, LINEAR = (1e-3, 0.02), (0.1, 0.10)
"""Most standard errors between estimates, and most between standard errors as a share of them."""


def rows() -> Iterator[Row]:
    small = crossed_ratings(6, 30, 40, 900)
    size = f"6 × 30 × 40, {len(small):,} ratings"
    random, fixed = groupings(small), {"system": small["system"].to_numpy()}
    ordered = small["value"].round().clip(2, 6).to_numpy(dtype=int)
    yes = (small["value"] > 4.4).to_numpy(dtype=int)
    yield _compared(f"lmer, {size}", "lmer", small, lambda: mixed_model(small["value"], fixed, random), EXACT)
    yield _compared(f"clmm, {size}", "clmm", small, lambda: ordinal_model(ordered, fixed, random=random), EXACT)
    yield _compared(f"glmer, {size}", "glmer", small, lambda: logistic_model(yes, fixed, random=random), EXACT)
    large = crossed_ratings(10, 100, 200, 10_483)
    by, all_random = {"system": large["system"].to_numpy()}, groupings(large)
    with patch.multiple(mixed_fit, _FEW=0, _MOST_SECONDS=0.0):
        what = f"lmer, conjugate gradients, 10 × 100 × 200, {len(large):,} ratings"
        yield _compared(what, "lmer", large, lambda: mixed_model(large["value"], by, all_random), LINEAR)


def _compared(what: str, name: str, data: pd.DataFrame, fit: Any, bars: tuple[float, float]) -> Row:
    found: list[Any] = []
    seconds = best_of(1, lambda: found.append(fit()))
    ours = [(each.estimate, each.se) for each in found[0].coefficients if each.name.startswith("system")]
    theirs, estimates, errors, note = _theirs(what, name, data)
    if not len(errors):
        return Row(what, seconds, name, theirs, math.nan, note)
    far = float(np.max(np.abs(np.subtract([estimate for estimate, _ in ours], estimates)) / errors))
    apart = float(np.max(np.abs(np.divide([se for _, se in ours], errors) - 1)))
    missed = "" if far <= bars[0] and apart <= bars[1] else "  <-- apart"
    wanted = f"at most {bars[0]:g} and {bars[1]:.0%}"
    said = f"estimates within {far:.2g} standard errors, these within {apart:.2%} ({wanted}){missed}"
    return Row(what, seconds, name, theirs, math.nan, said)


def _theirs(what: str, name: str, data: pd.DataFrame) -> tuple[float, np.ndarray, np.ndarray, str]:
    """Seconds, estimates and standard errors of R; without it, the note of the last run."""
    rscript = shutil.which("Rscript")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "ratings.csv"
        data.to_csv(table, index=False)
        command = [rscript or "Rscript", "-e", _R % CALLS[name], str(table)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900) if rscript else None
    if ran is None or ran.returncode:
        why = "no R" if ran is None else ran.stderr.strip().splitlines()[-1]
        return math.nan, np.array([]), np.array([]), f"{why}; the last run: {_last(what)}"
    seconds, *numbers = map(float, ran.stdout.split())
    estimates, errors = np.split(np.array(numbers), 2)
    return seconds, estimates, errors, ""


def _last(what: str) -> str:
    kept = [path for path in (RESULTS / "stats-models.json", RESULTS / "stats.json") if path.exists()]
    stored = [row for path in kept for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]
    return next((str(row["note"]) for row in stored if row["what"] == what), "none")
