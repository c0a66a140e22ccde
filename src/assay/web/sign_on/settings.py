"""FRONT DOOR `read_sign_on`: which providers and platforms people sign on with, from a file and the environment.

Only whoever runs the server names them, never a page: the app sends requests to these addresses and to no others.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assay.errors import InputError
from assay.io.toml_text import parse_toml
from assay.web.site import is_loopback

MOST_BYTES = 1 << 20
"""A file of settings; anything larger is something else."""
VARIABLES = {"ASSAY_OIDC_ISSUER": "issuer", "ASSAY_OIDC_CLIENT_ID": "client_id", "ASSAY_OIDC_NAME": "name"}
SECRET = "ASSAY_OIDC_CLIENT_SECRET"


@dataclass(frozen=True, slots=True)
class OidcSettings:
    """A provider of OpenID Connect."""

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    name: str = "your organization"
    """Shown on the button: Sign in with ..."""
    organization: str = ""
    create_accounts: bool = False
    """Whether whoever the provider knows gets an account at the first sign-on."""
    link_by_email: bool = False
    """Whether an address that the provider verified leads to the account that has it."""
    hosts: tuple[str, ...] = ()
    """Hosts of the provider's other addresses, where they are not the issuer's."""


@dataclass(frozen=True, slots=True)
class LtiPlatform:
    """A learning platform that launches us by LTI 1.3."""

    issuer: str
    client_id: str
    authorization_url: str
    token_url: str
    keys_url: str
    deployments: tuple[str, ...]
    name: str = ""
    organization: str = ""
    hosts: tuple[str, ...] = ()
    """Hosts of the platform's services, where they are none of those above."""


@dataclass(frozen=True, slots=True)
class SignOnSettings:
    """What the file and the environment say together."""

    url: str = ""
    """The address under which browsers reach us; without it, the one they asked for."""
    oidc: OidcSettings | None = None
    platforms: tuple[LtiPlatform, ...] = ()


def read_sign_on(path: Path | None, environment: Mapping[str, str] | None = None) -> SignOnSettings:
    """The settings of sign-on; nothing where neither a file nor the environment has any."""
    environment = os.environ if environment is None else environment
    content = _content(path) if path is not None else {}
    source = str(path or "the environment")
    _known(content, {"url", "oidc", "lti"}, source)
    oidc = {**_table(content.get("oidc", {}), "oidc", source)}
    oidc |= {name: environment[variable] for variable, name in VARIABLES.items() if environment.get(variable)}
    if environment.get(SECRET):
        oidc["client_secret"] = environment[SECRET]
    listed = content.get("lti", [])
    if not isinstance(listed, list):
        raise InputError("lti must be a list of tables", source=source, remedy="Begin each platform with [[lti]].")
    return SignOnSettings(
        url=_address(_text(content, "url", source), "url", source).rstrip("/"),
        oidc=_oidc(oidc, source) if oidc else None,
        platforms=tuple(_platform(_table(one, "lti", source), source) for one in listed),
    )


def _content(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError("is too large for a file of settings", source=path)
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=path, field="sign_on") from None
    except UnicodeDecodeError:
        raise InputError("is not a text in UTF-8", source=path, field="sign_on") from None
    return parse_toml(text, source=path, field="sign_on")


def _oidc(table: dict[str, Any], source: str) -> OidcSettings:
    texts = ("issuer", "client_id", "client_secret", "name", "organization")
    flags = ("create_accounts", "link_by_email")
    _known(table, {*texts, *flags, "client_secret_file", "hosts"}, source)
    if secret_file := _text(table, "client_secret_file", source):
        try:
            table = {**table, "client_secret": Path(secret_file).read_text("utf-8").strip()}
        except (OSError, UnicodeDecodeError):
            raise InputError("client_secret_file cannot be read", source=source) from None
    values: dict[str, Any] = {name: text for name in texts if (text := _text(table, name, source))}
    _needed(values, ("issuer", "client_id"), "oidc", source)
    _address(values["issuer"], "issuer", source)
    for name in flags:
        if not isinstance(table.get(name, False), bool):
            raise InputError(f"{name} must be true or false", source=source)
        values[name] = table.get(name, False)
    return OidcSettings(**values, hosts=_texts(table, "hosts", source))


def _platform(table: dict[str, Any], source: str) -> LtiPlatform:
    addresses = ("authorization_url", "token_url", "keys_url")
    texts = ("issuer", "client_id", *addresses, "name", "organization")
    _known(table, {*texts, "deployments", "hosts"}, source)
    values: dict[str, Any] = {name: text for name in texts if (text := _text(table, name, source))}
    _needed(values, ("issuer", "client_id", *addresses), "lti", source)
    for name in addresses:
        _address(values[name], name, source)
    deployments = _texts(table, "deployments", source)
    if not deployments:
        remedy = 'Name the deployment ids that the platform shows, as in deployments = ["1"].'
        raise InputError("an LTI platform needs deployments", source=source, remedy=remedy)
    return LtiPlatform(**values, deployments=deployments, hosts=_texts(table, "hosts", source))


def _known(table: Mapping[str, Any], names: set[str], source: str) -> None:
    if unknown := sorted(table.keys() - names):
        remedy = f"Known are: {', '.join(sorted(names))}."
        raise InputError(f"there is no setting {unknown[0]!r}", source=source, remedy=remedy)


def _needed(values: Mapping[str, str], names: tuple[str, ...], what: str, source: str) -> None:
    if missing := [name for name in names if name not in values]:
        raise InputError(f"{what} needs {', '.join(missing)}", source=source)


def _table(value: object, name: str, source: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{name} must be a table", source=source)
    return value


def _text(table: Mapping[str, Any], name: str, source: str) -> str:
    value = table.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{name} must be text in quotes", source=source)
    return value


def _texts(table: Mapping[str, Any], name: str, source: str) -> tuple[str, ...]:
    value = table.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f"{name} must be a list of texts in quotes", source=source)
    return tuple(value)


def _address(url: str, name: str, source: str) -> str:
    """An address to which secrets may go: over HTTPS, or to this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        secure = parts.scheme == "https" and host != ""
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        secure = port_is_fine = False
        host, parts = "", urlsplit("")
    if url and not (port_is_fine and (secure or (parts.scheme == "http" and is_loopback(host)))):
        raise InputError(f"{name} is no address that begins with https://", source=source)
    return url
