"""What a model said of texts before: in memory and, in a file that the user names, from run to run.

The environment variable `TEXTASSAY_EMBEDDINGS_CACHE` names the file, a SQLite database. An entry's key is a hash of the
model's weights, of the settings and of the texts, so that nothing is taken for something else; the texts themselves
are not stored. Several processes may share the file. It may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError

VARIABLE = "TEXTASSAY_EMBEDDINGS_CACHE"
Floats = npt.NDArray[np.float64]
Texts = tuple[str, ...]
_IN_MEMORY = 20_000
"""Entries that are kept in memory; the oldest go first."""


class Store:
    """Rows of numbers by texts, for one model with its settings.

    Args:
        model: A hash of the model and of all that its numbers depend on.
        path: The file, if there is one.

    Raises:
        UsageError: the file cannot be used.
    """

    def __init__(self, model: bytes, path: Path | None = None) -> None:
        self._model = model
        self._path = path
        self._memory: dict[Texts, Floats] = {}
        if path is not None:
            with self._connected() as file:
                file.execute("CREATE TABLE IF NOT EXISTS known (key BLOB PRIMARY KEY, numbers BLOB)")

    def get(self, texts: Iterable[Texts]) -> dict[Texts, Floats]:
        """Those that are known."""
        wanted = list(texts)
        found = {each: self._memory[each] for each in wanted if each in self._memory}
        if self._path is not None and len(found) < len(wanted):
            with self._connected() as file:
                for each in wanted:
                    question = "SELECT numbers FROM known WHERE key = ?"
                    row = None if each in found else file.execute(question, (self._key(each),)).fetchone()
                    if row is not None:
                        found[each] = np.frombuffer(row[0], np.float64)
        return found

    def put(self, new: Mapping[Texts, Floats]) -> Mapping[Texts, Floats]:
        """Keep new ones; gives them back."""
        self._memory.update(new)
        excess = len(self._memory) - _IN_MEMORY
        for oldest in list(islice(self._memory, max(excess, 0))):
            del self._memory[oldest]
        if self._path is not None:
            rows = [(self._key(each), np.asarray(numbers, np.float64).tobytes()) for each, numbers in new.items()]
            with self._connected() as file:
                file.executemany("INSERT OR REPLACE INTO known VALUES (?, ?)", rows)
        return new

    def _key(self, texts: Texts) -> bytes:
        found = hashlib.sha256(self._model)
        for text in texts:
            encoded = text.encode("utf-8", "surrogatepass")
            found.update(len(encoded).to_bytes(8) + encoded)  # so that no two lists of texts look alike
        return found.digest()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """The file, open; what is written is there at the end, or nothing of it."""
        try:
            with closing(sqlite3.connect(str(self._path), timeout=60)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            remedy = f"name another file in {VARIABLE}, or unset it"
            raise UsageError(f"{self._path} cannot keep what the model says ({error}); {remedy}") from error


def store_named_by_user(model: bytes) -> Store:
    """The store of a model, in the file that the user's environment names, if it names one."""
    named = os.environ.get(VARIABLE, "")
    return Store(model, Path(named) if named else None)
