"""Score tables in a workspace: the columns guessed, the choice checked, the evaluation started, further engines joined.

A second engine from a table of its own is joined by the id of each response. The joined table is kept as the table of
the workspace, so that columns, report and exports see one table; the files it was made of are named, with their
digests, in the provenance of every report (decision 0431).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import PurePath
from shlex import quote
from typing import BinaryIO

import polars as pl

from assay import __version__
from assay.errors import InputError
from assay.evaluation.reference import REFERENCES
from assay.execution.limits import value_of
from assay.io.tables.columns import ROWS_LOOKED_AT, guess_columns, text_column
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.io.tables.tables import TableSource, open_table_of_stranger
from assay.scale import ScoreScale
from assay.store.blobs import Upload, keep_upload, upload_file, workspace_uploads
from assay.store.items import NewItem
from assay.store.schema import Connection, Json, content_digest
from assay.store.workspaces import Workspace, find_workspace
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces.evaluation_options import changed_options, option_errors, option_words
from assay.web.workspaces.scoring import (
    WorkspaceContext,
    keep_files,
    new_context,
    requested,
    start_scoring,
    take_files,
)
from assay.web.workspaces.stored_settings import (
    EvaluationOptions,
    EvaluationRequest,
    EvaluationSettings,
    ScoreColumnNames,
)

EMPTY: Json = {"id": "", "human": [], "system": [], "groups": [], "candidate": "", "length": ""}
TAKES = {role: "names of columns" if isinstance(e, list) else "the name of a column" for role, e in EMPTY.items()}
TAKES |= {"cuts": "a list of numbers", "flag": "a list of conditions", "keep_zeros": "true, false or null"}
TAKES |= {"min_items": "a whole number", "min_group": "a whole number", "seed": "a whole number"}
TAKES |= {"trim_tolerance": "a number", "rater_error_variance": "a number"}
COMPARISON = "comparison"
ROLE = "engine"
ID, COLUMN, TABLE = "other_id", "other_system", "other"
"""The fields of the form."""
_KEY = "\0id"
"""No column of a file is called so."""


def new_evaluation(
    site: Site, name: str, content: BinaryIO, who: Visitor, *, title: str = "", example: bool = False
) -> WorkspaceContext:
    """A workspace with a table in it; the columns are guessed, nothing is evaluated yet."""
    title = title or PurePath(name).stem.replace("_", " ") or "Score table"
    take = partial(take_files, role="scores", files=[(name, content)])
    return new_context(site, "evaluation", title, who, take, example=example)


def received(connection: Connection, context: WorkspaceContext, uploads: Sequence[Upload]) -> None:
    """Guess the columns of a table with human scores, of no more engines than one; join a further engine by id."""
    if uploads[-1].role == ROLE:
        for upload in uploads:
            join_engine(connection, context, upload)
        return
    try:
        guessed = guess_columns(head_of(opened(context.site, connection, uploads[-1]), ROWS_LOOKED_AT))
    except InputError as error:  # met while its first rows were read
        raise error.at(uploads[-1].name) from None
    columns = {role: getattr(guessed, role) or empty for role, empty in EMPTY.items()}
    columns |= {role: list(names) for role, names in columns.items() if isinstance(names, tuple)}
    columns["system"] = columns["system"][:1]
    context.change_settings(connection, {"columns": columns, "scale": ""})


def start(context: WorkspaceContext, settings: Json) -> str | None:
    """Evaluate with the columns a program names; those it does not name are the guessed ones."""
    asked = requested(EvaluationRequest, settings, TAKES)
    named = {role: _as_stored(getattr(asked, role), role) for role in EMPTY if role in asked.model_fields_set}
    stored = EvaluationSettings.of(context.workspace)
    chosen = chosen_columns(context.workspace) | named
    named_options = {n: getattr(asked, n) for n in EvaluationOptions.model_fields if n in asked.model_fields_set}
    options = stored.options.changed(**named_options)
    return evaluate_with(context, chosen, asked.scale or stored.scale, asked.reference or stored.reference, options)


def chosen_columns(workspace: Workspace) -> Json:
    """The columns that were chosen or guessed, by role."""
    return EMPTY | EvaluationSettings.of(workspace).columns.to_json()


def _as_stored(value: list[str] | str | None, role: str) -> list[str] | str:
    """A name, or names where there may be several."""
    names = [value or ""] if isinstance(value, str | None) else value
    return [name for name in names if name] if isinstance(EMPTY[role], list) else names[0]


def score_columns(chosen: ScoreColumnNames) -> ScoreColumns:
    """The columns a person chose, as the table reads them."""
    id_, candidate, length = (name or None for name in (chosen.id, chosen.candidate, chosen.length))
    return ScoreColumns(chosen.human, chosen.system, id=id_, groups=chosen.groups, candidate=candidate, length=length)


def opened(site: Site, connection: Connection, upload: Upload) -> TableSource:
    """The uploaded table, open; messages call it by its own name."""
    try:
        return open_table_of_stranger(upload_file(connection, upload, site.settings.cache), upload.name)
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


def evaluate_with(
    context: WorkspaceContext,
    chosen: Json,
    scale: str,
    reference: str = "",
    options: EvaluationOptions = EvaluationOptions(),  # noqa: B008 - frozen
) -> str | None:
    """Check the choice against the table, keep it, and start the work; the id of the job."""
    upload, source = table_of(context)
    check_choice(source, upload, chosen, scale, reference, options)
    chosen_options = changed_options(options)
    settled = json.dumps([chosen, scale, reference, *([chosen_options] if chosen_options else [])], sort_keys=True)
    engine = content_digest("evaluation", __version__, upload.digest, settled)
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
        "reference": reference,
        "options": chosen_options,
        "made": context.site.now().astimezone().isoformat(timespec="seconds"),
        "command": command_of(upload.name, chosen, scale, reference, options),
    }
    with context.site.database.writing() as connection:
        settings = {"columns": chosen, "scale": scale, "reference": reference, "options": chosen_options}
        changed = context.change_settings(connection, settings)
        context.note(connection, "choose columns", chosen)
        return start_scoring(connection, context, changed, items, engine=engine, settings=job)


_FORM_FIELDS = {role: role for role in EMPTY} | {"second_human": "human"}
"""Argument of the workflow -> the field of the form it stands in."""
_LABELS = {"id": "the id", "human": "the human score", "second_human": "a human score", "system": "the system score"}
"""Argument -> how the form calls it."""


def check_choice(
    source: TableSource,
    upload: Upload,
    chosen: Json,
    scale: str,
    reference: str = "",
    options: EvaluationOptions = EvaluationOptions(),  # noqa: B008 - frozen
) -> None:
    """FieldErrors naming every field that cannot be used."""
    errors = {role: f"Choose the column with the {role} score." for role in ("human", "system") if not chosen[role]}
    errors |= option_errors(options, source.columns)
    twice = set(chosen["human"]) & set(chosen["system"])
    if twice:
        errors["system"] = f"{min(twice)!r} is chosen as a human score too: each needs its own column."
    if scale:
        try:
            ScoreScale.parse(scale)
        except InputError as error:
            errors["scale"] = page_words(error)
    if reference and reference not in REFERENCES:
        errors["reference"] = f"Choose one of {', '.join(REFERENCES)}."
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


def command_of(
    name: str,
    chosen: Json,
    scale: str,
    reference: str = "",
    further: EvaluationOptions = EvaluationOptions(),  # noqa: B008 - frozen
) -> str:
    """The same evaluation on the command line."""
    first, *others = chosen["human"]
    options = {"human": first, "system": chosen["system"][0], "second-human": ",".join(others)}
    options |= {"groups": ",".join(chosen["groups"])}
    options |= {option: chosen[option] for option in ("id", "candidate", "length")} | {"scale": scale}
    options |= {"reference": "" if reference == REFERENCES[0] else reference}
    words = [f"--{option} {quote(value)}" for option, value in options.items() if value]
    return " ".join(["assay evaluate", quote(name), *words, *option_words(further)])


def add_table(context: WorkspaceContext, file: tuple[str, BinaryIO], *, id_: str, column: str) -> None:
    """Keep and join a table, and judge its engines beside those that are there."""
    workspace = context.workspace
    with context.site.database.writing() as connection:
        (upload,) = keep_files(connection, context, ROLE, [file])
        try:
            added = join_engine(connection, context, upload, id_=id_, column=column)
        except InputError as problem:
            raise FieldErrors.of(problem, otherwise=TABLE) from None
        changed = find_workspace(connection, workspace.id) or workspace
    chosen = chosen_columns(changed)
    more = {**chosen, "system": [*chosen["system"], *added]}
    settings = EvaluationSettings.of(changed)
    evaluate_with(replace(context, workspace=changed), more, settings.scale, settings.reference, settings.options)


def join_engine(
    connection: Connection, context: WorkspaceContext, upload: Upload, *, id_: str = "", column: str = ""
) -> tuple[str, ...]:
    """Add the scores of an uploaded table to the table of a workspace; the new columns, under the names they have now.

    FieldErrors say what does not fit.
    """
    site, workspace = context.site, find_workspace(connection, context.workspace.id) or context.workspace
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
    old = uploads[-1]  # the joined table takes its place; what it was made of is remembered
    name, content = f"{PurePath(old.name).stem} + {PurePath(upload.name).stem}.csv", BytesIO(table.write_csv().encode())
    joined = keep_upload(connection, workspace.id, "scores", name, content, author=upload.author, now=site.now())
    known = EvaluationSettings.of(workspace).made_of
    made_of = {**known, joined.digest: {**known.get(old.digest, {old.name: old.digest}), upload.name: upload.digest}}
    context.change_settings(connection, {"made_of": made_of})
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
    if max(whole.height, other.height) > (most := value_of("joined_rows")):
        raise FieldErrors({TABLE: f"Tables of more than {most:,} rows are joined before they are uploaded."})
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
