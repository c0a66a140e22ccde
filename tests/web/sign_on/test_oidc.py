"""What a provider says of itself is checked before anything is sent to it."""

import json
from typing import Any

import pytest

from assay.web.sign_on.oidc import OidcProvider, person_of
from assay.web.sign_on.outgoing import Outgoing, Reply, SignOnProblem
from assay.web.sign_on.settings import OidcSettings
from assay.web.sign_on.tokens import KeySets

ISSUER = "https://id.example.org"


class _Metadata(Outgoing):
    def __init__(self, answer: Any) -> None:
        super().__init__([ISSUER])
        self._answer = answer

    def request(self, *_: Any, **__: Any) -> Reply:
        return Reply(200, {}, json.dumps(self._answer).encode())


def provider(**changes: Any) -> OidcProvider:
    answer = {"issuer": ISSUER, "authorization_endpoint": f"{ISSUER}/a", "token_endpoint": f"{ISSUER}/t"}
    outgoing = _Metadata({**answer, "jwks_uri": f"{ISSUER}/k", **changes})
    return OidcProvider(OidcSettings(ISSUER, "us"), outgoing, KeySets(outgoing))


def test_addresses_come_from_discovery() -> None:
    assert provider().endpoints().token == f"{ISSUER}/t"
    assert provider(token_endpoint_auth_methods_supported=["client_secret_post"]).endpoints().by_post


@pytest.mark.parametrize(
    "changes",
    [{"issuer": "https://evil.example"}, {"token_endpoint": "http://10.0.0.1/"}, {"jwks_uri": None}, {"jwks_uri": 3}],
)
def test_a_provider_that_names_other_servers_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(SignOnProblem):
        provider(**changes).endpoints()


def test_an_answer_of_another_issuer_is_refused() -> None:
    one = provider()
    with pytest.raises(SignOnProblem, match="does not come from"):
        one.person(one.begin(), code="c", redirect="https://us.example", issuer="https://evil.example")


def test_an_address_counts_as_verified_only_when_the_provider_says_so() -> None:
    assert person_of({"sub": "1", "email": "a@b", "email_verified": True}, ISSUER).email_verified
    assert not person_of({"sub": "1", "email": "a@b", "email_verified": "true"}, ISSUER).email_verified
