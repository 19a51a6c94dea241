"""Answers of 12 participants to 6 items by 3 systems in a Latin square, made by a rule that R can follow too.

R: d <- expand.grid(p = 0:11, i = 0:5); d$s <- (d$p + d$i) %% 3
   d$y <- (7*d$p + 11*d$i + 5*d$s + 3*d$p*d$i) %% 13 + 2*d$s + d$p %% 4 + 3*((d$p*d$s) %% 2)
   d$p <- factor(d$p); d$i <- factor(d$i); d$s <- factor(d$s, labels = c("a", "b", "c"))
"""

from __future__ import annotations

from itertools import product

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


def answers_to_several_systems() -> pd.DataFrame:
    """Answers of 9 participants who see two or three of the systems of each of 7 items; columns as above.

    R: d <- expand.grid(p = 0:8, i = 0:6, s = 0:2); d <- d[(d$p + 2*d$i + d$s) %% 5 > 0, ]
       d$y <- (7*d$p + 11*d$i + 5*d$s + 3*d$p*d$i*(d$s + 1)) %% 13 / 4 + 2*d$s + d$p %% 4 + 3*((d$p*d$s) %% 2)
         + (d$p*d$i) %% 7 + 2*((d$i*d$s) %% 3)
    """
    rows = []
    for p, i, s in product(range(9), range(7), range(3)):
        if (p + 2 * i + s) % 5:
            noise = (7 * p + 11 * i + 5 * s + 3 * p * i * (s + 1)) % 13 / 4
            value = noise + 2 * s + p % 4 + 3 * ((p * s) % 2) + (p * i) % 7 + 2 * ((i * s) % 3)
            rows.append({"participant": f"p{p}", "item": f"i{i}", "system": "abc"[s], "value": value})
    return pd.DataFrame(rows)
