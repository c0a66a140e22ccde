"""What pages share: a workspace as a request meets it, the header of its pages, landing pages, lists of items."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse

from assay.store import item_listing
from assay.store.blobs import Upload
from assay.store.courses import CourseRole, account_courses, at_least, own_enrollments
from assay.store.item_listing import STATES, ListedItem, ListQuery
from assay.store.items import Item, StoredResult, find_item, find_result
from assay.store.jobs import Progress, latest_job, progress
from assay.store.overrides import Decision, history, item_decisions
from assay.store.schema import Connection, Json
from assay.store.workspaces import find_workspace, recent_workspaces
from assay.web.classroom.visibility import shown_of
from assay.web.problems import Forbidden, NotFound, Removed
from assay.web.site import Site, SiteHere
from assay.web.templating import duration, number, render
from assay.web.visitors import Anyone, Visitor
from assay.web.workspaces.export_files import KindExports
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.score_tables import head_of, opened
from assay.web.workspaces.scoring import WorkspaceContext
from assay.web.workspaces.stored_settings import EssayColumnNames

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""Ids are whole numbers of 32 bits in PostgreSQL."""
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


def find_context(
    workspace_id: str, site: Site, who: Visitor, request: Request | None = None, *, role: CourseRole = "student"
) -> WorkspaceContext:
    """A workspace and who asks for it; a 404 when there is none in their courses, or none of the kind in the address.

    Those in the course whose role is not enough are refused.
    """
    workspace = site.database.read(find_workspace, workspace_id)
    if workspace is None or (request is not None and workspace.kind != request.url.path.split("/")[1]):
        raise Removed
    own = who.role_in(workspace.course_id)
    if own is None:
        raise Removed
    if not at_least(own, role):
        raise Forbidden(f"Only people with the role of {role} or above in this course can do this.")
    return WorkspaceContext(workspace, KINDS[workspace.kind], replace(who, course_id=workspace.course_id), site)


def _for(role: CourseRole) -> Any:
    """The workspace in the address, for those whose role in its course is enough."""

    def workspace_in_address(workspace_id: str, request: Request, site: SiteHere, who: Anyone) -> WorkspaceContext:
        return find_context(workspace_id, site, who, request, role=role)

    return Depends(workspace_in_address)


Readable = Annotated[WorkspaceContext, _for("student")]
"""Students see only what is theirs in it."""
Reviewable = Annotated[WorkspaceContext, _for("reviewer")]
Editable = Annotated[WorkspaceContext, _for("assistant")]


def job_context(job_id: str, site: Site, who: Visitor, *, role: CourseRole) -> tuple[WorkspaceContext, Progress]:
    """A job and its workspace; a 404 where there is none in the courses of whoever asks."""
    job = site.database.read(progress, job_id, now=site.now())
    if job is None:
        raise NotFound("There is no such job.")
    try:
        return find_context(job.workspace_id, site, who, role=role), job
    except Removed:
        raise NotFound("There is no such job.") from None


def find_own(item_id: int, context: WorkspaceContext) -> Item | None:
    """An item of the workspace; of a student the own work, once its grade is released. None where there is none."""
    item = context.site.database.read(find_item, context.workspace.id, item_id)
    return item if item is not None and shown_here(context, item) else None


def shown_here(context: WorkspaceContext, item: Item) -> frozenset[str]:
    """What the visitor may see of the grade of an item; nothing of what is not theirs or not released."""
    return context.site.database.read(shown_of, context, item)


def own_item(item_id: Number, context: Readable) -> Item:
    """The same for a page, which says so where there is none."""
    item = find_own(item_id, context)
    if item is None:
        raise NotFound(f"There is no such {context.kind.item}. It may have been removed.")
    return item


Own = Annotated[Item, Depends(own_item)]


def workspace_page(
    request: Request,
    context: WorkspaceContext,
    template: str,
    *,
    tab: str,
    status: int = 200,
    styles: str = "",
    values: Mapping[str, Any] | None = None,
) -> HTMLResponse:
    """A page below the header of its workspace: name, counts, state, tabs, and the work that is going on."""
    latest = context.site.database.read(latest_job, context.workspace.id, now=context.site.now())
    job = latest if latest is not None and latest.is_open else None
    values = {
        "workspace": context.workspace,
        "kind": context.kind,
        "url": context.url,
        "visitor": context.visitor,
        "tabs": [t for t in context.kind.tabs if context.visitor.may(t.role)],
        "tab": tab,
        "job": job,
        "waiting": job is not None,
        "job_words": progress_words(job) if job else None,
        "report_failed": latest if latest is not None and latest.report_error and not latest.is_open else None,
        "stopped": latest if latest is not None and latest.state == "cancelled" else None,
        **(values or {}),
    }
    return render(request, template, values, status=status, styles=styles)


def progress_words(job: Progress) -> dict[str, str | int]:
    """A job as people read it: done of total, rate, time left."""
    rate = "" if job.rate is None else f"{job.rate:.0f} a second" if job.rate >= 1 else f"{60 * job.rate:.0f} a minute"
    together = job.is_open and 0 < job.total == job.done + job.failed
    left = "" if job.seconds_left is None or together else f"{duration(job.seconds_left)} left"
    failed = f"{number(job.failed)} failed" if job.failed else ""
    ended = {"done": "Done", "cancelled": "Stopped"}.get(job.state, "")
    waiting = {"queued": "waiting for a worker", "preparing": "preparing"}.get(job.state, "")
    stage = job.stage.title if job.stage and job.total == 1 else ""
    if stage and job.stage and job.stage.total is not None:
        stage += f": {number(job.stage.done)} of {number(job.stage.total)}"
    if together:
        rate = "putting all together"
    return {
        "state": job.state,
        "done": job.done + job.failed,
        "total": job.total,
        "count": f"{number(job.done + job.failed)} of {number(job.total)}",
        "detail": ", ".join(words for words in (ended, failed, stage, rate, left, waiting) if words) or "starting",
    }


def landing_page(
    request: Request, site: Site, who: Visitor, kind: str, errors: Errors = None, **typed: str
) -> HTMLResponse:
    """What a kind of workspace is for, a form to make one, and those there are."""
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, within=who.within(), kind=kind)
        courses = account_courses(connection, who.account) if who.account is not None else []
        own = own_enrollments(connection, who.account.id) if who.account is not None else []
    may_add = [course for course, role in courses if at_least(role, "assistant")]
    last = next((one.course_id for one in own if one.course_id in {course.id for course in may_add}), "")
    values = {"kind": KINDS[kind], "workspaces": listed, "errors": errors or {}, "typed": typed}
    values |= {"courses": may_add, "course": who.course_id or last}
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
    headings = []  # sort key, title and class of each column, where a click on it leads, and how it is sorted now
    for key, (title, classes) in columns.items():
        chosen = key == query.sort
        descending = not query.descending if chosen else key not in UPWARD
        sorted_now = ("descending" if query.descending else "ascending") if chosen else "none"
        address = _list_address(context.url, replace(query, sort=key, descending=descending))
        headings.append((key, title, classes, address, sorted_now))
    return values | {
        "failed": failed,
        "totals": counts,
        "query": query,
        "states": {key: words for key, words in STATES.items() if key != "appeal" or context.visitor.account},
        "columns": headings,
        "page_address": lambda number: _list_address(context.url, query, number),
    }


def _list_address(url: str, query: ListQuery, page: int = 1) -> str:
    asked = {"sort": query.sort, "order": "down" if query.descending else "up"}
    asked |= {"find": query.containing} if query.containing else {}
    asked |= {"state": query.state} if query.state else {}
    asked |= {"page": str(page)} if page > 1 else {}
    return f"{url}/submissions?{urlencode(asked)}"


def export_values(context: WorkspaceContext, exports: KindExports, find: str, page: int) -> Json:
    """The files about all items, and items with the files about each, a page at a time."""
    site, workspace = context.site, context.workspace
    query = ListQuery("name", False, find.strip())
    with site.database.reading() as connection:
        values = _rows_on(connection, context, query, page)
        counts = item_listing.totals(connection, workspace.id, workspace.engine)
    listed = [(row, exports.one(site, workspace, row.id, row.name)) for row in values["rows"] if row.payload]
    files = exports.batch(site, workspace) if counts.scored else []
    return values | {"rows": listed, "totals": counts, "find": find, "files": files}


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
        people: list[ListedItem] = []
        if context.visitor.may_train:
            ids = item_listing.ids_in_order(connection, workspace_id, engine, ListQuery())
            at = ids.index(item.id) if item.id in ids else 0
            first = max(0, min(at - LISTED // 2, len(ids) - LISTED))
            people = item_listing.rows_of(connection, workspace_id, engine, ids[first : first + LISTED])
    active = {decision.id for decision in decisions}
    return Review(item, result, decisions, past, active, failed.get(item.id, ""), people, asked or {})
