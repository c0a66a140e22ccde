"""The audit log as people read it: what one person did in one go is one line."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from assay.store.audit import Entry

IN_ONE_GO = timedelta(minutes=2)
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act, or a run of like acts: twenty files of one upload are one line."""

    when: datetime
    author: str
    action: str
    workspace_id: str | None
    names: tuple[str, ...]
    """What it was about, newest first."""

    @property
    def about(self) -> str:
        """The names in words: a few of them, and how many more.

        >>> LogLine(datetime(2026, 1, 1), "Ada", "upload", None, ("b.xml", "a.xml")).about
        'a.xml, b.xml'
        """
        shown = self.names[::-1][:MOST_NAMES]
        left = len(self.names) - len(shown)
        return ", ".join(shown) + (f" and {left:,} more" if left else "")


def log_lines(entries: Iterable[Entry]) -> list[LogLine]:
    """The entries, newest first, with runs of the same act by the same person drawn together."""
    lines: list[LogLine] = []
    for entry in entries:
        names = (str(entry.detail["name"]),) if "name" in entry.detail else ()
        last = lines[-1] if lines else None
        if (
            last is not None
            and (last.author, last.action, last.workspace_id) == (entry.author, entry.action, entry.workspace_id)
            and (names and last.names and last.when - entry.made_at < IN_ONE_GO)
        ):
            lines[-1] = replace(last, names=last.names + names)
        else:
            lines.append(LogLine(entry.made_at, entry.author, entry.action, entry.workspace_id, names))
    return lines
