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

if TYPE_CHECKING:
    from textassay import errors, meta, metrics, ordering, pipeline, results, stats, study

    __version__: str
else:

    def __getattr__(name: str) -> Any:
        """A package or the release, looked up when first asked for: loading all of them takes a second."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 -- slow, and most programs never ask

            globals()[name] = version("textassay")
        else:
            from importlib import import_module  # noqa: PLC0415

            import_module(f"{__name__}.{name}")
        return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
