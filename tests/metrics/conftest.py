"""Every test of metrics runs twice: with the compiled loops, and with their plain-Python fallbacks forced."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from textassay.kernels.choice import VARIABLE


@pytest.fixture(scope="module", autouse=True, params=["compiled", "fallback"])
def kernels(request: pytest.FixtureRequest) -> Iterator[None]:
    """A file whose tests do not depend on the loops, or force them themselves, has its own fixture of this name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "python" if request.param == "fallback" else "auto")
        yield
