"""`EscapingStream`: what strangers call their files and columns cannot steer a terminal, or forge a line of a log."""

import re
from collections.abc import Iterable
from typing import Any, TextIO

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def escaped(text: str) -> str:
    r"""Text with control characters made visible; line ends and tabs stay. In JSON what it writes is valid.

    >>> print(escaped("\x1b[2Jname\x9b"))
    \x1b[2Jname\u009b
    """
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}" if match[0] < " " else f"\\u{ord(match[0]):04x}", text)


class EscapingStream:
    """A text stream that shows control characters instead of sending them."""

    def __init__(self, stream: TextIO) -> None:
        self.unescaped = stream
        if hasattr(stream, "reconfigure"):  # a file name may hold bytes, or the terminal lack letters
            stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """As the stream does it, once nothing in the text can steer a terminal."""
        return self.unescaped.write(escaped(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write one text after another."""
        for line in lines:
            self.write(line)

    @property
    def for_data(self) -> Any:
        """Where a table goes that was asked for on standard output: a file gets it as it is, a terminal does not."""
        return self if self.unescaped.isatty() else self.unescaped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unescaped, name)
