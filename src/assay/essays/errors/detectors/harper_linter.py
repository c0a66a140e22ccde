"""Harper, one linter per thread for each set of rules."""

import threading
from collections.abc import Iterable
from typing import Any

from assay.errors import MissingExtra
from assay.essays.errors.lexicon import words


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.linters: dict[frozenset[str], Any] = {}  # Any: Harper's class is compiled and optional


_per_thread = _PerThread()


def linter(rules: Iterable[str]) -> Any:
    """A linter that knows our accepted words and runs these rules; building one takes half a second."""
    wanted = frozenset(rules)
    if wanted not in _per_thread.linters:
        _per_thread.linters[wanted] = _built(wanted)
    return _per_thread.linters[wanted]


def _built(wanted: frozenset[str]) -> Any:
    try:
        import harper  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Finding errors", "essays") from missing
    built = harper.Linter()
    built.set_lint_config({rule: rule in wanted for rule in built.get_default_lint_config()})
    built.import_words(sorted(words("accepted_words.txt")))
    return built
