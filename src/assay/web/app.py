"""`create_app`: the web app from its settings."""

import mimetypes
import sys
import traceback
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from importlib import resources

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

from assay import __version__
from assay.errors import AssayError, InputError
from assay.store.accounts import installation_secret
from assay.store.database import STORAGE_ERRORS, open_database
from assay.store.schema import Json
from assay.web import api_routes, class_routes
from assay.web.api_shapes import PROBLEM_JSON, ProblemShape
from assay.web.pages import (
    accounts,
    annotation_rules,
    annotations,
    assignments,
    courses,
    essay_model,
    essays,
    evaluation,
    health,
    home,
    panels,
    privacy,
    rosters,
    shared_pages,
    sign_in,
    student,
)
from assay.web.problems import FieldErrors, RequestProblem, SignInFirst, page_words, storage_problem
from assay.web.security import Security, guard_headers, guarded, guarded_api
from assay.web.sign_on import lti_pages, oidc_pages, scim_routes
from assay.web.sign_on.connections import SignOn
from assay.web.sign_on.outgoing import SignOnProblem
from assay.web.sign_on.settings import read_sign_on
from assay.web.site import Site, WebSettings, local_name, site_of
from assay.web.templating import render, warm_up
from assay.web.visitors import Visitor, find_visitor
from assay.web.workspaces.handler_table import WORKSPACE_HANDLERS

PAGES = (
    health,
    home,
    sign_in,
    oidc_pages,
    lti_pages,
    accounts,
    courses,
    rosters,
    assignments,
    student,
    privacy,
    evaluation,
    panels,
    annotations,
    annotation_rules,
    essays,
    essay_model,
    shared_pages,
)
"""Every module of pages; the shared ones last, so that a kind may have its own page in their place."""


API = (api_routes, class_routes)
"""Every module of the REST API."""


def create_app(settings: WebSettings) -> FastAPI:
    """The app on its database; workers are started by `assay serve`."""
    sign_on = SignOn(read_sign_on(settings.sign_on))
    database = open_database(settings.database)
    with database.writing() as connection:
        secret = installation_secret(connection)
    app = FastAPI(
        title="Assay",
        version=__version__,
        description="Grades essays and image annotations, and proves how far any score can be trusted.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # the usual pages load scripts from elsewhere
        redoc_url=None,
    )
    app.state.site = Site(settings, database, secret, WORKSPACE_HANDLERS, sign_on)
    warm_up()
    app.add_middleware(Security, settings=settings)
    for page in PAGES:
        app.include_router(page.router, dependencies=[Depends(guarded)], include_in_schema=False)
    app.include_router(lti_pages.launch_router, include_in_schema=False)  # posted by platforms, which have no token
    app.include_router(scim_routes.router, dependencies=[Depends(guarded_api)], include_in_schema=False)
    for routes in API:
        app.include_router(routes.router, dependencies=[Depends(guarded_api)])
    app.add_api_route("/static/{name}", static_file, include_in_schema=False)
    for kind in (AssayError, HTTPException, RequestValidationError, *STORAGE_ERRORS):
        app.add_exception_handler(kind, explained)
    app.add_exception_handler(Exception, failed)
    return app


def create_demo(settings: WebSettings) -> FastAPI:
    """The app with the bundled examples in it."""
    app = create_app(settings)
    home.fill_with_examples(app.state.site, Visitor(local_name(), "admin"))
    return app


def static_file(name: str) -> Response:
    """A file of the look; only those in the package, by their very name."""
    content = static_files().get(name)
    if content is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers={"Cache-Control": "public, max-age=3600"})


@cache
def static_files() -> dict[str, bytes]:
    """The files of the look by name, and that of reports for everything inside an element of class doc."""
    folder, reports = resources.files("assay.web").joinpath("static"), resources.files("assay.report.render")
    sheets = "".join(reports.joinpath(name).read_text("utf-8") for name in ("report.css", "board.css", "essay.css"))
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    return {**files, "document.css": f".doc {{\n{sheets}\n}}\n".encode()}


def failed(request: Request, error: Exception) -> Response:
    """The answer to a request on which we failed; the server logs the traceback. It leaves no other way than this."""
    answer = explained(request, error)
    https = site_of(request).settings.secure_cookies
    guard_headers(answer.headers, getattr(request.state, "nonce", ""), request.url.path, https=https)
    return answer


def explained(request: Request, error: Exception) -> Response:
    """A page or a JSON object that says what is wrong."""
    status, message = _status_and_words(error)
    if status >= 500 and isinstance(error, STORAGE_ERRORS):  # others are logged by the server
        traceback.print_exception(error, file=sys.stderr)
    if request.url.path.startswith("/api/"):
        return JSONResponse(problem_details(error, status, message), status, media_type=PROBLEM_JSON)
    if request.url.path.startswith("/scim/"):
        status = 400 if status == 422 else status
        kind = "invalidFilter" if "filter" in message else "invalidValue" if status == 400 else ""
        return JSONResponse(scim_routes.scim_error(status, message, kind), status, media_type=scim_routes.SCIM_JSON)
    if isinstance(error, SignInFirst):
        return RedirectResponse("/sign-in", 303)
    visitor = getattr(request.state, "visitor", None)
    if visitor is None:
        with suppress(*STORAGE_ERRORS):  # nobody when even that cannot be told
            visitor = find_visitor(request, site_of(request))
    return render(request, "problem.html", {"status": status, "message": message, "visitor": visitor}, status=status)


def problem_details(error: Exception, status: int, message: str) -> Json:
    """The members of a problem+json answer: where the error is and what to do, as far as that is known."""
    shape = ProblemShape(title=HTTPStatus(status).phrase, status=status, detail=message)
    known: Json = {}
    if isinstance(error, InputError):
        members = ("field", "source", "row", "column")
        known = {name: value for name in members if (value := getattr(error, name)) not in ("", None)}
        known |= {"remedy": "".join(error.remedy)} if error.remedy else {}
    elif isinstance(error, FieldErrors):
        known = {"errors": error.errors, **({"field": next(iter(error.errors))} if len(error.errors) == 1 else {})}
    return {**shape.model_dump(exclude_none=True), **known}


def _status_and_words(error: Exception) -> tuple[int, str]:
    if isinstance(error.__cause__, RequestProblem):  # found while the body was read
        error = error.__cause__
    if isinstance(error, RequestProblem):
        return int(error.status), str(error)
    if isinstance(error, SignOnProblem):
        return 502, str(error)
    if (storage := storage_problem(error)) is not None:
        return storage
    if isinstance(error, AssayError):
        return 422, page_words(error)
    if isinstance(error, RequestValidationError):
        return 422, "; ".join(f"{'.'.join(map(str, e['loc'][1:]))}: {e['msg']}" for e in error.errors())
    if isinstance(error, HTTPException):
        words = {404: "There is no such page.", 405: "This address does not take that kind of request."}
        return error.status_code, words.get(error.status_code, str(error.detail))
    return 500, "Assay failed on this request; the server's log says more."
