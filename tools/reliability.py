"""docs/reliability.md from what `make fuzz`, `make faults` and `make load` measured last.

    python -m tools.reliability [--runs out] [--recorded tools/recorded] [--page docs/reliability.md]

Takes summary.json in RUNS/fuzz, RUNS/faults and RUNS/load, as many as there are, into the record: a reader or a
database that was tried again replaces what was recorded of it, so runs may be made in parts. The page is written from
the record; routes and roles come from the test that tries them. What was never run is said to be missing.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from fuzz.readers import BY_NAME

ROOT = Path(__file__).resolve().parents[1]
HEAD = """# Reliability

Grades are records, and files come from strangers. This page says what was tried against Assay and what came of it. It
is made by `make reliability`, which runs `make fuzz`, `make faults` and `make load` and then writes these tables from
what is recorded in tools/recorded. Runs may be made in parts: a reader or a database that is tried again replaces what
was recorded of it, and each row says of which run it is. All ran on a machine with two cores that did other work too.

What is guarded against, and what is not: the security page, SECURITY.md beside the README. How much of a file is read:
[limits](reference/limits.md). How to back up and check an installation: [operate Assay](how-to/operate.md).
Findings of a run are mended afterwards, each with a test; the figures stay those of the run until the next one.
"""
FUZZ = """
## Hostile files

Every reader of what users give gets files that were damaged on purpose: bytes flipped, parts cut, doubled and swapped,
numbers made huge or not finite, values of other types, nesting thousands deep, archives rebuilt around damaged members.
A file may be read or refused with a message; *net* counts those refused in general words, because no check of the
reader saw what is wrong and the net around its front door did. Anything else is a finding: another exception
(*unclean*), more than ten seconds (*hang*), more memory than the limit (*memory*), the end of the process (*crash*).
*Covered* is the share of the branches in the reader's modules that these inputs took.
"""
FAULTS = """
## Faults

The real server with its workers runs on SQLite and on PostgreSQL while faults come at random moments. After each one
the app must recover by itself, and nothing may be lost, kept twice, changed or failed for no reason of its own. Faults
inside the store (a transaction that ends in the middle, at any statement) are counted apart.
"""
WHO = """
## Who may do what

`tests/web/test_routes_by_role.py` has a rule for each of the {routes} routes and tries them as {people} people: nobody,
each role of the course, an administrator, and people of another course and another organization. A route without a
rule, or one that lets in anybody else, fails the test. It runs on both databases with every `make test`.
"""
LOAD = """
## Load

Users on loopback ask for pages at the same time, while a batch is scored by the workers of the same machine.
"""

GAPS = """
## Known gaps

- The faults above leave out a worker whose address space is cut while it works: a library (Polars, zlib) may then wait
  for ever for a thread that cannot start. Such a worker is replaced after `idle_seconds`. Once
  in five short runs a worker without memory still held up its job for three minutes; the cause is not known, so `make
  test` leaves this fault to `make faults`.
- Hostile files are tried without the children that read some of them in use, which is quicker. An input that ends the
  process is tried once more as in use; if only the child ends and the file is refused, it counts as refused. Parquet
  files above 64 MB are read without a child on the command line: their footer tells nothing of damage in the data, and
  reading all of it twice would double the time of large tables. A damaged one may end the command, which leaves no
  half-written folder; the web app reads tables of any size in a child first.
"""
FUZZ_NAMES = ("inputs", "read", "refused", "netted", "unclean", "hangs", "over_memory", "crashes")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, default=ROOT / "out")
    parser.add_argument("--recorded", type=Path, default=ROOT / "tools" / "recorded")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "reliability.md")
    asked = parser.parse_args()
    record(asked.runs, asked.recorded)
    asked.page.write_text(page(asked.recorded, tuple(BY_NAME)), encoding="utf-8")
    print(f"Wrote {asked.page}")


def record(runs: Path, recorded: Path) -> None:
    """Take the last runs into the record."""
    recorded.mkdir(parents=True, exist_ok=True)
    for name in ("fuzz", "faults", "load"):
        if (runs / name / "summary.json").exists():
            new, old = _loaded(runs / name / "summary.json"), _loaded(recorded / f"{name}.json")
            whole = combined(old, new) if isinstance(new, dict) else new
            (recorded / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def combined(old: Any, new: Any) -> Any:
    """A record with a later run in it: what was tried again replaces what was recorded, the rest stays.

    >>> combined({"readers": {"a": {"inputs": 1}, "b": {"inputs": 1}}}, {"readers": {"b": {"guided": {}}}})
    {'readers': {'a': {'inputs': 1}, 'b': {'inputs': 1, 'guided': {}}}}
    """
    old = old or {}
    if "readers" in new:
        known = old.get("readers", {})
        return {"readers": known | {name: known.get(name, {}) | tally for name, tally in new["readers"].items()}}
    return {**old, **new}


def page(recorded: Path, expected: Sequence[str] = ()) -> str:
    """The page from the record; `expected` names every reader there is."""
    fuzz, faults, load = (_loaded(recorded / f"{name}.json") for name in ("fuzz", "faults", "load"))
    parts = [HEAD, *fuzz_part(fuzz, expected), *fault_part(faults)]
    return "".join([*parts, roles_part(), *load_part(load), GAPS])


def _loaded(path: Path) -> Any:
    """What a file holds; None if there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table; numbers stand right.

    >>> print(table(("reader", "inputs"), [("coco", 24000)]))
    <BLANKLINE>
    | reader | inputs |
    |---|---:|
    | coco | 24,000 |
    <BLANKLINE>
    """
    numeric = [all(isinstance(row[i], int | float) for row in rows) for i in range(len(heads))]
    lines = ["", f"| {' | '.join(heads)} |", "|" + "|".join("---:" if right else "---" for right in numeric) + "|"]
    for row in rows:
        cells = (f"{cell:,}" if isinstance(cell, int | float) else cell for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def fuzz_part(measured: Any, expected: Sequence[str]) -> Iterator[str]:
    """Inputs, findings and coverage of every reader."""
    if measured is None:
        yield "\n## Hostile files\n\nNot run yet: `make fuzz`.\n"
        return
    every = measured["readers"]
    readers = {name: every[name] for name in expected or every if name in every}
    yield FUZZ
    total = {key: sum(reader[key] for reader in readers.values()) for key in FUZZ_NAMES}
    findings, fewest = sum(total[key] for key in FUZZ_NAMES[4:]), min(reader["inputs"] for reader in readers.values())
    yield (
        f"\n**{total['inputs']:,} inputs on {len(readers)} readers, {findings:,} findings**; at least {fewest:,} for"
        " each reader.\n"
    )
    if missing := [name for name in expected if name not in every]:
        yield f"\nNot tried so far but by the few inputs of `make test`: {', '.join(missing)}.\n"
    rows = [
        (name, *(reader[key] for key in FUZZ_NAMES), share(reader["coverage"]), run_of(reader))
        for name, reader in readers.items()
    ]
    heads = ("reader", "inputs", "read", "refused", "net", "unclean", "hang", "memory", "crash", "covered", "run")
    yield table(heads, rows)
    yield from guided_part({name: reader["guided"] for name, reader in readers.items() if "guided" in reader})


def run_of(reader: dict[str, Any]) -> str:
    """When a reader was tried, and with which seed.

    >>> run_of({"made": "2026-11-18", "seed": 1})
    '2026-11-18, seed 1'
    """
    return f"{reader.get('made', 'undated')}, seed {reader.get('seed', 'unknown')}"


def guided_part(readers: dict[str, dict[str, Any]]) -> Iterator[str]:
    """What Atheris found."""
    if not readers:
        return
    counts = [sum(reader[key] for reader in readers.values()) for key in ("inputs", "findings")]
    yield (
        f"\nGuided by Atheris, which keeps what reaches new branches: {counts[0]:,} more inputs on {len(readers)}"
        f" readers, {counts[1]:,} findings.\n"
    )


def share(coverage: dict[str, int]) -> str:
    """How much of a reader was reached.

    >>> share({"branches": 90, "of": 100})
    '90 %'
    """
    reached, of = coverage.values()
    return f"{100 * reached / of:.0f} %" if of else "n/a"


def fault_part(measured: Any) -> Iterator[str]:
    """Faults by kind and database, and what they cost."""
    if measured is None:
        yield "\n## Faults\n\nNot run yet: `make faults`.\n"
        return
    yield FAULTS
    databases = [name for name in ("sqlite", "postgresql") if name in measured]
    for title, prefix in (("Fault of a process, a disk or the database", ""), ("Fault inside the store", "store_")):
        counted = {name: measured[name][f"{prefix}injected"] for name in databases}
        kinds = sorted({kind for counts in counted.values() for kind in counts})
        rows = [(kind, *(counted[name].get(kind, 0) for name in databases)) for kind in kinds]
        rows.append(("**all**", *(sum(counted[name].values()) for name in databases)))
        problems = [measured[name][f"{prefix}problems"] for name in databases]
        costs = [", ".join(f"{what}: {n}" for what, n in one.items()) or "nothing" for one in problems]
        yield table((title, *databases), rows)
        yield (
            "\n"
            + "; ".join(f"{name}: {cost} lost or wrong" for name, cost in zip(databases, costs, strict=True))
            + ".\n"
        )


def roles_part() -> str:
    """How many routes are tried as how many people."""
    # an installed package may call its own tests `tests` too, and would win over a folder without __init__.py
    ours = sys.modules.setdefault("tests", ModuleType("tests"))
    ours.__path__ = [str(ROOT / "tests")]
    from tests.web import test_routes_by_role as tried  # noqa: PLC0415 - needs the web app

    return WHO.format(routes=len(tried.routes()), people=len(tried.PEOPLE) + 1)


def load_part(measured: Any) -> Iterator[str]:
    """Answers under load."""
    if measured is None:
        yield "\n## Load\n\nNot run yet: `make load`.\n"
        return
    yield LOAD
    heads = {
        "users": "users",
        "pages": "pages",
        "errors": "errors",
        "p50_ms": "p50, ms",
        "p95_ms": "p95, ms",
        "p99_ms": "p99, ms",
        "server_cpu_ms_per_page": "server CPU a page, ms",
        "scored": "scored meanwhile",
        "load_average": "load of the machine",
    }
    yield table(tuple(heads.values()), [tuple(row[key] for key in heads) for row in measured])
    if dates := sorted({str(row["made"]) for row in measured if "made" in row}):
        yield f"\nMeasured on {', '.join(dates)}.\n"


if __name__ == "__main__":
    main()
