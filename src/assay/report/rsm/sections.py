"""Which sections a report holds, and in which order, by RSMTool's names."""

from collections.abc import Iterable, Sequence


def section_names(known: Iterable[str], wanted: Sequence[str] = ("all",), order: Sequence[str] = ()) -> list[str]:
    """The known sections that are wanted: first those with a place of their own, then the others in their usual order.

    >>> section_names(["data", "model", "pca"], ["pca", "data"]), section_names(["data", "model", "pca"], order=["pca"])
    (['data', 'pca'], ['pca', 'data', 'model'])
    """
    chosen = [name for name in known if "all" in wanted or name in wanted]
    first = [name for name in dict.fromkeys(order) if name in chosen]
    return first + [name for name in chosen if name not in first]
