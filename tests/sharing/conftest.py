"""A bundle, packed and unpacked; a registered study."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bundled_study import Bundled, bundle_study
from registered_study import write_registered_study

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


@pytest.fixture
def registered(tmp_path: Path) -> Path:
    """The directory of a study that was registered at noon."""
    return write_registered_study(tmp_path / "study")
