"""Panels in a workspace: the roles of columns and raters guessed and shown, the choice checked, the panel started."""

import json
from collections.abc import Sequence
from functools import partial
from math import inf, isfinite
from pathlib import PurePath
from shlex import quote
from typing import Any, BinaryIO

from assay import __version__
from assay.errors import InputError
from assay.io.tables.panel_columns import PanelColumns, is_judge, panel_columns
from assay.io.tables.panel_table import LabelColumn, open_panel, read_panel
from assay.io.tables.tables import TableSource
from assay.scale import ScoreScale
from assay.store.blobs import Upload, upload_file, workspace_uploads
from assay.store.items import NewItem
from assay.store.schema import Connection, Json, content_digest
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces.score_tables import opened
from assay.web.workspaces.scoring import WorkspaceContext, new_context, requested, start_scoring, take_files
from assay.web.workspaces.stored_settings import PanelChoice, PanelRequest, PanelSettings

ROLE = "ratings"
ROLES = (
    *("item", "rater", "label", "criterion", "run", "time", "family", "author", "model_version"),
    *("length", "weight", "text"),
)
PREFERENCE_ROLES = ("first", "second", "winner")
NUMBERS: dict[str, float | None] = {"epsilon": 0.1, "margin": 0.05, "within": None, "pass_mark": None}
COUNTS = {"min_items": 30, "next_items": 20, "seed": 0}
MOST_COUNT = {"min_items": 1_000_000, "next_items": 10_000, "seed": 2**31}
MOST_RATERS = 100
"""So many raters are listed by name."""
TAKES = {"humans": "names of raters", "judges": "names of raters", "groups": "names of columns"}


def new_panel(site: Site, name: str, content: BinaryIO, who: Visitor, *, title: str = "") -> WorkspaceContext:
    """A workspace with a table of ratings; its columns are guessed, nothing is computed yet."""
    title = title or PurePath(name).stem.replace("_", " ") or "Panel"
    return new_context(site, "panels", title, who, partial(take_files, role=ROLE, files=[(name, content)]))


def received(connection: Connection, context: WorkspaceContext, uploads: Sequence[Upload]) -> None:
    """Guess the layout, the columns and who is a judge."""
    source = opened_panel(context.site, connection, uploads[-1])
    try:
        choice = guessed(source).to_json()
    except InputError as error:  # what cannot be guessed is asked for
        choice = PanelChoice().to_json()
        context.note(connection, "columns not guessed", {"why": str(error)})
    context.change_settings(connection, {"panel": choice})


def opened_panel(site: Site, connection: Connection, upload: Upload) -> TableSource:
    """The uploaded table, or log of inspect_ai or promptfoo, open."""
    if upload.suffix.lower() not in (".eval", ".json"):
        return opened(site, connection, upload)
    try:
        return open_panel(upload_file(connection, upload, site.settings.cache))
    except InputError as error:
        raise error.at(upload.name) from None


def guessed(source: TableSource) -> PanelChoice:
    """What the table looks like."""
    columns = panel_columns(source)
    people, judges = columns.humans, columns.judges
    if columns.layout != "wide":
        names = raters_of(source, columns)
        judges = tuple(name for name in names if is_judge(name))
        people = tuple(name for name in names if name not in judges)
        if columns.kind:
            read = read_panel(source, columns, LabelColumn())
            judges = tuple(n for n, judge in zip(read.raters, read.judges.tolist(), strict=True) if judge)
            people = tuple(n for n in read.raters if n not in judges)
    single: dict[str, Any] = {
        role: getattr(columns, "version" if role == "model_version" else role) or ""
        for role in (*ROLES, *PREFERENCE_ROLES)
    }
    return PanelChoice(layout=columns.layout, humans=people, judges=judges, groups=columns.groups, **single)


def raters_of(source: TableSource, columns: PanelColumns) -> tuple[str, ...]:
    """The raters of a long table by name, in order of first appearance."""
    if columns.rater is None:
        return ("people",)
    values = source.distinct(columns.rater, most=20_000)
    names = (f"{v:.17g}".removesuffix(".0") if isinstance(v, float) else v for v in values)
    return tuple(dict.fromkeys(name.strip() for name in names if name and name.strip()))


def table_of(context: WorkspaceContext) -> tuple[Upload, TableSource]:
    """The table of the workspace."""
    with context.site.database.reading() as connection:
        uploads = workspace_uploads(connection, context.workspace.id, ROLE)
        if not uploads:
            raise InputError("This workspace holds no table yet.")
        return uploads[-1], opened_panel(context.site, connection, uploads[-1])


def start(context: WorkspaceContext, settings: Json) -> str | None:
    """Start with what a program names; the rest is guessed."""
    asked = requested(PanelRequest, settings, TAKES)
    named = {name: getattr(asked, name) for name in asked.model_fields_set}
    named = {name: tuple(value) if isinstance(value, list) else value for name, value in named.items()}
    return start_panel(context, PanelSettings.of(context.workspace).panel.changed(**named))


def options_of(choice: PanelChoice) -> dict[str, Any]:
    """The arguments of the workflow."""
    roles = PREFERENCE_ROLES if choice.layout == "preferences" else ()
    used = ("item", "length", "weight", "text", "author") if choice.layout == "wide" else (*ROLES, *roles)
    if choice.layout == "preferences":
        used = tuple(role for role in used if role != "label")
    named = {role: getattr(choice, role) or None for role in used}
    levels = tuple(level.strip() for level in choice.levels.split(",") if level.strip())
    many = {"humans": choice.humans, "judges": choice.judges, "groups": choice.groups, "exclude": choice.exclude}
    numbers = {name: getattr(choice, name) for name in (*NUMBERS, *COUNTS)}
    words = {"kind": choice.kind or None, "scale": choice.scale or None, "scoring": choice.scoring or None}
    return {**named, **many, **numbers, **words, "levels": levels}


def start_panel(context: WorkspaceContext, choice: PanelChoice) -> str | None:
    """Check the choice against the table, keep it, and start the work; the id of the job."""
    upload, source = table_of(context)
    check_choice(source, upload, choice)
    chosen = choice.to_json()
    engine = content_digest("panels", __version__, upload.digest, json.dumps(chosen, sort_keys=True))
    item = NewItem(content_digest(engine, "panel"), "Panel", {"is": "panel"}, None, upload.id)
    job = {
        "digest": upload.digest,
        "suffix": upload.suffix,
        "source": upload.name,
        "panel": chosen,
        "made": context.site.now().astimezone().isoformat(timespec="seconds"),
        "command": command_of(upload.name, choice),
    }
    with context.site.database.writing() as connection:
        changed = context.change_settings(connection, {"panel": chosen})
        context.note(connection, "choose columns", chosen)
        return start_scoring(connection, context, changed, [item], engine=engine, settings=job)


def check_choice(source: TableSource, upload: Upload, choice: PanelChoice) -> None:
    """FieldErrors naming every field that cannot be used."""
    errors = {}
    both = set(choice.humans) & set(choice.judges)
    if both:
        errors["judges"] = f"{min(both)!r} is chosen as a person too."
    if len({*choice.humans, *choice.judges}) < 2:
        errors["humans"] = "Choose two or more raters."
    errors |= _number_errors(choice)
    if choice.scale:
        try:
            ScoreScale.parse(choice.scale)
        except InputError as error:
            errors["scale"] = str(error)
    if not errors:
        options = options_of(choice)
        plan = LabelColumn(options.pop("kind"), options.pop("levels"), None, choice.exclude)
        for name in (*NUMBERS, *COUNTS, "scale", "scoring", "exclude"):
            options.pop(name)
        options["version"] = options.pop("model_version", None)
        try:
            read_panel(source, panel_columns(source, **options), plan)
        except InputError as error:
            errors[error.field or "humans"] = error.at(upload.name).text()
    if errors:
        raise FieldErrors(errors)


def _number_errors(choice: PanelChoice) -> dict[str, str]:
    errors = {
        name: "Enter a number from 0 to below 1."
        for name in ("epsilon", "margin")
        if not 0 <= getattr(choice, name) < 1
    }
    if choice.within is not None and not 0 < choice.within < inf:
        errors["within"] = "Enter a number above 0."
    if choice.pass_mark is not None and not isfinite(choice.pass_mark):
        errors["pass_mark"] = "Enter a score such as 3."
    for name, least in (("min_items", 2), ("next_items", 0), ("seed", 0)):
        if not least <= getattr(choice, name) <= MOST_COUNT[name]:
            errors[name] = f"Enter a whole number from {least} to {MOST_COUNT[name]:,}."
    if choice.scoring not in ("", "accuracy", "neg_rmse"):
        errors["scoring"] = "Choose one of the list."
    return errors


def command_of(name: str, choice: PanelChoice) -> str:
    """The same on the command line."""
    words, usual = [], {**NUMBERS, **COUNTS}
    for option, value in options_of(choice).items():
        if option in usual and value == usual[option]:
            continue
        text = ",".join(value) if isinstance(value, tuple) else str(value) if value is not None else ""
        if text:
            words.append(f"--{option.replace('_', '-')} {quote(text)}")
    return " ".join(["assay panel", quote(name), *words])
