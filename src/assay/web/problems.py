"""What can go wrong for a visitor, as pages and the API answer it."""

from collections.abc import Collection, Mapping
from http import HTTPStatus
from typing import Self

from assay.errors import AssayError, InputError
from assay.store.database import storage_trouble


class RequestProblem(AssayError):
    """A request that cannot be answered; its message says why and what to do."""

    status = HTTPStatus.BAD_REQUEST


class NotFound(RequestProblem):
    """There is nothing here, or nothing this visitor may see: both look the same."""

    status = HTTPStatus.NOT_FOUND

    def __init__(self, what: str = "There is no such page. It may have been removed.") -> None:
        super().__init__(what)


class Forbidden(RequestProblem):
    """Someone is known, but may not do this."""

    status = HTTPStatus.FORBIDDEN


class TooLarge(RequestProblem):
    """More than we take."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class Removed(NotFound):
    """The workspace is gone, maybe since the page was loaded."""

    def __init__(self) -> None:
        super().__init__("There is no such workspace. It may have been removed.")


class SignInFirst(RequestProblem):
    """Nobody is signed in."""

    status = HTTPStatus.UNAUTHORIZED

    def __init__(self) -> None:
        super().__init__("Sign in first, or send a token: Authorization: Bearer TOKEN.")


class FieldErrors(AssayError):
    """What is wrong with a form, by field; the page shows each message beside its field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)

    @classmethod
    def of(cls, error: AssayError, *, otherwise: str, fields: Collection[str] = ()) -> Self:
        """An error beside the field it is about, where the form has that one; else beside another.

        >>> problem = InputError("column 'a' repeats ids", field="id")
        >>> FieldErrors.of(problem, fields=("id", "text"), otherwise="essays").errors
        {'id': "column 'a' repeats ids"}
        """
        if isinstance(error, FieldErrors):
            known = {name: words for name, words in error.errors.items() if name in fields}
            others = [words for name, words in error.errors.items() if name not in fields]
            return cls(known | ({otherwise: " ".join(others)} if others else {}))
        field = error.field if isinstance(error, InputError) else ""
        return cls({field if field in fields else otherwise: page_words(error)})


def beside(field: str, error: AssayError) -> dict[str, str]:
    """What is wrong with a form: an error that names its fields as it is, any other beside this one."""
    return error.errors if isinstance(error, FieldErrors) else {field: page_words(error)}


def page_words(error: AssayError) -> str:
    """An error as pages say it: fields of forms by their words, never as options of the command line.

    >>> from assay.errors import Field
    >>> page_words(InputError(("choose a column for ", Field("second_human"))))
    'choose a column for second human'
    """
    return error.text(lambda name: name.replace("_", " "))


STORAGE_PROBLEMS = {
    "full": (507, "The disk of the server is full, so nothing was saved. Make room there, then try again."),
    "busy": (503, "The database is busy or away, so nothing was saved. Try again shortly."),
    "conflict": (409, "Somebody else did the same at this moment. Load the page again to see it."),
}


def storage_problem(error: BaseException) -> tuple[int, str] | None:
    """Status and words when the database or the disk would not do it: nothing was kept. None otherwise."""
    return STORAGE_PROBLEMS.get(storage_trouble(error) or "")
