"""Run by another environment's Python: pycocotools, faster-coco-eval or hotcoco on one task; prints what it cost.

    python peer_coco.py TOOL TASK TRUTH STUDENT

`match` is the comparison our matching makes: objects of all classes together, one threshold (0.5), no limit on
detections or sizes; theirs is greedy, ours optimal. `standard` is evaluate() as it comes: ten thresholds, four ranges
of size, class by class. Imports are not counted; reading is.
"""

import contextlib
import json
import os
import resource
import sys
import time
from typing import Any

TYPES = {"boxes": "bbox", "polygons": "segm", "keypoints": "keypoints", "masks": "segm"}


def tool(name: str) -> tuple[Any, Any]:
    """The classes COCO and COCOeval of a tool."""
    if name == "hotcoco":
        import hotcoco  # type: ignore[import-not-found,unused-ignore]

        return hotcoco.COCO, hotcoco.COCOeval
    if name == "faster-coco-eval":
        import faster_coco_eval  # type: ignore[import-not-found,unused-ignore]

        return faster_coco_eval.COCO, faster_coco_eval.COCOeval_faster
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    return COCO, COCOeval


def main(name: str, task: str, truth: str, student: str) -> None:
    coco, evaluation = tool(name)
    imported = peak_memory()
    start = time.process_time()
    expected = coco(truth)
    found = coco(student) if task == "polygons" else expected.loadRes(student)
    loaded = time.process_time()
    run = evaluation(expected, found, TYPES[task])
    settings = run.params
    # there is one class of skeletons, and faster-coco-eval cannot join classes there
    settings.useCats = task == "keypoints"
    settings.iouThrs = [0.5] if name == "hotcoco" else _array([0.5])
    settings.areaRng = [[0.0, 1e10]]
    settings.areaRngLbl = ["all"]
    settings.maxDets = [10_000]
    with contextlib.suppress(AttributeError):
        run.params = settings
    run.evaluate()
    done = time.process_time()
    cost = {"load": loaded - start, "match": done - loaded, "whole": done, "memory": peak_memory() - imported}
    evaluation(expected, found, TYPES[task]).evaluate()
    cost["standard"] = time.process_time() - done
    os.write(result, json.dumps(cost).encode())


def peak_memory() -> int:
    """Bytes at the most. The figure of getrusage would count the process that started us, too."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - a stream, not a file
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _array(values: list[float]) -> Any:
    import numpy as np

    return np.array(values)


if __name__ == "__main__":
    # what the tools print goes nowhere; the result alone goes to the one who asked
    result = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    main(*sys.argv[1:])
