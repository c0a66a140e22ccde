"""Settings of sign-on, from a file and the environment."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.web.sign_on.settings import SignOnSettings, read_sign_on

LTI = """
[[lti]]
issuer = "https://lms.example.org"
client_id = "10"
authorization_url = "https://lms.example.org/auth"
token_url = "https://lms.example.org/token"
keys_url = "https://lms.example.org/keys"
deployments = ["1"]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sign-on.toml"
    path.write_text(text, "utf-8")
    return path


def test_nothing_is_set_up_without_a_file() -> None:
    assert read_sign_on(None, {}) == SignOnSettings()


def test_the_environment_has_the_last_word_and_secrets_do_not_show(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from a file\n", "utf-8")
    path = written(
        tmp_path,
        f'url = "https://assay.example.org/"\n[oidc]\nissuer = "https://a.example"\nclient_id = "x"\n'
        f'client_secret_file = "{tmp_path / "secret"}"\n{LTI}',
    )
    from_file = read_sign_on(path, {})
    both = read_sign_on(path, {"ASSAY_OIDC_ISSUER": "https://b.example", "ASSAY_OIDC_CLIENT_SECRET": "other"})

    assert from_file.url == "https://assay.example.org"
    assert from_file.oidc is not None
    assert both.oidc is not None
    assert (from_file.oidc.client_secret, from_file.oidc.issuer) == ("from a file", "https://a.example")
    assert both.oidc.issuer == "https://b.example"
    assert from_file.platforms[0].deployments == ("1",)
    assert "from a file" not in repr(from_file)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[oidc", "is not valid TOML"),
        ("[odic]", "there is no setting 'odic'"),
        ("oidc = 3", "oidc must be a table"),
        ("[oidc]\nissuer = 'https://a.example'", "oidc needs client_id"),
        ("[oidc]\nissuer = 'http://a.example'\nclient_id = 'x'", "begins with https://"),
        ("[oidc]\nissuer = 'https://a:b'\nclient_id = 'x'", "begins with https://"),
        ("[oidc]\nissuer = 'https://a'\nclient_id = 'x'\ncreate_accounts = 'no'", "must be true or false"),
        (LTI.replace('["1"]', "[]"), "needs deployments"),
        (LTI.replace('["1"]', "[1]"), "must be a list of texts"),
        ("lti = 'x'", "must be a list of tables"),
        ("url = 'ftp://example.org'", "begins with https://"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_sign_on(written(tmp_path, text), {})
