"""Which branches of a reader's modules its inputs take: what guides mutation, and what is reported.

A branch is one way out of a line that has several: to another line, or out of the function.
"""

import dis
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

Branch = tuple[str, int, int]
"""A file, a line of it, and the line that comes next; `OUT` at the end of the function."""
OUT = -1
WRITING = re.compile(
    r"(^|\.)_?(write|unwritable|text_of_runs|packed|safe_name)|_document$|_to_json$|_content$|Writer\."
)
"""Functions of the same modules that write what others read."""
FUNCTION = 0x1  # CO_OPTIMIZED: functions, lambdas and comprehensions; neither modules nor classes


def files_of(modules: tuple[str, ...]) -> tuple[str, ...]:
    """The files of modules below `assay`; a package stands for all its modules, but not for its folders."""
    files: list[str] = []
    for name in modules:
        spec = find_spec(f"assay.{name}")
        if spec is None or spec.origin is None:
            raise LookupError(f"there is no module assay.{name}")
        path = Path(spec.origin)
        files += map(str, sorted(path.parent.glob("*.py"))) if path.name == "__init__.py" else [str(path)]
    return tuple(dict.fromkeys(files))


def branches_of(file: str) -> set[Branch]:
    """Every way out of the lines of a file that have several; of functions that only write, none."""
    whole = compile(Path(file).read_text(encoding="utf-8"), file, "exec")
    return {(file, *branch) for code in _functions(whole) for branch in _branches(code)}


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and not WRITING.search(constant.co_qualname):
            if constant.co_flags & FUNCTION:
                yield constant
            yield from _functions(constant)


def _branches(code: CodeType) -> Iterator[tuple[int, int]]:
    """From each conditional jump: the line it stands on, and those that may come next.

    A jump whose ways all begin on its own line is left out: what is decided inside a line shows on no line.
    """
    steps = list(dis.get_instructions(code))
    lines, line = list[int](), code.co_firstlineno
    for step in steps:
        line = step.positions.lineno if step.positions and step.positions.lineno else line
        lines.append(line)
    place = {step.offset: number for number, step in enumerate(steps)}
    for number, step in enumerate(steps):
        if ("JUMP" in step.opname and "IF" in step.opname) or step.opname == "FOR_ITER":
            own, starts = lines[number], (number + 1, place.get(step.argval, number + 1))
            ways = {_next_line(steps, lines, start, place, own) for start in starts}
            if own not in ways and len(ways) > 1:
                yield from ((own, way) for way in ways)


def _next_line(steps: list[dis.Instruction], lines: list[int], start: int, place: dict[int, int], began: int) -> int:
    """The first line but `began` that runs from an instruction on; `began` itself if a further choice comes first."""
    number = start
    for _ in steps:
        step = steps[number]
        if lines[number] != began:
            return lines[number]
        if step.opname.startswith(("RETURN", "RAISE", "RERAISE")):
            return OUT
        if ("JUMP" in step.opname and "IF" in step.opname) or step.opname in ("FOR_ITER", "SEND", "YIELD_VALUE"):
            return began
        number = place.get(step.argval, number + 1) if "JUMP" in step.opname else number + 1
    return began


class BranchTrace:
    """Notes the branches taken while it is on; what is on costs several times as much, so that it is mostly off."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.files = frozenset(files_of(modules))
        self.branches = {branch for file in self.files for branch in branches_of(file)}
        self.reached: set[Branch] = set()

    def __enter__(self) -> None:
        sys.settrace(self._called)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, _: str, __: Any) -> Any:
        file, last = frame.f_code.co_filename, frame.f_lineno
        if file not in self.files:
            return None

        def ran(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last
            if event in ("line", "return"):
                to = frame.f_lineno if event == "line" else OUT
                self.reached.add((file, last, to))
                last = to
            return ran

        return ran

    @property
    def share(self) -> tuple[int, int]:
        """Branches taken, and branches there are."""
        return len(self.reached & self.branches), len(self.branches)
