"""Passwords and codes of authenticator apps.

Passwords are hashed with Argon2id, never kept, and checked at the same cost whether or not the account exists. Few are
checked at a time: each takes 64 MB of memory on purpose, and a flood of sign-ins must not take all of it.
Codes are those of RFC 6238: six digits of an HMAC-SHA-1 over the time in steps of 30 seconds.
"""

import base64
import binascii
import hmac
import secrets
from datetime import datetime
from functools import cache
from threading import BoundedSemaphore
from urllib.parse import quote

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from assay.web.problems import FieldErrors

SHORTEST, LONGEST = 12, 128
"""Characters of a new password."""
MOST_CHECKED = 1000
"""Characters of a password that are looked at when somebody signs in."""
STEP_SECONDS = 30
_hashing = BoundedSemaphore(2)


@cache
def _nobodys() -> str:
    return PasswordHasher().hash("the password of nobody")


def fits(password: str, known: str | None) -> bool:
    """Whether it is the password; without an account the work is done all the same, so that nobody can tell."""
    with _hashing:
        try:
            PasswordHasher().verify(known or _nobodys(), password[:MOST_CHECKED])
        except (VerificationError, InvalidHashError):
            return False
    return bool(known)


def hash_of_new(password: str, name: str) -> str:
    """The hash of a new password; FieldErrors for one that would not protect anything."""
    if len(password) < SHORTEST:
        words = f"Use at least {SHORTEST} characters. A few words in a row are easy to remember."
        raise FieldErrors({"password": words})
    if len(password) > LONGEST:
        raise FieldErrors({"password": f"Use at most {LONGEST} characters."})
    if name and name.lower() in password.lower():
        raise FieldErrors({"password": "Don't use your name in it."})
    with _hashing:
        return PasswordHasher().hash(password)


def new_secret() -> str:
    """A secret for an authenticator app: 160 bits, as RFC 4226 recommends, in base 32."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def setup_address(secret: str, name: str) -> str:
    """What an authenticator app reads.

    >>> setup_address("ABC", "Ada Lovelace")
    'otpauth://totp/Assay:Ada%20Lovelace?secret=ABC&issuer=Assay'
    """
    return f"otpauth://totp/Assay:{quote(name)}?secret={secret}&issuer=Assay"


def code_of_step(secret: str, step: int, digits: int = 6) -> str:
    """The code of a time step.

    The first test vector of RFC 6238, appendix B, is for the time 59 s:

    >>> code_of_step(base64.b32encode(b"12345678901234567890").decode(), 59 // 30, digits=8)
    '94287082'
    """
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 0xF
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_of_code(secret: str, code: str, now: datetime) -> int | None:
    """The time step whose code it is, now or one step before or after; None if it is another code."""
    typed, current = "".join(code.split()), int(now.timestamp()) // STEP_SECONDS
    try:
        steps = {step: code_of_step(secret, step) for step in (current, current - 1, current + 1)}
    except binascii.Error:
        return None
    return next((step for step, right in steps.items() if hmac.compare_digest(right.encode(), typed.encode())), None)
