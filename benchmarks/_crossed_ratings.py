"""Made-up ratings of texts, and lme4's model of them."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from _house import RESULTS

_LMER = """
suppressMessages(library(lme4))
data <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE)
spent <- system.time(model <- lmer(value ~ system + (1 | participant) + (1 | participant:system) + (1 | item) +
  (1 | item:system), data))
cat(sprintf("%.3f %.4f", spent[["elapsed"]], REMLcrit(model)))
"""


def crossed_ratings(systems: int, items: int, people: int, ratings: int) -> pd.DataFrame:
    """Each person rates about as many texts, drawn from all, none twice."""
    draw = np.random.Generator(np.random.PCG64(1))
    counts = np.maximum(2, draw.poisson(ratings / people, people))
    texts = np.concatenate([draw.choice(items * systems, count, replace=False) for count in counts])
    person, (item, system) = np.repeat(np.arange(people), counts), np.divmod(texts, systems)
    value = 4 + 0.05 * system + draw.normal(0, 0.6, people)[person] + draw.normal(0, 0.5, items)[item]
    value += (
        draw.normal(0, 0.3, (people, systems))[person, system] + draw.normal(0, 0.3, (items, systems))[item, system]
    )
    value += draw.normal(size=len(value))
    labels = {
        name: np.char.add(name[0], codes.astype(str))
        for name, codes in {"participant": person, "item": item, "system": system}.items()
    }
    return pd.DataFrame({**labels, "criterion": "clarity", "value": value})


def groupings(data: pd.DataFrame) -> dict[str, np.ndarray]:
    """Participants and items, by themselves and with each system."""
    own = {name: data[name].to_numpy() for name in ("participant", "item")}
    return own | {f"{name} × system": (data[name] + " × " + data["system"]).to_numpy() for name in own}


def lme4_seconds(what: str, data: pd.DataFrame) -> tuple[float, str]:
    """How long lme4 takes for its fit, and its criterion; without R, how long it took in the last run."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        return _last(what), "lme4 as of the last run"
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "ratings.csv"
        data.to_csv(table, index=False)
        found = subprocess.run(
            [rscript, "-e", _LMER, str(table)], capture_output=True, text=True, check=False, timeout=3600
        )
    if found.returncode:
        return _last(what), "lme4 as of the last run: " + found.stderr.strip().splitlines()[-1]
    seconds, criterion = found.stdout.split()
    return float(seconds), f"lme4's criterion {float(criterion):.4f}"


def _last(what: str) -> float:
    kept = RESULTS / "stats.json"
    rows = json.loads(kept.read_text(encoding="utf-8"))["rows"] if kept.exists() else []
    return next((float(row["theirs"]) for row in rows if row["what"] == what), math.nan)
