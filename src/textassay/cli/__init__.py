"""The command line: one file per command, imported only when it is called."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from textassay import __version__
from textassay.cli.verbose import telling_steps, without_flag
from textassay.errors import TextassayError
from textassay.known_names import did_you_mean

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

COMMANDS = {
    "A study": {
        "new": ("textassay.cli.new:new", "Make a study of your own texts, or copy a ready study."),
        "check": ("textassay.cli.check:check", "Check a study; show its design, balance and duration."),
        "power": ("textassay.cli.power:power", "Estimate how many participants and items a study needs."),
        "prereg": ("textassay.cli.prereg:prereg", "Register the study before its first participant."),
        "serve": ("textassay.cli.serve:serve", "Serve the study's web pages to participants."),
        "links": ("textassay.cli.links:links", "Show links for participants; create personal links."),
        "simulate": ("textassay.cli.simulate:simulate", "Run the study with simulated participants."),
        "reset": ("textassay.cli.reset:reset", "Remove simulated participants after a rehearsal."),
        "forget": ("textassay.cli.forget:forget_participant", "Erase what is stored about a participant."),
        "screen": ("textassay.cli.screen:screen", "Show which participants are excluded, and why."),
        "report": ("textassay.cli.report:report", "Screen, analyse, score and write the report."),
        "datasheet": ("textassay.cli.datasheet:datasheet", "Fill in the Human Evaluation Datasheet of a study."),
        "bundle": ("textassay.cli.bundle:bundle", "Write one archive with which others can redo the study."),
        "verify": ("textassay.cli.verify:verify", "Work out every number of a bundle again and compare."),
        "demo": ("textassay.cli.demo:demo", "Run the demo study from plan to report."),
    },
    "A study, or plain tables": {
        "analyse": ("textassay.cli.analyse:analyse", "Analyse the answers statistically."),
        "replicate": ("textassay.cli.replicate:replicate", "Compare an evaluation with its replications."),
        "score": ("textassay.cli.score:score", "Score texts with automatic metrics."),
        "order": (
            "textassay.cli.order:order",
            "Evaluate orders of sentences; make materials for experiments.",
        ),
        "correlate": ("textassay.cli.correlate:correlate", "Compare metrics with human judgements."),
        "judge": ("textassay.cli.judge:judge", "Test whether an automatic judge can stand in for a person."),
        "export": ("textassay.cli.export:export", "Export the answers as tables with a codebook."),
        "import": ("textassay.cli.import_table:import_table", "Import tables collected elsewhere."),
        "relevance": ("textassay.cli.relevance:relevance", "Show which events of texts point to which actions."),
        "ontology": ("textassay.cli.ontology:ontology", "Show what is in an ontology."),
    },
    "Keeping the answers": {
        "backup": ("textassay.cli.backup:backup", "Copy the answers into one file, also while the study is served."),
        "move": ("textassay.cli.move:move", "Move the answers from SQLite to PostgreSQL, or back."),
        "rescue": ("textassay.cli.rescue:rescue", "Write out what is readable of a damaged database file."),
    },
    "This installation": {
        "list": ("textassay.cli.list_entries:list_entries", "List metrics, statistics, tasks, rules and templates."),
        "doctor": ("textassay.cli.doctor:doctor", "Check that everything works here, and say what to do if not."),
        "completion": ("textassay.cli.completion:completion", "Make the shell complete commands and names."),
    },
}
"""Commands by group: the function, and its line in the help."""

WRONG_USAGE = 2
_SPACE, _WRITABLE = "free some space on the disk that is written to", "make it writable for you, or use another folder"
_OF_THE_MACHINE = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EROFS: _WRITABLE,
    errno.EACCES: _WRITABLE,
    errno.EPERM: _WRITABLE,
    errno.EIO: "that disk fails: save what is on it elsewhere",
    errno.EMFILE: "too many files are open: raise the limit (ulimit -n)",
}
"""What to do where a file cannot be read or written for a reason outside this program."""
_OPTIONS = ("--help", "-h", "--version", "--verbose", "-v")
_COMPLETING = "__complete"
"""What shells call to complete a word; cyclopts answers."""


def main() -> None:
    """Run the command line and exit with its code: 0 fine, 1 a finding or failure in the data, 2 wrong usage."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; a message has a traceback with -v only."""
    # Reports and tables may hold any script; a terminal that cannot show a character must not stop the command.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given, verbose = without_flag(arguments)
    if not verbose:
        return _run(given, traceback=False)
    with telling_steps(given) as tell:
        code = _run(given, traceback=True)
        tell(f"exit code {code}")
    return code


def _run(arguments: list[str], *, traceback: bool) -> int:  # noqa: PLR0911 -- one end for each kind of failure
    from cyclopts import CycloptsError  # noqa: PLC0415 -- after this module, so that `import textassay.cli` is cheap

    names = [name for commands in COMMANDS.values() for name in commands]
    arguments = _as_option(arguments)
    first = arguments[0] if arguments else "--help"
    if first not in (*names, *_OPTIONS, _COMPLETING):
        print(_unknown_command(first, names), file=sys.stderr)
        return WRONG_USAGE
    try:
        given = _with_standard_input(arguments)
        code = application()(given, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        command = f" {first}" if first in names else ""
        message = f"textassay: {_told(error)}\nSee 'textassay{command} --help'."
        return _failed(message, WRONG_USAGE, traceback=traceback)
    except TextassayError as error:
        message = f"textassay: {error}" if "\n" not in str(error) else str(error)
        return _failed(message, error.exit_code, traceback=traceback)
    except MemoryError:
        needs = "this needs more memory than there is; end other programs, or run it on a machine with more"
        return _failed(f"textassay: {needs}", 1, traceback=traceback)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reading program (head, less) has ended, which is no error; Python would complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
            where = f"{error.filename}: " if error.filename else ""
            told = f"{where}{error.strerror}; {_OF_THE_MACHINE[error.errno]}"
            return _failed(f"textassay: {told}", 1, traceback=traceback)
        told = f"unexpected error, a fault of textassay ({type(error).__name__}: {error})"
        again = "run the same command with -v, and report what it prints"
        return _failed(f"textassay: {told}; {again}", 1, traceback=traceback)
    return code if isinstance(code, int) else 0


def _as_option(arguments: list[str]) -> list[str]:
    """What people type for --help and --version: `help`, `help score`, `version`, `-V`."""
    match arguments:
        case ["help", *rest]:
            return [*rest, "--help"]
        case ["version" | "-V", *_]:
            return ["--version"]
    return arguments


def _told(error: CycloptsError) -> str:
    """What is wrong with the arguments; cyclopts' own words where they are plain enough."""
    from cyclopts import MissingArgumentError, UnusedCliTokensError  # noqa: PLC0415

    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f"unexpected argument: {' '.join(error.unused_tokens)}"
    argument = error.argument
    if isinstance(error, MissingArgumentError) and argument is not None and error.keyword is None:
        chain = " ".join(error.command_chain or ())
        if argument.field_info.is_positional and not argument.tokens:
            name, said = argument.name.lstrip("-").upper(), argument.parameter.help or ""
            return f"{chain!r} needs {name}{f': {said[:1].lower()}{said[1:]}' if said else ''}"
    return str(error)


def _failed(message: str, code: int, *, traceback: bool) -> int:
    """Tell what is wrong, after the traceback of the error that is being handled if that is asked for."""
    if traceback:
        from traceback import print_exc  # noqa: PLC0415 -- with -v only

        print_exc()
    print(message, file=sys.stderr)
    return code


def _with_standard_input(arguments: list[str]) -> list[str]:
    """The arguments with `--from -` in one; cyclopts takes a `-` by itself for an option.

    >>> _with_standard_input(["new", "my-study", "--from", "-"])
    ['new', 'my-study', '--from=-']
    """
    given = iter(arguments)
    joined = []
    for each in given:
        following = next(given, None) if each == "--from" else None
        if following == "-":
            joined.append("--from=-")
        else:
            joined += [each] if following is None else [each, following]
    return joined


def _unknown_command(name: str, names: list[str]) -> str:
    """What is wrong and what was meant; cyclopts would import every command to say it."""
    if name.startswith("-"):
        return f"textassay: there is no option {name!r}{did_you_mean(name, _OPTIONS)}\nSee 'textassay --help'."
    wrong = f"there is no command {name!r}{did_you_mean(name, names)}"
    return f"textassay: {wrong}\nCommands: {', '.join(names)}.\nSee 'textassay --help'."


def application() -> App:
    """The command line as cyclopts has it; each command is imported when it is called."""
    from cyclopts import App, Group  # noqa: PLC0415

    app = App(
        name="textassay",
        help="Find out how good generated text is, and how far the numbers can be trusted.\n\n"
        "Every command takes -v, which tells what happens step by step.",
        version=__version__,
    )
    for order, (title, commands) in enumerate(COMMANDS.items()):
        group = Group(title, sort_key=order)
        for name, (target, line) in commands.items():
            app.command(target, name=name, help=line, group=group)
    return app
