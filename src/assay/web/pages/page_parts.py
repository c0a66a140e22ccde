"""What pages of several kinds share: landing pages, lists of items, the list beside one of them, decisions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import Depends, Form, Query, Request
from fastapi.responses import HTMLResponse

from assay.store import item_listing
from assay.store.database import Connection
from assay.store.item_listing import STATES, ListedItem, ListQuery
from assay.store.items import Item, StoredResult, find_result
from assay.store.overrides import Decision, history, item_decisions
from assay.store.schema import Json
from assay.store.uploads import Upload
from assay.store.workspaces import recent_workspaces
from assay.web.site import Site
from assay.web.templating import render
from assay.web.workspaces.decisions import record_decision
from assay.web.workspaces.evaluation.score_tables import head_of, opened
from assay.web.workspaces.export_files import ExportFile
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.stored_settings import EssayColumnNames
from assay.web.workspaces.workspace_page import WorkspaceContext, open_job

PAGE_ROWS = 50
LISTED = 200
"""Items in the list beside one of them."""
UPWARD = ("name", "position", "missed", "extra")
"""What is first sorted from A to Z, or from the fewest; everything else best first."""
PageNumber = Annotated[int, Query(ge=1, le=1_000_000)]
SearchText = Annotated[str, Query(max_length=200)]


NotSent = Depends(lambda: None)
"""Marks a parameter of a page that no request sets: it is given when a form comes back with what was typed in it."""
Errors = Annotated[Mapping[str, str] | None, NotSent]
"""What is wrong with a form, by field."""
Typed = Annotated[str | None, NotSent]
Short = Annotated[str, Form(max_length=200)]


def landing_page(request: Request, site: Site, kind: str, errors: Errors = None, **typed: str) -> HTMLResponse:
    """What a kind of workspace is for, a form to make one, and those there are."""
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, kind=kind)
    values = {"kind": KINDS[kind], "workspaces": listed, "errors": errors or {}, "typed": typed}
    return render(request, f"{kind}/landing.html", values)


def _rows_on(connection: Connection, context: WorkspaceContext, query: ListQuery, page: int) -> Json:
    """A page of a list, or its last one, and how many there are."""
    workspace_id, engine = context.workspace.id, context.workspace.engine
    number = item_listing.count(connection, workspace_id, engine, query)
    pages = max(1, -(-number // PAGE_ROWS))
    page = min(page, pages)
    offset = (page - 1) * PAGE_ROWS
    listed = item_listing.rows(connection, workspace_id, engine, query, offset=offset, most=PAGE_ROWS)
    return {"rows": listed, "number": number, "page": page, "pages": pages, "first": offset + 1}


def list_values(context: WorkspaceContext, query: ListQuery, page: int, columns: Mapping[str, tuple[str, str]]) -> Json:
    """A list of items, sorted, filtered, a page at a time; `columns` are the heading and class of each sort key."""
    workspace_id, engine = context.workspace.id, context.workspace.engine
    with context.site.database.reading() as connection:
        values = _rows_on(connection, context, query, page)
        unscored = [row.id for row in values["rows"] if row.payload is None]
        failed = item_listing.reasons_of_failure(connection, workspace_id, engine, unscored) if unscored else {}
        counts = item_listing.totals(connection, workspace_id, engine)
    return values | {
        "failed": failed,
        "totals": counts,
        "waiting": open_job(context) is not None,
        "query": query,
        "states": STATES,
        "columns": list(_headings(context.url, query, columns)),
        "page_address": lambda number: _list_address(context.url, query, number),
    }


def _headings(
    url: str, query: ListQuery, columns: Mapping[str, tuple[str, str]]
) -> Iterator[tuple[str, str, str, str, str]]:
    """Sort key, title and class of each column, where a click on it leads, and how it is sorted now."""
    for key, (title, classes) in columns.items():
        chosen = key == query.sort
        descending = not query.descending if chosen else key not in UPWARD
        sorted_now = ("descending" if query.descending else "ascending") if chosen else "none"
        yield key, title, classes, _list_address(url, replace(query, sort=key, descending=descending)), sorted_now


def _list_address(url: str, query: ListQuery, page: int = 1) -> str:
    asked = {"sort": query.sort, "order": "down" if query.descending else "up"}
    asked |= {"find": query.containing} if query.containing else {}
    asked |= {"state": query.state} if query.state else {}
    asked |= {"page": str(page)} if page > 1 else {}
    return f"{url}/submissions?{urlencode(asked)}"


def export_values(
    context: WorkspaceContext, find: str, page: int, exports_of: Callable[[ListedItem], list[ExportFile]]
) -> Json:
    """Items with the files about each, a page at a time."""
    query = ListQuery("name", False, find.strip())
    with context.site.database.reading() as connection:
        values = _rows_on(connection, context, query, page)
        counts = item_listing.totals(connection, context.workspace.id, context.workspace.engine)
    listed = [(row, exports_of(row)) for row in values["rows"] if row.payload]
    return values | {"rows": listed, "totals": counts, "find": find}


def cell_text(value: object, longest: int) -> str:
    """A value of a table as pages show it, cut where it is too long."""
    text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def essay_table_values(context: WorkspaceContext, upload: Upload, chosen: EssayColumnNames) -> Json:
    """A table, the names of its columns and its first rows, for a page that asks what they hold."""
    with context.site.database.reading() as connection:
        source = opened(context.site, connection, upload)
    cells = [[" ".join(v.split()) if isinstance(v, str) else v for v in row] for row in head_of(source, 5).iter_rows()]
    rows = [[cell_text(value, 80) for value in row] for row in cells]
    return {"upload": upload, "names": list(source.columns), "rows": rows, "chosen": chosen, "roles": chosen.roles}


class Review(NamedTuple):
    """An item as the page shows it that a person decides on."""

    item: Item
    result: StoredResult | None
    decisions: list[Decision]
    history: list[Decision]
    """Every decision under this engine, newest first; those that no longer hold too."""
    active: set[int]
    failed: str
    people: list[ListedItem]
    """The items around it, best first."""
    asked: Mapping[str, Any]
    """A decision that is shown before it is saved, or what is wrong with it."""


def review_of(context: WorkspaceContext, item: Item, asked: Mapping[str, Any] | None) -> Review:
    """What is known of an item, and what was asked about it."""
    workspace_id, engine = context.workspace.id, context.workspace.engine
    with context.site.database.reading() as connection:
        result = find_result(connection, item.id, engine)
        decisions = item_decisions(connection, item, engine)
        past = [d for d in history(connection, workspace_id, item.id) if d.engine == engine][::-1]
        failed = item_listing.reasons_of_failure(connection, workspace_id, engine, [] if result else [item.id])
        people = _items_around(connection, context, item) if context.visitor.may_train else []
    active = {decision.id for decision in decisions}
    return Review(item, result, decisions, past, active, failed.get(item.id, ""), people, asked or {})


def _items_around(connection: Connection, context: WorkspaceContext, item: Item) -> list[ListedItem]:
    """The items around one, best first."""
    workspace_id, engine = context.workspace.id, context.workspace.engine
    ids = item_listing.ids_in_order(connection, workspace_id, engine, ListQuery())
    at = ids.index(item.id) if item.id in ids else 0
    first = max(0, min(at - LISTED // 2, len(ids) - LISTED))
    return item_listing.rows_of(connection, workspace_id, engine, ids[first : first + LISTED])


def save_decision(
    connection: Connection,
    context: WorkspaceContext,
    item: Item,
    kind: Literal["override", "confirm"],
    target: str = "score",
    value: Any = None,
    reason: str = "",
) -> int:
    """Keep a decision of whoever asks; its id."""
    decision = {"kind": kind, "target": target, "value": value, "reason": reason}
    return record_decision(connection, context.site, context.workspace, item, **decision, who=context.visitor)
