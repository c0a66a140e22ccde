"""A second engine from a table of its own, joined to the table of a workspace by the id of each response.

The joined table is kept as the table of the workspace, so that columns, report and exports see one table; the files it
was made of are named, with their digests, in the provenance of every report (decision 0431).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import PurePath
from typing import BinaryIO

import polars as pl

from assay.errors import InputError
from assay.io.tables.columns import ROWS_LOOKED_AT, guess_columns, text_column
from assay.io.tables.tables import TableSource
from assay.store.database import Connection
from assay.store.uploads import Upload, keep_upload, workspace_uploads
from assay.store.workspaces import Workspace, find_workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.uploads import keep_files
from assay.web.workspaces.evaluation import score_tables
from assay.web.workspaces.evaluation.score_tables import EMPTY, evaluate_with, head_of, opened
from assay.web.workspaces.scoring import change_settings
from assay.web.workspaces.stored_settings import EvaluationSettings
from assay.web.workspaces.workspace_page import WorkspaceContext

ROLE = "engine"
MOST_ROWS = 5_000_000
ID, COLUMN, TABLE = "other_id", "other_system", "other"
"""The fields of the form."""


def received(connection: Connection, site: Site, workspace: Workspace, uploads: Sequence[Upload]) -> None:
    """A table with human scores: its columns are guessed. A further engine: it is joined by id, columns guessed."""
    if uploads[-1].role != ROLE:
        return score_tables.received(connection, site, workspace, uploads)
    for upload in uploads:
        join_engine(connection, site, find_workspace(connection, workspace.id) or workspace, upload)


def add_table(context: WorkspaceContext, file: tuple[str, BinaryIO], *, id_: str, column: str) -> None:
    """Keep and join a table, and judge its engines beside those that are there."""
    site, workspace = context.site, context.workspace
    with site.database.writing() as connection:
        (upload,) = keep_files(connection, site, workspace, ROLE, [file], context.visitor)
        try:
            added = join_engine(connection, site, workspace, upload, id_=id_, column=column)
        except InputError as problem:
            raise FieldErrors.of(problem, otherwise=TABLE) from None
        changed = find_workspace(connection, workspace.id) or workspace
    chosen = changed.settings.get("columns", EMPTY)
    more = {**chosen, "system": [*chosen["system"], *added]}
    evaluate_with(replace(context, workspace=changed), more, EvaluationSettings.of(changed).scale)


def join_engine(
    connection: Connection, site: Site, workspace: Workspace, upload: Upload, *, id_: str = "", column: str = ""
) -> tuple[str, ...]:
    """Add the scores of an uploaded table to the table of a workspace; the new columns, under the names they have now.

    FieldErrors say what does not fit.
    """
    uploads = workspace_uploads(connection, workspace.id, "scores")
    if not uploads:
        raise FieldErrors({TABLE: "Upload the table with the human scores first."})
    own_id = EvaluationSettings.of(workspace).columns.id
    if not own_id:
        choose = f"Choose on the page Columns which column of {uploads[-1].name} names the responses"
        raise FieldErrors({TABLE: f"{choose}; without it the tables cannot be joined."})
    first, second = opened(site, connection, uploads[-1]), opened(site, connection, upload)
    key, columns = _chosen(second, upload, own_id, id_, column)
    names = _new_names(columns, first.columns, upload)
    table = _joined(first, own_id, second, key, dict(zip(columns, names, strict=True)), upload)
    _keep(connection, site, workspace, uploads[-1], upload, table)
    return names


def _chosen(source: TableSource, upload: Upload, own_id: str, id_: str, column: str) -> tuple[str, tuple[str, ...]]:
    """The id column and the score columns of the second table: those named, or the likeliest."""
    has = f"It has: {', '.join(source.columns[:12])}."
    unknown = {field: name for field, name in ((ID, id_), (COLUMN, column)) if name and name not in source.columns}
    if unknown:
        raise FieldErrors({field: f"{upload.name} has no column {name!r}. {has}" for field, name in unknown.items()})
    guessed = guess_columns(head_of(source, ROWS_LOOKED_AT))
    key = id_ or (own_id if own_id in source.columns else guessed.id or "")
    if not key:
        raise FieldErrors({ID: f"No column of {upload.name} looks like an id: name it. {has}"})
    columns = (column,) if column else tuple(name for name in guessed.system if name != key)
    if not columns:
        raise FieldErrors({COLUMN: f"No column of {upload.name} looks like a system score: name it. {has}"})
    return key, columns


def _joined(
    first: TableSource, own_id: str, second: TableSource, key: str, names: Mapping[str, str], upload: Upload
) -> pl.DataFrame:
    """The first table with the columns of the second, whose names become others."""
    whole, other = first.frame(), second.frame([key, *names])
    whole = whole.select(name for name, kind in whole.schema.items() if not kind.is_nested() and kind != pl.Binary)
    if max(whole.height, other.height) > MOST_ROWS:
        raise FieldErrors({TABLE: f"Tables of more than {MOST_ROWS:,} rows are joined before they are uploaded."})
    ids = text_column(other, key)
    if ids.drop_nulls().is_duplicated().any():
        twice = ids.filter(ids.is_duplicated())[0]
        raise FieldErrors({ID: f"{upload.name} has {twice!r} more than once in {key!r}: a response needs one score."})
    scores = pl.DataFrame([ids.alias(_KEY), *(other.get_column(old).alias(new) for old, new in names.items())])
    keyed = whole.with_columns(text_column(whole, own_id).alias(_KEY))
    if not keyed.get_column(_KEY).is_in(ids.drop_nulls().to_list()).any():
        what = f"No value of {key!r} in {upload.name} is a value of {own_id!r} here"
        raise FieldErrors({ID: f"{what}, so nothing can be joined."})
    return keyed.join(scores, on=_KEY, how="left", maintain_order="left").drop(_KEY)


_KEY = "\0id"
"""No column of a file is called so."""


def _new_names(columns: Sequence[str], taken: Sequence[str], upload: Upload) -> tuple[str, ...]:
    """The columns under their own names; with the file's name behind it where the table has one of that name."""
    used, names = set(taken), []
    for column in columns:
        name, number = column, 1
        while name in used:
            behind = PurePath(upload.name).stem + (f" {number}" if number > 1 else "")
            name, number = f"{column} ({behind})", number + 1
        used.add(name)
        names.append(name)
    return tuple(names)


def _keep(
    connection: Connection, site: Site, workspace: Workspace, old: Upload, added: Upload, joined: pl.DataFrame
) -> None:
    """The joined table becomes the table of the workspace; what it was made of is remembered."""
    name = f"{PurePath(old.name).stem} + {PurePath(added.name).stem}.csv"
    content = BytesIO(joined.write_csv().encode())
    upload = keep_upload(connection, workspace.id, "scores", name, content, author=added.author, now=site.now())
    known = EvaluationSettings.of(find_workspace(connection, workspace.id) or workspace).made_of
    before = known.get(old.digest, {old.name: old.digest})
    made_of = {**known, upload.digest: {**before, added.name: added.digest}}
    change_settings(connection, site, workspace, {"made_of": made_of})
