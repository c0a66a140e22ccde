"""Files read apart: values and errors come back, and whatever a file does ends a child and nothing else."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assay.errors import InputError, MissingExtra
from assay.execution.children import end_children, read_apart
from assay.execution.limits import value_of
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all the limits")


@pytest.fixture(autouse=True, scope="module")
def _none_left() -> Iterator[None]:
    yield
    end_children()


def sum_and_process(numbers: list[int]) -> tuple[int, int]:
    print("noise that is no answer")
    return sum(numbers), os.getpid()


def refuse(name: str) -> None:
    raise InputError("no essay", source=name, row=3, field="essays", remedy="Write one.")


def lack_a_part() -> None:
    raise MissingExtra("Reading XLSX", "tables")


def fail(kind: type[BaseException]) -> None:
    raise kind("something")


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def fill_memory(size: int) -> int:
    return len(bytearray(size))


def spin() -> None:
    while True:
        pass


def limit(name: str) -> int:
    return value_of(name)


def nested(numbers: list[int]) -> tuple[int, int]:
    return read_apart(sum_and_process, numbers, source="inner")


def sleep_beside(path: str) -> None:
    Path(path).write_text(str(os.getpid()), encoding="ascii")
    time.sleep(600)


def test_a_value_comes_back_and_the_child_stays_for_the_next_file() -> None:
    first, second = (read_apart(sum_and_process, [1, 2, n], source="a.txt") for n in (3, 4))
    assert (first[0], second[0]) == (6, 7)
    assert first[1] == second[1] != os.getpid()


def test_an_error_comes_back_with_its_values() -> None:
    with pytest.raises(InputError) as refused:
        read_apart(refuse, "essay.docx", source="essay.docx")
    error = refused.value
    assert (error.problem, error.source, error.row, error.field) == ("no essay", "essay.docx", 3, "essays")
    with pytest.raises(MissingExtra, match="optional part"):
        read_apart(lack_a_part, source="a.xlsx")


@pytest.mark.parametrize("kind", [KeyError, ValueError, RecursionError, OverflowError, OSError, MemoryError])
def test_whatever_a_reader_raises_is_an_input_error_about_the_file(kind: type[BaseException]) -> None:
    with pytest.raises(InputError, match=r"^odd\.bin: "):
        read_apart(fail, kind, source="odd.bin")


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL])
def test_the_end_of_two_children_is_an_input_error_and_the_next_file_has_another(number: int) -> None:
    name = signal.Signals(number).name
    with pytest.raises(InputError, match=rf"bad\.xlsx: the process that was reading it ended twice \({name}\)"):
        read_apart(die, number, source="bad.xlsx")
    assert read_apart(sum_and_process, [1], source="good.xlsx")[0] == 1


def die_once(path: str) -> str:
    """As if somebody else ended the first child that reads a file."""
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "read"


def test_a_file_is_not_blamed_for_the_end_of_one_child(tmp_path: Path) -> None:
    assert read_apart(die_once, str(tmp_path / "first"), source="good.xlsx") == "read"


def test_a_child_that_was_ended_while_it_waited_costs_nothing() -> None:
    waited = read_apart(sum_and_process, [1], source="a.txt")[1]
    os.kill(waited, signal.SIGKILL)  # as a system without memory does; at once, so that it may still be ending
    assert read_apart(sum_and_process, [2], source="good.xlsx")[0] == 2


def test_a_time_limit_is_not_tried_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_CHILD_SECONDS", "1")
    with pytest.raises(InputError, match="more than 1 seconds"):
        read_apart(spin_beside, str(tmp_path / "tries"), source="endless.pdf")
    assert (tmp_path / "tries").read_text(encoding="ascii") == "1"


def spin_beside(path: str) -> None:
    with Path(path).open("a", encoding="ascii") as tries:
        tries.write("1")
    spin()


def test_a_file_gets_no_more_memory_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_CHILD_MEMORY", "256M")
    assert read_apart(fill_memory, 1 << 20, source="small") == 1 << 20
    with pytest.raises(InputError, match="more memory"):
        read_apart(fill_memory, 1 << 30, source="large")


def test_a_file_gets_no_more_time_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_CHILD_SECONDS", "1")
    with pytest.raises(InputError, match=r"reading it .* more than 1 seconds.*ASSAY_LIMIT_CHILD_SECONDS"):
        read_apart(spin, source="endless.pdf")


def test_limits_that_are_set_hold_in_a_child_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_PDF_PAGES", "7")
    assert read_apart(limit, "pdf_pages", source="") == 7
    monkeypatch.delenv("ASSAY_LIMIT_PDF_PAGES")
    assert read_apart(limit, "pdf_pages", source="") == 200


def test_what_a_child_reads_apart_it_reads_itself() -> None:
    outer = read_apart(sum_and_process, [1], source="a")[1]
    assert read_apart(nested, [2], source="a") == (2, outer)


def test_threads_read_at_the_same_time() -> None:
    with ThreadPoolExecutor(6) as threads:
        totals = [total for total, _ in threads.map(lambda n: read_apart(sum_and_process, [n], source="a"), range(20))]
    assert totals == list(range(20))


def test_threads_that_start_together_share_the_thread_that_starts_children() -> None:
    script = (
        "import sys, threading; sys.setswitchinterval(1e-6)\n"
        "from assay.execution import children\n"
        "start, pools = threading.Barrier(16), []\n"
        "def first(): start.wait(); pools.append(children._pool())\n"
        "threads = [threading.Thread(target=first) for _ in range(16)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "print(len(pools), len({id(pool) for pool in pools}))\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["16", "1"], ran.stderr


def test_a_forked_process_has_children_of_its_own() -> None:
    script = (
        "import os\n"
        "from assay.execution.children import read_apart\n"
        "first = read_apart(os.getpid, source='a')\n"
        "forked = os.fork()\n"
        "if not forked:\n"
        "    ended = [read_apart(os.getpid, source='b') for _ in range(2)]\n"
        "    os._exit(0 if ended[0] == ended[1] != first else 1)\n"
        "print(os.waitpid(forked, 0)[1], read_apart(os.getpid, source='c') == first)\n"
    )
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["0", "True"], ran.stderr


def test_a_function_that_a_child_cannot_import_is_not_the_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sum_and_process, "__module__", "here_only")
    monkeypatch.setitem(sys.modules, "here_only", sys.modules[__name__])
    with pytest.raises(InputError, match=r"^no process can be started to read files: No module named 'here_only'"):
        read_apart(sum_and_process, [1], source="good.xlsx")


def test_a_child_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    call = f"read_apart(sleep_beside, {str(noted)!r}, source='a')"
    code = f"from assay.execution.children import read_apart; from tests.execution.test_children import *; {call}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment)
    while not noted.exists() or not noted.read_text(encoding="ascii"):
        assert parent.poll() is None
        time.sleep(0.05)
    child = int(noted.read_text(encoding="ascii"))
    parent.kill()
    parent.wait()
    while Path(f"/proc/{child}/stat").exists() and ") Z" not in Path(f"/proc/{child}/stat").read_text(encoding="ascii"):
        time.sleep(0.05)


def test_a_child_that_had_too_little_memory_blames_the_machine_and_not_the_file() -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 29, resource.RLIM_INFINITY))\n"
        "from assay.execution.children import read_apart\n"
        "from assay.errors import InputError\n"
        "try:\n"
        "    read_apart(bytes, 3 << 29, source='a.csv')\n"
        "except InputError as problem:\n"
        "    print(type(problem.__cause__).__name__, problem.source)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["MemoryError", "a.csv"], ran.stderr


def open_many(count: int) -> int:
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(count)]
    return len(files)


def test_a_child_without_file_handles_says_what_the_system_said() -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))\n"
        "from assay.execution.children import read_apart\n"
        "from assay.errors import InputError\n"
        "from tests.execution.test_children import open_many\n"
        "try:\n"
        "    read_apart(open_many, 100, source='a.csv')\n"
        "except InputError as problem:\n"
        "    print(problem.__cause__.errno, problem.source)\n"
    )
    there = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=there)
    assert ran.stdout.split() == [str(errno.EMFILE), "a.csv"], ran.stderr
