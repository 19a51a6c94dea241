"""Find out how good generated text is, and how far the numbers can be trusted.

    import textassay as ta

    ta.stats.tukey(values, groups)
    ta.metrics.score("bleu", hypotheses, references)
    ta.pipeline.load("my-study")

`ta.pipeline` has the stages of a study, from the study file to the report; `ta.stats`, `ta.metrics`, `ta.ordering` and
`ta.meta` work alone on plain numbers, texts and tables. Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["__version__", "errors", "meta", "metrics", "ordering", "pipeline", "results", "stats", "study"]

__version__ = "0.1.0"
"""The release, as in `pyproject.toml`: written here too, because asking the installation takes longer than BLEU."""

if TYPE_CHECKING:
    from textassay import errors, meta, metrics, ordering, pipeline, results, stats, study
else:

    def __getattr__(name: str) -> Any:
        """A package, loaded when it is first asked for: loading all of them takes a second."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415

        return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted(__all__)
