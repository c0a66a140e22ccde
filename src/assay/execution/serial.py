"""Work done in this process, one item after the other."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Here:
    """A crew of one."""

    def in_order(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, when it is asked for."""
        for item in items:
            yield work(item, *common)
