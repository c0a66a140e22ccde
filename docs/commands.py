"""The help of every command, as docs/reference/commands.md shows it.

python docs/commands.py            write it into the page
"""

import re
from pathlib import Path
from typing import Any

import typer

from assay.cli.main import app

PAGE = Path(__file__).resolve().parent / "reference" / "commands.md"
WIDTH = 100
_HELP = re.compile(r"(<!-- help of (assay[\w ]*), made by docs/commands.py -->\n).*?(<!-- end of help -->)", re.DOTALL)


def help_of(name: str) -> str:
    """What `NAME --help` prints."""
    words = name.split()
    command: Any = typer.main.get_command(app)
    context = None
    for number, word in enumerate(words):
        command = command if not number else command.commands[word]
        context = command.make_context(
            word, ["--help"], parent=context, resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH
        )
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def names_of_commands() -> list[str]:
    """Every command a user can type, in the order of the help."""
    found = []

    def visit(command: Any, name: str) -> None:
        subcommands = getattr(command, "commands", {})
        if not subcommands:
            found.append(name)
        for word, subcommand in subcommands.items():
            visit(subcommand, f"{name} {word}")

    visit(typer.main.get_command(app), "assay")
    return found


def with_current_help(page: str) -> str:
    """The page with the help of today between its markers."""
    return _HELP.sub(lambda m: f"{m[1]}\n```text\n{help_of(m[2])}\n```\n\n{m[3]}", page)


def commands_shown(page: str) -> list[str]:
    return [match[2] for match in _HELP.finditer(page)]


if __name__ == "__main__":
    PAGE.write_text(with_current_help(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
