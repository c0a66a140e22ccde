"""What can go wrong for a user, as few kinds as possible.

AssayError
├── InputError       a file, a table or a value does not hold what it must
└── MissingExtra     a part of assay that was not installed is needed
"""


class AssayError(Exception):
    """Anything a user can put right; its message says what, where and how."""


class InputError(AssayError):
    """A file, a table or a value we were given does not hold what it must."""


class MissingExtra(AssayError):
    """An optional part is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part of assay. Add it with: pip install 'assay[{extra}]'")
        self.extra = extra
