"""The examples of a page: found, run in order, and held against the output the page shows.

    python docs/examples.py            say which examples do not give what their page shows
    python docs/examples.py --write    write what they give into the pages

A `console` block holds `$ ` lines and what they print; a `python` block is either a doctest (`>>>`) or a script,
whose printed output is held against a `text` block that follows at once. All blocks of a page share one folder, with
`examples/` in it, and one set of Python names. A command that fails must be followed by `$ echo $?` with its code.
A line `...` stands for any lines; blanks at the end of lines do not count.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
RUN = frozenset(["assay", "cat", "cmp", "cut", "grep", "head", "ls", "tail"])
"""The commands that are run; others, such as `make`, are taken on trust."""

COLUMNS = "100"
"""How wide a terminal the pages show."""

_FENCE = re.compile(r"^```(\w+)[ ]*\n(.*?)^```[ ]*$", re.DOTALL | re.MULTILINE)
_LONG_DECIMALS = re.compile(r"(\d\.\d{4})\d{6,}")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block, and where its text lies in the page."""

    language: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What a block of a page gave: the block as it stands there, and as it should stand."""

    block: Block
    given: str
    problem: str = ""

    @property
    def as_shown(self) -> bool:
        return not self.problem and same_output(self.block.text, self.given)


def blocks_of(page: str) -> list[Block]:
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in _FENCE.finditer(page)]


def same_output(shown: str, given: str) -> bool:
    """Whether the output is what a page shows, `...` standing for anything."""
    return doctest.OutputChecker().check_output(shown, given, _FLAGS)


def shortened(output: str) -> str:
    """Output as a page shows it: the last of many decimals differ from machine to machine.

    >>> shortened("qwk,0.8245675822967031")
    'qwk,0.8245...'
    """
    return _LONG_DECIMALS.sub(r"\1...", output)


def findings(page: str, folder: Path) -> Iterator[Finding]:
    """Every example of a page, run in `folder`."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    names: dict[str, object] = {"__name__": "__main__"}
    blocks = blocks_of(page)
    with _inside(folder):
        for number, block in enumerate(blocks):
            if block.language == "console":
                yield _console(block)
            elif block.language == "python" and block.text.startswith(">>>"):
                yield _doctest(block, names)
            elif block.language == "python":
                following = blocks[number + 1] if number + 1 < len(blocks) else None
                shows = following if following and _at_once(page, block, following) else None
                yield _script(block, shows, names)


def _at_once(page: str, block: Block, following: Block) -> bool:
    return following.language == "text" and not page[block.end + 3 : following.start - len("```text\n")].strip()


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before, width = Path.cwd(), os.environ.get("COLUMNS")
    os.chdir(folder)
    os.environ["COLUMNS"] = COLUMNS
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.pop("COLUMNS")
        if width is not None:
            os.environ["COLUMNS"] = width


def _console(block: Block) -> Finding:
    """Each command with what it prints, in the page's words where those still hold."""
    given, code, problem = "", 0, ""
    for command, shown in _commands(block.text):
        if command.split("#")[0].split() == ["$", "echo", "$?"]:
            output, code = f"{code}\n", 0
        elif command.removeprefix("$ ").split()[0] not in RUN:
            output = shown
        else:
            problem = problem or _unannounced(code)
            output, code = _run(command.removeprefix("$ ").replace("\\\n", " "))
        given += f"{command}\n{shown if same_output(shown, output) else shortened(output)}"
    return Finding(block, given, problem or _unannounced(code))


def _unannounced(code: int) -> str:
    return f"a command failed with code {code}, and no `$ echo $?` says so" if code else ""


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command as written, and the output below it."""
    for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
        if part:
            command = re.match(r"(?:.*\\\n)*.*", part)
            assert command is not None
            yield command[0], part[command.end() + 1 :]


def _run(command: str) -> tuple[str, int]:
    words = shlex.split(command, comments=True)
    if words[0] == "assay" and not {"|", ">", ">>"} & set(words):
        return run_assay(words[1:])
    plain = os.environ | {"LC_ALL": "C"}  # how `ls` sorts depends on the language
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=plain)
    return _without_trailing_blanks(done.stdout + done.stderr), done.returncode


def run_assay(arguments: list[str]) -> tuple[str, int]:
    """What a command prints, and its exit code; in this process, for starting Python anew takes a second."""
    from assay.cli.main import main  # noqa: PLC0415

    printed, before, code = io.StringIO(), sys.argv, 0
    sys.argv = ["assay", *arguments]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    finally:
        sys.argv = before
    return _without_trailing_blanks(printed.getvalue()), code


def _without_trailing_blanks(text: str) -> str:
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def _doctest(block: Block, names: dict[str, object]) -> Finding:
    """Each example followed by what it gives now."""
    given = ""
    for part in doctest.DocTestParser().parse(block.text):
        if isinstance(part, str):
            given += part
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(part.source, "example", "single"), names)
        output = printed.getvalue()
        lines = part.source.splitlines()
        given += "".join(f"{'... ' if i else '>>> '}{line}".rstrip() + "\n" for i, line in enumerate(lines))
        given += part.want if same_output(part.want, output) else shortened(output)
    return Finding(block, given)


def _script(block: Block, shows: Block | None, names: dict[str, object]) -> Finding:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, "example", "exec"), names)
    output = _without_trailing_blanks(printed.getvalue())
    if shows is None:
        return Finding(block, block.text, "the script prints something the page does not show" if output else "")
    return Finding(shows, output)


def rewritten(page: str, found: list[Finding]) -> str:
    """The page with the output its examples gave."""
    for finding in sorted(found, key=lambda f: -f.block.start):
        if not finding.as_shown:
            page = page[: finding.block.start] + finding.given + page[finding.block.end :]
    return page


def check_page(path: Path) -> list[Finding]:
    """The examples of a page that do not give what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        return [f for f in findings(path.read_text(encoding="utf-8"), Path(folder)) if not f.as_shown]


def main() -> None:
    write = "--write" in sys.argv
    wrong = 0
    for path in PAGES:
        found = check_page(path)
        for finding in found:
            wrong += 1
            print(f"{path.relative_to(ROOT)}: {finding.problem or 'gives'}\n{finding.given}")
        if write and found:
            text = path.read_text(encoding="utf-8")
            path.write_text(rewritten(text, [replace(f, problem="") for f in found]), encoding="utf-8")
    sys.exit(1 if wrong and not write else 0)


if __name__ == "__main__":
    main()
