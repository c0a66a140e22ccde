"""Evaluation beside RSMTool 12 and scikit-learn on the same scores, and on ever larger tables."""

from collections.abc import Sequence

from benchmarks.growth import Growth, growth
from benchmarks.measure import start_of_numpy
from benchmarks.metric_work import TOLERANCE, metric_work
from benchmarks.page import Effort, Page
from benchmarks.sklearn_metrics import sklearn_metrics
from benchmarks.whole_command import EVALUATE, RSM_EVAL, RSMEVAL, whole_commands

LEAST_METRIC_RATIO = 100
LEAST_COMMAND_RATIO = 32
MOST_MEMORY_SHARE = 1 / 4
MOST_UNEVEN = 1.5
"""How much dearer a row may be in one table than in another."""
MOST_MEMORY = 1000
"""Megabytes, however many rows."""

METRIC_ROWS = {Effort.TINY: (1000,), Effort.QUICK: (10**4,), Effort.WHOLE: (10**4, 10**5, 10**6)}
MOST_PEER_ROWS = 10**5
"""RSMTool needs ten minutes for a million."""
GROWTH_ROWS = {Effort.TINY: (1000,), Effort.QUICK: (), Effort.WHOLE: (10**5, 10**6, 10**7, 10**8)}


def measure(page: Page) -> None:
    """Metrics in memory, whole commands, growth."""
    show_metrics(page)
    show_sklearn(page)
    show_commands(page)
    if GROWTH_ROWS[page.effort]:
        show_growth(page)


def show_metrics(page: Page) -> None:
    """The metric work of both tools, size by size."""
    page.heading("Metrics on scores in memory")
    page.say(
        "Assay and RSMTool 12.0.0 get the same columns and give the same figures: six forms of the score, human-human, "
        "true score, ten groups, fairness. Reading, writing, report and imports do not count. Assay gives a 95 % "
        "interval for every figure, and rank correlations, alpha, ICC and AC besides; these are in its time, and "
        "RSMTool has none of them. About 0.08 s of it do not depend on the number of responses."
    )
    page.table("rows", "Assay, s", "RSMTool, s", "times faster", "times less CPU", "figures compared", "apart at most")
    for rows in METRIC_ROWS[page.effort]:
        asked = page.peers and rows <= MOST_PEER_ROWS
        work = metric_work(rows, times=5, peer_times=(2 if page.effort is Effort.WHOLE else 1) * asked)
        ours, theirs = work.ours, work.rsmtool
        if theirs is None:
            page.row(f"{rows:,}", f"{ours.wall:.3f}", *[None] * 5)
            continue
        faster, less = theirs.wall / ours.wall, theirs.cpu / ours.cpu
        page.row(
            f"{rows:,}",
            f"{ours.wall:.3f}",
            f"{theirs.wall:.2f}",
            f"{faster:.0f}",
            f"{less:.0f}",
            work.figures,
            f"{work.apart:.0e}",
        )
        if page.effort is Effort.WHOLE:
            page.figure(f"{rows:,} rows: difference from RSMTool's figures", work.apart, most=TOLERANCE)
        page.figure(
            f"{rows:,} rows: times less CPU than RSMTool", less, least=LEAST_METRIC_RATIO if rows >= 10**5 else None
        )
    page.end()


def show_sklearn(page: Page) -> None:
    """Five metrics beside scikit-learn."""
    rows = {Effort.TINY: 1000, Effort.QUICK: 10**5, Effort.WHOLE: 10**6}[page.effort]
    both = sklearn_metrics(rows, times=5)
    page.say("QWK, kappa, exact agreement, MSE and R² alone, beside five calls of scikit-learn:")
    page.table("rows", "Assay, CPU s", "scikit-learn, CPU s", "times less CPU", "apart at most")
    less = both.theirs.cpu / both.ours.cpu
    page.row(f"{rows:,}", f"{both.ours.cpu:.4f}", f"{both.theirs.cpu:.4f}", f"{less:.1f}", f"{both.apart:.0e}")
    page.end()
    page.figure(f"five metrics of {rows:,} rows: times less CPU than scikit-learn", less, least=1)


def show_commands(page: Page) -> None:
    """The whole commands, report and all."""
    rows = 1000 if page.effort is Effort.TINY else 10**4
    times = 3 if page.effort is Effort.WHOLE else 2
    costs = whole_commands(rows, times=times, peer_times=2 if page.peers and page.effort is Effort.WHOLE else 0)
    peer = costs.get(RSMEVAL)
    page.heading("From a CSV to the report")
    page.say(
        f"The whole command on the same {rows:,} rows, with a file to learn the scaling from: start, read, compute, "
        "write all tables and the report. `assay rsm eval` takes rsmeval's own configuration file. Memory is that of "
        "the process and its children together; a report of RSMTool runs a notebook in a second process. Half of "
        "Assay's CPU time is Python importing numpy, SciPy, Polars and the command line."
    )
    page.table("command", "wall, s", "CPU, s", "peak memory, MB", "times faster", "times less CPU", "share of memory")
    for name, cost in costs.items():
        measured = (f"`{name}`", f"{cost.wall:.2f}", f"{cost.cpu:.2f}", f"{cost.peak / 1e6:.0f}")
        if peer is None or cost is peer:
            page.row(*measured, None, None, None)
            continue
        faster, less, share = peer.wall / cost.wall, peer.cpu / cost.cpu, cost.peak / peer.peak
        page.row(*measured, f"{faster:.0f}", f"{less:.0f}", f"{share:.2f}")
        page.figure(f"`{name}`: times less CPU than rsmeval", less, least=LEAST_COMMAND_RATIO)
        page.figure(f"`{name}`: share of rsmeval's memory", share, most=MOST_MEMORY_SHARE)
    page.end()
    if page.effort is Effort.QUICK:
        quick_commands(page, costs[EVALUATE].cpu, costs[RSM_EVAL].cpu)


def quick_commands(page: Page, evaluate: float, rsm_eval: float) -> None:
    """Without RSMTool a bare Python with numpy is the yardstick."""
    yardstick = start_of_numpy()
    page.figure("`assay evaluate`, 10,000 rows: CPU of so many starts of numpy", evaluate / yardstick, most=40)
    page.figure("`assay rsm eval`, 10,000 rows: CPU of so many starts of numpy", rsm_eval / yardstick, most=40)


def show_growth(page: Page) -> None:
    """Ours on ever larger tables."""
    page.heading("Growth")
    page.say(
        "`assay evaluate` on Parquet with ids (checked for repeats), two raters, a system score and ten groups, "
        "report included. Above 16 MB a file is read as a stream. What is left to grow with the rows is the check for "
        "repeated ids: beyond 5 million, their hashes wait in 64 temporary files, 8 bytes a row, and one file at a "
        "time is sorted in memory; without `--id` it is nothing. The last column is a floor: Polars reading the same "
        "file for seven plain figures by group."
    )
    heads = ("rows", "file, MB", "wall, s", "CPU, s", "CPU per further row, µs", "rows per second", "peak memory, MB")
    page.table(*heads, "group-by alone, CPU s")
    found = []
    for step in growth(GROWTH_ROWS[page.effort]):
        page.row(*_growth_cells(step))
        page.grown("rows", step.rows, step.ours)
        found.append(step)
    page.end()
    _growth_figures(page, found)


def _growth_cells(step: Growth) -> Sequence[str]:
    return (
        f"{step.rows:,}",
        f"{step.file_bytes / 1e6:.0f}",
        f"{step.ours.wall:.2f}",
        f"{step.ours.cpu:.2f}",
        "" if step.smaller is None else f"{step.cpu_per_row:.2f}",
        f"{step.rows_per_second:.1e}",
        f"{step.ours.peak / 1e6:.0f}",
        f"{step.group_by.cpu:.2f}",
    )


def _growth_figures(page: Page, found: Sequence[Growth]) -> None:
    per_row = [step.cpu_per_row for step in found[1:]]
    if len(per_row) > 1:
        sizes = f"{found[0].rows:,} to {found[-1].rows:,} rows"
        page.figure(f"{sizes}: dearest further row over cheapest", max(per_row) / min(per_row), most=MOST_UNEVEN)
    peak = max(step.ours.peak for step in found) / 1e6
    page.figure(f"{found[-1].rows:,} rows: peak memory, MB", peak, most=MOST_MEMORY)
