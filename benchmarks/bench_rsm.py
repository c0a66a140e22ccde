"""Models on feature tables beside RSMTool 12 with the same configuration.

A full run with report, a 3-fold cross-validation, and one response scored from Python.
"""

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.feature_tables import FEATURES, feature_table, write_training
from benchmarks.measure import Cost, cheapest_command, start_of_numpy
from benchmarks.page import Effort, Page
from benchmarks.peers import RSMTOOL, peer_program

ASSAY = (sys.executable, "-m", "assay", "rsm")
LEAST_RATIO = {"tool": 10, "xval": 20}
MOST_MEMORY_SHARE = 1 / 3
MOST_MILLISECONDS = 0.1
TITLES = {"tool": "full run with report", "xval": "3-fold cross-validation"}


def measure(page: Page) -> None:
    """Commands beside RSMTool's, then one response."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        _show_commands(page, Path(name), rows=60 if page.effort is Effort.TINY else 500)
        _show_scoring(page, Path(name))


def _show_commands(page: Page, folder: Path, rows: int) -> None:
    """Both tools on the same configuration."""
    page.say(f"`assay rsm tool` and `xval` beside RSMTool 12.0.0: {rows} training responses, {len(FEATURES)} features.")
    page.table("work", "Assay, s (CPU)", "MB", "RSMTool, s (CPU)", "MB", "times faster", "times less CPU", "memory")
    configs = dict(zip(("tool", "xval"), write_training(folder, rows), strict=True))
    for work, config in configs.items():
        times = 3 if page.effort is Effort.WHOLE else 1
        ours = cheapest_command([*ASSAY, work, config, folder / f"ours-{work}", "--force", "--quiet"], times)
        cells = [TITLES[work], f"{ours.wall:.2f} ({ours.cpu:.2f})", f"{ours.peak / 1e6:.0f}"]
        if page.peers and page.effort is Effort.WHOLE:
            peer = _peer_cost(work, config, folder, 2)
            cells += [f"{peer.wall:.1f} ({peer.cpu:.1f})", f"{peer.peak / 1e6:.0f}"]
            less, share = peer.cpu / ours.cpu, ours.peak / peer.peak
            page.row(*cells, f"{peer.wall / ours.wall:.1f}", f"{less:.1f}", f"{share:.2f}")
            page.figure(f"{TITLES[work]}: times less CPU than RSMTool", less, least=LEAST_RATIO[work])
            page.figure(
                f"{TITLES[work]}: share of RSMTool's memory", share, most=MOST_MEMORY_SHARE if work == "tool" else None
            )
        else:
            page.row(*cells, *[None] * 5)
            page.figure(f"{TITLES[work]}: CPU of so many starts of numpy", ours.cpu / start_of_numpy(), most=80)
    page.end()


def _peer_cost(work: str, config: Path, folder: Path, times: int) -> Cost:
    """What RSMTool's command costs; each run in a folder of its own, since rsmxval writes to no other."""
    program = peer_program(RSMTOOL, f"rsm{work}")
    costs = [cheapest_command([program, config, folder / f"peer-{work}-{number}"], 1) for number in range(times)]
    best = costs[0]
    for cost in costs[1:]:
        best = best.best(cost)
    return best


def _show_scoring(page: Page, folder: Path) -> None:
    """One response at a time, from Python."""
    from assay.io.models.feature_model import find_feature_model
    from assay.rsm.feature_model import LinearScorer

    scorer = LinearScorer.of(find_feature_model(folder / "ours-tool", "bench"))
    responses = feature_table(2000, seed=3).select(FEATURES).to_dicts()
    started = time.process_time()
    for response in responses:
        scorer.score(response)
    seconds = (time.process_time() - started) / len(responses)
    page.say(f"One response from Python, all six forms of the score: {seconds * 1e6:.1f} microseconds.")
    page.figure("one response from Python, ms", seconds * 1e3, most=MOST_MILLISECONDS)
