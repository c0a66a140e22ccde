"""FRONT DOOR `parse_toml`: TOML that others wrote, within limits, and what is wrong with it and where."""

import re
import tomllib
from os import PathLike
from typing import Any

from assay.errors import InputError
from assay.execution.limits import check, value_of

_WORD = r"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')"
"""A part of a key: bare or quoted."""


def parse_toml(text: str, *, source: str | PathLike[str], field: str, remedy: str = "") -> dict[str, Any]:
    """The content of a TOML text. InputError for what is no TOML, too large, or nested too deeply.

    >>> parse_toml("a.b = 1", source="rules.toml", field="rules")
    {'a': {'b': 1}}
    """
    check("toml_bytes", len(text), source)
    depth = value_of("toml_depth")
    # the parser takes time in the square of the parts of a key, and Python's stack for lists and tables in others
    chain = re.compile(rf"(?<![\w\"'-]){_WORD}(?:[ \t]*+\.[ \t]*+{_WORD}){{{depth},}}")
    deep = chain.search(text)
    if deep:
        row = text.count("\n", 0, deep.start()) + 1
        problem = f"a key has more than {depth:,} parts joined by dots"
        more = "Write shorter keys, or raise the limit with the environment variable ASSAY_LIMIT_TOML_DEPTH."
        raise InputError(problem, source=source, row=row, field=field, remedy=more)
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        problem, flat = "nests lists or tables too deeply", "Write tables under [headings] instead."
        raise InputError(problem, source=source, field=field, remedy=flat) from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise InputError(f"is not valid TOML: {error}", source=source, field=field, remedy=remedy) from None
