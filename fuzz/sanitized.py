"""The compiled kernel under AddressSanitizer and UndefinedBehaviorSanitizer, on hostile bytes and hostile arrays.

    python -m fuzz.sanitized --count 50000     # make fuzz-kernel

Builds the kernel with both sanitizers (Linux, gcc or clang), then tries it in a process of its own: COCO files that a
mutator has changed, fed in pieces of any size, with every column looked at; and columns of masks, rings, rectangles and
skeletons with numbers that no file should hold. A sanitizer that finds anything ends the process, and the input that
did it is in out/fuzz/kernel.bin. Python's own refusals (ValueError, IndexError, TypeError) are what should happen.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from assay.kernel import Kernel
from fuzz import mutate
from fuzz import seed_annotations as seeds
from hatch_build import SANITIZE, BuildError, build

ROOT = Path(__file__).resolve().parents[1]
LAST = ROOT / "out" / "fuzz" / "kernel.bin"
COLUMNS = (
    *("id", "image", "category", "flags", "box", "area", "score", "rings", "ring_numbers", "numbers"),
    *("keypoint_count", "points", "visibility", "mask_owner", "mask_size", "mask_runs", "runs", "mask_figures"),
    *("attribute_owner", "attribute_end", "attribute_text", "around"),
)
ODD_FLOATS = (0.0, -0.0, 1.0, 0.5, -3.25, 1e7, -1e7, 1e300, -1e300, 5e-324, np.inf, -np.inf, np.nan)
ODD_WHOLES = (0, 1, 2, 3, -1, 7, 1 << 31, 1 << 40, 1 << 62, -(1 << 62))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernel", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.kernel:
        print(json.dumps(_tried(_loaded(asked.kernel), asked.count, asked.seed)))
        return
    LAST.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="assay-kernel-") as folder:
        try:
            built = build(Path(folder) / "_kernel.abi3.so", flags=SANITIZE)
        except BuildError as problem:
            sys.exit(f"The sanitized kernel was not built: {problem}")
        environment = {
            **os.environ,
            "LD_PRELOAD": _library("libasan.so"),
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:abort_on_error=1",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
            "PYTHONMALLOC": "malloc",
        }
        again = [sys.executable, "-m", "fuzz.sanitized", "--kernel", str(built), "--count", str(asked.count)]
        sys.exit(subprocess.run([*again, "--seed", str(asked.seed)], env=environment, check=False, cwd=ROOT).returncode)


def _library(name: str) -> str:
    compiler = os.environ.get("CC", "cc").split()[0]
    done = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _loaded(path: Path) -> Kernel:
    spec = spec_from_file_location("assay._kernel", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    sys.modules["assay._kernel"] = module
    spec.loader.exec_module(module)
    kernel: Kernel = module
    return kernel


def _tried(kernel: Kernel, count: int, seed: int) -> dict[str, int]:
    """How many inputs of each kind came to which end."""
    rng, ends = Random(seed), Counter[str]()
    corpus = [*seeds.coco(), *seeds.coco_results(), *_generated(rng)]
    for number in range(count):
        content = corpus[rng.randrange(len(corpus))]
        for _ in range(rng.randrange(4)):
            content = mutate.mutate_json(content, rng) if rng.random() < 0.6 else mutate.damage(content, rng)
        LAST.write_bytes(content)
        outcome = _scanned(kernel, content, rng)
        ends[f"text {outcome}"] += 1
        if outcome == "fine" and len(corpus) < 2_000:  # what is read is mutated further
            corpus.append(content)
        arrays = np.random.default_rng([seed, number])
        LAST.write_bytes(f"arrays {seed} {number}".encode())
        for name, call in ARRAYS.items() if number % 4 == 0 else ():
            try:
                call(kernel, arrays)
                ends[f"{name} computed"] += 1
            except (ValueError, IndexError, TypeError, MemoryError):
                ends[f"{name} refused"] += 1
    return dict(sorted(ends.items()))


def _generated(rng: Random) -> list[bytes]:
    """Files that are as they should be, with everything that the kernel reads in them."""
    files = []
    for size in (1, 5, 40):
        rows: list[dict[str, Any]] = []
        for k in range(size):
            row: dict[str, Any] = {
                "id": k,
                "image_id": 1,
                "category_id": 1,
                "bbox": [rng.random() * 99 for _ in range(4)],
            }
            kind = k % 4
            if kind == 1:
                row["segmentation"] = [[round(rng.random() * 99, rng.randrange(17)) for _ in range(12)]]
            elif kind == 2:
                row["segmentation"] = {"size": [4, 5], "counts": rng.choice([[3, 4, 13], "34=", "0d0"])}
            elif kind == 3:
                row["keypoints"] = [rng.choice([rng.randrange(3), 2.0, rng.uniform(-9, 640)]) for _ in range(51)]
            rows.append(row | rng.choice([{}, {"attributes": {"a": "b"}}, {"area": 10.0 ** rng.randrange(-30, 30)}]))
        images, categories = [{"id": 1, "file_name": "a.jpg"}], [{"id": 1, "name": "x"}]
        whole = {"images": images, "annotations": rows, "categories": categories}
        files += [json.dumps(whole).encode(), json.dumps(rows, indent=rng.choice([None, 1])).encode()]
    return files


def _scanned(kernel: Kernel, content: bytes, rng: Random) -> str:
    scan = kernel.Scan(content[:1] == b"[", rng.choice([3, 1000]), rng.choice([5, 10_000]), rng.choice([5, 10_000]))
    place, outcome = 0, "fine"
    while place < len(content) and outcome == "fine":
        size = rng.choice([1, 2, 7, 8, 64, 1 << 12])
        outcome = scan.feed(content[place : place + size])
        place += size
    outcome = scan.finish()
    for name in COLUMNS:
        sum(memoryview(scan.take(name)).cast("B")[:64])
    return outcome


def _floats(rng: np.random.Generator, *shape: int) -> np.ndarray:
    numbers = rng.uniform(-50, 50, shape).round(int(rng.integers(0, 4)))
    if rng.random() < 0.3:
        odd = rng.random(shape) < 0.2
        numbers[odd] = rng.choice(ODD_FLOATS, int(odd.sum()))
    return numbers


def _wholes(rng: np.random.Generator, n: int, most: int) -> np.ndarray:
    numbers = rng.integers(0, max(most, 0) + 1, n)
    if rng.random() < 0.1 and n:
        numbers[rng.integers(0, n)] = rng.choice(ODD_WHOLES)
    return numbers.astype(np.int64)


def _drawn(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Rings and shapes end to end, as they should be for the most part."""
    rings, shapes, points = (int(rng.integers(0, most)) for most in (6, 5, 40))
    ring, shape = np.sort(_wholes(rng, rings + 1, points)), np.sort(_wholes(rng, shapes + 1, rings))
    if rng.random() < 0.8:
        ring[0], ring[-1], shape[0], shape[-1] = (0, points if rings else 0, 0, rings if shapes else 0)
    return _floats(rng, points, 2), ring, shape, rng.random(rings) < 0.2


def _masks(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Masks whose runs fill them as they should, as a rule; every fourth time with a number that is out of place."""
    rows = [_mask(rng) for _ in range(int(rng.integers(0, 7)))]
    runs = [np.asarray(row[0], np.uint32) for row in rows]
    lengths = np.concatenate(runs) if runs else np.zeros(0, np.uint32)
    count = np.array([len(row) for row in runs], np.int64)
    numbers = [np.cumsum(count) - count, count, *(np.array([row[1][k] for row in rows], np.int64) for k in range(3))]
    if rows and rng.random() < 0.25:
        numbers[int(rng.integers(0, 5))][int(rng.integers(0, len(rows)))] = rng.choice(ODD_WHOLES)
    return lengths, *numbers


def _mask(rng: np.random.Generator) -> tuple[list[int], tuple[int, int, int]]:
    """Runs of one mask, empty ones among them, that end where the mask ends; left, top, height."""
    width, height = (int(rng.choice([1, 2, 7, 60, 40_000])) for _ in range(2))
    cuts = np.sort(rng.integers(0, width * height + 1, int(rng.integers(0, 40))))
    left, top = (int(rng.choice([0, 0, 3, -2, 500])) for _ in range(2))
    return np.diff([0, *cuts, width * height]).tolist(), (left, top, height)


def _side(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = int(rng.integers(0, 120))
    return _floats(rng, n, 4), _floats(rng, n), _wholes(rng, n, 2) - (rng.random(n) < 0.1)


def _outlines(kernel: Kernel, rng: np.random.Generator) -> None:
    one, two = _drawn(rng), _drawn(rng)
    n, m = len(one[2]) - 1, len(two[2]) - 1
    kernel.bounds(one, np.zeros((n, 4)))
    kernel.outline_figures(one, np.zeros(n, np.int64), np.zeros(n), np.zeros((n, 4)))
    kernel.winding(one, np.zeros(n), np.zeros(n))
    pairs = int(rng.integers(0, 9)) if n and m else 0
    kernel.common_areas(one, two, _wholes(rng, pairs, n - 1), _wholes(rng, pairs, m - 1), np.zeros(pairs))


def _crossing(kernel: Kernel, rng: np.random.Generator) -> None:
    points, ring, _, _ = _drawn(rng)
    kernel.self_crossing(points, ring, np.zeros(len(ring) - 1, np.uint8), int(rng.choice([0, 10, 10**6])))


def _pixels(kernel: Kernel, rng: np.random.Generator) -> None:
    one, two = _masks(rng), _masks(rng)
    n, m = len(one[1]), len(two[1])
    pairs = int(rng.integers(0, 9)) if n and m else 0
    kernel.mask_figures(one, np.zeros(n), np.zeros((n, 4)))
    kernel.common_pixels(one, two, _wholes(rng, pairs, n - 1), _wholes(rng, pairs, m - 1), np.zeros(pairs))


def _rectangles(kernel: Kernel, rng: np.random.Generator) -> None:
    one, two, limits = _side(rng), _side(rng), (int(rng.choice([3, 10**5])), int(rng.choice([3, 10**6])))
    kernel.overlapping(one[0], one[2], two[0], two[2], 3, *limits)
    kernel.box_candidates(*one, *two, 3, float(rng.choice([0.0, 0.5])), *limits)


def _skeletons(kernel: Kernel, rng: np.random.Generator) -> None:
    n, m, points, pairs = (int(rng.integers(least, 9)) for least in (0, 0, 1, 0))
    seen = [rng.integers(-1, 3, (k, points)).astype(np.int8) for k in (n, m)]
    kernel.poses(_floats(rng, n, points, 2), seen[0], np.zeros(n, np.bool_), np.zeros((n, 4)))
    tables = [(_floats(rng, k, points, 2), flags > 0) for k, flags in zip((n, m), seen, strict=True)]
    pairs = pairs if n and m else 0
    where = (_wholes(rng, pairs, n - 1), _wholes(rng, pairs, m - 1), _floats(rng, pairs))
    near, weight, counted = np.zeros((pairs, points)), np.zeros((pairs, points)), np.zeros(pairs, np.int64)
    kernel.keypoint_exponents(*tables[0], *tables[1], _floats(rng, points), *where, near, weight, counted)


def _near_skeletons(kernel: Kernel, rng: np.random.Generator) -> None:
    n, m, points = (int(rng.integers(least, 9)) for least in (0, 0, 1))
    tables = [(_floats(rng, k, points, 2), rng.random((k, points)) < 0.7) for k in (n, m)]
    ends = np.sort(np.stack([_wholes(rng, n, m), _wholes(rng, n, m)]), axis=0)
    columns = kernel.near_skeletons(
        *tables[0], *tables[1], _floats(rng, points), _floats(rng, n), ends[0], ends[1], float(rng.choice(ODD_FLOATS))
    )
    sum(memoryview(columns[0]).cast("B"))


def _choices(kernel: Kernel, rng: np.random.Generator) -> None:
    n = int(rng.integers(0, 40))
    t, s = (rng.integers(-(rng.random() < 0.1), 12, n).astype(np.int32) for _ in range(2))
    kernel.plain_pairs(t, s, _floats(rng, n), np.full(n, 2, np.uint8))
    kernel.runs_of_text(rng.integers(40, 120, n).astype(np.uint8).tobytes())


ARRAYS = {
    "outlines": _outlines,
    "crossing": _crossing,
    "masks": _pixels,
    "rectangles": _rectangles,
    "skeletons": _skeletons,
    "near skeletons": _near_skeletons,
    "choices": _choices,
}

if __name__ == "__main__":
    main()
