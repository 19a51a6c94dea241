"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, Token

from textassay.cli.completing import study_directories
from textassay.errors import UsageError
from textassay.study.store_address import VARIABLE, address_problem


def _whole(_: type, tokens: Sequence[Token]) -> int:
    """Read a whole number; cyclopts alone would round 2.5 to 2."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"{tokens[0].value!r} is not a whole number") from None


Whole = Annotated[int, Parameter(converter=_whole)]
HERE = Path()
"""The study of a command that is not told which one: that in the current directory."""
StudyDirectory = Annotated[
    Path, Parameter(help="The study directory, or the study file in it.", completer=study_directories)
]
Format = Annotated[
    Literal["text", "json", "csv", "latex"], Parameter(name=["--format", "-f"], help="How the result is printed.")
]


def _address(_: type, tokens: Sequence[Token]) -> str:
    """Read the address of a database; one on the command line holds no password, for every user sees it there."""
    (token,) = tokens
    flag = token.keyword or "--db"
    wrong = address_problem(token.value, may_hold_password=token.source == "env")
    if wrong is not None:
        raise UsageError(f"{VARIABLE if token.source == 'env' else flag}: {wrong}")
    return token.value


Address = Annotated[str, Parameter(converter=_address)]
Database = Annotated[
    str | None,
    Parameter(
        name="--db",
        env_var=VARIABLE,
        converter=_address,
        help="Address of the database with the answers, such as postgresql://user@host/database. By default that in "
        "the environment variable TEXTASSAY_DB, then what the study file says under store, then answers.db beside it.",
    ),
]
Quiet = Annotated[bool, Parameter(name=["--quiet", "-q"], negative="", help="Print no progress and no notes.")]


def refuse_for_several(db: str | None, studies: int) -> None:
    """Refuse one address for several studies.

    Raises:
        UsageError: it is one.
    """
    if db is not None and studies > 1:
        said = f"--db and {VARIABLE} are about one study"
        raise UsageError(f"{said}; where there are several, each names its database itself, under 'store' in its file")


def named_number(text: str, flag: str, example: str) -> tuple[str, float]:
    """Read `name=value`.

    >>> named_number("length = -0.3", "--effect", "length=0.5")
    ('length', -0.3)

    Raises:
        UsageError: there is no value, or it is no number.
    """
    name, equals, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        wrong = f"{value!r} is not a number" if equals else "it has no value"
        raise UsageError(f"{flag} {text}: {wrong}; write name=value, for example {example}") from None
