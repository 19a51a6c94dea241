"""`textassay completion`: what a shell needs to complete commands, options and names."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from textassay.errors import UsageError


def completion(
    shell: Literal["zsh", "bash", "fish", "powershell"] | None = None,  # in the order of cyclopts, whose type is shared
    *,
    install: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Print the script with which a shell completes commands, options, metrics, templates and studies.

    Args:
        shell: The shell; by default the one that this command was started from.
        install: Install the script for new shells instead of printing it.
    """
    from cyclopts.completion.detect import ShellDetectionError  # noqa: PLC0415 -- this command only

    from textassay.cli import application  # noqa: PLC0415 -- which imports this module

    app = application()
    try:
        if not install:
            print(app.generate_completion(shell=shell), end="")
            return
        path = app.install_completion(shell=shell)
    except ShellDetectionError:
        raise UsageError("the shell could not be recognised; name it: bash, zsh, fish or powershell") from None
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror}); print the script instead") from None
    print(f"Installed in {path}; open a new terminal to use it.")
