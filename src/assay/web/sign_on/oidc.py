"""FRONT DOOR `OidcProvider`: the authorization code flow of OpenID Connect, with state, nonce and PKCE."""

import secrets
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import quote_plus, urlencode

from authlib.oauth2.rfc7636 import create_s256_code_challenge

from assay.store.sign_on.identities import Identity
from assay.web.sign_on.outgoing import Outgoing, SignOnProblem
from assay.web.sign_on.settings import OidcSettings
from assay.web.sign_on.tokens import KeySets

SCOPE = "openid profile email"


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-on that was begun: what must fit when the browser comes back."""

    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where a provider takes what."""

    authorization: str
    token: str
    keys: str
    by_post: bool
    """Whether the provider takes the secret in the form only."""
    names_issuer: bool
    """Whether it says in its answer who it is (RFC 9207)."""


class OidcProvider:
    """One provider; its metadata are asked for once."""

    def __init__(self, settings: OidcSettings, outgoing: Outgoing, keys: KeySets) -> None:
        self.settings, self._outgoing, self._keys = settings, outgoing, keys
        self._endpoints: Endpoints | None = None
        self._lock = Lock()

    def begin(self) -> Begun:
        return Begun(secrets.token_urlsafe(24), secrets.token_urlsafe(48))

    def address(self, begun: Begun, *, state: str, redirect: str) -> str:
        """Where the browser goes to sign on."""
        query = {"response_type": "code", "scope": SCOPE, "client_id": self.settings.client_id, "state": state}
        query |= {"redirect_uri": redirect, "nonce": begun.nonce, "code_challenge_method": "S256"}
        query |= {"code_challenge": create_s256_code_challenge(begun.verifier)}
        endpoint = self.endpoints().authorization
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    def person(self, begun: Begun, *, code: str, redirect: str, issuer: str = "") -> Identity:
        """Who signed on, from the code with which the browser came back."""
        endpoints = self.endpoints()
        if issuer != self.settings.issuer and (issuer or endpoints.names_issuer):
            raise SignOnProblem("The answer does not come from the provider that was asked.")
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}
        form |= {"code_verifier": begun.verifier, "client_id": self.settings.client_id}
        headers = {"Accept": "application/json"}
        if self.settings.client_secret and endpoints.by_post:
            form["client_secret"] = self.settings.client_secret
        elif self.settings.client_secret:
            pair = f"{quote_plus(self.settings.client_id)}:{quote_plus(self.settings.client_secret)}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        reply = self._outgoing.request("POST", endpoints.token, headers=headers, form=form)
        answer = _object(reply.json())
        token = answer.get("id_token")
        if reply.status != 200 or not isinstance(token, str):
            raise SignOnProblem("The provider did not accept the sign-on. Start again.")
        claims = self._keys.claims(
            token,
            endpoints.keys,
            issuer=self.settings.issuer,
            client_id=self.settings.client_id,
            nonce=begun.nonce,
            access_token=str(answer.get("access_token") or ""),
        )
        return person_of(claims, self.settings.issuer)

    def endpoints(self) -> Endpoints:
        """The provider's addresses, as it publishes them."""
        with self._lock:
            if self._endpoints is None:
                self._endpoints = self._discovered()
            return self._endpoints

    def _discovered(self) -> Endpoints:
        url = self.settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
        reply = self._outgoing.request("GET", url, headers={"Accept": "application/json"})
        answer = _object(reply.json())
        if reply.status != 200 or answer.get("issuer") != self.settings.issuer:
            raise SignOnProblem(
                "The provider is set up with another issuer than it says it has. Tell an administrator."
            )
        methods = answer.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        return Endpoints(
            authorization=self._checked(answer, "authorization_endpoint"),
            token=self._checked(answer, "token_endpoint"),
            keys=self._checked(answer, "jwks_uri"),
            by_post=isinstance(methods, list) and "client_secret_basic" not in methods,
            names_issuer=answer.get("authorization_response_iss_parameter_supported") is True,
        )

    def _checked(self, answer: Mapping[str, Any], name: str) -> str:
        url = answer.get(name)
        if not isinstance(url, str) or not self._outgoing.allows(url):
            raise SignOnProblem(f"The provider's {name} is on a server that is not configured. Tell an administrator.")
        return url


def person_of(claims: Mapping[str, Any], issuer: str) -> Identity:
    """Who the claims of an ID token are about.

    >>> person_of({"sub": "7", "email": "ada@example.org"}, "https://id.example.org").email_verified
    False
    """
    given = " ".join(part for part in (_text(claims, "given_name"), _text(claims, "family_name")) if part)
    name = _text(claims, "name") or given or _text(claims, "preferred_username")
    verified = claims.get("email_verified") is True
    return Identity(issuer, str(claims["sub"])[:400], name, _text(claims, "email"), verified)


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value.strip()[:400] if isinstance(value, str) else ""


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
