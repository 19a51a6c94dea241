"""Who does long work: this process, several of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from textassay.errors import UsageError

A = TypeVar("A")
R = TypeVar("R")
Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""
_PATIENCE = 10
"""Seconds that a scheduler has to answer, and the first worker to join it."""


@dataclass(frozen=True)
class Workers:
    """How many, and where."""

    jobs: int = 1
    """Processes of this machine; -1 for one per core."""
    cluster: str = ""
    """The address of a Dask scheduler, such as tcp://10.0.0.5:8786; then its workers do the work."""

    def __post_init__(self) -> None:
        if self.jobs < -1 or self.jobs == 0:
            raise UsageError(f"{self.jobs} jobs; give a number of processes from 1 on, or -1 for one per core")
        if self.cluster and self.jobs != 1:
            raise UsageError("jobs are processes of this machine, a cluster has its own workers; give one of the two")

    @property
    def processes(self) -> int:
        """How many of this machine work at once; 1 for a cluster, of which it is not known."""
        return (os.cpu_count() or 1) if self.jobs == -1 else self.jobs

    def map(self, call: Callable[[A], R], portions: Iterable[A]) -> Iterator[R]:
        """The results in the order of the portions, which are asked for a few at a time.

        The work of a cluster's worker that dies is done again by another.
        """
        if self.jobs == 1 and not self.cluster:
            yield from map(call, portions)
            return
        from joblib import Parallel, delayed  # noqa: PLC0415 -- only where there are others to work

        with self._backend() as jobs:
            parallel = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)
            yield from parallel(delayed(call)(portion) for portion in portions)

    def portable(self, thing: object) -> bytes:
        """A pickle that another process can open, even of what was defined in a notebook."""
        from cloudpickle import dumps  # noqa: PLC0415

        return bytes(dumps(thing))

    @contextmanager
    def _backend(self) -> Iterator[int]:
        from joblib import parallel_config  # noqa: PLC0415

        if not self.cluster:
            with parallel_config(backend="loky", inner_max_num_threads=1):
                yield self.jobs
            return
        with _client(self.cluster) as client, parallel_config(backend="dask", client=client):
            yield -1


def _client(address: str) -> Any:
    try:
        import distributed  # noqa: PLC0415
    except ImportError:
        raise UsageError("a cluster needs Dask; install it with: pip install 'textassay[cluster]'") from None
    connect: Callable[..., Any] = distributed.Client
    try:
        client = connect(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(f"no Dask scheduler answers at {address} ({reason}); check the address") from None
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        client.close()
        raise UsageError(f"the scheduler at {address} has no workers; start some with: dask worker {address}") from None
    return client


HERE = Workers()
