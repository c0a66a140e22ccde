"""Reading, matching and scoring of annotations beside pycocotools, faster-coco-eval and hotcoco, in one run.

python benchmarks/bench_annotations.py                        some 3 minutes: 4,600 images, made-up objects
python benchmarks/bench_annotations.py --source COCO.json     the objects of a COCO file, tiled
python benchmarks/bench_annotations.py --images 500           smaller

Each tool runs in a process of its own, the peers in an environment of their own in .peers/annotations (made on the
first run; ASSAY_PEER_ANNOTATIONS names another). Seconds are processor seconds without imports: the least of so many
runs, the tools taking turns. Two comparisons, both with reading:

like for like       read both files and match at one threshold, all classes together (peer_coco.py says how)
as each is used     the peers: read and evaluate() as it comes; ours: read and score, with all that a report tells

Figures are reported, not asserted.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.annotation_files import Files, write_files
from benchmarks.peers import Peer, peer_program

PEERS = Peer(
    "annotations", ("pycocotools==2.0.11", "faster-coco-eval==1.8.0", "hotcoco==1.3.0"), "ASSAY_PEER_ANNOTATIONS"
)
TOOLS = ("pycocotools", "faster-coco-eval", "hotcoco")
TASKS = ("boxes", "polygons", "keypoints")
LONG = 20.0
"""A tool that takes more processor seconds than this on a task runs once: its figure need not be fine."""
HERE = Path(__file__).resolve().parent

Costs = dict[str, float | None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print Markdown."""
    options = _parser().parse_args(arguments)
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors, "
        f"{', '.join(PEERS.packages)}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        for task in options.tasks:
            files = write_files(Path(folder), task, images=options.images, source=options.source)
            costs = _measured(task, files, options.times)
            print(f"## {task}: {files.images:,} images, {files.objects:,} objects, {files.drawn:,} drawn\n")
            _show(costs)
            _show_students(task, files)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="a COCO instances file whose objects are tiled")
    parser.add_argument("--images", type=int, default=4600)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS)
    return parser


def _measured(task: str, files: Files, times: int) -> dict[str, Costs]:
    """The least each tool cost; a tool that fails on a task is left out, and said so."""
    python = peer_program(PEERS, "python")
    commands: dict[str, list[str | Path]] = {"assay": [sys.executable, HERE / "own_annotations.py"]}
    commands |= {name: [python, HERE / "peer_coco.py", name] for name in TOOLS}
    costs: dict[str, Costs] = {}
    for _ in range(times):
        for name, command in commands.items():
            if _sum(costs.get(name, {}), "whole", "standard") > LONG:
                continue
            done = subprocess.run(
                [*command, task, files.truth, files.student], capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(f"{name} failed on {task}: {done.stderr.strip().splitlines()[-1]}\n", file=sys.stderr)
                continue
            costs[name] = _least(costs.get(name), json.loads(done.stdout))
    return costs


def _least(before: Costs | None, now: Costs) -> Costs:
    if before is None:
        return now
    return {key: None if value is None else min(value, before[key] or value) for key, value in now.items()}


def _show(costs: dict[str, Costs]) -> None:
    ours = costs["assay"]
    alike, used = _sum(ours, "load", "match"), _sum(ours, "load", "score")
    print("| | read | match | read + match | times ours | as used | read + as used | times ours | peak MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, cost in costs.items():
        own = "score" if name == "assay" else "standard"
        both, whole = _sum(cost, "load", "match"), _sum(cost, "load", own)
        print(
            f"| {name} | {_sum(cost, 'load'):.3f} | {_sum(cost, 'match'):.3f} | {both:.3f} | {both / alike:.2f} "
            f"| {_sum(cost, own):.3f} | {whole:.3f} | {whole / used:.2f} | {_sum(cost, 'peak') / 2**20:.0f} |"
        )
    print()


def _sum(cost: Costs, *keys: str) -> float:
    return sum(cost.get(key) or 0.0 for key in keys)


def _show_students(task: str, files: Files) -> None:
    """What further students cost."""
    command: list[str | Path] = [sys.executable, HERE / "further_students.py", task, files.truth, files.student]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    print("| students against one prepared truth | read + score | per student |")
    print("|---|---|---|")
    for students, seconds in found["students"].items():
        print(f"| {students} | {seconds:.3f} | {seconds / int(students):.3f} |")
    print("\n| annotations of one student | read + score | microseconds each |")
    print("|---|---|---|")
    for drawn, seconds in found["shares"]:
        print(f"| {drawn:,} | {seconds:.3f} | {1e6 * seconds / drawn:.1f} |")
    first, later = (peak / 2**20 for peak in found["peak"])
    print(f"\nPeak memory: {first:.0f} MB after the first student, {later:.0f} MB after all.\n")


if __name__ == "__main__":
    sys.exit(main())
