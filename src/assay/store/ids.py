"""Ids that cannot be guessed, and digests of content."""

import secrets
from hashlib import sha256

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike: an id may be read aloud."""


def new_id() -> str:
    """Twelve letters and digits by chance: 59 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def content_digest(*parts: str | bytes) -> str:
    """SHA-256 over several parts, each with its length, so that ("ab", "c") and ("a", "bc") differ.

    >>> content_digest("ab", "c") == content_digest("a", "bc")
    False
    """
    digest = sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()
