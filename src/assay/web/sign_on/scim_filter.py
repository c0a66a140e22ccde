"""FRONT DOOR `parse_filter`: which users a SCIM client asks for.

Of RFC 7644, section 3.4.2.2, what directories use, comparisons by `eq` joined by `and`:
`userName eq "ada" and active eq true`.
"""

import json
import re
from dataclasses import dataclass

from assay.errors import InputError

MOST_LETTERS, MOST_TERMS = 2000, 10
ATTRIBUTES = {"username", "externalid", "active", "id", "emails", "emails.value", "displayname"}
TERM = re.compile(r"""\s*([A-Za-z0-9.:]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false|\d{1,18})\s*""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """An attribute that must equal a value."""

    attribute: str
    value: str | bool


def parse_filter(text: str) -> list[FilterTerm]:
    """The comparisons that must all hold; InputError for what is not known.

    >>> parse_filter('userName eq "ada"')
    [FilterTerm(attribute='username', value='ada')]
    """
    if not text.strip():
        return []
    comparisons: list[FilterTerm] = []
    position = 0
    while len(text) <= MOST_LETTERS and len(comparisons) < MOST_TERMS:
        term = TERM.match(text, position)
        if term is None:
            break
        comparisons.append(_comparison(term[1], term[2]))
        position = term.end()
        if position == len(text):
            return comparisons
        joint = re.compile(r"and\b", re.IGNORECASE).match(text, position)
        if joint is None:
            break
        position = joint.end()
    raise InputError("this filter is not supported", remedy='Use comparisons by eq joined by and: userName eq "ada".')


def _comparison(name: str, value: str) -> FilterTerm:
    attribute = name.lower().rpartition(":")[2]
    if attribute not in ATTRIBUTES:
        raise InputError(f"users cannot be filtered by {attribute!r}")
    if value[0] != '"':
        return FilterTerm(attribute, value.lower() == "true" if value.lower() in ("true", "false") else value)
    try:
        return FilterTerm(attribute, str(json.loads(value)))
    except ValueError:
        raise InputError("this filter has a text that cannot be read") from None
