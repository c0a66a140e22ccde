"""FRONT DOOR `passback`, `update_roster`: grades to a platform, and people from it (LTI Advantage services).

`passback(site, course_id, enrollment_id, grade)` is what a release of grades calls for each person: it sends the final
score, and nothing but it, to the gradebook columns of the platform that the course came from.
"""

import json
import secrets
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from assay.store.accounts import Account
from assay.store.courses import change_enrollment, course_people, enroll, find_enrollment
from assay.store.schema import Connection
from assay.store.sign_on.identities import Identity, account_of_identity, identity_subjects
from assay.store.sign_on.lti_courses import LtiCourse, contexts_of_course, line_items_of, put_line_item
from assay.store.workspaces import note
from assay.web.sign_on.connections import Platform
from assay.web.sign_on.lti import TOKEN_LASTS, course_role, signed, tool_key
from assay.web.sign_on.outgoing import SignOnProblem
from assay.web.sign_on.people import account_for, organization_id
from assay.web.site import Site

SCORE_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
ITEM_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
PEOPLE_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
MOST_PAGES = 50
"""Pages of a list of people that are read."""


@dataclass(frozen=True, slots=True)
class PassedGrade:
    """The final score of one person in one workspace."""

    workspace_id: str
    title: str
    score: float
    highest: float


def passback(site: Site, course_id: str, enrollment_id: int, grade: PassedGrade) -> int:
    """Send a released grade to the platforms of a course; to how many gradebook columns it went.

    None for a course that no platform knows, and for people who did not come from one. SignOnProblem when a platform
    does not take it; what was sent before stays sent, and sending it again does no harm.
    """
    with site.database.reading() as connection:
        enrollment = find_enrollment(connection, course_id, enrollment_id)
        contexts = contexts_of_course(connection, course_id)
        account_id = enrollment.account_id if enrollment else None
        subjects = {
            one.id: identity_subjects(connection, one.issuer, [account_id] if account_id else []) for one in contexts
        }
    sent = 0
    for context in contexts:
        subject = subjects[context.id].get(account_id or 0)
        url = _column(site, context, grade) if subject else ""
        if subject and url:
            _send(site, context, url, subject, grade)
            sent += 1
    return sent


def _send(site: Site, context: LtiCourse, url: str, subject: str, grade: PassedGrade) -> None:
    platform = site.sign_on.platform(context.issuer, context.client_id)
    score = {
        "userId": subject,
        "timestamp": site.now().isoformat(timespec="milliseconds"),
        "scoreGiven": grade.score,
        "scoreMaximum": grade.highest,
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
    }
    parts = urlsplit(url)
    scores = parts._replace(path=f"{parts.path.rstrip('/')}/scores").geturl()
    headers = {"Authorization": f"Bearer {access_token(site, platform, SCORE_SCOPE)}"}
    headers |= {"Content-Type": "application/vnd.ims.lis.v1.score+json"}
    reply = platform.outgoing.request("POST", scores, headers=headers, content=json.dumps(score).encode())
    if reply.status not in (200, 201, 202, 204):
        raise SignOnProblem(f"The platform did not take the grade (status {reply.status}).")


def _column(site: Site, context: LtiCourse, grade: PassedGrade) -> str:
    """The address of the gradebook column of a workspace; a new one where there is none."""
    listed = site.database.read(line_items_of, context.course_id, grade.workspace_id)
    known = next((item.url for own, item in listed if own.id == context.id), "")
    if known or not context.line_items_url:
        return known
    platform = site.sign_on.platform(context.issuer, context.client_id)
    item = {"label": grade.title, "scoreMaximum": grade.highest, "resourceId": grade.workspace_id}
    headers = {"Authorization": f"Bearer {access_token(site, platform, ITEM_SCOPE)}"}
    headers |= {"Content-Type": "application/vnd.ims.lis.v2.lineitem+json"}
    reply = platform.outgoing.request(
        "POST", context.line_items_url, headers=headers, content=json.dumps(item).encode()
    )
    column = reply.json() if reply.status in (200, 201) else {}
    url = column.get("id") if isinstance(column, dict) else None
    if not isinstance(url, str) or not platform.outgoing.allows(url):
        raise SignOnProblem(f"The platform did not make a gradebook column (status {reply.status}).")
    with site.database.writing() as connection:
        put_line_item(connection, context.id, f"workspace {grade.workspace_id}", url, grade.workspace_id)
    return url


def access_token(site: Site, platform: Platform, scope: str) -> str:
    """A token of the platform for one of its services, for a statement that we signed."""
    with site.database.writing() as connection:
        key = tool_key(connection)
    settings, now = platform.settings, int(time.time())
    claims = {"iss": settings.client_id, "sub": settings.client_id, "aud": settings.token_url}
    assertion = signed(key, {**claims, "iat": now, "exp": now + TOKEN_LASTS, "jti": secrets.token_urlsafe(24)})
    form = {"grant_type": "client_credentials", "client_assertion_type": ASSERTION, "client_assertion": assertion}
    reply = platform.outgoing.request("POST", settings.token_url, form={**form, "scope": scope})
    answer = reply.json() if reply.status == 200 else {}
    token = answer.get("access_token") if isinstance(answer, dict) else None
    if not isinstance(token, str):
        raise SignOnProblem(f"The platform gave no access to its services (status {reply.status}).")
    return token


def update_roster(site: Site, course_id: str, author: str) -> tuple[int, int]:
    """Bring the people of a course in step with its platforms: how many are in it, and how many left."""
    present = left = 0
    for context in site.database.read(contexts_of_course, course_id):
        if not context.memberships_url:
            continue
        platform = site.sign_on.platform(context.issuer, context.client_id)
        members = _members(site, platform, context.memberships_url)
        with site.database.writing() as connection:
            gone = _enroll_members(connection, platform, context, members, now=site.now())
            present, left = present + len(members) - gone[0], left + gone[1]
            note(connection, "update roster by LTI", author=author, now=site.now(), course_id=course_id)
    return present, left


def _members(site: Site, platform: Platform, url: str) -> list[dict[str, Any]]:
    headers = {"Authorization": f"Bearer {access_token(site, platform, PEOPLE_SCOPE)}"}
    headers |= {"Accept": "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"}
    members: list[dict[str, Any]] = []
    for _ in range(MOST_PAGES):
        reply = platform.outgoing.request("GET", url, headers=headers)
        answer = reply.json() if reply.status == 200 else None
        listed = answer.get("members") if isinstance(answer, dict) else None
        if not isinstance(listed, list):
            raise SignOnProblem(f"The platform did not list the people of the course (status {reply.status}).")
        members += [one for one in listed if isinstance(one, dict) and isinstance(one.get("user_id"), str)]
        url = next_page(reply.headers.get("link", ""))
        if not url:
            return members
    raise SignOnProblem("The platform lists more people than can be read.")


def next_page(links: str) -> str:
    """The address of the next page in a Link header.

    >>> next_page('<https://a.example/2>; rel="next", <https://a.example/9>; rel="differences"')
    'https://a.example/2'
    """
    for link in links.split(","):
        address, _, more = link.strip().partition(";")
        if 'rel="next"' in more.replace(" ", "") or "rel=next" in more.replace(" ", ""):
            return address.strip("<> ")
    return ""


def _enroll_members(
    connection: Connection, platform: Platform, context: LtiCourse, members: list[dict[str, Any]], *, now: datetime
) -> tuple[int, int]:
    """How many of the list are not active, and how many people left the course."""
    organization = organization_id(connection, platform.settings.organization, now=now)
    active = [one for one in members if one.get("status", "Active") == "Active"]
    present: set[int] = set()
    for member in active:
        identity = _identity(context.issuer, member)
        known = account_of_identity(connection, context.issuer, identity.subject)
        if known is not None and known.disabled is not None:
            continue
        account = known or account_for(
            connection, identity, organization=organization, create=True, link_by_email=False, now=now
        )
        present.add(account.id)
        _keep_in_step(connection, context.course_id, account, identity, member, now=now)
    people = [one for one in course_people(connection, context.course_id) if one.account_id is not None]
    subjects = identity_subjects(connection, context.issuer, [one.account_id for one in people if one.account_id])
    gone = [one for one in people if one.account_id in subjects.keys() - present and one.role != "owner"]
    for one in gone:
        change_enrollment(connection, one.id, ended=now)
    return len(members) - len(active), len(gone)


def _identity(issuer: str, member: dict[str, Any]) -> Identity:
    name, email = member.get("name"), member.get("email")
    return Identity(
        issuer, member["user_id"][:400], name if isinstance(name, str) else "", email if isinstance(email, str) else ""
    )


def _keep_in_step(
    connection: Connection,
    course_id: str,
    account: Account,
    identity: Identity,
    member: dict[str, Any],
    *,
    now: datetime,
) -> None:
    number = member.get("lis_person_sourcedid")
    enroll_by_platform(
        connection,
        course_id,
        account,
        identity,
        course_role(member.get("roles")),
        number=number if isinstance(number, str) else "",
        now=now,
    )


def enroll_by_platform(
    connection: Connection,
    course_id: str,
    account: Account,
    identity: Identity,
    role: Any,
    *,
    number: str = "",
    now: datetime,
) -> None:
    """Put somebody into a course as a platform says; owners stay owners."""
    people = course_people(connection, course_id)
    own = next((one for one in people if one.account_id == account.id), None)
    if own is not None and own.role == "owner":
        return
    number = number or (own.number if own else "")
    name = identity.name or account.name
    enroll(connection, course_id, role, name, now=now, account_id=account.id, email=identity.email, number=number)
