"""Passwords and codes; the codes against the test vectors of RFC 6238, appendix B (SHA-1, the last six digits)."""

import base64
from datetime import UTC, datetime

import pytest

from assay.web.credentials import LONGEST, code_of_step, fits, hash_of_new, new_secret, setup_address, step_of_code
from assay.web.problems import FieldErrors

SECRET = base64.b32encode(b"12345678901234567890").decode()
VECTORS = {59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 20000000000: "353130"}


@pytest.mark.parametrize(("seconds", "code"), VECTORS.items())
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert code_of_step(SECRET, seconds // 30) == code


def test_a_code_works_one_step_early_or_late_and_with_blanks() -> None:
    now = datetime.fromtimestamp(1111111109, UTC)
    step = 1111111109 // 30
    early, late, over = (code_of_step(SECRET, step + away) for away in (1, -1, 2))

    assert step_of_code(SECRET, " 081 804 ", now) == step
    assert [step_of_code(SECRET, code, now) for code in (early, late, over, "", "é")] == [
        step + 1,
        step - 1,
        None,
        None,
        None,
    ]
    assert step_of_code("not base 32!", "081804", now) is None


def test_secrets_differ_and_are_long_enough() -> None:
    first, second = new_secret(), new_secret()

    assert first != second
    assert len(base64.b32decode(first)) == 20
    assert setup_address(first, "a&b") == f"otpauth://totp/Assay:a%26b?secret={first}&issuer=Assay"


def test_a_password_fits_its_hash_only_and_none_fits_an_empty_one() -> None:
    known = hash_of_new("correct horse battery", "Ada")

    assert fits("correct horse battery", known)
    assert not fits("correct horse", known)
    assert not any(fits("", hashed) for hashed in ("", None, "damaged"))


@pytest.mark.parametrize("password", ["short", "x" * (LONGEST + 1), "my name is ADA, really"])
def test_passwords_that_protect_nothing_are_refused(password: str) -> None:
    with pytest.raises(FieldErrors) as refused:
        hash_of_new(password, "Ada")
    assert list(refused.value.errors) == ["password"]
