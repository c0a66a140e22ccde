"""FRONT DOOR `read_launch`: what a learning platform says when it launches us (LTI 1.3 core, deep linking 2.0).

Nothing of it counts before the signature fits a key of the registered platform, the nonce is that of a login we began,
and the deployment is one that was registered.
"""

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey

from assay.store.courses import CourseRole
from assay.store.schema import Connection, Json
from assay.store.sign_on.identities import Identity, installation_value
from assay.store.sign_on.lti_courses import LtiContext
from assay.web.sign_on.connections import Platform
from assay.web.sign_on.oidc import person_of
from assay.web.sign_on.outgoing import SignOnProblem

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NAMES_AND_ROLES = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
ROLES: Mapping[str, CourseRole] = {
    f"{ROLE}#Instructor": "teacher",
    f"{ROLE}/Instructor#TeachingAssistant": "assistant",
    f"{ROLE}#ContentDeveloper": "assistant",
    f"{ROLE}#Learner": "student",
    "Instructor": "teacher",
    "ContentDeveloper": "assistant",
    "Learner": "student",
}
"""Roles in a context -> ours; the first in this order that somebody has, but assistants before instructors."""
MESSAGES = ("LtiResourceLinkRequest", "LtiDeepLinkingRequest")
KEY_NAME = "lti_key"
TOKEN_LASTS = 300


@dataclass(frozen=True, slots=True)
class Launch:
    """Who comes from where, and what for."""

    identity: Identity
    context: LtiContext
    title: str
    role: CourseRole
    message: str
    resource_link: str = ""
    workspace_id: str = ""
    """What a link was made for, when it was made by deep linking."""
    memberships_url: str = ""
    line_items_url: str = ""
    line_item_url: str = ""
    return_url: str = ""
    """Where the choice of deep linking goes."""
    return_data: str = ""


def login_address(platform: Platform, asked: Mapping[str, str], *, state: str, nonce: str, redirect: str) -> str:
    """Where the browser goes to be told who it is (third-party initiated login of the LTI security framework)."""
    query = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
    query |= {"client_id": platform.settings.client_id, "redirect_uri": redirect, "state": state, "nonce": nonce}
    query |= {name: asked[name] for name in ("login_hint", "lti_message_hint") if asked.get(name)}
    url = platform.settings.authorization_url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(query)}"


def read_launch(platform: Platform, token: str, *, nonce: str) -> Launch:
    """A launch that is what it says; SignOnProblem otherwise."""
    settings = platform.settings
    claims = platform.keys.claims(
        token, settings.keys_url, issuer=settings.issuer, client_id=settings.client_id, nonce=nonce
    )
    message, deployment = _text(claims, f"{CLAIM}message_type"), _text(claims, f"{CLAIM}deployment_id")
    if claims.get(f"{CLAIM}version") != "1.3.0" or message not in MESSAGES:
        raise SignOnProblem("The platform sent a message that is not known here.")
    if deployment not in settings.deployments:
        raise SignOnProblem(f"The deployment {deployment[:40]!r} of this platform is not registered.")
    context, link = _table(claims, f"{CLAIM}context"), _table(claims, f"{CLAIM}resource_link")
    course = _text(context, "id") or (f"link {_text(link, 'id')}" if _text(link, "id") else "")
    if not course:
        raise SignOnProblem("The platform did not say which course this is.")
    grades, people = _table(claims, GRADES), _table(claims, NAMES_AND_ROLES)
    chosen = _table(claims, f"{DEEP_LINKING}deep_linking_settings")
    return Launch(
        identity=person_of(claims, settings.issuer),
        context=LtiContext(settings.issuer, settings.client_id, deployment, course),
        title=_text(context, "title") or _text(context, "label") or "Course",
        role=course_role(claims.get(f"{CLAIM}roles")),
        message=message,
        resource_link=_text(link, "id"),
        workspace_id=_text(_table(claims, f"{CLAIM}custom"), "workspace")[:16],
        memberships_url=_service(platform, people, "context_memberships_url"),
        line_items_url=_service(platform, grades, "lineitems"),
        line_item_url=_service(platform, grades, "lineitem"),
        return_url=_service(platform, chosen, "deep_link_return_url"),
        return_data=chosen["data"] if isinstance(chosen.get("data"), str) else "",
    )


def course_role(roles: object) -> CourseRole:
    """The role in a course; whoever has none that is known may do the least.

    >>> course_role(["http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"])
    'teacher'
    >>> course_role(["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"])
    'student'
    """
    named = {role for role in roles if isinstance(role, str)} if isinstance(roles, list) else set()
    if f"{ROLE}/Instructor#TeachingAssistant" in named:
        return "assistant"  # platforms add Instructor to it
    return next((role for name, role in ROLES.items() if name in named), "student")


def deep_link_response(key: RSAKey, launch: Json, platform: Platform, *, title: str, url: str, workspace: str) -> str:
    """The signed answer to a platform: the link that a teacher chose."""
    settings, now = platform.settings, int(time.time())
    item = {"type": "ltiResourceLink", "title": title, "url": url, "custom": {"workspace": workspace}}
    item |= {"lineItem": {"scoreMaximum": 100, "label": title, "resourceId": workspace}}
    claims = {"iss": settings.client_id, "aud": settings.issuer, "iat": now, "exp": now + TOKEN_LASTS}
    claims |= {
        "nonce": secrets.token_urlsafe(24),
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": "1.3.0",
        f"{CLAIM}deployment_id": launch["context"]["deployment"],
        f"{DEEP_LINKING}content_items": [item],
    }
    if launch["return_data"]:
        claims[f"{DEEP_LINKING}data"] = launch["return_data"]
    return signed(key, claims)


def signed(key: RSAKey, claims: Json) -> str:
    """A token that a platform checks with our public key."""
    return jwt.encode({"alg": "RS256", "kid": key.kid, "typ": "JWT"}, claims, key)


def tool_key(connection: Connection) -> RSAKey:
    """The key pair of this installation, made the first time it is needed."""
    return RSAKey.import_key(json.loads(installation_value(connection, KEY_NAME, _new_key)))


def _new_key() -> str:
    key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256", "kid": secrets.token_hex(8)}, private=True)
    return json.dumps(key.as_dict(private=True))


def _service(platform: Platform, table: Mapping[str, Any], name: str) -> str:
    """An address of a platform's service; nothing for one on a server that is not configured."""
    url = _text(table, name, 2000)
    return url if platform.outgoing.allows(url) else ""


def _table(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = claims.get(name)
    return value if isinstance(value, dict) else {}


def _text(claims: Mapping[str, Any], name: str, most: int = 400) -> str:
    value = claims.get(name)
    return value.strip()[:most] if isinstance(value, str) else ""
