"""Texts put in order by one or several methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textassay.errors import DataError, UsageError
from textassay.ordering.arranging.methods import METHODS, Arranged, ArrangeSettings, Method, Sentences
from textassay.results import Record
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class Arrangement(Statistic):
    """Texts in the orders that methods gave them."""

    arranged: tuple[Arranged, ...]
    """Item by item, the methods as they were asked for."""

    def records(self) -> list[Record]:
        """One record a text and method: how many units, their order, and the path's figures where it is one."""
        found = []
        for each in self.arranged:
            path = each.path
            figures = {"cost": path.cost, "lower_bound": path.lower_bound, "exact": path.exact} if path else {}
            order = " ".join(map(str, each.order))
            found.append(self.record("units", len(each.order), of=each.item, by=each.by, order=order, **figures))
        return found


def arrange(
    texts: Mapping[str, Sentences], methods: Sequence[Method] = ("path",), settings: ArrangeSettings | None = None
) -> Arrangement:
    """Put the units of each text in order.

    Args:
        texts: Item → unit id → text, in the original order.
        methods: One or several.
        settings: What the methods go by.

    Raises:
        DataError: no texts, or something that a method needs is not in the data.
        UsageError: a method that there is not.

    >>> text = {"1": "The cat sat.", "2": "Dogs bark.", "3": "A cat and dogs play."}
    >>> [each.order for each in arrange({"t": text}, ["path", "reversed"]).arranged]
    [('1', '3', '2'), ('3', '2', '1')]
    """
    chosen = settings or ArrangeSettings()
    unknown = [method for method in methods if method not in METHODS]
    if unknown or not methods:
        raise UsageError(f"methods must be among {', '.join(METHODS)}; got {', '.join(unknown) or 'none'}")
    if not texts or not all(texts.values()):
        raise DataError("there must be at least one text, and each must have units")
    arranged = [METHODS[method](item, texts, chosen) for item in texts for method in methods]
    unlike = "a function" if callable(chosen.similarity) else "given"
    return Arrangement(
        method="arrangement",
        settings={
            "similarity": chosen.similarity if isinstance(chosen.similarity, str) else unlike,
            "first": chosen.first,
            "seed": chosen.seed,
        },
        warnings=tuple(f"item {each.item}, {each.by}: {said}" for each in arranged for said in each.notes),
        arranged=tuple(arranged),
    )
