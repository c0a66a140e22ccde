"""FRONT DOOR `KeySets.claims`: what a signed token says, once its signature fits a key of whoever issued it."""

import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from assay.web.sign_on.outgoing import Outgoing, SignOnProblem

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Signatures with a public key only: one made with the client's secret, or none at all, is refused."""
LEEWAY = 60
"""Seconds by which clocks may differ."""
KEYS_LAST, SOONEST = 3600.0, 30.0
"""Seconds until keys are asked for again; and sooner, when a token names one that is not there, but not too often."""
MOST_TOKEN = 64 << 10
UNFIT = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What reading a token of a stranger may raise."""


class KeySets:
    """The public keys of issuers, by the address where they are."""

    def __init__(self, outgoing: Outgoing, clock: Callable[[], float] = time.monotonic) -> None:
        self._outgoing, self._clock = outgoing, clock
        self._sets: dict[str, tuple[float, KeySet]] = {}
        self._lock = Lock()

    def claims(
        self, token: str, keys_url: str, *, issuer: str, client_id: str, nonce: str, access_token: str = ""
    ) -> Mapping[str, Any]:
        """The claims of an ID token that was issued to us, now, for this sign-on; SignOnProblem otherwise."""
        if len(token) > MOST_TOKEN:
            raise SignOnProblem("The token is too long.")
        payload, header = self._verified(token, keys_url)
        options = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}}
        params = {"nonce": nonce, "client_id": client_id} | ({"access_token": access_token} if access_token else {})
        claims = CodeIDToken(payload, header, {**options, "nonce": {"essential": True, "value": nonce}}, params)
        try:
            claims.validate(leeway=LEEWAY)
        except UNFIT as error:
            raise SignOnProblem(f"The token is not meant for this sign-on ({type(error).__name__}).") from None
        if not isinstance(payload.get("sub"), str) or not payload["sub"]:
            raise SignOnProblem("The token does not say who signs on.")
        return payload

    def _verified(self, token: str, keys_url: str) -> tuple[dict[str, Any], dict[str, Any]]:
        for fresh in (False, True):
            keys, asked_now = self._keys(keys_url, fresh=fresh)
            try:
                decoded = jwt.decode(token, keys, algorithms=list(ALGORITHMS))
                return dict(decoded.claims), dict(decoded.header)
            except UNFIT as error:
                if asked_now or fresh:
                    raise SignOnProblem(f"The token's signature does not fit ({type(error).__name__}).") from None
        raise SignOnProblem("The token's signature does not fit.")

    def _keys(self, url: str, *, fresh: bool) -> tuple[KeySet, bool]:
        """The keys at an address, and whether they were asked for just now."""
        with self._lock:
            known = self._sets.get(url)
        age = self._clock() - known[0] if known else KEYS_LAST
        if known and age < (SOONEST if fresh else KEYS_LAST):
            return known[1], False
        reply = self._outgoing.request("GET", url, headers={"Accept": "application/json"})
        try:
            keys = KeySet.import_key_set(reply.json())
        except UNFIT:
            raise SignOnProblem("The keys of the other server cannot be read.") from None
        with self._lock:
            self._sets[url] = (self._clock(), keys)
        return keys, True
