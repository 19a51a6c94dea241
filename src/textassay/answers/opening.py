"""The store of a study: in its directory, unless another address is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from textassay.answers.store import Store
from textassay.study.study import Study


def has_store(study: Study) -> bool:
    """Whether the study directory holds a store yet."""
    return Path(study.store_url.removeprefix("sqlite:///")).exists()


@contextmanager
def existing_store(study: Study, url: str | None = None) -> Iterator[Store | None]:
    """The study's store while the `with` block runs, or nothing where nobody has opened one yet.

    Args:
        study: The study.
        url: Address of the store, if it is not the file in the study directory.
    """
    if url is None and not has_store(study):
        yield None
        return
    with Store.open(url or study.store_url) as store:
        yield store
