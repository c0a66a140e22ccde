"""The command tree; what it is given, and what `boundary` makes of its end."""

import gc
import os
import sys
from collections.abc import Callable
from copy import copy
from typing import Annotated, Any

import typer

from assay import __version__
from assay.cli import accounts, demo, evaluation, judge, operations, panel, rsm, serve
from assay.cli.annotations import commands as annotations
from assay.cli.boundary import check_memory_limit, run
from assay.cli.essays.commands import essays_app

app = typer.Typer(
    name="assay",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Grades essays and image annotations, and proves how far any score can be trusted.",
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Scores you can defend."""


app.command("demo")(demo.demo)
app.command("examples")(demo.examples)
app.command("serve")(serve.serve)
app.command("evaluate")(evaluation.evaluate)
app.command("compare")(evaluation.compare)
app.command("trust")(evaluation.trust)
app.command("judge")(judge.judge)
app.command("panel")(panel.panel)
app.add_typer(rsm.rsm_app, name="rsm")
app.add_typer(annotations.annotations_app, name="annotations")
app.add_typer(essays_app, name="essays")
app.add_typer(accounts.accounts_app, name="accounts")
app.command("doctor")(operations.doctor)
app.command("backup")(operations.backup)
app.command("restore")(operations.restore)
app.command("verify")(operations.verify)


def main() -> None:
    """Run a command; exit 0 when done, 1 on a failed gate, 2 on bad input or a machine that cannot go on."""
    # before numpy comes: a second thread of small matrix products takes a core and saves no time, and --workers need
    # the cores; sums of one thread are also the same on every machine
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # what is loaded lives to the end: to look through it for garbage every 700 objects is a tenth of a short run
    gc.set_threshold(100_000, 20, 20)
    arguments = with_each_gate_named(sys.argv[1:]) if "--gate" in sys.argv else sys.argv[1:]
    sys.exit(run(lambda: _invoke(arguments), lambda name: option_speller(arguments)(name)))  # noqa: PLW0108 - only then


def _called(arguments: list[str]) -> typer.Typer:
    """The tree with the branch that is called and no other, which is quicker to build; whole if none is."""
    name = arguments[0] if arguments else ""
    commands = [command for command in app.registered_commands if command.name == name]
    groups = [group for group in app.registered_groups if group.name == name]
    if not (commands or groups) or any(variable.endswith("_COMPLETE") for variable in os.environ):
        return app
    branch = copy(app)
    branch.registered_commands, branch.registered_groups = commands, groups
    return branch


def _invoke(arguments: list[str]) -> None:
    command: Any = typer.main.get_command(_called(arguments))
    command._main_shell_completion({}, "assay")
    if not {"-h", "--help", "--version", "-V", "doctor"} & set(arguments):
        check_memory_limit()
    with command.make_context("assay", arguments) as context:
        command.invoke(context)


def option_speller(arguments: list[str]) -> Callable[[str], str]:
    """How the command that was called writes an argument of its workflow.

    >>> option_speller(["evaluate", "scores.csv"])("second_human")
    '--second-human'
    """
    command: Any = typer.main.get_command(app)
    for argument in arguments:
        command = getattr(command, "commands", {}).get(argument, command)

    def spell(name: str) -> str:
        for parameter in command.params:
            if parameter.name == name:
                return str(max(parameter.opts, key=len)) if parameter.param_type_name == "option" else name.upper()
        return name

    return spell


def with_each_gate_named(arguments: list[str]) -> list[str]:
    """`--gate A B` as `--gate A --gate B`: several gates may follow one option.

    >>> with_each_gate_named(["--gate", "qwk>=0.7", "r>0.7", "--quiet"])
    ['--gate', 'qwk>=0.7', '--gate', 'r>0.7', '--quiet']
    """
    named: list[str] = []
    within = False
    for argument in arguments:
        if within and not argument.startswith("-") and named[-1] != "--gate" and any(c in argument for c in "<>="):
            named.append("--gate")
        within = argument == "--gate" or (within and not argument.startswith("-"))
        named.append(argument)
    return named
