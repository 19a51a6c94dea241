"""A study is analysed once, however often its results are printed: fitting models takes most of the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from textassay import pipeline
from textassay.answers.dataset import Dataset
from textassay.screening.verdicts import Verdict
from textassay.study.study import Study


@contextmanager
def analysed_once() -> Iterator[None]:
    """Within it, `pipeline.analyse` remembers what it found for a study, with and without exclusions."""
    analyse, found = pipeline.analyse, {}

    def remembered(study: Study, data: Dataset, verdicts: Sequence[Verdict], **more: Any) -> Any:
        asked = study.directory.absolute(), tuple(verdicts)
        if asked not in found:
            found[asked] = analyse(study, data, verdicts, **more)
        return found[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "analyse", remembered)
        yield
