"""For whoever looks after data in an organization: what is stored about a person, erasure, and the log as a table."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse

from assay.errors import InputError
from assay.io.tables.output import csv_lines
from assay.store.classroom.erasure import find_people
from assay.store.courses import account_courses
from assay.store.schema import Connection
from assay.store.workspaces import entries
from assay.web.classroom.person_data import MOST_LINES, erase, find_person, person_archive
from assay.web.pages.page_parts import Errors, Number, SearchText
from assay.web.problems import NotFound, page_words
from assay.web.site import SiteHere
from assay.web.templating import render
from assay.web.visitors import Admin, Visitor

router = APIRouter()
LOG_COLUMNS = ("time", "who", "action", "course", "workspace", "detail")


@router.get("/privacy")
def privacy(
    request: Request, site: SiteHere, who: Admin, find: SearchText = "", errors: Errors = None, erased: Errors = None
) -> HTMLResponse:
    """Find a person; take out or erase all that is stored about them."""
    if who.account is None:
        raise NotFound
    with site.database.reading() as connection:
        people = find_people(connection, who.account.organization_id, find.strip()) if find.strip() else []
        courses = {course.id: course for course, _ in account_courses(connection, who.account)}
    values = {"people": people, "courses": courses, "find": find, "errors": errors or {}, "erased": erased or {}}
    return render(request, "accounts/privacy.html", values)


@router.get("/privacy/{enrollment_id}/data.zip")
def data(site: SiteHere, who: Admin, enrollment_id: Number) -> Response:
    """Everything that is stored about a person."""
    return data_answer(site, who, enrollment_id)


def data_answer(site: SiteHere, who: Visitor, enrollment_id: int) -> Response:
    """The ZIP, once the person was found."""
    with site.database.reading() as connection:
        content = person_archive(connection, site, find_person(connection, who, enrollment_id))
    headers = {"Content-Disposition": f'attachment; filename="person-{enrollment_id}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


@router.post("/privacy/{enrollment_id}/erase")
def erase_here(
    request: Request,
    site: SiteHere,
    who: Admin,
    enrollment_id: Number,
    typed: Annotated[str, Form(max_length=400)] = "",
) -> HTMLResponse:
    """Erase a person for good, once their name was typed."""
    with site.database.reading() as connection:
        people = find_person(connection, who, enrollment_id)
    name = next(one.name for one in people if one.id == enrollment_id)
    if typed.strip().casefold() != name.casefold():
        errors = {"typed": "Nothing was erased: type the name exactly as it is shown."}
        return privacy(request, site, who, name, errors)
    try:
        gone = erase(site, who, enrollment_id, site.settings.cache)
    except InputError as problem:
        return privacy(request, site, who, name, {"typed": page_words(problem)})
    return privacy(request, site, who, erased={"items": str(gone.items), "files": str(gone.files)})


@router.get("/audit.csv")
def log_file(site: SiteHere, who: Admin) -> Response:
    """Who did what, when, over all workspaces of the organization, as CSV."""
    content = site.database.read(log_csv, who)
    headers = {"Content-Disposition": 'attachment; filename="audit.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


def log_csv(connection: Connection, who: Visitor) -> bytes:
    """The log of the visitor's organization, newest first."""
    organization_id = who.account.organization_id if who.account is not None else None
    rows = []
    for line in entries(connection, organization_id=organization_id, most=MOST_LINES):
        about = "; ".join(f"{name}: {value}" for name, value in line.detail.items() if value is not None)
        rows.append(
            (line.made_at.isoformat(), line.author, line.action, line.course_id or "", line.workspace_id or "", about)
        )
    return "".join(csv_lines(LOG_COLUMNS, rows)).encode("utf-8", "replace")
