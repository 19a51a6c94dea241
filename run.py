"""Set up textassay from a fresh copy and run it. Needs nothing but Python 3.11 or newer.

    python3 run.py demo            a whole study with simulated participants, in ./textassay-demo
    python3 run.py test            every test; what they need is set up first
    python3 run.py test -- -k tau  further arguments go to pytest
    python3 run.py check           style, types, the import rule, the form of the project, links in the documentation
    python3 run.py docs            the documentation as a site, in ./site; --serve shows it while you write
    python3 run.py bench NAME      one of the comparisons in benchmarks/

The first run makes the folder .venv and installs the package there; later runs start at once.
"""

import argparse
import hashlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

# Pythons from 3.6 on must be able to read this file as far as here, or they could not say so: no newer syntax.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"textassay needs Python 3.11 or newer; this is {sys.version.split()[0]} ({sys.executable}).\n"
        "Install a newer one (python.org, your system's packages, or `uv python install 3.13`)\n"
        "and start with it: python3.13 run.py demo"
    )

NO_VENV = """This Python has no ensurepip, so it cannot make a virtual environment. Do one of these, then try again:
    sudo apt install python3-venv      (Debian, Ubuntu)
    pip install uv                     (or: pipx install uv)"""
REMEDIES = (
    ("No space left on device", "the disk is full: free about 2 GB"),
    ("CERTIFICATE_VERIFY_FAILED", "the network's certificate is not trusted here: set PIP_CERT to its file"),
    ("Failed to establish a new connection", "the package index is out of reach: check the network, or HTTPS_PROXY"),
    ("Could not find a version", "the package index is out of reach, or lacks this package: check the network"),
    ("Permission denied", "a file may not be written: check who owns this folder"),
)
NOT_KEPT = {"PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"}
"""Variables that programs started here do not see. The first would make each of the many that tests start compile all
modules again."""
PYTEST_TOGETHER = ("-n", "3", "--dist", "worksteal")
"""Three workers for two cores: browsers, databases and servers make a worker wait (566 s with two of them, 495 s with
three). worksteal gives each a contiguous part, so that a module's fixtures (a browser, a running study) are
mostly made once, and lets the idle one take from the other, so that one long module at the end keeps nobody waiting."""


SITE = ("zensical", "build", "--strict")
"""Strict: a link to a page or heading that is not there fails the build. Its settings are in zensical.toml."""
MEMORY = Path("/dev/shm")
MEMORY_NEEDED = 2 * 2**30


class SetupError(Exception):
    """Setting up failed; the message names the remedy."""

    exit_code = 1


class UsageError(SetupError):
    """The command line is wrong."""

    exit_code = 2


class Place(NamedTuple):
    """Where this copy of the project keeps what run.py makes."""

    root: Path
    """The folder of run.py."""

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.root / ".venv"

    @property
    def stamp(self) -> Path:
        """Says what was installed from which sources."""
        return self.venv / "textassay-installed.json"

    @property
    def log(self) -> Path:
        """What the installer said, in full."""
        return self.venv / "textassay-install.log"

    def tool(self, name: str) -> Path:
        """A program of the virtual environment."""
        return self.venv / "Scripts" / f"{name}.exe" if os.name == "nt" else self.venv / "bin" / name

    def kernels(self) -> list[Path]:
        """The sources of the compiled loops, and what they include."""
        return sorted(path for kind in ("*.pyx", "*.pxi") for path in (self.root / "src").rglob(kind))

    def libraries(self) -> list[Path]:
        """What was compiled from them; an editable install keeps it in the folder of the sources."""
        folders = {source.parent for source in self.kernels()}
        return sorted(path for folder in folders for path in folder.iterdir() if path.suffix in {".so", ".pyd"})


class Installer(NamedTuple):
    """A program that makes a virtual environment and one that installs into it."""

    name: str
    make: tuple[str, ...]
    install: tuple[str, ...]


PLACE = Place(Path(__file__).resolve().parent)


def say(text: str) -> None:
    """Print without delay, so that it appears before the output of a started program."""
    print(text, flush=True)


def own_environment(environ: Mapping[str, str], extra: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would lead a virtual environment's Python or pip elsewhere, or slow it down."""
    kept = {name: value for name, value in environ.items() if name not in NOT_KEPT}
    return {**kept, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **extra}


def call(command: Sequence[str | Path], **extra: str) -> int:
    """Run a program in the foreground, from the current directory; its exit code."""
    environment = own_environment(os.environ, extra)
    return subprocess.run(list(map(str, command)), env=environment, check=False).returncode


def ask(command: Sequence[str | Path], **extra: str) -> tuple[int, str]:
    """Run a program and take what it prints; exit code 127 where it cannot be started."""
    try:
        done = subprocess.run(
            list(map(str, command)), env=own_environment(os.environ, extra), check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError as problem:
        return 127, str(problem)
    return done.returncode, done.stdout


# --- the virtual environment --------------------------------------------------------------------------------------


def fingerprint(place: Place) -> str:
    """Changes when the package has to be installed again: with its settings and with a compiled loop."""
    digest = hashlib.sha256()
    settings = [place.root / "pyproject.toml", place.root / "setup.py"]
    for path in [*filter(Path.is_file, settings), *place.kernels()]:
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(place.root).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def read_stamp(place: Place) -> dict[str, Any]:
    """What was noted of the last install; empty where there was none."""
    try:
        stamp = json.loads(place.stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(place: Place, extras: Iterable[str]) -> None:
    """Note what is installed."""
    stamp = {
        "folder": str(place.root),
        "fingerprint": fingerprint(place),
        "extras": sorted(extras),
        "libraries": [path.relative_to(place.root).as_posix() for path in place.libraries()],
    }
    place.stamp.write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")


def installed_extras(place: Place) -> set[str] | None:
    """The extras installed from the present sources; None where an install is due."""
    stamp = read_stamp(place)
    current = stamp.get("folder") == str(place.root) and stamp.get("fingerprint") == fingerprint(place)
    if not current or not all((place.root / name).is_file() for name in stamp.get("libraries", ())):
        return None
    return set(stamp.get("extras", ()))


def installers(place: Place, which: Callable[[str], str | None] = shutil.which) -> list[Installer]:
    """First `uv` where it is on PATH, for it is quicker; then venv and pip, which come with Python."""
    python, venv = str(place.tool("python")), str(place.venv)
    # --no-compile halves the time: of what is installed, little is imported.
    pip = Installer("pip", (sys.executable, "-m", "venv", venv), (python, "-m", "pip", "install", "--no-compile"))
    program = which("uv")
    if program is None:
        return [pip]
    # Without --reinstall-package uv would not see that a .pyx changed.
    install = (program, "pip", "install", "--python", python, "--reinstall-package", "textassay")
    return [Installer("uv", (program, "venv", "--python", sys.executable, venv), install), pip]


def venv_problem(place: Place, *, needs_pip: bool) -> str | None:
    """What is wrong with the virtual environment; None where it can be used."""
    if not place.venv.is_dir() or place.venv.is_symlink():
        return "it is not a folder" if os.path.lexists(place.venv) else "there is none yet"
    if read_stamp(place).get("folder", str(place.root)) != str(place.root):
        return "it was made for another folder"
    question = "import sys; print(sys.version_info >= (3, 11))"
    code, answer = ask([place.tool("python"), "-c", question])
    if code or not answer.strip().endswith("True"):
        return "its Python is older than 3.11" if code == 0 else "its Python does not start"
    return "it has no pip" if needs_pip and ask([place.tool("python"), "-c", "import pip"])[0] else None


def remove(path: Path) -> None:
    """Delete a file, link or folder, if it is there."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as problem:
        raise SetupError(f"{path} could not be deleted ({problem}): close the programs that use it.") from None


def can_make_venv() -> bool:
    """Debian leaves ensurepip out unless python3-venv is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("ensurepip", "venv"))


def make_venv(place: Place, installer: Installer) -> None:
    """Make the virtual environment, or replace it where it is broken."""
    problem = venv_problem(place, needs_pip=installer.name == "pip")
    if problem is None:
        return
    if installer.name == "pip" and not can_make_venv():
        raise SetupError(NO_VENV)
    if os.path.lexists(place.venv):
        say(f"Replacing .venv: {problem}.")
        remove(place.venv)
    code, output = ask(installer.make)
    if code:
        raise SetupError(NO_VENV if "ensurepip" in output else f"{installer.name} could not make .venv:\n{output}")


def remove_compiled(place: Place) -> None:
    """Delete what earlier builds left: a stale build/ would bring an old library back."""
    for path in [place.root / "build", *place.libraries()]:
        remove(path)


def remedy(output: str) -> str:
    """What to do about a failed install, from what the installer said."""
    known = (advice for sign, advice in REMEDIES if sign.lower() in output.lower())
    return next(known, "delete the folder .venv and try again")


def install(place: Place, installer: Installer, extras: Iterable[str]) -> None:
    """Install the package, editable, with these extras."""
    names = ",".join(sorted(extras))
    code, output = ask([*installer.install, "-e", f"{place.root}[{names}]" if names else str(place.root)])
    place.log.write_text(output, encoding="utf-8")
    if code:
        last = "\n".join(f"    {line}" for line in output.strip().splitlines()[-15:])
        raise SetupError(
            f"{installer.name} could not install textassay:\n{last}\n"
            f"Remedy: {remedy(output)}. All that it said: {place.log}"
        )


def compiled(place: Place) -> bool:
    """Whether the installed package uses its compiled loops."""
    code, output = ask([place.tool("python"), "-c", "from textassay.kernels import compiled; print(bool(compiled()))"])
    if code:
        raise SetupError(f"textassay was installed but does not start:\n{output.strip()}")
    return output.strip().endswith("True")


def prepare(place: Place, *extras: str) -> None:
    """Make sure that the virtual environment holds the package as it is now, with at least these extras."""
    choices = installers(place)
    before = installed_extras(place)
    if before is not None and before.issuperset(extras) and venv_problem(place, needs_pip=False) is None:
        return
    wanted = (before or set()) | set(extras)
    started = time.monotonic()
    if place.stamp.exists():
        say("Installing textassay again: its settings, a compiled loop or the requested extras changed.")
    else:
        say("Installing textassay and what it needs into .venv; this takes a minute or two, once.")
    if before is None:
        remove_compiled(place)
    for choice in choices:
        try:
            make_venv(place, choice)
            remove(place.stamp)  # should the install be cut short, the next run sees it
            install(place, choice, wanted)
            break
        except SetupError as problem:
            if choice is choices[-1]:
                raise
            say(f"{problem}\nTrying {choices[-1].name} instead.")
    if not compiled(place):
        say("The compiled loops could not be built (no C compiler?); plain Python gives the same numbers, slower.")
    write_stamp(place, wanted)
    say(f"Installed in {time.monotonic() - started:.0f} s.")


# --- the commands -------------------------------------------------------------------------------------------------


def demo(arguments: list[str]) -> int:
    """Run the shipped demo study in ./textassay-demo."""
    prepare(PLACE)
    code = call([PLACE.tool("textassay"), "demo", *arguments])
    if code == 0:
        activate = r".venv\Scripts\activate" if os.name == "nt" else "source .venv/bin/activate"
        say(f"\nThe command `textassay` is ready in .venv. To use it: {activate}   then: textassay --help")
    return code


def pytest_command(place: Place, arguments: list[str]) -> list[str]:
    """How the tests are started; a user's own -n comes later and wins."""
    together = () if "no:xdist" in arguments else PYTEST_TOGETHER
    return [str(place.tool("python")), "-m", "pytest", "--rootdir", str(place.root), *together, *arguments]


def folder_in_memory(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Temporary files in memory where Linux has room: the tests make a thousand databases, which wait for the disk."""
    if "TMPDIR" in environ or not os.access(folder, os.W_OK | os.X_OK):
        return {}
    noexec = os.statvfs(folder).f_flag & os.ST_NOEXEC  # some tests start programs that they wrote
    return {} if noexec or shutil.disk_usage(folder).free < MEMORY_NEEDED else {"TMPDIR": str(folder)}


def test(arguments: list[str]) -> int:
    """Run the tests on three workers."""
    prepare(PLACE, "dev")
    os.chdir(PLACE.root)
    started = time.monotonic()
    # The workers have the cores already; threads on top make small sums slow.
    extra = {"TEXTASSAY_INSTALL_CHROMIUM": "1", "OPENBLAS_NUM_THREADS": "1"}
    code = call(pytest_command(PLACE, arguments), **extra, **folder_in_memory(MEMORY, os.environ))
    taken = f"{time.monotonic() - started:.0f} s"
    if code == 0:
        say(f"\nAll tests that can run here passed, in {taken}.")
    else:
        say(f"\nTests failed (pytest's exit code {code}, after {taken}); see above for the reasons.")
        say("One test alone: python3 run.py test -- -n 0 tests/FILE.py::NAME")
    return code


def check(arguments: list[str]) -> int:
    """Check style, types, the import rule and the form of the project; the examples in the documentation are tests."""
    if arguments:
        raise UsageError(f"check takes no further arguments, got {' '.join(arguments)!r}.")
    prepare(PLACE, "dev")
    os.chdir(PLACE.root)
    contracts = [f"tests/contracts/test_{name}.py" for name in ("layers", "project", "reference")]
    steps = {
        "style": ["ruff", "check", "."],
        "layout": ["ruff", "format", "--check", "."],
        "types": ["mypy"],
        "calls in tests": ["mypy", "--config-file", "tests/mypy.ini", "tests"],
        "import rule, project, reference pages": ["pytest", "-q", "-p", "no:xdist", *contracts],
        "documentation": [*SITE],
    }
    failed = []
    for name, command in steps.items():
        say(f"--- {name}: {' '.join(command)}")
        if call([PLACE.tool("python"), "-m", *command]):
            failed.append(name)
    say(f"\nChecks failed: {'; '.join(failed)}. See above for the reasons." if failed else "\nAll checks passed.")
    if "layout" in failed:
        say("To correct the layout: .venv/bin/python -m ruff format .")
    return 1 if failed else 0


def docs(arguments: list[str]) -> int:
    """Build the documentation as a site; a broken link or anchor fails."""
    if arguments not in ([], ["--serve"]):
        raise UsageError(f"docs takes --serve or nothing, got {' '.join(arguments)!r}.")
    prepare(PLACE, "dev")
    os.chdir(PLACE.root)
    python = PLACE.tool("python")
    if arguments:
        return call([python, "-m", "zensical", "serve"])
    code = call([python, "-m", *SITE])
    if code == 0:
        say(f"\nOpen {PLACE.root / 'site' / 'index.html'} in a browser; it needs no server and no network.")
    return code


def bench(arguments: list[str]) -> int:
    """Run one of the comparisons in benchmarks/."""
    there = sorted(path.stem for path in (PLACE.root / "benchmarks").glob("[!_]*.py"))
    if not arguments or arguments[0] not in there:
        raise UsageError(f"bench needs the name of a comparison; there are: {', '.join(there) or 'none yet'}.")
    prepare(PLACE, "bench")
    return call([PLACE.tool("python"), PLACE.root / "benchmarks" / f"{arguments[0]}.py", *arguments[1:]])


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "demo": demo,
    "test": test,
    "check": check,
    "docs": docs,
    "bench": bench,
}


def main(argv: Sequence[str]) -> int:
    """Run one command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="run.py", usage="python3 run.py {demo,test,check,docs,bench} ...", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("command", choices=COMMANDS, help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    if not argv:
        parser.print_help()
        return UsageError.exit_code
    chosen = parser.parse_args(list(argv))
    arguments = chosen.arguments[1:] if chosen.arguments[:1] == ["--"] else chosen.arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # installers draw boxes that some consoles cannot show
    try:
        return COMMANDS[chosen.command](arguments)
    except SetupError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
