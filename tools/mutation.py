"""Break the code on purpose, one small change at a time, and see whether a test notices.

    python tools/mutation.py [--count 400] [--seed 1] [--workers 2] [--only annotations/matching]

Draws mutants of Cosmic Ray at random from the folders in `AREAS`, each line with the same chance, and runs the tests of
the module first, then those of its folder, then those of its area, until one fails. Writes out/mutation.jsonl (a line a
mutant, with its diff) and prints what survived. A run that stopped goes on where it was. The code is never changed in
place: every worker has a copy of its own.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from difflib import unified_diff
from pathlib import Path
from queue import Queue
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parents[1]
AREAS = (
    "metrics",
    "evaluation",
    "annotations/matching",
    "annotations/grading",
    "annotations/geometry",
    "essays/models",
    "io",
)
OTHER_TESTS = {
    "metrics": ("laws", "reference/test_golden_metrics.py"),
    "io": ("reference", "journeys/test_bad_tables.py"),
}
"""Tests of an area that stand elsewhere."""
SHALLOW = ("BitAnd", "BitOr", "BitXor", "LShift", "RShift", "_Is", "_IsNot")
"""Replacements that nearly always end in a TypeError: killing them proves little."""
LONGEST = 600
"""Seconds: a mutant that runs for ever is noticed too."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change of one module."""

    module: str
    operator: str
    occurrence: int
    line: int


def main() -> None:
    """Draw, run, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="modules whose path below src/assay starts with this")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutation.jsonl")
    asked = parser.parse_args()
    mutants = drawn(asked.count, asked.seed, asked.only)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    verdicts = [json.loads(line) for line in asked.out.read_text("utf-8").splitlines()] if asked.out.exists() else []
    known = {(v["module"], v["operator"], v["occurrence"]) for v in verdicts}
    left = [m for m in mutants if (m.module, m.operator, m.occurrence) not in known]
    with asked.out.open("a", encoding="utf-8") as log:
        for done, verdict in enumerate(judged(left, asked.workers), 1):
            log.write(json.dumps(verdict) + "\n")
            log.flush()
            verdicts.append(verdict)
            print(f"\r{done} of {len(left)}", end="", file=sys.stderr, flush=True)
    tell([v for v in verdicts if Mutant(v["module"], v["operator"], v["occurrence"], v["line"]) in set(mutants)])


def drawn(count: int, seed: int, only: str) -> list[Mutant]:
    """So many mutants, the same for the same seed and code: first a line, then one of the changes possible on it."""
    chance = random.Random(seed)
    lines: dict[tuple[str, int], list[Mutant]] = {}
    for area in AREAS:
        for path in sorted((ROOT / "src/assay" / area).rglob("*.py")):
            module = path.relative_to(ROOT / "src/assay").as_posix()
            if module.startswith(only):
                for mutant in mutants_of(path, module):
                    lines.setdefault((module, mutant.line), []).append(mutant)
    chosen = chance.sample(sorted(lines), min(count, len(lines)))
    return [chance.choice(lines[line]) for line in chosen]


def mutants_of(path: Path, module: str) -> Iterator[Mutant]:
    """Every change that Cosmic Ray knows, outside annotations and what only the type checker reads."""
    source = path.read_text(encoding="utf-8")
    tree, idle = get_ast(source), idle_lines(source)
    for name in operator_names():
        operator_class: Any = get_operator(name)
        if operator_class.arguments() or name == "core/NoOp" or name.endswith(SHALLOW):
            continue
        operator = operator_class()
        places = (place for node in ast_nodes(tree) for place in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(places):
            if not any(a <= start < b for a, b in idle):
                yield Mutant(module, name, occurrence, start[0])


def idle_lines(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where a change would change nothing that runs: annotations, type aliases, TYPE_CHECKING blocks."""
    idle: list[ast.AST] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = (
                *node.args.posonlyargs,
                *node.args.args,
                *node.args.kwonlyargs,
                node.args.vararg,
                node.args.kwarg,
            )
            idle += [part for a in arguments if a is not None for part in (a.annotation,) if part is not None]
            idle += [node.returns] if node.returns is not None else []
        elif isinstance(node, ast.AnnAssign):
            alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
            idle.append(node if alias else node.annotation)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            idle.append(node)
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))
        for node in idle
        if isinstance(node, ast.expr | ast.stmt)
    ]


def judged(mutants: list[Mutant], workers: int) -> Iterator[dict[str, Any]]:
    """A verdict for each, in order; each worker has its own copy of the repository."""
    copies: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        for number in range(workers):
            copies.put(copied(Path(folder) / str(number) / "main"))

        def judge(mutant: Mutant) -> dict[str, Any]:
            copy = copies.get()
            try:
                return verdict_on(mutant, copy)
            finally:
                copies.put(copy)

        yield from pool.map(judge, mutants)


def copied(to: Path) -> Path:
    """The files git knows, as they are now."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def verdict_on(mutant: Mutant, copy: Path) -> dict[str, Any]:
    """What became of a mutant: killed by which tests, or survived, with its diff."""
    path = copy / "src/assay" / mutant.module
    source = path.read_text(encoding="utf-8")
    operator: Any = get_operator(mutant.operator)()
    broken = mutate_code(source, operator, mutant.occurrence)
    diff = "".join(unified_diff(source.splitlines(True), broken.splitlines(True), mutant.module, mutant.module, n=1))
    path.write_text(broken, encoding="utf-8")
    try:
        killer = next((tests for tests in tests_of(mutant.module, copy) if not passes(tests, copy)), None)
    finally:
        path.write_text(source, encoding="utf-8")
    return {**asdict(mutant), "killed_by": " ".join(killer) if killer else None, "diff": diff}


def tests_of(module: str, copy: Path) -> Iterator[list[str]]:
    """Tests to run one set after the other: of the module and its examples, of its folder, of its area."""
    path = Path(module)
    own = [f"src/assay/{module}"]
    if (copy / "tests" / path.parent / f"test_{path.stem}.py").exists():
        own.append(f"tests/{path.parent.as_posix()}/test_{path.stem}.py")
    yield own
    for folder in (path.parent, *path.parent.parents):
        if folder != Path() and (copy / "tests" / folder).is_dir():
            yield [f"tests/{folder.as_posix()}"]
    area = next(area for area in AREAS if module.startswith(area))
    if area in OTHER_TESTS:
        yield [f"tests/{name}" for name in OTHER_TESTS[area]]


def passes(tests: list[str], copy: Path) -> bool:
    """Whether they pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:xdist", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}",
        "ASSAY_SHARED": os.environ.get("ASSAY_SHARED", str(ROOT.parent / "shared")),
    }
    try:
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode in (0, 5)  # 5: no tests there


def tell(verdicts: list[dict[str, Any]]) -> None:
    """How many were noticed, by area, and every one that was not."""
    survivors = [v for v in verdicts if v["killed_by"] is None]
    for area in AREAS:
        of_area = [v for v in verdicts if v["module"].startswith(area)]
        dead = sum(v["killed_by"] is not None for v in of_area)
        if of_area:
            print(f"{area}: {dead} of {len(of_area)}")
    print(
        f"all: {len(verdicts) - len(survivors)} of {len(verdicts)} ({1 - len(survivors) / max(len(verdicts), 1):.1%})"
    )
    for v in survivors:
        print(f"\nsurvived: {v['module']}:{v['line']} ({v['operator']})\n{v['diff']}")


if __name__ == "__main__":
    main()
