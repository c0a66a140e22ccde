"""The whole job from a CSV to a report: rsmeval, and ours with the same configuration or with options."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.measure import Cost, cheapest_command
from benchmarks.peers import RSMTOOL, peer_program
from benchmarks.responses import HIGHEST, LOWEST, write_experiment

ASSAY = (sys.executable, "-m", "assay")
COLUMNS = ("--human", "h1", "--second-human", "h2", "--system", "system", "--id", "response", "--groups", "language")
SCALE = ("--scale", f"{LOWEST}-{HIGHEST}")

RSMEVAL, RSM_EVAL, EVALUATE = "rsmeval", "assay rsm eval", "assay evaluate"


def whole_commands(rows: int, *, times: int, peer_times: int) -> Mapping[str, Cost]:
    """What each command costs, with its report, on the same table; `peer_times` 0 leaves rsmeval out."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        config = write_experiment(folder, rows)
        costs = {
            RSM_EVAL: cheapest_command([*ASSAY, "rsm", "eval", config, folder / "rsm", "-f"], times),
            EVALUATE: cheapest_command(
                [
                    *(*ASSAY, "evaluate", folder / "scores.csv", *COLUMNS, *SCALE),
                    *("--scale-with", folder / "train.csv", "--out", folder / "evaluation", "--force"),
                ],
                times,
            ),
        }
        if peer_times:
            rsmeval = peer_program(RSMTOOL, "rsmeval")
            costs[RSMEVAL] = cheapest_command([rsmeval, config, folder / "peer", "-f"], peer_times)
    return costs
