"""No request that changes something is obeyed unless it comes from our own pages, or from a program.

A page of ours carries a token in every form: a tag of a cookie that other sites cannot read or set. A program sends no
cookie, and no header that a browser adds by itself (Origin, Sec-Fetch-Site); such a request cannot have been forged
by a web page.
"""

import hmac
import secrets

from fastapi import Request

from assay.web.problems import Forbidden
from assay.web.site import Site, site_of
from assay.web.visitors import SESSION

COOKIE, FIELD, HEADER = "assay_csrf", "csrf", "x-csrf-token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def csrf_cookie(request: Request) -> str:
    """The random value of this browser; a new one when it has none."""
    known = request.cookies.get(COOKIE, "")
    if not known:
        known = getattr(request.state, "csrf_cookie", "") or secrets.token_urlsafe(24)
    request.state.csrf_cookie = known
    return known


def csrf_token(request: Request, site: Site) -> str:
    """What a form of this browser and session must carry."""
    return site.signed("form", csrf_cookie(request), request.cookies.get(SESSION, ""))


async def guarded(request: Request) -> None:
    """Refuse a form without its token."""
    if request.method in SAFE:
        return
    given = request.headers.get(HEADER, "")
    if not given:
        field = (await request.form()).get(FIELD, "")
        given = field if isinstance(field, str) else ""
    expected = csrf_token(request, site_of(request))
    if COOKIE not in request.cookies or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Forbidden("This form is out of date. Go back, load the page again and send it once more.")


async def guarded_api(request: Request) -> None:
    """Programs pass; a browser needs the token in the header X-CSRF-Token."""
    from_browser = bool(request.cookies) or "origin" in request.headers or "sec-fetch-site" in request.headers
    if request.method in SAFE or not from_browser:
        return
    given, expected = request.headers.get(HEADER, ""), csrf_token(request, site_of(request))
    if COOKIE not in request.cookies or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Forbidden("A request from a browser needs the token of its page in the header X-CSRF-Token.")
