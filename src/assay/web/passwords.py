"""Passwords: hashed with argon2id, never kept, checked at the same cost whether or not the account exists."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from assay.web.problems import FieldErrors

SHORTEST, LONGEST = 10, 200


def hashed(password: str) -> str:
    return PasswordHasher().hash(password)


def fits(password: str, known: str | None) -> bool:
    """Whether it is the password; without an account the work is done all the same, so that nobody can tell."""
    try:
        PasswordHasher().verify(known or _nobodys(), password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
    return known is not None


@cache
def _nobodys() -> str:
    return hashed("the password of nobody")


def check_new(password: str, name: str, *, field: str = "password") -> None:
    """FieldErrors for a password that would not protect anything."""
    if len(password) < SHORTEST:
        raise FieldErrors(
            {field: f"Use at least {SHORTEST} characters; a few words in a row are easy to keep in mind."}
        )
    if len(password) > LONGEST:
        raise FieldErrors({field: f"Use at most {LONGEST} characters."})
    if name and name.lower() in password.lower():
        raise FieldErrors({field: "Do not use your name in it."})
