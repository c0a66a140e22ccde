"""What a child and its parent say to each other: whole messages, an end that is noticed, and a wait that ends."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import closing
from time import monotonic
from typing import IO

import pytest

from assay.execution.child_process import is_child, receive, send
from assay.execution.children import read_apart

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all the limits")

Ends = tuple[IO[bytes], IO[bytes]]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Where a pipe is read, and where it is written."""
    read, write = os.pipe()
    with os.fdopen(read, "rb") as here, os.fdopen(write, "wb") as there:
        yield here, there


def test_a_message_arrives_whole(ends: Ends) -> None:
    read, write = ends
    send(write, ("essay.docx", {"rows": [1, 2]}))
    send(write, b"second")
    assert receive(read) == ("essay.docx", {"rows": [1, 2]})
    assert receive(read, until=monotonic() + 600) == b"second"


def test_half_a_message_is_none(ends: Ends) -> None:
    read, write = ends
    write.write((100).to_bytes(8, "little") + b"half")
    write.close()
    with pytest.raises(EOFError):
        receive(read)


def test_nobody_waits_longer_than_until(ends: Ends) -> None:
    with pytest.raises(TimeoutError):
        receive(ends[0], until=monotonic() - 1)


def test_a_handle_of_any_number_is_waited_for(ends: Ends) -> None:
    read, write = ends
    send(write, "after 1,024 handles")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2000:
        pytest.skip("this system gives a process fewer than 2,000 handles")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    try:
        high = os.dup2(read.fileno(), 1900)
        with closing(os.fdopen(high, "rb")) as far:
            assert receive(far, until=monotonic() + 600) == "after 1,024 handles"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_child_knows_that_it_is_one() -> None:
    assert read_apart(is_child, source="a.csv") is True
    assert is_child() is False
