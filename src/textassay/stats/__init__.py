"""Statistics on arrays: numbers in, frozen results out.

`README.md` beside this file states the layer rule. Importing this package loads numpy only; scipy is loaded by the
first statistic that needs it.
"""

from textassay.stats.adjust_p import AdjustedP, adjust_p
from textassay.stats.anova import Anova, Effect, ErrorTerm, anova
from textassay.stats.correlation import Correlation, pearson, spearman
from textassay.stats.kendall_w import KendallW, kendall_w
from textassay.stats.mean_interval import MeanInterval, mean_interval
from textassay.stats.tukey import Tukey, TukeyPair, tukey

__all__ = [
    "AdjustedP",
    "Anova",
    "Correlation",
    "Effect",
    "ErrorTerm",
    "KendallW",
    "MeanInterval",
    "Tukey",
    "TukeyPair",
    "adjust_p",
    "anova",
    "kendall_w",
    "mean_interval",
    "pearson",
    "spearman",
    "tukey",
]
