"""Studies that are being served, for all tests of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from served_study import Change, Person, Served, serving


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Serves the small study, changed as wanted, until the module's tests are over."""
    with ExitStack() as stack:

        def make(change: Change | None = None, directory: Path | None = None) -> Served:
            return stack.enter_context(serving(directory or tmp_path_factory.mktemp("study"), change))

        yield make


@pytest.fixture(scope="module")
def small(serve: Callable[..., Served]) -> Served:
    """The small study with room for everybody."""
    return serve(lambda data: data["participants"].update(wanted=300))


@pytest.fixture
def person(small: Served) -> Person:
    """Somebody who has just begun the small study."""
    return small.join()
