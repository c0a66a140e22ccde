"""Words from outside, made fit to be set in type."""

from html import escape
from unicodedata import category

REPLACEMENT = "\ufffd"
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """The text without characters that no page can hold or that rearrange their neighbours.

    Control characters, lone halves of surrogate pairs and marks that turn the reading direction become U+FFFD,
    so that the reader sees that something was there; line ends and tabs become spaces.

    >>> printable("a\\x00b\\nc\\u202ed")
    'a\ufffdb c\ufffdd'
    """
    return "".join(_fit(character) for character in text)


def escaped(text: str) -> str:
    """The text as HTML that shows it and does nothing else, inside an element or a quoted attribute."""
    return escape(printable(text))


def _fit(character: str) -> str:
    if character in "\n\r\t":
        return " "
    return REPLACEMENT if category(character) in ("Cc", "Cs") or character in _TURNING else character
