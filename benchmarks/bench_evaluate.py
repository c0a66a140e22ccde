"""Evaluation measured against RSMTool 12 on the same scores, in one run, and on ever larger tables.

python benchmarks/bench_evaluate.py           some 5 minutes; RSMTool on 1e4 and 1e5 rows, ours up to 1e7
python benchmarks/bench_evaluate.py --full    some 30 minutes and 2 GB of disk; RSMTool on 1e6 rows, ours on 1e8

RSMTool gets an environment of its own in .peers/, made on the first run. Ends with 1 when a promise is broken.
"""

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.growth import Growth, growth
from benchmarks.metric_work import TOLERANCE, MetricWork, metric_work
from benchmarks.whole_command import RSMEVAL, whole_commands

PARTS = ("metrics", "command", "growth")
LEAST_METRIC_RATIO = 100
LEAST_COMMAND_RATIO = 10
MOST_MEMORY_SHARE = 1 / 4
MOST_UNEVEN = 1.5
"""How much dearer a row may be in one table than in another."""
MOST_MEMORY = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Promise:
    """What we say about ourselves, and whether this run bears it out."""

    words: str
    found: str
    kept: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for, print it as Markdown; 1 when a promise is broken."""
    options = _parser().parse_args(arguments)
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors\n")
    promises: list[Promise] = []
    if "metrics" in options.parts:
        promises += show_metrics(options)
    if "command" in options.parts:
        promises += show_commands(options)
    if "growth" in options.parts:
        promises += show_growth(options)
    for promise in promises:
        print(f"- {'kept' if promise.kept else 'BROKEN'}: {promise.words}; found {promise.found}")
    return 0 if all(promise.kept for promise in promises) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="RSMTool on 1e6 rows too, ours on 1e8")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="measure only these")
    parser.add_argument("--rows", type=lambda text: int(float(text)), help="one size for everything, such as 1e3")
    parser.add_argument("--no-peer", action="store_true", help="leave RSMTool out")
    return parser


def show_metrics(options: argparse.Namespace) -> Iterator[Promise]:
    """The metric work of both tools, size by size."""
    print("## Metrics on scores in memory\n")
    print(row("rows", "ours, s", "RSMTool, s", "times faster", "times less CPU", "largest difference"))
    print(row(*["---"] * 6))
    for rows in [options.rows] if options.rows else [10**4, 10**5, 10**6]:
        asked = not options.no_peer and (rows <= 10**5 or options.full)
        work = metric_work(rows, times=5, peer_times=(3 if rows < 10**5 else 2 if rows < 10**6 else 1) * asked)
        print(_metric_row(work), flush=True)
        yield from _metric_promises(work)
    print()


def _metric_row(work: MetricWork) -> str:
    if work.rsmtool is None:
        return row(f"{work.rows:,}", f"{work.ours.wall:.3f}", "", "", "", "")
    return row(
        f"{work.rows:,}",
        f"{work.ours.wall:.3f}",
        f"{work.rsmtool.wall:.2f}",
        f"{work.rsmtool.wall / work.ours.wall:.0f}",
        f"{work.rsmtool.cpu / work.ours.cpu:.0f}",
        f"{work.apart:.0e} of {work.figures} figures",
    )


def _metric_promises(work: MetricWork) -> Iterator[Promise]:
    if work.rsmtool is None:
        return
    words = f"{work.rows:,} rows: {work.figures} figures as RSMTool's, within {TOLERANCE:.0e}"
    yield Promise(words, f"{work.apart:.0e}", work.apart <= TOLERANCE)
    if work.rows >= 10**5:
        # the lesser of both: on a busy machine the clock flatters whoever is done sooner
        ratio = min(work.rsmtool.wall / work.ours.wall, work.rsmtool.cpu / work.ours.cpu)
        words = f"{work.rows:,} rows: at least {LEAST_METRIC_RATIO} times faster than RSMTool, by clock and by CPU"
        yield Promise(words, f"{ratio:.0f}", ratio >= LEAST_METRIC_RATIO)


def show_commands(options: argparse.Namespace) -> Iterator[Promise]:
    """The whole commands, report and all."""
    rows = options.rows or 10**4
    costs = whole_commands(rows, times=3, peer_times=0 if options.no_peer else 2)
    peer = costs.get(RSMEVAL)
    print(f"## From CSV to report, {rows:,} rows\n")
    print(row("command", "wall, s", "CPU, s", "peak memory, MB", "times faster", "times less CPU", "share of memory"))
    print(row(*["---"] * 7))
    for name, cost in costs.items():
        measured = (name, f"{cost.wall:.2f}", f"{cost.cpu:.2f}", f"{cost.peak / 1e6:.0f}")
        if peer is None or cost is peer:
            print(row(*measured, "", "", ""))
        else:
            faster, less, share = peer.wall / cost.wall, peer.cpu / cost.cpu, cost.peak / peer.peak
            print(row(*measured, f"{faster:.0f}", f"{less:.0f}", f"{share:.2f}"))
            yield from _command_promises(name, min(faster, less), share)
    print(flush=True)


def _command_promises(name: str, faster: float, share: float) -> Iterator[Promise]:
    words = f"{name}: at least {LEAST_COMMAND_RATIO} times faster than rsmeval, by clock and by CPU"
    yield Promise(words, f"{faster:.0f}", faster >= LEAST_COMMAND_RATIO)
    words = f"{name}: at most {MOST_MEMORY_SHARE:.0%} of the memory of rsmeval"
    yield Promise(words, f"{share:.0%}", share <= MOST_MEMORY_SHARE)


def show_growth(options: argparse.Namespace) -> Iterator[Promise]:
    """Ours on ever larger tables."""
    sizes = [10**5, 10**6, 10**7, 10**8] if options.full else [10**5, 10**6, 10**7]
    print("## Growth: `assay evaluate` on Parquet\n")
    heads = ("rows", "file, MB", "wall, s", "CPU, s", "CPU per further row, µs", "rows per second", "peak memory, MB")
    print(row(*heads, "group-by alone, s", "its CPU, s"))
    print(row(*["---"] * 9))
    found = []
    for step in growth([options.rows] if options.rows else sizes):
        print(_growth_row(step), flush=True)
        found.append(step)
    print()
    yield from _growth_promises(found)


def _growth_row(step: Growth) -> str:
    return row(
        f"{step.rows:,}",
        f"{step.file_bytes / 1e6:.0f}",
        f"{step.ours.wall:.2f}",
        f"{step.ours.cpu:.2f}",
        "" if step.smaller is None else f"{step.cpu_per_row:.2f}",
        f"{step.rows_per_second:.1e}",
        f"{step.ours.peak / 1e6:.0f}",
        f"{step.group_by.wall:.2f}",
        f"{step.group_by.cpu:.2f}",
    )


def _growth_promises(found: Sequence[Growth]) -> Iterator[Promise]:
    per_row = [step.cpu_per_row for step in found[1:]]
    if len(per_row) > 1:
        uneven = max(per_row) / min(per_row)
        sizes = f"{found[0].rows:,} to {found[-1].rows:,} rows"
        words = f"each further row costs the same from {sizes}, within {MOST_UNEVEN} times"
        yield Promise(words, f"{uneven:.2f}", uneven <= MOST_UNEVEN)
    peak = max(step.ours.peak for step in found)
    words = f"memory stays below {MOST_MEMORY >> 20} MiB however many rows"
    yield Promise(words, f"{peak >> 20} MiB", peak <= MOST_MEMORY)


def row(*cells: str) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    raise SystemExit(main())
