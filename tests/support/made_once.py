"""What hundreds of tests would make again, made once: the tables of a new store, the syntax tree of a study file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from textassay.answers import store
from textassay.answers.database import Engines, connect, migrate
from textassay.study import yaml_reader
from textassay.study.store_address import is_file, path_of

_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def copied_stores(directory: Path) -> Iterator[None]:
    """Within it, `Store.open` fills a new file with the tables instead of making them.

    The file itself is made as ever; so are stores that other programs open, and tables that `migrate` makes.
    """

    @cache
    def tables() -> bytes:
        path = directory / "tables.db"
        with connect(f"sqlite:///{path.as_posix()}") as engines:
            migrate(engines)
        return path.read_bytes()

    def filled(address: str) -> Engines:
        with _ONE_AT_A_TIME:
            engines = connect(address)
            if is_file(address) and path_of(address).stat().st_size == 0:
                path_of(address).write_bytes(tables())
            return engines

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "connect", filled)
        yield


@contextmanager
def parsed_once() -> Iterator[None]:
    """Within it, a text that was read lately is not parsed again, which takes nine tenths of loading a small study."""

    @lru_cache(maxsize=100)
    def parsed(text: str) -> Any:
        return YAML(typ="safe", pure=True).compose(text)

    class Remembering(YAML):
        def compose(self, stream: Any) -> Any:
            return parsed(stream)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "YAML", Remembering)
        yield
