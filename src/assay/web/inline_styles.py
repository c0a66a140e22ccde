"""Style attributes moved into a style sheet, so that the content security policy can forbid them.

Reports carry sizes and places in style attributes. They are made by our own code, which escapes every quote that comes
from outside, so ` style="` can only be an attribute.
"""

import re

from markupsafe import Markup

STYLE = re.compile(r' style="([^"]*)"')


def extract_inline_styles(html: str) -> tuple[Markup, str]:
    """The markup without style attributes, and the rules that say the same.

    >>> extract_inline_styles('<i style="height:4px">a</i><b style="height:4px">b</b>')
    (Markup('<i data-s="0">a</i><b data-s="0">b</b>'), '[data-s="0"]{height:4px}')
    """
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f' data-s="{numbers.setdefault(match[1], len(numbers))}"'

    markup = Markup(STYLE.sub(number, html))  # made by assay.report, which escapes what it is given
    return markup, "".join(f'[data-s="{n}"]{{{style}}}' for style, n in numbers.items())
