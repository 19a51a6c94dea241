"""Answers of 12 participants to 6 items by 3 systems in a Latin square, made by a rule that R can follow too.

R: d <- expand.grid(p = 0:11, i = 0:5); d$s <- (d$p + d$i) %% 3
   d$y <- (7*d$p + 11*d$i + 5*d$s + 3*d$p*d$i) %% 13 + 2*d$s + d$p %% 4 + 3*((d$p*d$s) %% 2)
   d$p <- factor(d$p); d$i <- factor(d$i); d$s <- factor(d$s, labels = c("a", "b", "c"))
"""

from __future__ import annotations

import pandas as pd


def crossed_answers() -> pd.DataFrame:
    """One row per answer: `participant, item, system, value`."""
    rows = []
    for p in range(12):
        for i in range(6):
            s = (p + i) % 3
            value = (7 * p + 11 * i + 5 * s + 3 * p * i) % 13 + 2 * s + p % 4 + 3 * ((p * s) % 2)
            rows.append({"participant": f"p{p:02}", "item": f"i{i}", "system": "abc"[s], "value": float(value)})
    return pd.DataFrame(rows)
