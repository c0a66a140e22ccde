"""Break the code on purpose, one small change at a time, and see whether a test notices.

    python tools/mutation.py [--count 400] [--seed 1] [--workers 2] [--only annotations/matching]

Draws mutants of Cosmic Ray at random from the folders in `AREAS`, each line with the same chance, and runs the tests of
the module first, then those of its folder, then those of its area (in io, which is large, of its part only), until one
fails. Writes out/mutation.jsonl (a line a mutant, with its diff) and prints what survived. A run that stopped goes on
where it was. The code is never changed in place: every worker has a copy of its own. A mutant's tests run in a fork of
this process, which has the libraries loaded already; before the first one the tests must pass on the code as it is.
"""

import argparse
import ast
import gc
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
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
    "annotations/matching": ("annotations/test_scoring_laws.py", "annotations/grading"),
    "annotations/grading": ("annotations/test_scoring_laws.py",),
    "annotations/geometry": ("annotations/shapes", "annotations/grading"),
    "essays/models": ("io/models",),
}
"""Tests of an area that stand elsewhere."""
SHALLOW = ("BitAnd", "BitOr", "BitXor", "LShift", "RShift", "_Is", "_IsNot")
"""Replacements that nearly always end in a TypeError: killing them proves little."""
SAME = ("BitAnd_Mul",)
"""Replacements that change nothing: arrays of booleans multiply as they are joined."""
SAFEGUARDS = {
    "strict": "equal lengths are checked, never met",
    "gc": "memory",
    "repr": "looks in a debugger",
    "num_threads": "speed",
    "maxsize": "what a cache keeps is what would be computed again",
    "kw_only": "arguments given by name give the same",
}
"""Arguments on which no result depends, and why."""
AT_ONCE = ("PIECE", "CHUNK", "RECTANGLES_AT_ONCE", "POINTS_AT_ONCE", "EDGES_AT_ONCE", "PAIRS_AT_ONCE", "ROWS_AT_ONCE")
"""Constants that say how much is done at once: what comes of it is the same, as the tests with small ones show."""
CACHES = ("cache", "lru_cache")
"""Decorators without which the same is computed again."""
LONGEST, MOST_CPU = 600, 240
"""Seconds, waited and worked: a mutant that runs for ever is noticed too, and sooner than one that waits for ever."""
WHOLE = "as_it_was.py"
"""Beside each copy: the module that is broken in it."""
LIBRARIES = (
    "numpy",
    "polars",
    "pandas",
    "pyarrow",
    "scipy.stats",
    "scipy.optimize",
    "scipy.spatial",
    "sklearn.linear_model",
    "shapely",
    "xlsxwriter",
    "hypothesis.strategies",
    "hypothesis.internal.conjecture.engine",
)
"""Loaded once and shared by every mutant. None of them may start threads by being imported."""

Extent = tuple[tuple[int, int], tuple[int, int]]
"""From a line and column to a line and column."""


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
    """Every change that Cosmic Ray knows, outside annotations and what only the type checker reads.

    It takes the star of a parameter list for a multiplication; we do not.
    """
    source = path.read_text(encoding="utf-8")
    tree, idle, sums = get_ast(source), idle_lines(source), operations(source)
    for name in operator_names():
        operator_class: Any = get_operator(name)
        if operator_class.arguments() or name == "core/NoOp" or name.endswith((*SHALLOW, *SAME)):
            continue
        operator = operator_class()
        places = (place for node in ast_nodes(tree) for place in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(places):
            if "BinaryOperator" in name and not any(a <= start < b for a, b in sums):
                continue
            if not any(a <= start < b for a, b in idle):
                yield Mutant(module, name, occurrence, start[0])


def operations(source: str) -> list[Extent]:
    """From where to where the operators of sums, products and the like stand."""
    return [
        ((left.end_lineno or 0, left.end_col_offset or 0), (right.lineno, right.col_offset))
        for node in ast.walk(ast.parse(source))
        for left, right in (
            [(node.left, node.right)]
            if isinstance(node, ast.BinOp)
            else [(node.target, node.value)]
            if isinstance(node, ast.AugAssign)
            else []
        )
    ]


def idle_lines(source: str) -> list[Extent]:
    """From where to where a change changes no result: what only the type checker reads, safeguards, caches, amounts."""
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
            decorators = {ast.unparse(d).partition("(")[0]: d for d in node.decorator_list}
            idle += [decorator for name, decorator in decorators.items() if name in CACHES]
            idle += [node, decorators["overload"]] if "overload" in decorators else []
        elif isinstance(node, ast.AnnAssign):
            alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
            idle.append(node if alias else node.annotation)
        elif (
            (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
            or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in AT_ONCE)
            or (isinstance(node, ast.ClassDef) and any(ast.unparse(base).startswith("Protocol") for base in node.bases))
        ):
            idle.append(node)
        elif isinstance(node, ast.Call | ast.ClassDef):
            idle += [argument.value for argument in node.keywords if argument.arg in SAFEGUARDS]
    return [
        ((node.lineno, node.col_offset - 1), (node.end_lineno or 0, node.end_col_offset or 0))  # -1: a decorator's @
        for node in idle
        if isinstance(node, ast.expr | ast.stmt)
    ]


def judged(mutants: list[Mutant], workers: int) -> Iterator[dict[str, Any]]:
    """A verdict for each, as they come; each worker has its own copy of the repository."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none is needed, and some take longer than the tests
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # no fork looks through the libraries again
    with tempfile.TemporaryDirectory() as folder:
        first = copied(Path(folder) / "0" / "main")
        must_pass({mutant.module for mutant in mutants}, first)
        others = [Path(folder) / str(number) / "main" for number in range(1, workers)]
        copies = [first, *(shutil.copytree(first, other) for other in others)]
        running: dict[int, tuple[Mutant, Path, str]] = {}
        waiting = iter(mutants)
        while True:
            while copies and (mutant := next(waiting, None)):
                copy = copies.pop()
                try:
                    diff = broken(mutant, copy)
                except Exception as problem:  # Cosmic Ray cannot change every line it offers
                    print(f"\nleft out {mutant}: {problem}", file=sys.stderr)
                    mended(mutant, copy)
                    copies.append(copy)
                    continue
                running[forked(list(tests_of(mutant.module, copy)), copy)] = (mutant, copy, diff)
            if not running:
                return
            process, status = os.wait()
            mutant, copy, diff = running.pop(process)
            mended(mutant, copy)
            copies.append(copy)
            yield {**asdict(mutant), "killed": status != 0, "diff": diff}


def must_pass(modules: set[str], copy: Path) -> None:
    """Stop unless all their tests pass on the code as it is; leaves the compiled tests for the runs to come."""
    tests = {test for module in modules for tests in tests_of(module, copy) for test in tests}
    inside = {test for test in tests if any(other != test and test.startswith(f"{other}/") for other in tests)}
    _, status = os.waitpid(forked([sorted(tests - inside)], copy, keep_compiled=True), 0)
    if status:
        sys.exit("The tests fail on the code as it is, so they prove nothing. Mend them first.")


def copied(to: Path) -> Path:
    """The files git knows, as they are now."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def broken(mutant: Mutant, copy: Path) -> str:
    """Break the module in the copy; what changed, as a diff."""
    path = copy / "src/assay" / mutant.module
    shutil.copy2(path, copy.parent / WHOLE)
    source = path.read_text(encoding="utf-8")
    changed = mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence)
    path.write_text(changed, encoding="utf-8")
    return "".join(unified_diff(source.splitlines(True), changed.splitlines(True), mutant.module, mutant.module, n=1))


def mended(mutant: Mutant, copy: Path) -> None:
    """The module as it was, its time included, so that what was compiled of it is good again."""
    shutil.copy2(copy.parent / WHOLE, copy / "src/assay" / mutant.module)


def tests_of(module: str, copy: Path) -> Iterator[list[str]]:
    """Tests to run one set after the other: of the module and its examples, of its folder, of its area."""
    path = Path(module)
    own = [f"src/assay/{module}"]
    if (copy / "tests" / path.parent / f"test_{path.stem}.py").exists():
        own.append(f"tests/{path.parent.as_posix()}/test_{path.stem}.py")
    yield own
    area = next(area for area in AREAS if module.startswith(area))
    for folder in (path.parent, *path.parent.parents):
        near = folder == path.parent or folder != Path("io")
        if near and folder.is_relative_to(area) and (copy / "tests" / folder).is_dir():
            yield [f"tests/{folder.as_posix()}"]
    if area in OTHER_TESTS:
        yield [f"tests/{name}" for name in OTHER_TESTS[area]]


def forked(sets: list[list[str]], copy: Path, *, keep_compiled: bool = False) -> int:
    """Start the test sets, one after the other until one fails, in a process of their own; its number."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(0, signal.SIGKILL))
        often = 10 if keep_compiled else 1  # the tests of all modules at once
        signal.alarm(LONGEST * often)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU * often, resource.RLIM_INFINITY))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.chdir(copy)
        sys.dont_write_bytecode = not keep_compiled
        sys.path[:0] = [str(copy / "src"), str(copy)]
        os.environ["PYTHONPATH"] = f"{copy / 'src'}{os.pathsep}{copy}"
        os.environ.setdefault("ASSAY_SHARED", str(ROOT.parent / "shared"))
        command = ["-x", "-q", "--no-header", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        # 5: no tests there; an exception out of pytest itself is noticed as well
        status = int(not all(pytest.main([*command, *tests]) in (0, 5) for tests in sets))
    finally:
        os._exit(status)


def tell(verdicts: list[dict[str, Any]]) -> None:
    """How many were noticed, by area, and every one that was not."""
    survivors = [v for v in verdicts if not v["killed"]]
    for area in AREAS:
        of_area = [v for v in verdicts if v["module"].startswith(area)]
        dead = sum(v["killed"] for v in of_area)
        if of_area:
            print(f"{area}: {dead} of {len(of_area)}")
    print(
        f"all: {len(verdicts) - len(survivors)} of {len(verdicts)} ({1 - len(survivors) / max(len(verdicts), 1):.1%})"
    )
    for v in survivors:
        print(f"\nsurvived: {v['module']}:{v['line']} ({v['operator']})\n{v['diff']}")


if __name__ == "__main__":
    main()
