"""SCIM 2.0 (RFC 7643, 7644): a directory creates, changes and deactivates accounts, with a token for that alone."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi.responses import JSONResponse

from assay.errors import InputError
from assay.store import accounts as store
from assay.store.schema import Connection, Json
from assay.store.sign_on.identities import NO_PASSWORD, change_profile, disable_account
from assay.store.workspaces import note
from assay.web.problems import Forbidden, NotFound
from assay.web.sign_on.scim_filter import FilterTerm, parse_filter
from assay.web.site import SiteHere
from assay.web.visitors import Anyone, Visitor

router = APIRouter(prefix="/scim/v2")
SCIM_JSON = "application/scim+json"
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
CONFIGURATION = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
MOST_LISTED = 200


def provisioner(who: Anyone) -> Visitor:
    """An administrator's token that was made for SCIM."""
    if who.scope != "scim" or who.role != "admin" or who.account is None:
        raise Forbidden("Send a token that an administrator created for SCIM.")
    return who


Provisioner = Annotated[Visitor, Depends(provisioner)]
Sent = Annotated[dict[str, Any], Body()]


def _answer(content: Json, status: int = 200) -> JSONResponse:
    return JSONResponse(content, status, media_type=SCIM_JSON)


@router.get("/ServiceProviderConfig")
def configuration(who: Provisioner) -> JSONResponse:  # noqa: ARG001  # only those who may ask
    """What is supported."""
    no = {"supported": False}
    scheme = {"type": "oauthbearertoken", "name": "Token", "description": "A token created for SCIM."}
    return _answer(
        {
            "schemas": [CONFIGURATION],
            "patch": {"supported": True},
            "bulk": {**no, "maxOperations": 0, "maxPayloadSize": 0},
            "filter": {"supported": True, "maxResults": MOST_LISTED},
            "changePassword": no,
            "sort": no,
            "etag": no,
            "authenticationSchemes": [scheme],
        }
    )


@router.get("/Users")
def list_users(
    request: Request,
    site: SiteHere,
    who: Provisioner,
    filter: Annotated[str, Query(max_length=2000)] = "",  # the standard's name
    start: Annotated[int, Query(alias="startIndex")] = 1,
    count: int = MOST_LISTED,
) -> JSONResponse:
    """The accounts of the organization that a filter chooses, page by page."""
    terms = parse_filter(filter)
    listed = site.database.read(store.all_accounts, _organization(who))
    chosen = [one for one in listed if all(_holds(one, term) for term in terms)]
    first, most = max(start, 1), max(0, min(count, MOST_LISTED))
    page = chosen[first - 1 : first - 1 + most]
    body = {"schemas": [LIST], "totalResults": len(chosen), "startIndex": first, "itemsPerPage": len(page)}
    return _answer({**body, "Resources": [_user(one, request) for one in page]})


def _holds(account: store.Account, term: FilterTerm) -> bool:
    values: dict[str, object] = {
        "username": account.name.lower(),
        "externalid": account.external_id or "",
        "active": account.disabled is None,
        "id": str(account.id),
        "emails": (account.email or "").lower(),
        "emails.value": (account.email or "").lower(),
        "displayname": (account.full_name or "").lower(),
    }
    exact = term.attribute in ("externalid", "id") or isinstance(term.value, bool)
    return values[term.attribute] == (term.value if exact else str(term.value).lower())


@router.post("/Users")
def create_user(request: Request, site: SiteHere, who: Provisioner, sent: Sent) -> JSONResponse:
    """A new account, without a password: the person signs on elsewhere, or gets a reset link."""
    values = _values(sent)
    name = values.pop("name", "")
    active = values.pop("active", True)
    with site.database.writing() as connection:
        if store.find_account(connection, name) is not None:
            return _error(409, "There is already an account with that userName.", "uniqueness")
        try:
            store.check_new_name(connection, name)
        except store.NameRefused as refused:
            raise InputError(f"this userName cannot be used: {refused}") from None
        id_ = store.create_account(
            connection, name, NO_PASSWORD, "student", now=site.now(), organization_id=_organization(who)
        )
        change_profile(connection, id_, values)
        if not active:
            disable_account(connection, id_, site.now())
        note(connection, "create account", author=who.name, now=site.now(), detail={"name": name, "role": "student"})
        account = _account(connection, str(id_), who)
    return _answer(_user(account, request), 201)


@router.get("/Users/{user_id}")
def get_user(request: Request, site: SiteHere, who: Provisioner, user_id: str) -> JSONResponse:
    """One account."""
    return _answer(_user(site.database.read(_account, user_id, who), request))


@router.put("/Users/{user_id}")
def replace_user(request: Request, site: SiteHere, who: Provisioner, user_id: str, sent: Sent) -> JSONResponse:
    """All that is known of a person, anew."""
    values = {"email": None, "full_name": None, "external_id": None, "active": True, **_values(sent)}
    return _changed(request, site, who, user_id, values)


@router.patch("/Users/{user_id}")
def change_user(request: Request, site: SiteHere, who: Provisioner, user_id: str, sent: Sent) -> JSONResponse:
    """Change or deactivate an account."""
    operations = next((value for name, value in sent.items() if name.lower() == "operations"), None)
    if PATCH not in (sent.get("schemas") or []) or not isinstance(operations, list) or len(operations) > 100:
        raise InputError("this is no SCIM patch")
    values: Json = {}
    for operation in operations:
        values |= _patched(operation)
    return _changed(request, site, who, user_id, values)


def _patched(operation: object) -> Json:
    if not isinstance(operation, dict) or str(operation.get("op", "")).lower() not in ("add", "replace", "remove"):
        raise InputError("an operation must be add, replace or remove")
    path, value = operation.get("path") or "", operation.get("value")
    if not isinstance(path, str):
        raise InputError("the path of an operation must be text")
    if not path:
        return _values(value if isinstance(value, dict) else {}, partly=True)
    plain = path.rpartition(":")[2]
    if plain.lower().startswith("emails"):
        value = [{"value": value}] if isinstance(value, str) else value
        plain = "emails"
    if str(operation["op"]).lower() == "remove":
        names = {"externalid": "external_id", "emails": "email", "displayname": "full_name"}
        return {names[plain.lower()]: None} if plain.lower() in names else {}
    return _values({plain: value}, partly=True)


def _values(sent: Json, *, partly: bool = False) -> Json:
    """What a client says of a person, under the names of our columns; attributes we do not keep are left out."""
    given = {name.lower(): value for name, value in sent.items()}
    values: Json = {}
    for attribute, column in (("username", "name"), ("externalid", "external_id"), ("displayname", "full_name")):
        if attribute in given:
            values[column] = _text(given[attribute], attribute)
    if "active" in given:
        values["active"] = _flag(given["active"])
    names, emails = given.get("name"), given.get("emails")
    if "full_name" not in values and isinstance(names, dict):
        parts = (names.get("givenName"), names.get("familyName"))
        full = names.get("formatted") or " ".join(part for part in parts if isinstance(part, str))
        values["full_name"] = _text(full, "name")
    if isinstance(emails, list):
        listed = sorted(
            (one for one in emails if isinstance(one, dict)), key=lambda one: one.get("primary") is not True
        )
        values["email"] = _text(listed[0].get("value"), "emails") if listed else None
    if not partly and not values.get("name"):
        raise InputError("a user needs a userName")
    return values


def _text(value: object, attribute: str) -> str:
    if not isinstance(value, str) or len(value) > 400:
        raise InputError(f"{attribute} must be text of at most 400 characters")
    return value.strip()


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"  # Microsoft Entra sends words
    raise InputError("active must be true or false")


def _changed(request: Request, site: SiteHere, who: Visitor, user_id: str, values: Json) -> JSONResponse:
    active, name = values.pop("active", None), values.get("name")
    with site.database.writing() as connection:
        account = _account(connection, user_id, who)
        if account.role == "admin" and (active is False or (name and name != account.name)):
            raise Forbidden("An administrator's account is changed by an administrator, not by SCIM.")
        if name and name.lower() != account.name.lower():
            if store.find_account(connection, name) is not None:
                return _error(409, "There is already an account with that userName.", "uniqueness")
            if not store.NAME.fullmatch(name):
                raise InputError("this userName cannot be used")
        change_profile(connection, account.id, values)
        if active is not None and active != (account.disabled is None):
            disable_account(connection, account.id, None if active else site.now())
        note(
            connection, "change account by SCIM", author=who.name, now=site.now(), detail={"name": name or account.name}
        )
        account = _account(connection, user_id, who)
    return _answer(_user(account, request))


def _account(connection: Connection, user_id: str, who: Visitor) -> store.Account:
    listed = store.all_accounts(connection, _organization(who))
    account = next((one for one in listed if str(one.id) == user_id), None)
    if account is None:
        raise NotFound("There is no such user.")
    return account


def _organization(who: Visitor) -> int:
    return who.account.organization_id if who.account is not None else 0


def _user(account: store.Account, request: Request) -> Json:
    where = f"{str(request.base_url).rstrip('/')}/scim/v2/Users/{account.id}"
    user: Json = {"schemas": [USER], "id": str(account.id), "userName": account.name}
    user |= {"active": account.disabled is None}
    user |= {"externalId": account.external_id} if account.external_id else {}
    user |= {"displayName": account.full_name, "name": {"formatted": account.full_name}} if account.full_name else {}
    user |= {"emails": [{"value": account.email, "primary": True}]} if account.email else {}
    meta = {"resourceType": "User", "created": account.created.isoformat(), "location": where}
    return {**user, "meta": meta}


def scim_error(status: int, words: str, kind: str = "") -> Json:
    """An error as the standard has it."""
    body: Json = {"schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"], "status": str(status), "detail": words}
    return body | ({"scimType": kind} if kind else {})


def _error(status: int, words: str, kind: str) -> JSONResponse:
    return _answer(scim_error(status, words, kind), status)
