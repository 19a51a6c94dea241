"""The command line: one file per command, imported only when it is called."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from textassay.errors import TextassayError
from textassay.known_names import did_you_mean

if TYPE_CHECKING:
    from cyclopts import App

COMMANDS = {
    "A study": {
        "new": ("textassay.cli.new:new", "Copy a ready study into a new directory."),
        "check": ("textassay.cli.check:check", "Check a study; show its design, balance and duration."),
        "power": ("textassay.cli.power:power", "Estimate how many participants and items a study needs."),
        "prereg": ("textassay.cli.prereg:prereg", "Register the study before its first participant."),
        "serve": ("textassay.cli.serve:serve", "Serve the study's web pages to participants."),
        "links": ("textassay.cli.links:links", "Show links for participants; create personal links."),
        "simulate": ("textassay.cli.simulate:simulate", "Run the study with simulated participants."),
        "reset": ("textassay.cli.reset:reset", "Remove simulated participants after a rehearsal."),
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
}
"""Commands by group: the function, and its line in the help."""

WRONG_USAGE = 2


def main() -> None:
    """Run the command line and exit with its code: 0 fine, 1 a finding or failure in the data, 2 wrong usage."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:  # noqa: PLR0911 -- one end for each kind of failure
    """Run a command and return its exit code; a message never shows a traceback."""
    from cyclopts import CycloptsError  # noqa: PLC0415 -- after this module, so that `import textassay.cli` is cheap

    # Reports and tables may hold any script; a terminal that cannot show a character must not stop the command.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    names = [name for commands in COMMANDS.values() for name in commands]
    if arguments and arguments[0] not in names and not arguments[0].startswith("-"):
        print(_unknown_command(arguments[0], names), file=sys.stderr)
        return WRONG_USAGE
    try:
        code = _app()(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        print(f"textassay: {error}\nSee 'textassay --help'.", file=sys.stderr)
        return WRONG_USAGE
    except TextassayError as error:
        print(f"textassay: {error}" if "\n" not in str(error) else str(error), file=sys.stderr)
        return error.exit_code
    except MemoryError:
        needs = "this needs more memory than there is; end other programs, or run it on a machine with more"
        print(f"textassay: {needs}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reading program (head, less) has ended, which is no error; Python would complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def _unknown_command(name: str, names: list[str]) -> str:
    """What is wrong and what was meant; cyclopts would import every command to say it."""
    wrong = f"there is no command {name!r}{did_you_mean(name, names)}"
    return f"textassay: {wrong}\nCommands: {', '.join(names)}.\nSee 'textassay --help'."


def _app() -> App:
    from cyclopts import App, Group  # noqa: PLC0415

    from textassay import __version__  # noqa: PLC0415

    app = App(
        name="textassay",
        help="Find out how good generated text is, and how far the numbers can be trusted.",
        version=__version__,
    )
    for order, (title, commands) in enumerate(COMMANDS.items()):
        group = Group(title, sort_key=order)
        for name, (target, line) in commands.items():
            app.command(target, name=name, help=line, group=group)
    return app
