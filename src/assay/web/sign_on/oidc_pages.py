"""Sign on with the provider of a school or firm, and back."""

import hmac
from dataclasses import asdict
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from assay.store.sign_on.identities import STATE_LASTS, start_state, use_state
from assay.web.pages.sign_in import finish_sign_in
from assay.web.problems import Forbidden, NotFound
from assay.web.sign_on.oidc import Begun, OidcProvider
from assay.web.sign_on.people import account_for, organization_id
from assay.web.site import Site, SiteHere
from assay.web.templating import set_cookie

router = APIRouter()
STATE = "assay_sign_on"
"""Cookie: the sign-on that this browser began. One that another browser began ends here."""
AGAIN = "This sign-on is out of date, or was begun in another browser. Start again from the sign-in page."


@router.get("/sign-in/oidc")
def begin_sign_on(request: Request, site: SiteHere) -> Response:
    """To the provider."""
    provider = _provider(site)
    begun = provider.begin()
    with site.database.writing() as connection:
        state = start_state(connection, "oidc", asdict(begun), now=site.now())
    answer = RedirectResponse(provider.address(begun, state=state, redirect=_redirect(request, site)), 303)
    set_state(request, answer, state)
    return answer


@router.get("/sign-in/oidc/callback")
def end_sign_on(
    request: Request, site: SiteHere, state: str = "", code: str = "", error: str = "", iss: str = ""
) -> Response:
    """Back from the provider: a session, if it vouches for somebody who has an account."""
    provider = _provider(site)
    check_state(request, state)
    with site.database.writing() as connection:
        detail = use_state(connection, "oidc", state, now=site.now())
    if detail is None:
        raise Forbidden(AGAIN)
    if error or not code:
        raise Forbidden("The provider did not sign you on. Start again from the sign-in page.")
    person = provider.person(Begun(**detail), code=code, redirect=_redirect(request, site), issuer=iss)
    rule, now = provider.settings, site.now()
    with site.database.writing() as connection:
        account = account_for(
            connection,
            person,
            organization=organization_id(connection, rule.organization, now=now),
            create=rule.create_accounts,
            link_by_email=rule.link_by_email,
            now=now,
        )
    answer = finish_sign_in(request, site, account)
    answer.delete_cookie(STATE)
    return answer


def _provider(site: Site) -> OidcProvider:
    if site.sign_on.oidc is None or not site.settings.accounts:
        raise NotFound
    return site.sign_on.oidc


def _redirect(request: Request, site: Site) -> str:
    return f"{own_address(request, site)}/sign-in/oidc/callback"


def own_address(request: Request, site: Site) -> str:
    """The address under which browsers reach us; behind a proxy that speaks HTTPS, with that scheme."""
    if site.sign_on.url:
        return site.sign_on.url
    scheme = "https" if site.settings.secure_cookies else request.url.scheme
    return urlsplit(str(request.base_url))._replace(scheme=scheme).geturl().rstrip("/")


def set_state(request: Request, answer: Response, state: str) -> None:
    """Note in the browser which sign-on it began."""
    set_cookie(request, answer, STATE, state, lasts=int(STATE_LASTS.total_seconds()))


def check_state(request: Request, state: str) -> None:
    """Forbidden unless this browser began the sign-on."""
    if not state or not hmac.compare_digest(request.cookies.get(STATE, "").encode(), state.encode()):
        raise Forbidden(AGAIN)
