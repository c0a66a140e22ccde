"""`Observer`: what a workflow says while it runs, and how it learns that it should stop."""

from collections.abc import Iterable, Iterator, Sized
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

Item = TypeVar("Item", bound=Sized)


class Observer:
    """Hears nothing and never stops anything: a library call that shows no progress.

    A shell overrides what it can show. `check` raises `Cancelled` when the caller no longer wants the result; workflows
    call it between pieces of work, never while a file is half-written.
    """

    def begin(self, title: str, total: int | None) -> None:
        """A stretch of work starts: what is done, and how many things there are if that is known."""

    def advance(self, count: int) -> None:
        """That many more things are done."""

    def end(self) -> None:
        """The stretch of work that began last is over, done or not."""

    def remark(self, text: str) -> None:
        """Something worth knowing that is no error."""

    def assume(self, what: str, column: str, field: str) -> None:
        """A column was taken for something because nobody named one; `field` is the argument that would."""

    def check(self) -> None:
        """Raise `Cancelled` if the work should stop."""

    def stage(self, name: str) -> AbstractContextManager[None]:  # noqa: ARG002 - no clock runs here
        """Time spent inside counts for this stage of the work."""
        return nullcontext()


SILENT = Observer()


def with_progress(batches: Iterable[Item], observer: Observer, title: str, total: int | None) -> Iterator[Item]:
    """The same batches, each counted by its length once it is dealt with; stops between two of them when asked to."""
    observer.begin(title, total)
    try:
        for batch in batches:
            observer.check()
            yield batch
            observer.advance(len(batch))
    finally:
        observer.end()
