"""What one rule says of a text: the type, the words it marks and what it suggests."""

from collections.abc import Callable, Iterator

from assay.essays.errors.reading import Mark, RuleContext, read
from assay.essays.text.reader import read_text


def marked(rule: Callable[[RuleContext], Iterator[Mark]], text: str) -> list[tuple[str, str, str | None]]:
    """The marks of a rule in the order of the text."""
    context = read(read_text(text))
    marks = sorted(rule(context), key=lambda mark: (mark.first, mark.last))
    places = [(context.starts[mark.first], context.ends[mark.last]) for mark in marks]
    return [(mark.type, text[slice(*place)], mark.suggestion) for mark, place in zip(marks, places, strict=True)]
