"""What goes wrong in the database or on its disk, sorted by what to do about it."""

import errno
from typing import Literal

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

STORAGE_ERRORS: tuple[type[Exception], ...] = (DBAPIError, PoolTimeout, OSError)
"""What a database raises that is locked, full, stopped, or that refuses what it is given; and what its disk does."""
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def storage_trouble(error: BaseException) -> Literal["full", "busy", "conflict"] | None:
    """Why nothing of a transaction was kept: no room, busy or away, or another did the same. None otherwise.

    >>> storage_trouble(OSError(errno.ENOSPC, "No space left on device"))
    'full'
    """
    if isinstance(error, OSError):
        return "full" if error.errno in DISK_FULL else None
    if is_passing(error):
        return "full" if "full" in cause_of(error).casefold() else "busy"
    return "conflict" if isinstance(error, IntegrityError) else None


def is_passing(error: BaseException) -> bool:
    """Whether the same may succeed later: the database was busy, full, stopped, or the connection broke."""
    broken = isinstance(error, DBAPIError) and bool(error.connection_invalidated)
    return isinstance(error, OperationalError | PoolTimeout) or broken


def cause_of(error: BaseException) -> str:
    """What the database itself said."""
    return str(getattr(error, "orig", None) or error)
