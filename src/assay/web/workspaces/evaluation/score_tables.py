"""Score tables in a workspace: the columns guessed, the choice checked, the evaluation started."""

import json
from collections.abc import Sequence
from pathlib import PurePath
from shlex import quote
from typing import BinaryIO

import polars as pl

from assay import __version__
from assay.errors import InputError
from assay.io.tables.columns import ROWS_LOOKED_AT, guess_columns
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.io.tables.tables import TableSource, open_table
from assay.scale import ScoreScale
from assay.store.database import Connection
from assay.store.ids import content_digest
from assay.store.items import NewItem
from assay.store.schema import Json
from assay.store.uploads import Upload, upload_file, workspace_uploads
from assay.store.workspaces import Workspace
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site
from assay.web.uploads import keep_files
from assay.web.visitors import Visitor
from assay.web.workspaces.scoring import change_settings, check_setting_names, new_context, start_scoring
from assay.web.workspaces.stored_settings import EvaluationSettings, ScoreColumnNames
from assay.web.workspaces.workspace_page import WorkspaceContext

EMPTY: Json = {"id": "", "human": [], "system": [], "groups": [], "candidate": "", "length": ""}
COMPARISON = "comparison"


def new_evaluation(
    site: Site, name: str, content: BinaryIO, who: Visitor, *, title: str = "", example: bool = False
) -> Workspace:
    """A workspace with a table in it; the columns are guessed, nothing is evaluated yet."""
    title = title or PurePath(name).stem.replace("_", " ") or "Score table"

    def receive(connection: Connection, workspace: Workspace) -> None:
        uploads = keep_files(connection, site, workspace, "scores", [(name, content)], who)
        received(connection, site, workspace, uploads)

    return new_context(site, "evaluation", title, who, receive, example=example).workspace


def received(connection: Connection, site: Site, workspace: Workspace, uploads: Sequence[Upload]) -> None:
    """Guess the columns of the table that came in; no more engines than one, others are added on purpose."""
    try:
        guessed = guess_columns(head_of(opened(site, connection, uploads[-1]), ROWS_LOOKED_AT))
    except InputError as error:  # met while its first rows were read
        raise error.at(uploads[-1].name) from None
    columns = {
        "id": guessed.id or "",
        "human": list(guessed.human),
        "system": list(guessed.system[:1]),
        "groups": list(guessed.groups),
        "candidate": guessed.candidate or "",
        "length": guessed.length or "",
    }
    change_settings(connection, site, workspace, {"columns": columns, "scale": ""})


def start(context: WorkspaceContext, settings: Json) -> str | None:
    """Evaluate with the columns a program names; those it does not name are the guessed ones."""
    guessed = context.workspace.settings.get("columns", EMPTY)
    chosen = {role: _given(settings.get(role, guessed[role]), role) for role in EMPTY}
    check_setting_names(settings, [*EMPTY, "scale"], f"There are: {', '.join(EMPTY)}, scale.")
    scale = str(settings.get("scale") or EvaluationSettings.of(context.workspace).scale)
    return evaluate_with(context, chosen, scale)


def _given(value: object, role: str) -> list[str] | str:
    """A name, or names where there may be several."""
    if isinstance(EMPTY[role], list):
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise FieldErrors({role: f"{role} takes names of columns."})
        return [name for name in names if name]
    if not isinstance(value, str | None):
        raise FieldErrors({role: f"{role} takes the name of a column."})
    return value or ""


def score_columns(chosen: ScoreColumnNames) -> ScoreColumns:
    """The columns a person chose, as the table reads them."""
    id_, candidate, length = (name or None for name in (chosen.id, chosen.candidate, chosen.length))
    return ScoreColumns(chosen.human, chosen.system, id=id_, groups=chosen.groups, candidate=candidate, length=length)


def opened(site: Site, connection: Connection, upload: Upload) -> TableSource:
    """The uploaded table, open; messages call it by its own name."""
    try:
        return open_table(upload_file(connection, upload, site.settings.cache))
    except InputError as error:
        raise error.at(upload.name) from None


def head_of(source: TableSource, rows: int) -> pl.DataFrame:
    first = next(source.batches(source.columns, rows=rows), None)
    return first.head(rows) if first is not None else pl.DataFrame({name: [] for name in source.columns})


def table_of(context: WorkspaceContext) -> tuple[Upload, TableSource]:
    with context.site.database.reading() as connection:
        uploads = workspace_uploads(connection, context.workspace.id, "scores")
        if not uploads:
            raise InputError("This workspace holds no table yet.")
        return uploads[-1], opened(context.site, connection, uploads[-1])


def evaluate_with(context: WorkspaceContext, chosen: Json, scale: str) -> str | None:
    """Check the choice against the table, keep it, and start the work; the id of the job."""
    upload, source = table_of(context)
    check_choice(source, upload, chosen, scale)
    engine = content_digest("evaluation", __version__, upload.digest, json.dumps([chosen, scale], sort_keys=True))
    tasks: list[Json] = [{"is": "engine", "engine": name} for name in chosen["system"]]
    if len(tasks) > 1:
        tasks.append({"is": COMPARISON})
    digests = [content_digest(engine, json.dumps(task, sort_keys=True)) for task in tasks]
    items = [
        NewItem(digest, task.get("engine", "Comparison"), task, None, upload.id)
        for digest, task in zip(digests, tasks, strict=True)
    ]
    made_of = EvaluationSettings.of(context.workspace).made_of
    job = {
        "digest": upload.digest,
        "suffix": upload.suffix,
        "source": upload.name,
        "inputs": made_of.get(upload.digest, {upload.name: upload.digest}),
        "columns": chosen,
        "scale": scale,
        "made": context.site.now().astimezone().isoformat(timespec="seconds"),
        "command": command_of(upload.name, chosen, scale),
    }
    with context.site.database.writing() as connection:
        settings = {"columns": chosen, "scale": scale}
        changed = change_settings(connection, context.site, context.workspace, settings)
        context.note(connection, "choose columns", chosen)
        return start_scoring(connection, context, changed, items, engine=engine, settings=job)


_FORM_FIELDS = {role: role for role in EMPTY} | {"second_human": "human"}
"""Argument of the workflow -> the field of the form it stands in."""
_LABELS = {"id": "the id", "human": "the human score", "second_human": "a human score", "system": "the system score"}
"""Argument -> how the form calls it."""


def check_choice(source: TableSource, upload: Upload, chosen: Json, scale: str) -> None:
    """FieldErrors naming every field that cannot be used."""
    errors = {role: f"Choose the column with the {role} score." for role in ("human", "system") if not chosen[role]}
    twice = set(chosen["human"]) & set(chosen["system"])
    if twice:
        errors["system"] = f"{min(twice)!r} is chosen as a human score too: each needs its own column."
    if scale:
        try:
            ScoreScale.parse(scale)
        except InputError as error:
            errors["scale"] = page_words(error)
    for role in EMPTY:
        names = chosen[role] if isinstance(chosen[role], list) else [chosen[role]]
        unknown = [name for name in names if name and name not in source.columns]
        if unknown:
            errors[role] = f"The table has no column {unknown[0]!r}."
    if not errors:
        try:
            RatingsTable(source.path, score_columns(ScoreColumnNames.from_json(chosen))).human_values  # noqa: B018  # read to check it
        except InputError as error:
            words = error.at(upload.name).text(lambda field: _LABELS.get(field, field))
            errors[_FORM_FIELDS.get(error.field, "human")] = words
    if errors:
        raise FieldErrors(errors)


def command_of(name: str, chosen: Json, scale: str) -> str:
    """The same evaluation on the command line."""
    first, *others = chosen["human"]
    options = {"human": first, "system": chosen["system"][0], "second-human": ",".join(others)}
    options |= {"groups": ",".join(chosen["groups"])}
    options |= {option: chosen[option] for option in ("id", "candidate", "length")} | {"scale": scale}
    words = [f"--{option} {quote(value)}" for option, value in options.items() if value]
    return " ".join(["assay evaluate", quote(name), *words])
