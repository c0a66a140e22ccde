"""Whatever stops a command: one message, the right exit code, nothing half-written, nothing raw on a terminal."""

import errno
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from rich.color import ColorSystem

from assay.cli.boundary import NEEDED, Stopped, outcome_of, run
from assay.cli.main import main
from assay.cli.observer import console
from assay.execution.escaping import escaped
from tests.paths import EXAMPLES

ANNOTATIONS = EXAMPLES / "annotations"
JUDGED = ("evaluate", EXAMPLES / "scores.csv", "--human", "human", "--system", "engine_a")
GRADED = ("annotations", "score", ANNOTATIONS / "submissions", "--truth", ANNOTATIONS / "truth.xml")
READ = ("essays", "features", EXAMPLES / "essays.csv", "--text", "text", "--id", "id")


def started(*words: object, limits: str = "true", stdout: int = subprocess.PIPE) -> "subprocess.Popen[str]":
    """A command in a process group of its own, within limits that the shell sets."""
    command = ["bash", "-c", f'{limits} && exec "$@"', "bash", sys.executable, "-m", "assay", *map(str, words)]
    return subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True, start_new_session=True)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Its exit code, and what it said on stderr."""
    _, said = process.communicate()
    return process.returncode, said


@pytest.mark.parametrize("words", [JUDGED, GRADED], ids=["evaluate", "annotations score"])
def test_an_output_larger_than_the_disk_takes_is_one_message_and_leaves_nothing(
    words: tuple[object, ...], tmp_path: Path
) -> None:
    process = started(*words, "--out", tmp_path / "out", limits="ulimit -f 8")
    code, said = ended(process)
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"assay: {tmp_path / 'out'}: cannot be written: File too large.")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_message_and_leaves_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], check=False).returncode:
        pytest.skip("a small disk can be mounted by root only")
    try:
        code, said = ended(started(*GRADED, "--out", disk / "grades"))
        assert (code, said.count("\n")) == (2, 1)
        assert "No space left on device" in said
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_too_little_address_space_is_said_before_a_library_waits_for_ever(tmp_path: Path) -> None:
    code, said = ended(started(*JUDGED, "--out", tmp_path / "o", limits="ulimit -v 900000"))
    assert code == 2
    assert f"the libraries need {NEEDED // 2**20:,} MB" in said
    assert "ulimit -v" in said


def test_too_few_open_files_are_said(tmp_path: Path) -> None:
    words = (*READ, "-o", tmp_path / "features.csv", "-j", 2)
    code, said = ended(started(*words, limits="ulimit -n 14"))
    assert (code, said.count("\n")) == (2, 1)
    assert "ulimit -n" in said
    assert not (tmp_path / "features.csv").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_workers_run_ends_them_and_leaves_nothing(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    process = started(*READ, "-o", tmp_path / "features.csv", "-j", 2)
    while len(members(process.pid)) < 3:  # the command, and two that work for it
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, number) if number is signal.SIGINT else process.send_signal(number)
    assert ended(process) == (code, "assay: stopped; nothing is half-written.\n")
    while members(process.pid):
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == []


def members(group: int) -> list[str]:
    """The processes of a group."""
    listed = subprocess.run(["pgrep", "-g", str(group)], capture_output=True, text=True, check=False)
    return listed.stdout.split()


def test_a_reader_that_has_seen_enough_is_no_error_and_no_met_gate(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = started(*JUDGED, "--out", tmp_path / "out", "--gate", "qwk>=0.99", stdout=writer)
    os.close(writer)
    assert ended(process) == (141, "")


def test_a_full_disk_behind_standard_output_is_said(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w") as full:
        code, said = ended(started(*JUDGED, "--out", tmp_path / "out", stdout=full.fileno()))
    assert (code, "No space left on device" in said, said.count("\n")) == (2, True, 1)


def test_what_no_message_was_thought_of_for_is_a_line_and_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    try:
        raise KeyError("lost")
    except KeyError as error:
        code, message = outcome_of(error)
    (report,) = tmp_path.iterdir()
    assert (code, "\n" in message, str(report) in message) == (3, False, True)
    assert "Traceback" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        PermissionError(errno.EACCES, os.strerror(errno.EACCES), "scores.csv"),
        RuntimeError("Compute: No space left on device (os error 28)"),
    ],
)
def test_what_the_machine_lacks_is_the_user_s_to_mend(error: Exception) -> None:
    code, message = outcome_of(error)
    assert code == 2
    assert message.count(". ") >= 1


def test_a_signal_that_a_library_swallows_does_not_shield_from_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    def stubborn() -> None:
        with suppress(Stopped):
            os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)

    assert run(stubborn, str) == 143
    assert capsys.readouterr().err == "assay: stopped; nothing is half-written.\n"


# ---- control characters ------------------------------------------------------------------------------------------

HOSTILE = "\x1b]0;owned\x07\x9b2J\r"


def printed(capfd: pytest.CaptureFixture[str], *words: object) -> str:
    """All that a command prints, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["assay", *map(str, words)])
        with pytest.raises(SystemExit):
            main()
    out, err = capfd.readouterr()
    return out + err


def hostile_commands(folder: Path) -> dict[str, tuple[object, ...]]:
    """A command for each place where a name that a stranger chose is printed."""
    scores, essay = folder / f"{HOSTILE}.csv", folder / f"{HOSTILE}.txt"
    rows = [f"{i % 4 + 1},{(i * 3) % 4 + 1},{HOSTILE.strip()}{i % 2}" for i in range(40)]
    header = f'"human{HOSTILE}","engine{HOSTILE}","group{HOSTILE}"\n'
    scores.write_text(header + "\n".join(rows), encoding="utf-8", newline="")
    essay.write_text(f"The {HOSTILE} dog run fast. " * 9, encoding="utf-8", newline="")
    handed_in = folder / f"{HOSTILE}.xml"
    handed_in.write_bytes((ANNOTATIONS / "submissions" / "ada.xml").read_bytes())
    truth = folder / f"truth{HOSTILE}.xml"
    truth.write_bytes((ANNOTATIONS / "truth.xml").read_bytes())
    columns = ("--human", f"human{HOSTILE}", "--system", f"engine{HOSTILE}")
    return {
        "evaluate": ("evaluate", scores, *columns, "--groups", f"group{HOSTILE}", "-o", folder / "e", "-j", 1),
        "evaluate a column that is not there": ("evaluate", scores, "--human", HOSTILE, "--system", "x"),
        "compare": ("compare", scores, *columns, "-o", folder / "c"),
        "trust": ("trust", scores, *columns, "-o", folder / "t"),
        "rules": ("annotations", "rules", truth, "-o", folder / f"{HOSTILE}.toml"),
        "score": ("annotations", "score", handed_in, "--truth", truth, "--out", folder / f"g{HOSTILE}"),
        "agree": ("annotations", "agree", handed_in, truth, "--out", folder / "a"),
        "feedback": ("essays", "feedback", essay),
        "features": ("essays", "features", scores, "--text", f"group{HOSTILE}", "-o", folder / "f.csv", "-j", 1),
        "rsm": ("rsm", "tool", folder / f"{HOSTILE}.json", folder / "r"),
        "a command that is not there": (HOSTILE,),
        "an option that is not there": ("evaluate", f"--{HOSTILE}"),
    }


def test_no_command_sends_a_control_character_to_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, words in hostile_commands(tmp_path).items():
        text = printed(capfd, *words)
        assert text, name
        assert text == escaped(text), name


def test_a_table_keeps_its_colors_and_shows_those_of_the_text() -> None:
    screen = console()
    screen._color_system, screen._force_terminal = ColorSystem.STANDARD, True
    with screen.capture() as captured:
        screen.print("[bold]\x1b[31mred[/bold]")
    assert captured.get() == "\x1b[1m\\x1b[31mred\x1b[0m\n"
