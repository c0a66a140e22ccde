"""Platforms are found by issuer and client."""

import pytest

from assay.web.sign_on.connections import SignOn
from assay.web.sign_on.outgoing import SignOnProblem
from assay.web.sign_on.settings import LtiPlatform, OidcSettings, SignOnSettings

URL = "https://lms.example.org/"


def platform(client_id: str) -> LtiPlatform:
    return LtiPlatform(URL, client_id, URL, URL, URL, ("1",))


def test_a_platform_is_found_by_issuer_and_client() -> None:
    sign_on = SignOn(SignOnSettings("", OidcSettings(URL, "x"), (platform("a"), platform("b"))))

    assert sign_on.platform(URL, "b").settings.client_id == "b"
    assert sign_on.oidc is not None
    for issuer, client in ((URL, ""), (URL, "c"), ("https://evil.example", "a")):
        with pytest.raises(SignOnProblem, match="not registered"):
            sign_on.platform(issuer, client)
