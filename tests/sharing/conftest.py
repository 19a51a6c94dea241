"""A bundle, packed and unpacked."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bundled_study import Bundled, bundle_study

from textassay.sharing.archive import unpack


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Bundled:
    """A bundle that tests only read from."""
    return bundle_study(tmp_path_factory.mktemp("bundled"))


@pytest.fixture
def unpacked(bundled: Bundled, tmp_path: Path) -> Path:
    """A copy of the unpacked bundle, which a test may change."""
    return unpack(bundled.path, tmp_path / "unpacked")


@pytest.fixture
def again(tmp_path: Path) -> Callable[[Path], Path]:
    """Packs a folder as somebody would who has changed something in it, without mending the checksums."""

    def pack(folder: Path) -> Path:
        return Path(shutil.make_archive(str(tmp_path / "again"), "zip", folder.parent, folder.name))

    return pack
