"""What is bootstrapped: a statistic by name, as a function of weights, or as sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.stats.labels import Column, coded
from textassay.stats.resampling.weighted_statistics import (
    Sums,
    WeightedFunction,
    difference_sums,
    eta2_sums,
    f_sums,
    mean_sums,
    need_columns,
    pearson_sums,
    sd_sums,
    weighted_median,
)
from textassay.stats.samples import FloatArray, as_floats, same_length


def read_observations(values: npt.ArrayLike) -> FloatArray:
    """Numbers, or rows of numbers, one an observation.

    Raises:
        DataError: another shape, or values that are missing or infinite.
    """
    data = as_floats(values, "values")
    if data.ndim not in (1, 2):
        raise DataError(f"values must be a list of numbers, or of rows of numbers; their shape is {data.shape}")
    bad = np.argwhere(~np.isfinite(data))
    if bad.size:
        raise DataError(
            f"values has {len(bad)} missing or infinite value(s), the first at index {bad[0][0]}; leave those "
            "observations out, and say how many, before computing"
        )
    return data


def resolved(
    statistic: str | WeightedFunction | Sums, data: FloatArray, groups: Column | None
) -> tuple[str, Sums | WeightedFunction]:
    """The name of a statistic, and how it is computed from weights.

    Raises:
        DataError: values or groups that it cannot take.
        UsageError: there is no such statistic, or groups are missing or not wanted.
    """
    if isinstance(statistic, str) and statistic in _OF_GROUPS:
        need_columns(data, statistic, 1)
        if groups is None:
            raise UsageError(f"the statistic {statistic!r} compares groups: pass their labels after the values")
        same_length(("values", data), ("groups", groups))
        labels, (codes,) = coded(("groups", groups))
        if statistic == "difference" and len(data) and len(labels) != 2:
            raise DataError(f"the statistic 'difference' compares two groups; groups has {len(labels)}")
        return statistic, _OF_GROUPS[statistic](data, codes)
    if groups is not None:
        raise UsageError(f"groups is for the statistics {', '.join(_OF_GROUPS)}; pass None")
    if isinstance(statistic, str):
        if statistic not in _OF_VALUES:
            raise UsageError(
                f"statistic must be a function or one of {', '.join([*_OF_VALUES, *_OF_GROUPS])}; got {statistic!r}"
            )
        make, columns = _OF_VALUES[statistic]
        need_columns(data, statistic, columns)
        return statistic, make(data)
    if isinstance(statistic, Sums):
        same_length(("values", data), ("terms", statistic.terms))
        return getattr(statistic.of, "__name__", "statistic"), statistic
    return getattr(statistic, "__name__", "statistic"), statistic


_OF_VALUES: Mapping[str, tuple[Callable[[FloatArray], Sums | WeightedFunction], int]] = {
    "mean": (mean_sums, 1),
    "median": (lambda _: weighted_median, 1),
    "sd": (sd_sums, 1),
    "pearson": (pearson_sums, 2),
}
_OF_GROUPS = {"difference": difference_sums, "f": f_sums, "eta2": eta2_sums}
