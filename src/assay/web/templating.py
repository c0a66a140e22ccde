"""Pages from templates; everything a template prints is escaped unless our own code made it."""

import gc
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay import __version__
from assay.report.render.html_blocks import VERDICT_ICONS
from assay.web.security import COOKIE, FIELD, csrf_cookie, csrf_token
from assay.web.site import site_of
from assay.web.workspaces.kinds import KINDS

THEME = "assay_theme"
KEYS = "assay_keys"
YEAR = 365 * 24 * 3600
_ICONS = dict(VERDICT_ICONS.values()) | {
    "idle": '<circle cx="8" cy="8" r="6.500" fill="none" stroke="currentColor" stroke-width="1.500" '
    'stroke-dasharray="2 2.500"/>'
}


def render(
    request: Request, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200, styles: str = ""
) -> HTMLResponse:
    """A page, or a part of one; `styles` go into the one style element the policy allows.

    A form that comes back with errors beside its fields (`errors`) cannot be processed: 422.
    """
    site = site_of(request)
    theme = request.cookies.get(THEME, "")
    token = csrf_token(request, site)
    settings = {name: getattr(site.settings, name) for name in ("accounts", "only_here", "most_upload")}
    values = {
        **{**settings, "kinds": KINDS, "version": __version__, "now": site.now(), "errors": {}},
        **{"request_path": request.url.path, "origin": str(request.base_url).rstrip("/"), "nonce": request.state.nonce},
        "theme": theme if theme in ("light", "dark") else "",
        "single_keys": request.cookies.get(KEYS, "") != "off",
        "styles": Markup(styles),  # made by our own code from numbers
        "csrf_token": token,
        "csrf": lambda: Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, token),
        "visitor": getattr(request.state, "visitor", None),
        **(context or {}),
    }
    status = 422 if values["errors"] and status == 200 else status
    page = HTMLResponse(environment().get_template(template).render(values), status)
    if COOKIE not in request.cookies:
        set_cookie(request, page, COOKIE, csrf_cookie(request), lasts=YEAR)
    return page


def set_cookie(request: Request, response: Response, name: str, value: str, *, lasts: int) -> None:
    """A cookie that no script can read and no other site can send."""
    secure = site_of(request).settings.secure_cookies
    response.set_cookie(name, value, max_age=lasts, httponly=True, samesite="lax", secure=secure)


def extract_inline_styles(html: str) -> tuple[Markup, str]:
    """The markup without style attributes, and the rules that say the same: the content security policy forbids both.

    Reports carry sizes and places in style attributes. They are made by our own code, which escapes every quote that
    comes from outside, so ` style="` can only be an attribute.

    >>> extract_inline_styles('<i style="height:4px">a</i><b style="height:4px">b</b>')
    (Markup('<i data-s="0">a</i><b data-s="0">b</b>'), '[data-s="0"]{height:4px}')
    """
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f' data-s="{numbers.setdefault(match[1], len(numbers))}"'

    markup = Markup(re.sub(r' style="([^"]*)"', number, html))  # made by assay.report, which escapes what it is given
    return markup, "".join(f'[data-s="{n}"]{{{style}}}' for style, n in numbers.items())


@cache
def environment() -> Environment:
    """The templates of this package."""
    loader = PackageLoader("assay.web", "templates")
    templates = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    templates.filters |= {f.__name__: f for f in (number, fixed, moment, ago, size, duration, quoted)}
    templates.globals |= {"badge": badge, "is_number": is_number}
    return templates


@cache
def warm_up() -> None:
    """Compile all templates (half a second) before the first visitor, and set aside what stays for good.

    The garbage collector looks through everything now and then; libraries and templates never become garbage, and
    looking through them again would cost whoever asks for a page just then a tenth of a second.
    """
    for name in environment().list_templates():
        environment().get_template(name)
    gc.collect()
    gc.freeze()


def badge(style: str, words: str) -> Markup:
    """A verdict: icon, word and colour. The style is met, unsure, doubt, not or idle."""
    icon = Markup(_ICONS.get(style, _ICONS["idle"]))
    return Markup(
        '<span class="v {}"><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">{}</svg>{}</span>'
    ).format(style, icon, words)


def is_number(cell: object) -> bool:
    """Whether a cell of a table stands in a column of numbers: right-aligned then.

    >>> is_number("4.0"), is_number("R00001"), is_number("")
    (True, False, False)
    """
    try:
        float(str(cell))
    except ValueError:
        return False
    return True


def number(value: float) -> str:
    """A count with its thousands.

    >>> number(12400)
    '12,400'
    """
    return f"{value:,}"


def fixed(value: float | None, decimals: int = 2) -> str:
    """A figure with its decimals and a true minus sign; n/a for none.

    >>> fixed(-0.2), fixed(None)
    ('−0.20', 'n/a')
    """
    if value is None or value != value:  # noqa: PLR0124  # NaN is not itself
        return "n/a"
    return f"{value:,.{decimals}f}".replace("-", "\u2212")


def moment(value: datetime) -> Markup:
    """A time in words, local, with the exact one for machines."""
    local = value.astimezone()
    return Markup('<time datetime="{}">{}</time>').format(
        local.isoformat(timespec="seconds"), f"{local:%d %B %Y, %H:%M}".lstrip("0")
    )


def ago(value: datetime, now: datetime) -> Markup:
    """When, as short as it can be said: now, 14:20, yesterday, 3 Nov."""
    local, today = value.astimezone(), now.astimezone()
    if now - value < timedelta(minutes=1):
        words = "now"
    elif local.date() == today.date():
        words = f"{local:%H:%M}"
    elif today.date() - local.date() == timedelta(days=1):
        words = "yesterday"
    else:
        words = f"{local:%d %b}".lstrip("0") + ("" if local.year == today.year else f" {local.year}")
    return Markup('<time datetime="{}">{}</time>').format(local.isoformat(timespec="seconds"), words)


def quoted(text: str) -> str:
    """A text as Python writes it, for programs on a page.

    >>> quoted('the "essay"')
    '"the \\\\"essay\\\\""'
    """
    return json.dumps(text, ensure_ascii=False)


def size(value: int) -> str:
    """Bytes in words.

    >>> size(900), size(5_400_000)
    ('900 bytes', '5.1 MB')
    """
    if value < 1024:
        return f"{value} bytes"
    return f"{value / 1024:.0f} KB" if value < 1 << 20 else f"{value / (1 << 20):.1f} MB"


def duration(seconds: float) -> str:
    """A stretch of time in words.

    >>> duration(6.4), duration(190), duration(8000)
    ('6 s', '3 min', '2 h 13 min')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
