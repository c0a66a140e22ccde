"""What can go wrong in a request, and the page or the JSON that says so."""

from collections.abc import Mapping
from http import HTTPStatus

from assay.errors import AssayError


class Problem(AssayError):
    """A request that cannot be answered; its message says why and what to do."""

    status = HTTPStatus.BAD_REQUEST


class NotFound(Problem):
    """There is nothing here, or nothing this visitor may see: both look the same."""

    status = HTTPStatus.NOT_FOUND

    def __init__(self, what: str = "There is no such page. It may have been removed.") -> None:
        super().__init__(what)


class Forbidden(Problem):
    """Someone is known, but may not do this."""

    status = HTTPStatus.FORBIDDEN


class TooLarge(Problem):
    """More than we take."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class SignInFirst(Problem):
    """Nobody is signed in."""

    status = HTTPStatus.UNAUTHORIZED

    def __init__(self) -> None:
        super().__init__("Sign in first, or send a token: Authorization: Bearer TOKEN.")


class FieldErrors(AssayError):
    """What is wrong with a form, by field; the page shows each message beside its field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
