"""Run the server until it is stopped, or in a thread for simulations and tests."""

from __future__ import annotations

import contextlib
import errno
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Self

import uvicorn

from textassay.answers.store import Store
from textassay.answers.study_store import open_store
from textassay.design.plan import Plan
from textassay.errors import TextassayError, UsageError
from textassay.garbage import collect_garbage_less_often
from textassay.serve.app import create_app
from textassay.serve.protocol import BoundedProtocol, QuietAboutClients
from textassay.serve.running import announced, only_server, running_server, serving_address
from textassay.serve.site import Site
from textassay.serve.watching import watched
from textassay.serve.workers import refuse_without_fork, run_workers
from textassay.study.store_address import is_file
from textassay.study.study import Study

_SECONDS_TO_START = 20.0
_SECONDS_OF_A_THREAD = 0.0005
"""How long a thread that screens or exports may keep the event loop waiting; Python's own is ten times as long."""
_SECONDS_TO_FINISH = 5
_QUIET = QuietAboutClients()


@dataclass(frozen=True)
class Links:
    """Addresses of a study that is being served."""

    base: str
    """Address of the server, without a slash at the end."""
    join: dict[str, str]
    """The link for participants of each cohort; a study without cohorts has one under an empty name."""
    board: str
    """The researcher's link; it is secret."""
    paused: bool = False
    """Whether recruiting was paused on the board."""
    changes: tuple[str, ...] = ()
    """What has changed in the study's files since participants started; earlier answers refer to the old files."""
    listens: str = ""
    """Where the server listens, if participants use the address of a proxy."""


def run_server(
    study: Study,
    plan: Plan,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    public: str | None = None,
    workers: int = 1,
    on_ready: Callable[[Links], None] | None = None,
) -> None:
    """Serve a study until the process is told to stop.

    Args:
        study: The study.
        plan: Its plan.
        host: Address to listen on; by default reachable from this machine only.
        port: Port to listen on; 0 for any free port.
        public: Address at which participants reach the server, as `checked_origin` gives it; by default that in the
            study file, and without one the address on which it listens.
        workers: How many processes serve it; several need a store in PostgreSQL.
        on_ready: Called with the links as soon as the server listens.

    Raises:
        UsageError: The server cannot listen on the address, another one uses the study's SQLite file, or several
            workers cannot use the store.
        StoreError: The store cannot be opened.
    """
    public = public or study.file.public_address
    _allow_many_connections()
    if workers > 1:
        _refuse_workers(study)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_interrupted_by_termination())
        stack.enter_context(only_server(study))
        listener = stack.enter_context(_listening_for(study, host, port))
        with _opened(study, plan, public) as site:
            links, key = _links(site, _base(listener, host)), site.key
            stack.enter_context(announced(study, links.base, listener.getsockname()[:2], key))
            if workers == 1:
                _serve_on(listener, site, lambda: on_ready(links) if on_ready else None)
                return
        if on_ready is not None:
            on_ready(links)
        run_workers(workers, partial(_work, listener, study, plan, public))


@contextlib.contextmanager
def _opened(study: Study, plan: Plan, public: str | None) -> Iterator[Site]:
    """The study with its store, open while the block runs."""
    with open_store(study, serving_address(study)) as store, contextlib.ExitStack() as stack:
        site = Site(study, plan, store, public=public)
        stack.callback(site.close)
        yield site


def _serve_on(listener: socket.socket, site: Site, on_ready: Callable[[], None]) -> None:
    """Answer requests until the process is told to stop."""
    site.resume()
    sys.setswitchinterval(_SECONDS_OF_A_THREAD)
    collect_garbage_less_often()
    server = _Server(_config(site), on_ready)
    with watched(site.study, site.files_differ), contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _work(listener: socket.socket, study: Study, plan: Plan, public: str | None) -> None:
    """What one of several processes does."""
    with _interrupted_by_termination(), _opened(study, plan, public) as site:
        _serve_on(listener, site, lambda: None)


def _allow_many_connections() -> None:
    """Let this process have as many connections open as the system allows; often it begins with about a thousand."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 -- not on Windows, which has no such limit

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _refuse_workers(study: Study) -> None:
    refuse_without_fork()
    if is_file(study.store_url):
        remedy = "take the answers to PostgreSQL with 'textassay move', or leave --workers out"
        raise UsageError(f"several workers cannot use one SQLite file; {remedy}")


class ServerThread:
    """A server in its own thread on a free port of this machine; a context manager."""

    def __init__(
        self, study: Study, plan: Plan, *, store: Store | None = None, port: int = 0, public: str | None = None
    ) -> None:
        """Args: the study; its plan; an open store, else its own; a port, else any; the address of a proxy, if any."""
        self.study, self.plan, self.port, self.public = study, plan, port, public
        self._given = store
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            if self._given is None:
                stack.enter_context(only_server(self.study))
            listener = stack.enter_context(_listening("127.0.0.1", self.port))
            self.store = self._given or stack.enter_context(open_store(self.study, serving_address(self.study)))
            self.site = Site(self.study, self.plan, self.store, public=self.public)
            stack.callback(self.site.close)
            self.site.resume()
            self.links = _links(self.site, _base(listener, "127.0.0.1"))
            stack.enter_context(_running(_config(self.site), listener))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()


class _Server(uvicorn.Server):
    """Calls back when it listens."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()


@contextlib.contextmanager
def _interrupted_by_termination() -> Iterator[None]:
    """While the block runs, SIGTERM ends it as Ctrl-C does, so that the store is closed, not cut off.

    uvicorn handles the signal, finishes, and then raises it again for those who started it. A further one changes
    nothing: the block is ending already.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = False

    def interrupt(*_: object) -> None:
        nonlocal told
        if not told:
            told = True
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _running(config: uvicorn.Config, listener: socket.socket) -> Iterator[None]:
    """Run the server during the `with` block."""
    ready = threading.Event()
    server = _Server(config, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="textassay-server", daemon=True)
    thread.start()
    try:
        if not ready.wait(_SECONDS_TO_START):
            raise TextassayError(f"the server did not start within {_SECONDS_TO_START:g} seconds; try again")
        yield
    finally:
        server.should_exit = True
        thread.join()


def _config(site: Site) -> uvicorn.Config:
    # uvicorn's own access log would show links and addresses; ours (`Application`) does not. Disabled, so
    # that it stays off even if a handler is attached to every logger.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").addFilter(_QUIET)
    return uvicorn.Config(
        create_app(site),
        http=BoundedProtocol,
        ws="none",
        proxy_headers=False,  # anybody can send them
        access_log=False,
        log_config=None,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
    )


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A listening socket.

    Raises:
        UsageError: The port is in use, or the host is not an address of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "choose another host or port"
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            remedy = "another program uses that port: choose another one with --port, or 0 for any that is free"
        raise UsageError(f"cannot listen on {host}:{port} ({reason}); {remedy}") from None
    with listener:
        yield listener


@contextlib.contextmanager
def _listening_for(study: Study, host: str, port: int) -> Iterator[socket.socket]:
    """A listening socket; if the study's own server has the port already, the message says so."""
    with contextlib.ExitStack() as stack:
        try:
            listener = stack.enter_context(_listening(host, port))
        except UsageError:
            other = running_server(study)
            if other is None or other.port != port:
                raise
            told = f"this study is already being served at {other.base} (process {other.pid})"
            raise UsageError(f"{told}; stop it, or choose another port with --port") from None
        yield listener


def _base(listener: socket.socket, host: str) -> str:
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 -- all interfaces, which is not an address to open
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def _links(site: Site, listens: str) -> Links:
    base = site.address.declared or listens
    join = {cohort.name: base + site.join_path(cohort.name) for cohort in site.study.cohorts}
    behind = listens if base != listens else ""
    return Links(base, join, base + site.board_path(), site.store.recruiting.paused(), site.changes, behind)
