"""Files of a study that change while it is served: the server goes on with what it read, and the researcher is told."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from textassay.study.load import STUDY_FILE
from textassay.study.study import Study

LOG = logging.getLogger("textassay.serve")
SECONDS_BETWEEN = 5.0


class StudyFiles:
    """The files of a study as they were when this was made."""

    def __init__(self, study: Study) -> None:
        self._paths = {name: study.directory / name for name in (STUDY_FILE, *study.files)}
        self._first = {name: _digest(path) for name, path in self._paths.items()}
        self._looks = {name: _look(path) for name, path in self._paths.items()}
        self._now = dict(self._first)

    def changed(self) -> tuple[str, ...]:
        """The files whose contents differ now; one that was only saved again does not."""
        for name, path in self._paths.items():
            look = _look(path)
            if look != self._looks[name]:
                self._looks[name], self._now[name] = look, _digest(path)
        return tuple(name for name, digest in self._now.items() if digest != self._first[name])


def _look(path: Path) -> tuple[int, int] | None:
    """Time and size, which are cheap to ask for."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _digest(path: Path) -> bytes | None:
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return None


@contextmanager
def watched(study: Study, tell: Callable[[tuple[str, ...]], None]) -> Iterator[None]:
    """While the block runs, look at the study's files now and then.

    Args:
        study: The study.
        tell: Called with the names of all files that differ, each time there are more or fewer of them.
    """
    files, stop = StudyFiles(study), threading.Event()

    def look() -> None:
        told: tuple[str, ...] = ()
        while not stop.wait(SECONDS_BETWEEN):
            changed = files.changed()
            if changed != told:
                told = changed
                tell(changed)
                _log(changed)

    thread = threading.Thread(target=look, name="textassay-files", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _log(changed: tuple[str, ...]) -> None:
    if not changed:
        LOG.warning("Note: the study's files are again as the server read them.")
        return
    what = f"{', '.join(changed)} {'has' if len(changed) == 1 else 'have'} changed since the server started"
    LOG.warning("Note: %s; stop the server with Ctrl-C and start it again to use the new version.", what)
