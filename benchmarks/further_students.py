"""Run by bench_annotations as a process of its own: what further students cost once the ground truth is prepared.

python further_students.py TASK TRUTH STUDENT

`students`: reading and scoring so many submissions, one after the other; `shares`: one who drew only part of the
images. Each is the least of three.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.annotations.files import read_annotations
from benchmarks.measure import cheapest
from benchmarks.own_annotations import read_both
from benchmarks.peer_coco import peak_memory

STUDENTS = (1, 2, 4, 8)
PARTS = (8, 4, 2, 1)
"""One image in so many."""


def main(_task: str, truth: str, student: str) -> None:
    expected, found = read_both(truth, student)
    begin = time.process_time()
    prepared = prepare_truth(expected)
    score_submission(prepared, found)  # what is made of the truth when first asked for is kept
    before, peak = time.process_time() - begin, peak_memory()
    seconds = {n: _seconds(prepared, [Path(student)] * n, expected) for n in STUDENTS}
    held = peak_memory()
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            file = Path(folder) / f"{part}.json"
            drawn = _write_part(Path(student), part, file)
            shares.append((drawn, _seconds(prepared, [file], expected)))
    print(json.dumps({"first": before, "students": seconds, "shares": shares, "peak": [peak, held]}))


def _seconds(truth: PreparedTruth, students: list[Path], like: AnnotationSet) -> float:
    def grades() -> list[float]:
        read = (read_annotations(file, like=like) for file in students)
        return [score_submission(truth, submission).overall for submission in read]

    return cheapest(grades, 3)[1].cpu


def _write_part(student: Path, part: int, file: Path) -> int:
    """The annotations of one image in so many; how many there are."""
    whole: Any = json.loads(student.read_bytes())
    rows = whole if isinstance(whole, list) else whole["annotations"]
    drawn = [row for row in rows if row["image_id"] % part == 0]
    file.write_text(json.dumps(drawn if isinstance(whole, list) else {**whole, "annotations": drawn}), encoding="utf-8")
    return len(drawn)


if __name__ == "__main__":
    main(*sys.argv[1:])
