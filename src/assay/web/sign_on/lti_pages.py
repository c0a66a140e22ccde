"""Where a learning platform sends browsers: login, launch, and the choice of deep linking.

A platform posts its launch from another site, so no cookie of ours comes with it. The launch is checked and put aside;
the browser then comes again by itself, with the cookie of the login that it began. No page works inside a frame.
"""

from dataclasses import asdict
from secrets import token_urlsafe
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from assay.store.courses import account_roles, at_least
from assay.store.schema import Json
from assay.store.sign_on.identities import Identity, read_state, start_state, use_state
from assay.store.sign_on.lti_courses import LtiContext, course_of_context, put_line_item, set_services
from assay.store.workspaces import Workspace, find_workspace, note, recent_workspaces
from assay.web.pages.courses import ForTeachers
from assay.web.pages.sign_in import finish_sign_in
from assay.web.problems import Forbidden, NotFound
from assay.web.security import POLICY
from assay.web.sign_on.lti import Launch, deep_link_response, login_address, read_launch, tool_key
from assay.web.sign_on.lti_services import enroll_by_platform, update_roster
from assay.web.sign_on.oidc_pages import AGAIN, check_state, own_address, set_state
from assay.web.sign_on.outgoing import SignOnProblem, origin_of
from assay.web.sign_on.people import account_for, organization_id
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.visitors import Anyone, Visitor

launch_router = APIRouter()
"""What platforms post from their own pages: no token of ours can come with it."""
router = APIRouter()
Text = Annotated[str, Form()]
MOST_CHOICES = 200


async def sent_parameters(request: Request) -> dict[str, str]:
    """What a platform sent, in the address or as a form."""
    sent = request.query_params if request.method == "GET" else await request.form()
    return {name: value for name, value in sent.items() if isinstance(value, str)}


Asked = Annotated[dict[str, str], Depends(sent_parameters)]


@launch_router.api_route("/lti/login", methods=["GET", "POST"])
def begin_launch(request: Request, site: SiteHere, asked: Asked) -> Response:
    """A platform asks us to begin a login."""
    _check_set_up(site)
    platform = site.sign_on.platform(asked.get("iss", ""), asked.get("client_id", ""))
    if not asked.get("login_hint"):
        raise SignOnProblem("The platform did not send a login hint.")
    nonce = token_urlsafe(24)
    settings = platform.settings
    with site.database.writing() as connection:
        detail: Json = {"issuer": settings.issuer, "client_id": settings.client_id, "nonce": nonce}
        state = start_state(connection, "lti", detail, now=site.now())
    redirect = f"{own_address(request, site)}/lti/launch"
    answer = RedirectResponse(login_address(platform, asked, state=state, nonce=nonce, redirect=redirect), 303)
    set_state(request, answer, state)
    return answer


@launch_router.post("/lti/launch")
def take_launch(site: SiteHere, state: Text = "", id_token: Text = "", error: Text = "") -> Response:
    """What a platform says of a person, once: checked, and put aside for the browser that began it."""
    _check_set_up(site)
    with site.database.writing() as connection:
        detail = use_state(connection, "lti", state, now=site.now())
    if detail is None:
        raise Forbidden(AGAIN)
    if error or not id_token:
        raise SignOnProblem("The platform did not sign you on. Open the link in your course again.")
    platform = site.sign_on.platform(detail["issuer"], detail["client_id"])
    launch = read_launch(platform, id_token, nonce=detail["nonce"])
    with site.database.writing() as connection:
        code = start_state(connection, "launch", {**asdict(launch), "state": state}, now=site.now())
    return RedirectResponse(f"/lti/enter/{code}", 303)


@router.get("/lti/enter/{code}")
def enter(request: Request, site: SiteHere, code: str) -> Response:
    """The launch is for this browser: account, course and enrollment are there afterwards, and a session."""
    _check_set_up(site)
    now = site.now()
    with site.database.writing() as connection:
        detail = use_state(connection, "launch", code, now=now)
        if detail is None:
            raise Forbidden(AGAIN)
        check_state(request, detail.pop("state"))
        launch = _launch(detail)
        platform = site.sign_on.of_context(launch.context)
        organization = organization_id(connection, platform.settings.organization, now=now)
        account = account_for(
            connection, launch.identity, organization=organization, create=True, link_by_email=False, now=now
        )
        course = course_of_context(
            connection, launch.context, title=launch.title, organization_id=organization, now=now
        )
        enroll_by_platform(connection, course.course_id, account, launch.identity, launch.role, now=now)
        set_services(connection, course.id, launch.memberships_url, launch.line_items_url)
        workspace = find_workspace(connection, launch.workspace_id) if launch.workspace_id else None
        workspace = workspace if workspace is not None and workspace.course_id == course.course_id else None
        if launch.line_item_url:
            own = workspace.id if workspace else None
            put_line_item(connection, course.id, launch.resource_link, launch.line_item_url, own)
        note(connection, "launch by LTI", author=account.name, now=now, course_id=course.course_id)
        roles = account_roles(connection, account)
        to = _landing(course.course_id, workspace, is_staff=at_least(roles.get(course.course_id), "reviewer"))
        if launch.message == "LtiDeepLinkingRequest":
            choice: Json = {**asdict(launch), "course_id": course.course_id, "account_id": account.id}
            to = f"/lti/deep-link/{start_state(connection, 'deep link', choice, now=now)}"
    return finish_sign_in(request, site, account, to)


def _launch(detail: Json) -> Launch:
    """A launch as it was put aside."""
    values = {**detail, "identity": Identity(**detail["identity"]), "context": LtiContext(**detail["context"])}
    return Launch(**values)


def _landing(course_id: str, workspace: Workspace | None, *, is_staff: bool) -> str:
    if not is_staff:
        return "/mine"
    return f"/{workspace.kind}/{workspace.id}" if workspace is not None else f"/courses/{course_id}"


@router.get("/lti/keys")
def keys(site: SiteHere) -> JSONResponse:
    """Our public key, for platforms."""
    _check_set_up(site)
    with site.database.writing() as connection:
        key = tool_key(connection)
    return JSONResponse({"keys": [key.as_dict(private=False)]})


@router.get("/lti/deep-link/{code}")
def choose(request: Request, site: SiteHere, who: Anyone, code: str) -> HTMLResponse:
    """The workspaces of the course, to link to one of them."""
    launch = _deep_link(site, who, code)
    listed = site.database.read(recent_workspaces, within=[launch["course_id"]], most=MOST_CHOICES)
    return render(request, "accounts/deep_link.html", {"listed": listed, "code": code, "answer": "", "to": ""})


@router.post("/lti/deep-link/{code}")
def send_choice(request: Request, site: SiteHere, who: Anyone, code: str, workspace_id: Text = "") -> HTMLResponse:
    """The signed answer, which the browser carries to the platform."""
    launch = _deep_link(site, who, code)
    platform = site.sign_on.platform(launch["context"]["issuer"], launch["context"]["client_id"])
    with site.database.writing() as connection:
        workspace = find_workspace(connection, workspace_id)
        if workspace is None or workspace.course_id != launch["course_id"]:
            raise NotFound
        key = tool_key(connection)
    url = f"{own_address(request, site)}/lti/launch"
    answer = deep_link_response(key, launch, platform, title=workspace.name, url=url, workspace=workspace.id)
    values = {"listed": [], "code": code, "answer": answer, "to": launch["return_url"], "chosen": workspace}
    page = render(request, "accounts/deep_link.html", values)
    origin = origin_of(launch["return_url"]) or "'none'"
    policy = POLICY.format(nonce=request.state.nonce)
    page.headers["Content-Security-Policy"] = policy.replace("form-action 'self'", f"form-action 'self' {origin}")
    return page


def _deep_link(site: Site, who: Visitor, code: str) -> Json:
    """A choice that is under way, for the teacher who began it."""
    launch = site.database.read(read_state, "deep link", code, now=site.now())
    own = launch is not None and who.account is not None and launch["account_id"] == who.account.id
    if launch is None or not own or not launch["return_url"] or not urlsplit(launch["return_url"]).scheme:
        raise NotFound("There is nothing to choose here, or it took too long. Start again from your course.")
    if not at_least(who.role_in(launch["course_id"]), "assistant"):
        raise Forbidden("Only teachers and assistants of a course can add links to it.")
    return launch


@router.post("/courses/{course_id}/lti-roster")
def synchronize(site: SiteHere, context: ForTeachers) -> RedirectResponse:
    """Bring the people of a course in step with the platform it came from."""
    update_roster(site, context.course.id, context.visitor.name)
    return RedirectResponse(f"{context.url}/people", 303)


def _check_set_up(site: Site) -> None:
    if not site.sign_on.platforms or not site.settings.accounts:
        raise NotFound
