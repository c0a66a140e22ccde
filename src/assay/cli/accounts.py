"""`assay accounts list|invite|reset|disable|enable`: who may sign in to the web app."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from assay.cli.observer import console
from assay.cli.operations import AsJson, Db, load_operation, own_database

accounts_app = typer.Typer(no_args_is_help=True, help="Manage who can sign in to the web app.")
Name = Annotated[str, typer.Argument(help="Name of the account.")]
Url = Annotated[str, typer.Option(help="Address of the app, to print a whole link.")]
ROLES = ("admin", "trainer", "student")


def _say(text: str) -> None:
    console().print(text, markup=False, soft_wrap=True)


@accounts_app.command("list")
def list_accounts(db: Db = None, as_json: AsJson = False) -> None:
    """List accounts with role and state.

    Example: assay accounts list --db assay.db
    """
    rows = load_operation("accounts").list_accounts(db or own_database())
    if as_json:
        typer.echo(json.dumps([{**asdict(row), "created": row.created.isoformat()} for row in rows], indent=1))
        return
    for row in rows:
        factor = ", second factor" if row.second_factor else ""
        _say(f"{row.name}: {row.role}, {row.state}{factor}, since {row.created:%Y-%m-%d}")
    if not rows:
        _say("No accounts yet. Add the first one: assay accounts invite NAME --role admin")


@accounts_app.command("invite")
def invite(
    name: Name,
    role: Annotated[str, typer.Option(help="admin, trainer or student.")] = "student",
    organization: Annotated[
        str, typer.Option(help="Organization of the person; made if it is new. People never see another's courses.")
    ] = "",
    db: Db = None,
    url: Url = "",
) -> None:
    """Add a person, and print a link to set a password. It works once, for seven days.

    Example: assay accounts invite "Ada Lovelace" --role trainer --url https://assay.example.org
    """
    if role not in ROLES:
        raise typer.BadParameter(f"choose one of {', '.join(ROLES)}", param_hint="--role")
    operation = load_operation("accounts")
    _say_link(operation.invite(db or own_database(), name.strip(), role, organization=organization.strip()), url)


@accounts_app.command("reset")
def reset(
    name: Name,
    second_factor: Annotated[bool, typer.Option("--second-factor", help="Remove the second factor too.")] = False,
    db: Db = None,
    url: Url = "",
) -> None:
    """Print a link to set a new password. It works once, for one day; the old password works until then.

    Example: assay accounts reset Ada --url https://assay.example.org
    """
    _say_link(load_operation("accounts").reset(db or own_database(), name, second_factor=second_factor), url)


@accounts_app.command("disable")
def disable(name: Name, db: Db = None) -> None:
    """Sign a person out everywhere, and let them sign in no longer.

    Example: assay accounts disable Ada
    """
    load_operation("accounts").set_enabled(db or own_database(), name, enabled=False)
    _say(f"{name} can no longer sign in. To undo: assay accounts enable {name}")


@accounts_app.command("enable")
def enable(name: Name, db: Db = None) -> None:
    """Let a disabled account sign in again.

    Example: assay accounts enable Ada
    """
    load_operation("accounts").set_enabled(db or own_database(), name, enabled=True)
    _say(f"{name} can sign in again.")


def _say_link(path: str, url: str) -> None:
    if url:
        _say(f"Send this link to the person: {url.rstrip('/')}{path}")
    else:
        _say(f"Send the person the address of your server followed by: {path}")
