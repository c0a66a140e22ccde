"""FRONT DOOR `begin_attempt`, `attempt_succeeded`: wrong passwords are counted for all processes of an installation.

An attempt counts before its password is checked, so that many at once are not more than many in a row. Limits are by
name and place together, by place (one place that tries many names), and by name (many places that try one). The last
does not hold for a browser in which the person was signed in before: strangers cannot lock anybody out.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select

from assay.store.schema import installation, sign_in_attempts

WITHIN = timedelta(minutes=10)
MOST_BY_BOTH, MOST_BY_ORIGIN, MOST_BY_NAME = 8, 40, 40
"""Failed attempts within that time: for a name from one place, from one place, for a name from anywhere."""
KNOWN_BROWSER = "browser "
"""How the origin of a browser begins in which the person was signed in before; others are addresses."""


def begin_attempt(connection: Connection, name: str, origin: str, *, now: datetime) -> bool:
    """Count an attempt to sign in; False if there were too many, and this one must not be tried."""
    # one at a time on every database: the row is there since the first start
    connection.execute(select(installation.c.value).where(installation.c.name == "secret").with_for_update())
    connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.at <= now - WITHIN))
    name = name.lower()[:80]
    by_name, by_origin = sign_in_attempts.c.name == name, sign_in_attempts.c.origin == origin
    if _count(connection, and_(by_name, by_origin)) >= MOST_BY_BOTH:
        return False
    if not origin.startswith(KNOWN_BROWSER):
        unknown = sign_in_attempts.c.origin.not_like(f"{KNOWN_BROWSER}%")
        if (
            _count(connection, by_origin) >= MOST_BY_ORIGIN
            or _count(connection, and_(by_name, unknown)) >= MOST_BY_NAME
        ):
            return False
    connection.execute(insert(sign_in_attempts).values(name=name, origin=origin, at=now))
    return True


def attempt_succeeded(connection: Connection, name: str, origin: str) -> None:
    """Forget the attempts of a person who signed in from where they were made."""
    own = and_(sign_in_attempts.c.name == name.lower()[:80], sign_in_attempts.c.origin == origin)
    connection.execute(delete(sign_in_attempts).where(own))


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(sign_in_attempts).where(which)).scalar_one())
