"""Models on feature tables measured against RSMTool 12 with the same configuration, in one run.

python benchmarks/bench_rsm.py              some 5 minutes
python benchmarks/bench_rsm.py --no-peer    ours alone

A full run with report, a 3-fold cross-validation, and one response scored from Python. RSMTool gets an environment of
its own in .peers/, made on the first run. Ends with 1 when a promise is broken.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.feature_tables import FEATURES, feature_table, write_training
from benchmarks.measure import Cost, cheapest_command
from benchmarks.peers import RSMTOOL, peer_program

ASSAY = (sys.executable, "-m", "assay", "rsm")
LEAST_RATIO = {"tool": 10, "xval": 20}
MOST_MEMORY_SHARE = 1 / 3
MOST_SECONDS_PER_RESPONSE = 1e-4
TITLES = {"tool": "full run with report", "xval": "3-fold cross-validation"}


@dataclass(frozen=True, slots=True)
class Promise:
    """What we say about ourselves, and whether this run bears it out."""

    words: str
    found: str
    kept: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print as Markdown; 1 when a promise is broken."""
    options = _parser().parse_args(arguments)
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors\n")
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        promises = [*show_commands(Path(name), options), *show_scoring(Path(name))]
    for promise in promises:
        print(f"- {'kept' if promise.kept else 'BROKEN'}: {promise.words}; found {promise.found}")
    return 0 if all(promise.kept for promise in promises) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=500, help="training responses")
    parser.add_argument("--times", type=int, default=3, help="runs of ours; the cheapest counts")
    parser.add_argument("--peer-times", type=int, default=2, help="runs of RSMTool; the cheapest counts")
    parser.add_argument("--no-peer", action="store_true", help="leave RSMTool out")
    return parser


def show_commands(folder: Path, options: argparse.Namespace) -> Iterator[Promise]:
    """Both tools on the same configuration."""
    print(f"## Commands on {options.rows} training responses and {len(FEATURES)} features\n")
    print(
        row("work", "ours, s (CPU)", "ours, MB", "RSMTool, s (CPU)", "RSMTool, MB", "times faster", "share of memory")
    )
    print(row(*["---"] * 7))
    configs = dict(zip(("tool", "xval"), write_training(folder, options.rows), strict=True))
    for work, config in configs.items():
        ours = cheapest_command([*ASSAY, work, config, folder / f"ours-{work}", "--force", "--quiet"], options.times)
        peer = None if options.no_peer else _peer_cost(work, config, folder, options.peer_times)
        print(_command_row(work, ours, peer), flush=True)
        if peer is not None:
            yield from _command_promises(work, ours, peer)
    print()


def _peer_cost(work: str, config: Path, folder: Path, times: int) -> Cost:
    """What RSMTool's command costs; each run in a folder of its own, since rsmxval writes to no other."""
    program = peer_program(RSMTOOL, f"rsm{work}")
    costs = [cheapest_command([program, config, folder / f"peer-{work}-{number}"], 1) for number in range(times)]
    best = costs[0]
    for cost in costs[1:]:
        best = best.best(cost)
    return best


def _command_row(work: str, ours: Cost, peer: Cost | None) -> str:
    cells = [TITLES[work], f"{ours.wall:.2f} ({ours.cpu:.2f})", f"{ours.peak / 2**20:.0f}"]
    if peer is None:
        return row(*cells, "", "", "", "")
    cells += [f"{peer.wall:.1f} ({peer.cpu:.1f})", f"{peer.peak / 2**20:.0f}"]
    return row(*cells, f"{peer.wall / ours.wall:.1f}", f"{ours.peak / peer.peak:.2f}")


def _command_promises(work: str, ours: Cost, peer: Cost) -> Iterator[Promise]:
    ratio, share = peer.wall / ours.wall, ours.peak / peer.peak
    least = LEAST_RATIO[work]
    yield Promise(f"{TITLES[work]} at least {least} times faster", f"{ratio:.1f}", ratio >= least)
    if work == "tool":
        yield Promise(f"{TITLES[work]} in under a third of the memory", f"{share:.2f}", share < MOST_MEMORY_SHARE)


def show_scoring(folder: Path) -> Iterator[Promise]:
    """One response at a time, from Python."""
    from assay.files.feature_model_file import find_feature_model
    from assay.models.scorer import LinearScorer

    scorer = LinearScorer.of(find_feature_model(folder / "ours-tool", "bench"))
    responses = feature_table(2000, seed=3).select(FEATURES).to_dicts()
    started = time.perf_counter()
    for response in responses:
        scorer.score(response)
    seconds = (time.perf_counter() - started) / len(responses)
    print(f"## One response from Python\n\n{seconds * 1e6:.1f} microseconds, all six forms of the score\n")
    kept = seconds < MOST_SECONDS_PER_RESPONSE
    yield Promise("one response in under 0.1 ms", f"{seconds * 1e3:.4f} ms", kept)


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    sys.exit(main())
