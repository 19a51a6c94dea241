"""The base of every statistic's result: a `Result` that knows what was measured."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self

from textassay.pairwise import Better, PairwiseComparisons
from textassay.results import Record, Result


@dataclass(frozen=True, kw_only=True)
class Statistic(Result):
    """A result computed from arrays, with the names of what the arrays hold."""

    of: str = ""
    """What was measured, for example a criterion; goes into the records."""
    by: str = ""
    """The factor, or the other variable; goes into the records."""

    def about(self, of: str, by: str | None = None, *, better: Better | None = None) -> Self:
        """The same result under the names of what was measured; its pairs too, with what is better."""
        changed: dict[str, Any] = {"of": of, "by": self.by if by is None else by}
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        pairs = own.get("pairs")
        if isinstance(pairs, PairwiseComparisons):
            changed["pairs"] = pairs.about(of, by, better=better)
        elif better is not None and "better" in own:
            changed["better"] = better
        return replace(self, **changed)

    def record(self, statistic: str, value: float, *, of: str = "", by: str = "", **more: Any) -> Record:
        """One record; `of` and `by` are those of the result unless given."""
        return super().record(statistic, value, of=of or self.of, by=by or self.by, **more)
