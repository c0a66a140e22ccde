"""Score tables in a workspace: the columns guessed, the choice checked, the evaluation started."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from shlex import quote
from typing import BinaryIO

import polars as pl

from assay import __version__
from assay.errors import InputError
from assay.io.tables.columns import ROWS_LOOKED_AT, GuessedColumns, guess_columns
from assay.io.tables.ratings_table import RatingsTable
from assay.io.tables.tables import TableSource, open_table
from assay.scale import ScoreScale
from assay.store.audit import note
from assay.store.database import Connection
from assay.store.ids import content_digest
from assay.store.items import NewItem
from assay.store.schema import Json
from assay.store.uploads import Upload, upload_file, workspace_uploads
from assay.store.workspaces import Workspace, change_workspace, create_workspace, find_workspace, hold_workspace
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site
from assay.web.uploads import keep_files
from assay.web.visitors import Visitor
from assay.web.worker.evaluation import COMPARISON, score_columns
from assay.web.workspaces.scoring import start_scoring
from assay.web.workspaces.stored_settings import EvaluationSettings, ScoreColumnNames
from assay.web.workspaces.workspace_page import WorkspaceContext

KIND = "evaluation"
EMPTY: Json = {"id": "", "human": [], "system": [], "groups": [], "candidate": "", "length": ""}


def new_evaluation(
    site: Site, name: str, content: BinaryIO, who: Visitor, *, title: str = "", example: bool = False
) -> Workspace:
    """A workspace with a table in it; the columns are guessed, nothing is evaluated yet."""
    title = title or PurePath(name).stem.replace("_", " ") or "Score table"
    with site.database.writing() as connection:
        made = create_workspace(connection, KIND, title, author=who.name, now=site.now(), example=example)
        received(connection, site, made, keep_files(connection, site, made, "scores", [(name, content)], who))
        found = find_workspace(connection, made.id)
    assert found is not None  # made above
    return found


def received(connection: Connection, site: Site, workspace: Workspace, uploads: Sequence[Upload]) -> None:
    """Guess the columns of the table that came in."""
    try:
        guessed = guess_columns(head_of(opened(site, connection, uploads[-1]), ROWS_LOOKED_AT))
    except InputError as error:  # found while its first rows were read
        raise error.at(uploads[-1].name) from None
    current = find_workspace(connection, workspace.id) or workspace
    settings = {**current.settings, "columns": _as_choice(guessed), "scale": ""}
    change_workspace(connection, workspace.id, now=site.now(), settings=settings)


def start(found: WorkspaceContext, settings: Json) -> str | None:
    """Evaluate with the columns a program names; those it does not name are the guessed ones."""
    guessed = found.workspace.settings.get("columns", EMPTY)
    chosen = {role: _given(settings, role, guessed) for role in EMPTY}
    unknown = sorted(set(settings) - set(EMPTY) - {"scale"})
    if unknown:
        raise FieldErrors({unknown[0]: f"There is no setting {unknown[0]!r}. There are: {', '.join(EMPTY)}, scale."})
    return evaluate_with(found, chosen, str(settings.get("scale") or EvaluationSettings.of(found.workspace).scale))


def _given(settings: Json, role: str, guessed: Json) -> list[str] | str:
    """A name, or names where there may be several."""
    value = settings.get(role, guessed[role])
    if isinstance(EMPTY[role], list):
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise FieldErrors({role: f"{role} takes names of columns."})
        return [name for name in names if name]
    if not isinstance(value, str | None):
        raise FieldErrors({role: f"{role} takes the name of a column."})
    return value or ""


def _as_choice(guessed: GuessedColumns) -> Json:
    """The guess as the form holds it: no more engines than one, others are added on purpose."""
    return {
        "id": guessed.id or "",
        "human": list(guessed.human),
        "system": list(guessed.system[:1]),
        "groups": list(guessed.groups),
        "candidate": guessed.candidate or "",
        "length": guessed.length or "",
    }


def opened(site: Site, connection: Connection, upload: Upload) -> TableSource:
    """The uploaded table, open; messages call it by its own name."""
    try:
        return open_table(upload_file(connection, upload, site.settings.cache))
    except InputError as error:
        raise error.at(upload.name) from None


def head_of(source: TableSource, rows: int) -> pl.DataFrame:
    first = next(source.batches(source.columns, rows=rows), None)
    return first.head(rows) if first is not None else pl.DataFrame({name: [] for name in source.columns})


def table_of(found: WorkspaceContext) -> tuple[Upload, TableSource]:
    with found.site.database.reading() as connection:
        uploads = workspace_uploads(connection, found.workspace.id, "scores")
        if not uploads:
            raise InputError("This workspace holds no table yet.")
        return uploads[-1], opened(found.site, connection, uploads[-1])


def evaluate_with(found: WorkspaceContext, chosen: Json, scale: str) -> str | None:
    """Check the choice against the table, keep it, and start the work; the id of the job."""
    upload, source = table_of(found)
    check_choice(source, upload, chosen, scale)
    site, workspace, now = found.site, found.workspace, found.site.now()
    engine = content_digest("evaluation", __version__, upload.digest, json.dumps([chosen, scale], sort_keys=True))
    tasks: list[Json] = [{"is": "engine", "engine": name} for name in chosen["system"]]
    if len(tasks) > 1:
        tasks.append({"is": COMPARISON})
    items = [
        NewItem(
            content_digest(engine, json.dumps(t, sort_keys=True)), t.get("engine", "Comparison"), t, None, upload.id
        )
        for t in tasks
    ]
    with site.database.writing() as connection:
        current = hold_workspace(connection, workspace.id) or workspace
        settings = {**current.settings, "columns": chosen, "scale": scale}
        change_workspace(connection, workspace.id, now=now, settings=settings)
        changed = replace(current, settings=settings)
        note(connection, "choose columns", author=found.visitor.name, now=now, workspace_id=workspace.id, detail=chosen)
        made_of = EvaluationSettings.of(workspace).made_of
        job = {
            "digest": upload.digest,
            "suffix": upload.suffix,
            "source": upload.name,
            "inputs": made_of.get(upload.digest, {upload.name: upload.digest}),
            "columns": chosen,
            "scale": scale,
            "made": now.astimezone().isoformat(timespec="seconds"),
            "command": command_of(upload.name, chosen, scale),
        }
        return start_scoring(
            connection, site, changed, items, engine=engine, kind="evaluation", settings=job, who=found.visitor
        )


_FORM_FIELDS = {role: role for role in EMPTY} | {"second_human": "human"}
"""Argument of the workflow -> the field of the form it stands in."""
_LABELS = {"id": "the id", "human": "the human score", "second_human": "a human score", "system": "the system score"}


def _spelled(field: str) -> str:
    """An argument as the form calls it."""
    return _LABELS.get(field, field)


def check_choice(source: TableSource, upload: Upload, chosen: Json, scale: str) -> None:
    """FieldErrors naming every field that cannot be used."""
    errors: dict[str, str] = {}
    if not chosen["human"]:
        errors["human"] = "Choose the column with the human score."
    if not chosen["system"]:
        errors["system"] = "Choose the column with the system score."
    twice = set(chosen["human"]) & set(chosen["system"])
    if twice:
        errors["system"] = f"{min(twice)!r} is chosen as a human score too: each needs its own column."
    if scale:
        try:
            ScoreScale.parse(scale)
        except InputError as error:
            errors["scale"] = page_words(error)
    for role in ("id", "human", "system", "groups", "candidate", "length"):
        names = chosen[role] if isinstance(chosen[role], list) else [chosen[role]]
        unknown = [name for name in names if name and name not in source.columns]
        if unknown:
            errors[role] = f"The table has no column {unknown[0]!r}."
    if not errors:
        try:
            RatingsTable(source.path, score_columns(ScoreColumnNames.from_json(chosen))).human_values  # noqa: B018  # read to check it
        except InputError as error:
            errors[_FORM_FIELDS.get(error.field, "human")] = error.at(upload.name).text(_spelled)
    if errors:
        raise FieldErrors(errors)


def command_of(name: str, chosen: Json, scale: str) -> str:
    """The same evaluation on the command line."""
    first, *others = chosen["human"]
    words = ["assay evaluate", quote(name), "--human", quote(first), "--system", quote(chosen["system"][0])]
    words += ["--second-human", quote(",".join(others))] if others else []
    words += ["--groups", quote(",".join(chosen["groups"]))] if chosen["groups"] else []
    for option in ("id", "candidate", "length"):
        words += [f"--{option}", quote(chosen[option])] if chosen[option] else []
    return " ".join([*words, *(["--scale", quote(scale)] if scale else [])])
