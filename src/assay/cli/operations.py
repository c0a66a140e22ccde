"""`assay doctor`, `backup`, `restore` and `verify`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.observer import TerminalObserver, console
from assay.errors import MissingExtra

Db = Annotated[
    str | None, typer.Option(help="Database file or postgresql:// URL (default: the one `assay serve` uses).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
SIGNS = {"ok": "ok", "missing": "not installed", "warning": "warning", "broken": "BROKEN"}


def own_database() -> str:
    try:
        from assay.web.site import data_folder
    except ModuleNotFoundError as missing:
        raise MissingExtra("The database of the web app", "web") from missing
    return str(data_folder() / "assay.db")


def _say(text: str) -> None:
    console().print(text, markup=False, soft_wrap=True)


def doctor(
    db: Annotated[str | None, typer.Option(help="Also check this database: a file or a URL.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check this installation: what works, what is missing and how to get it, what the machine allows.

    Exits 0 when what is installed works, 2 when something is broken. Example: assay doctor --db assay.db
    """
    from assay.operations.doctor import diagnose, limits

    if db is None:
        try:
            db = own if Path(own := own_database()).is_file() else None
        except MissingExtra:
            db = None
    findings = diagnose(db, observer=TerminalObserver(quiet=as_json))
    if as_json:
        typer.echo(json.dumps({"findings": [asdict(f) for f in findings], "limits": limits()}, indent=1))
    else:
        for name, value in limits().items():
            _say(f"{'limit':>13}  {name}: {value}")
        for finding in findings:
            _say(f"{SIGNS[finding.state]:>13}  {finding.name}: {finding.detail}")
            if finding.remedy:
                _say(f"{'':>13}  {finding.remedy}")
        states: list[str] = [finding.state for finding in findings]
        others = ", ".join(f"{n} {SIGNS[state]}" for state in SIGNS if state != "ok" and (n := states.count(state)))
        _say(
            f"\nWhat is installed works{f' ({others})' if others else ''}."
            if "broken" not in states
            else f"\n{others}."
        )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(2)


def backup(
    out: Annotated[Path, typer.Argument(help="Backup file to write.")],
    db: Db = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Back up the web app: its database and stored files, in one file. The server can keep running.

    Example: assay backup assay-monday.zip --db postgresql://assay@localhost/assay
    """
    from_store = load_operation("backup")
    manifest = from_store.backup(db or own_database(), out, force=force, observer=TerminalObserver(quiet=quiet))
    _say_manifest(manifest, f"Wrote {out}", as_json=as_json, quiet=quiet)
    if not (quiet or as_json):
        _say(f"It contains password hashes and student work: keep it safe. To restore it: assay restore {out}")


def restore(
    backup: Annotated[Path, typer.Argument(help="Backup file written by `assay backup`.")],
    db: Db = None,
    force: Annotated[bool, typer.Option("--force", help="Replace everything in the database.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Restore a backup into an empty database, or replace a database with --force. Stop the server first.

    Everything is checked before anything is written, and all of it is restored or nothing. A backup of an earlier
    version is brought up to date. Example: assay restore assay-monday.zip --db assay.db
    """
    from_store, where = load_operation("restore"), db or own_database()
    manifest = from_store.restore(backup, where, force=force, observer=TerminalObserver(quiet=quiet))
    _say_manifest(manifest, "Restored", as_json=as_json, quiet=quiet)


def verify(db: Db = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Check the integrity of the database and stored files.

    Lists each problem and what to do about it. Exits 0 when all is well, 1 when there are problems, 2 when the
    database cannot be read. Example: assay verify --db assay.db
    """
    problems = load_operation("verify").verify(db or own_database(), observer=TerminalObserver(quiet=quiet))
    if as_json:
        typer.echo(json.dumps([asdict(problem) for problem in problems], indent=1))
    for problem in problems if not as_json else ():
        _say(f"{problem.check}: {problem.problem}. {problem.remedy}")
    if problems:
        raise typer.Exit(1)
    if not (quiet or as_json):
        _say("No problems found in tables, references, stored files, results and jobs.")


def load_operation(name: str) -> Any:
    """A module of the operator's kit, which needs the libraries of the web app."""
    from importlib import import_module

    try:
        return import_module(f"assay.operations.{name}")
    except ModuleNotFoundError as missing:
        raise MissingExtra("The database of the web app", "web") from missing


def _say_manifest(manifest: dict[str, Any], done: str, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        typer.echo(json.dumps(manifest, indent=1))
    elif not quiet:
        rows, files = sum(table["rows"] for table in manifest["tables"].values()), manifest["blobs"]["count"]
        origin = f"made {manifest['created']} by Assay {manifest['assay']}, tables of version {manifest['schema']}"
        _say(f"{done}: {rows:,} rows, {files:,} stored files; {origin}.")
