"""Reading, matching and scoring of annotations beside pycocotools, faster-coco-eval and hotcoco.

Each tool runs in a process of its own, the peers in an environment of their own. Two comparisons, both with reading:

like for like       read both files and match at one threshold, all classes together (peer_coco.py says how)
as each is used     the peers: read and evaluate() as it comes; ours: read and score, with all that a report tells
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from assay.kernel import kernel
from benchmarks.annotation_files import Files, write_files
from benchmarks.annotation_growth import annotation_growth
from benchmarks.page import Effort, Page
from benchmarks.peers import Peer, peer_program

PEERS = Peer(
    "annotations", ("pycocotools==2.0.11", "faster-coco-eval==1.8.0", "hotcoco==1.3.0"), "ASSAY_PEER_ANNOTATIONS"
)
TOOLS = ("pycocotools", "faster-coco-eval", "hotcoco")
TASKS = ("boxes", "polygons", "keypoints", "masks")
IMAGES = {Effort.TINY: 6, Effort.QUICK: 400, Effort.WHOLE: 4600}
LONG = 20.0
"""A tool that takes more processor seconds than this on a task runs once: its figure need not be fine."""
HERE = Path(__file__).resolve().parent
REAL = HERE.parents[1] / "shared/golden/annotations/MiXaiLL76__faster_coco_eval"
SOURCE = REAL / "tests__dataset__cocoapi__instances_val2014_100.json"
MOST_UNEVEN = 1.5
MOST_GROWTH = 1.5
MOST_MEMORY = 1.5

Costs = dict[str, float | None]


def measure(page: Page) -> None:
    """Four tasks beside the peers, further students, growth."""
    page.say(
        f"Beside {', '.join(PEERS.packages).replace('==', ' ')}. Processor seconds of all threads, without imports, "
        "each tool in a process of its own, the least of three runs taken in turns. *Match* is like for like: one "
        "threshold (0.5), all classes together; ours is the optimal choice, the others' a greedy one. *As used* is "
        "what people run, and not the same work: `evaluate()` as it comes for the others (ten thresholds, four ranges "
        "of size, class by class), the score with all that a report tells for Assay. *Times ours* is the seconds of "
        "the tool divided by ours: **below 1 the tool is faster than Assay**. *Memory* is what reading and matching "
        "add to the process that has imported its libraries, at the most. Ours is the path that `assay annotations "
        f"score` and the web worker take, with rules in hand, {'with' if kernel() else 'without'} the compiled kernel."
    )
    source = SOURCE if SOURCE.exists() else None
    page.say(
        f"Objects: {'those of 100 images of COCO val2014, tiled' if source else 'made up'}; keypoints are made up."
    )
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        for task in TASKS:
            files = write_files(Path(folder), task, images=IMAGES[page.effort], source=source)
            _show(page, task, files)
            if page.effort is Effort.WHOLE:
                _show_students(page, task, files)
    if page.effort is not Effort.QUICK:
        _show_growth(page)


def _show(page: Page, task: str, files: Files) -> None:
    costs = _measured(page, task, files)
    ours = costs["Assay"]
    alike, used = _sum(ours, "load", "match"), _sum(ours, "load", "score")
    page.heading(f"{task.capitalize()}: {files.images:,} images, {files.objects:,} objects, {files.drawn:,} drawn")
    page.table(
        "", "read", "match", "read + match", "times ours", "as used", "read + as used", "times ours", "memory MB"
    )
    for name, cost in costs.items():
        own = "score" if name == "Assay" else "standard"
        both, whole = _sum(cost, "load", "match"), _sum(cost, "load", own)
        page.row(
            name,
            *(f"{_sum(cost, key):.3f}" for key in ("load", "match")),
            f"{both:.3f}",
            f"{both / alike:.2f}",
            f"{_sum(cost, own):.3f}",
            f"{whole:.3f}",
            f"{whole / used:.2f}",
            f"{_sum(cost, 'memory') / 2**20:.0f}",
        )
        if name != "Assay":
            page.figure(f"{task}, read + match: times faster than {name}", both / alike, least=_promised(task, name))
        if name == "hotcoco":
            share = _sum(ours, "memory") / _sum(cost, "memory")
            page.figure(f"{task}, read + match: memory over hotcoco's", share, most=MOST_MEMORY)
    page.end()


def _promised(task: str, name: str) -> float | None:
    """Half as fast again as hotcoco on everything, and boxes much faster than what everybody has."""
    if name == "hotcoco":
        return 1.5
    return None if task != "boxes" else 30 if name == "pycocotools" else 1


def _measured(page: Page, task: str, files: Files) -> dict[str, Costs]:
    """The least each tool cost; a tool that fails on a task is left out, and said so."""
    commands: dict[str, list[str | Path]] = {"Assay": [sys.executable, HERE / "own_annotations.py"]}
    if page.peers:
        python = peer_program(PEERS, "python")
        commands |= {name: [python, HERE / "peer_coco.py", name] for name in TOOLS}
    costs: dict[str, Costs] = {}
    for _ in range(1 if page.effort is Effort.TINY else 3):
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


def _sum(cost: Costs, *keys: str) -> float:
    return sum(cost.get(key) or 0.0 for key in keys)


def _show_students(page: Page, task: str, files: Files) -> None:
    """What further students cost."""
    command: list[str | Path] = [sys.executable, HERE / "further_students.py", task, files.truth, files.student]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    first, later = (peak / 2**20 for peak in found["peak"])
    page.say(
        f"One {task} student more, read and scored against one prepared ground truth, and one who drew part of it; "
        f"memory {first:.0f} MB after the first student, {later:.0f} MB after all:"
    )
    page.table("students", "CPU s each", "annotations of one student", "CPU s", "µs each")
    for (students, seconds), (drawn, part) in zip(found["students"].items(), found["shares"], strict=True):
        each = f"{seconds / int(students):.3f}"
        page.row(students, each, f"{drawn:,}", f"{part:.3f}", f"{1e6 * part / drawn:.1f}")
    page.end()


def _show_growth(page: Page) -> None:
    """The whole command on more and more submissions."""
    page.heading("Growth")
    page.say(
        "`assay annotations score` on one process: 40 images with 8 polygons each, more and more students, tables and "
        "report pages included."
    )
    page.table("submissions", "objects drawn", "wall, s", "CPU, s", "CPU per further submission, ms", "peak memory, MB")
    found = []
    for step in annotation_growth((2, 4, 8, 16) if page.effort is Effort.TINY else (10, 30, 100, 300)):
        further = "" if step.smaller is None else f"{1000 * step.cpu_per_submission:.0f}"
        cells = (f"{step.submissions:,}", f"{step.drawn:,}", f"{step.cost.wall:.2f}", f"{step.cost.cpu:.2f}")
        page.row(*cells, further, f"{step.cost.peak / 1e6:.0f}")
        page.grown("submissions", step.submissions, step.cost)
        found.append(step)
    page.end()
    each = [step.cpu_per_submission for step in found[1:]]
    sizes = f"{found[0].submissions} to {found[-1].submissions} submissions"
    page.figure(f"{sizes}: dearest further one over cheapest", max(each) / min(each), most=MOST_UNEVEN)
    first, last = found[0], found[-1]
    name = f"{last.submissions} submissions over {first.submissions}: peak memory"
    page.figure(name, last.cost.peak / first.cost.peak, most=MOST_GROWTH)
