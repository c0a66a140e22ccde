"""Signed tokens: whose, for whom, for what, and until when."""

import json
import time
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from assay.web.sign_on.outgoing import Outgoing, Reply, SignOnProblem
from assay.web.sign_on.tokens import KeySets

KEY = RSAKey.generate_key(2048, {"kid": "one"})
OTHER = RSAKey.generate_key(2048, {"kid": "two"})
PUBLIC = {"keys": [KEY.as_dict(private=False)]}


class _Keys(Outgoing):
    """A server of keys without a network."""

    def __init__(self) -> None:
        super().__init__(["https://id.example.org"])
        self.asked = 0

    def request(self, *_: Any, **__: Any) -> Reply:
        self.asked += 1
        return Reply(200, {}, json.dumps(PUBLIC).encode())


def claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    usual = {"iss": "https://id.example.org", "aud": "us", "sub": "7", "iat": now, "exp": now + 300, "nonce": "n"}
    return {name: value for name, value in {**usual, **changes}.items() if value is not None}


def read(token: str, keys: KeySets | None = None) -> Any:
    asked = {"issuer": "https://id.example.org", "client_id": "us", "nonce": "n"}
    return (keys or KeySets(_Keys())).claims(token, "https://id.example.org/keys", **asked)


def signed(key: RSAKey = KEY, alg: str = "RS256", **changes: Any) -> str:
    return jwt.encode({"alg": alg, "kid": key.kid}, claims(**changes), key)


def test_a_token_for_us_is_read_and_keys_are_asked_for_once() -> None:
    server = _Keys()
    keys = KeySets(server)

    assert read(signed(), keys)["sub"] == "7"
    assert read(signed(), keys)["sub"] == "7"
    assert server.asked == 1


@pytest.mark.parametrize(
    "token",
    [
        signed(iss="https://evil.example"),
        signed(aud="others"),
        signed(nonce="another"),
        signed(nonce=None),
        signed(exp=int(time.time()) - 300),
        signed(exp=None),
        signed(sub=None),
        signed(sub=""),
        signed(sub=7),
        signed(OTHER),
        signed()[:-4] + "AAAA",
        "",
        "a.b.c",
        "x" * 100_000,
    ],
)
def test_any_other_is_refused(token: str) -> None:
    with pytest.raises(SignOnProblem):
        read(token)


def test_no_signature_and_one_with_a_shared_secret_are_refused() -> None:
    parts = signed().split(".")
    none = "eyJhbGciOiJub25lIn0." + parts[1] + "."
    shared = OctKey.import_key(b"the secret of the client, of 32 bytes", {"kid": "one"})
    for token in (none, jwt.encode({"alg": "HS256", "kid": "one"}, claims(), shared)):
        with pytest.raises(SignOnProblem, match="signature"):
            read(token)


def test_an_unknown_key_is_asked_for_again_but_not_each_time() -> None:
    server, clock = _Keys(), [0.0]
    keys = KeySets(server, lambda: clock[0])
    read(signed(), keys)
    for at in (1.0, 31.0, 32.0):
        clock[0] = at
        with pytest.raises(SignOnProblem):
            read(signed(OTHER), keys)

    assert server.asked == 2
