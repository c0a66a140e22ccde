"""Is the habit of a student named, first and alone? `python -m accuracy.annotation_habits`.

Students are simulated: a ground truth is drawn, a student copies it with chance errors of every sort, and one habit is
laid over them. The habits, their ranges and the noise were written down before the advice was tuned. What was never
tuned on is apart: other seeds, other ground truths (many small objects, few images, outlines), further habits, and two
habits at once.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.feedback import Feedback, give_feedback
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import Polygon, ShapeKind

Rng = np.random.Generator
Floats = NDArray[np.float64]
COLORS = ("red", "blue", "white", "black")
COLUMNS = ("image", "box", "label", "color", "parked", "outline", "spokes")
CLASSES = ("car", "van", "bus", "cyclist")


@dataclass(frozen=True)
class Drawing:
    """What was drawn, in columns; boxes, or outlines of 12 points."""

    images: tuple[Image, ...]
    image: NDArray[np.int64]
    box: Floats
    label: NDArray[np.int64]
    color: NDArray[np.int64]
    """Place in COLORS; -1 for none."""
    parked: NDArray[np.bool_]
    outline: NDArray[np.bool_]
    spokes: Floats
    """(n, 12): how far the points of an outline lie from its centre, 0 to 1 of the half sides."""

    def __len__(self) -> int:
        return len(self.image)

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Drawing":
        return Drawing(self.images, **{name: getattr(self, name)[which] for name in COLUMNS})

    def annotations(self) -> AnnotationSet:
        """The same as a set."""
        n, rings = len(self), [_ring(box, spokes) for box, spokes in zip(self.box, self.spokes, strict=True)]
        bounds = self.box.copy()
        for i in np.flatnonzero(self.outline):
            bounds[i] = [*rings[i].min(axis=0), *rings[i].max(axis=0)]
        colors = [{} if c < 0 else {"color": COLORS[c]} for c in self.color.tolist()]
        return AnnotationSet(
            images=self.images,
            labels=CLASSES,
            image=self.image.astype(np.int32),
            label=self.label.astype(np.int32),
            kind=np.where(self.outline, ShapeKind.POLYGON, ShapeKind.BOX).astype(np.uint8),
            bounds=bounds,
            rotation=np.zeros(n),
            shape_of=lambda i: Polygon((rings[i],)),
            ids=[str(i + 1) for i in range(n)],
            attributes={i: {**colors[i], "parked": bool(self.parked[i])} for i in range(n)},
        )


def _ring(box: Floats, spokes: Floats) -> Floats:
    """An outline that touches all four edges of its box."""
    turn = np.linspace(0, 2 * np.pi, spokes.size, endpoint=False)
    ring = spokes[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    low, high = ring.min(axis=0), ring.max(axis=0)
    return np.asarray(box[:2] + (ring - low) / (high - low) * (box[2:] - box[:2]))


@dataclass(frozen=True)
class Scene:
    """How a ground truth is drawn."""

    images: int
    objects: int
    width: int
    height: int
    least: float
    most: float
    """Sides of objects in pixels, evenly by their logarithm."""
    outlines: bool = False


STREET = Scene(images=20, objects=8, width=1280, height=720, least=20, most=160)
OTHER_SCENES = {
    "many small objects": Scene(images=12, objects=25, width=1920, height=1080, least=14, most=70),
    "few images": Scene(images=8, objects=6, width=640, height=480, least=24, most=120),
    "outlines": Scene(images=20, objects=8, width=1280, height=720, least=30, most=180, outlines=True),
}


def ground_truth(rng: Rng, scene: Scene) -> Drawing:
    """Objects in cells of a grid, so that they hardly overlap; some classes are more frequent than others."""
    columns = int(np.ceil(np.sqrt(scene.objects * scene.width / scene.height)))
    rows = -(-scene.objects // columns)
    cell = np.array([scene.width / columns, scene.height / rows])
    image, boxes = [], []
    for number in range(scene.images):
        for place in rng.permutation(columns * rows)[: scene.objects].tolist():
            size = np.exp(rng.uniform(np.log(scene.least), np.log(scene.most)) + rng.normal(0, 0.2, 2))
            size = np.minimum(size, 0.95 * cell)
            corner = cell * (place % columns, place // columns) + rng.uniform(0, 1, 2) * (cell - size)
            image.append(number)
            boxes.append([*corner, *(corner + size)])
    n = len(image)
    return Drawing(
        images=tuple(Image(f"{i:03}.jpg", scene.width, scene.height) for i in range(scene.images)),
        image=np.array(image),
        box=np.array(boxes),
        label=rng.choice(4, n, p=[0.4, 0.25, 0.2, 0.15]),
        color=rng.integers(0, 4, n),
        parked=rng.random(n) < 0.5,
        outline=np.full(n, scene.outlines),
        spokes=rng.uniform(0.75, 1.0, (n, 12)),
    )


def noisy(truth: Drawing, rng: Rng) -> Drawing:
    """What a student without habits draws: every error by chance, at rates of her own."""
    n = len(truth)
    pixels, share = rng.uniform(0.5, 2.0), rng.uniform(0.01, 0.03)
    sides = np.tile(truth.box[:, 2:] - truth.box[:, :2], 2)
    edges = rng.normal(0, pixels, (n, 4)) + rng.normal(0, share, (n, 4)) * sides
    wrong_label, wrong_color, no_color, wrong_flag = (
        rng.random(n) < rng.uniform(0, rate) for rate in (0.02, 0.03, 0.02, 0.03)
    )
    color = np.where(wrong_color, rng.integers(0, 4, n), truth.color)
    drawn = replace(
        truth,
        box=truth.box + edges,
        label=np.where(wrong_label, rng.integers(0, 4, n), truth.label),
        color=np.where(no_color, -1, color),
        parked=truth.parked ^ wrong_flag,
        spokes=np.clip(truth.spokes + rng.normal(0, share, truth.spokes.shape), 0.5, 1.2),
    )
    seen = drawn.chosen(rng.random(n) >= rng.uniform(0.01, 0.08))
    twice = seen.chosen(rng.random(len(seen)) < rng.uniform(0, 0.01))
    return together(seen, twice, _invented(truth, rng, rng.uniform(0, 0.04)))


def _invented(truth: Drawing, rng: Rng, rate: float) -> Drawing:
    """Annotations where nothing is: of the size of some object, anywhere."""
    like = truth.chosen(rng.random(len(truth)) < rate)
    size = like.box[:, 2:] - like.box[:, :2]
    room = np.array([[truth.images[0].width, truth.images[0].height]]) - size
    corner = rng.random((len(like), 2)) * np.maximum(room, 0)
    return replace(like, box=np.hstack([corner, corner + size]), image=rng.integers(0, len(truth.images), len(like)))


def together(*drawings: Drawing) -> Drawing:
    joined = {name: np.concatenate([getattr(one, name) for one in drawings]) for name in COLUMNS}
    return Drawing(drawings[0].images, **joined)


# ---- habits: what a student draws -> what she draws with the habit ---------------------------------------------------

Habit = Callable[[Drawing, Rng], Drawing]


def _edges(drawn: Drawing, outward: Floats) -> Drawing:
    """Edges moved outward, in pixels; never through each other."""
    size = np.tile(drawn.box[:, 2:] - drawn.box[:, :2], 2)
    moved = np.maximum(outward, -0.4 * size) * np.array([-1.0, -1.0, 1.0, 1.0])
    return replace(drawn, box=drawn.box + moved)


def shift(drawn: Drawing, rng: Rng) -> Drawing:
    far, turn = rng.uniform(5, 12), rng.uniform(0, 2 * np.pi)
    return replace(drawn, box=drawn.box + far * np.tile([np.cos(turn), np.sin(turn)], 2))


def loose(drawn: Drawing, rng: Rng) -> Drawing:
    return _edges(drawn, np.full((len(drawn), 4), rng.uniform(4, 8)))


def gap(drawn: Drawing, rng: Rng) -> Drawing:
    outward = np.zeros((len(drawn), 4))
    outward[:, rng.integers(4)] = -rng.uniform(5, 9)
    return _edges(drawn, outward)


def tight(drawn: Drawing, rng: Rng) -> Drawing:
    return _edges(drawn, -rng.uniform(0.05, 0.1) * np.tile(drawn.box[:, 2:] - drawn.box[:, :2], 2))


def scaled_picture(drawn: Drawing, rng: Rng) -> Drawing:
    factor = 1 + rng.choice([-1, 1]) * rng.uniform(0.012, 0.04)
    return replace(drawn, box=drawn.box * factor)


def class_swap(drawn: Drawing, rng: Rng) -> Drawing:
    one, other = rng.permutation(4)[:2]
    swapped = (drawn.label == one) & (rng.random(len(drawn)) < rng.uniform(0.6, 1))
    return replace(drawn, label=np.where(swapped, other, drawn.label))


def constant_value(drawn: Drawing, rng: Rng) -> Drawing:
    return replace(drawn, color=np.full(len(drawn), rng.integers(4)))


def empty_value(drawn: Drawing, rng: Rng) -> Drawing:
    return replace(drawn, color=np.where(rng.random(len(drawn)) < rng.uniform(0.5, 1), -1, drawn.color))


def small_missed(drawn: Drawing, rng: Rng) -> Drawing:
    area = (drawn.box[:, 2:] - drawn.box[:, :2]).prod(axis=1)
    small = area <= np.quantile(area, rng.uniform(0.2, 0.33))
    return drawn.chosen(~(small & (rng.random(len(drawn)) < rng.uniform(0.8, 1))))


def side_missed(drawn: Drawing, rng: Rng) -> Drawing:
    axis = int(rng.integers(2))
    centre = (drawn.box[:, axis] + drawn.box[:, axis + 2]) / 2
    whole = (drawn.images[0].width, drawn.images[0].height)[axis]
    band = rng.uniform(0.15, 0.3) * whole
    near = centre < band if rng.random() < 0.5 else centre > whole - band
    return drawn.chosen(~(near & (rng.random(len(drawn)) < rng.uniform(0.85, 1))))


def duplicates(drawn: Drawing, rng: Rng) -> Drawing:
    again = drawn.chosen(rng.random(len(drawn)) < rng.uniform(0.1, 0.25))
    return together(drawn, replace(again, box=again.box + rng.normal(0, 1.5, again.box.shape)))


def wrong_tool(drawn: Drawing, rng: Rng) -> Drawing:
    return replace(drawn, outline=drawn.outline ^ (rng.random(len(drawn)) < rng.uniform(0.3, 1)))


EDGE_KINDS = ("left edge", "top edge", "right edge", "bottom edge")
HABITS: Mapping[str, tuple[Habit, Sequence[str]]] = {
    "everything shifted, 5 to 12 px": (shift, ("shift",)),
    "too loose, 4 to 8 px on each side": (loose, ("size",)),
    "a gap of 5 to 9 px on one side": (gap, EDGE_KINDS),
    "too tight, 5 to 10 % on each side": (tight, ("size",)),
    "picture scaled by 1.2 to 4 %": (scaled_picture, ("picture scale",)),
    "one class for another, 60 to 100 %": (class_swap, ("confusion",)),
    "an attribute always at one value": (constant_value, ("constant attribute",)),
    "an attribute left empty, 50 to 100 %": (empty_value, ("forgotten attribute",)),
    "small objects missed": (small_missed, ("small object",)),
    "one side of the image missed": (side_missed, ("region",)),
    "10 to 25 % drawn twice": (duplicates, ("duplicate",)),
    "wrong tool, 30 to 100 %": (wrong_tool, ("wrong tool",)),
}
"""Habit -> what it does, and the kinds of advice that name it."""


# ---- never tuned on ----------------------------------------------------------------------------------------------


def class_missed(drawn: Drawing, rng: Rng) -> Drawing:
    own = drawn.label == rng.integers(4)
    return drawn.chosen(~(own & (rng.random(len(drawn)) < rng.uniform(0.7, 1))))


def images_skipped(drawn: Drawing, rng: Rng) -> Drawing:
    skipped = rng.random(len(drawn.images)) < rng.uniform(0.25, 0.5)
    return drawn.chosen(~skipped[drawn.image])


def class_invented(drawn: Drawing, rng: Rng) -> Drawing:
    more = _invented(drawn, rng, rng.uniform(0.15, 0.3))
    return together(drawn, replace(more, label=np.full(len(more), rng.integers(4))))


def two_gaps(drawn: Drawing, rng: Rng) -> Drawing:
    outward = np.zeros((len(drawn), 4))
    outward[:, [0, 1] if rng.random() < 0.5 else [1, 2]] = -rng.uniform(5, 9)
    return _edges(drawn, outward)


def loose_by_share(drawn: Drawing, rng: Rng) -> Drawing:
    return _edges(drawn, rng.uniform(0.05, 0.15) * np.tile(drawn.box[:, 2:] - drawn.box[:, :2], 2))


def tight_pixels(drawn: Drawing, rng: Rng) -> Drawing:
    return _edges(drawn, np.full((len(drawn), 4), -rng.uniform(2.5, 5)))


def flag_always_set(drawn: Drawing, rng: Rng) -> Drawing:
    return replace(drawn, parked=np.full(len(drawn), bool(rng.integers(2))))


def far_shift(drawn: Drawing, rng: Rng) -> Drawing:
    far, turn = rng.uniform(12, 25), rng.uniform(0, 2 * np.pi)
    return replace(drawn, box=drawn.box + far * np.tile([np.cos(turn), np.sin(turn)], 2))


FURTHER_HABITS: Mapping[str, tuple[Habit, Sequence[str]]] = {
    "a class missed, 70 to 100 %": (class_missed, ("missed class",)),
    "25 to 50 % of the images skipped": (images_skipped, ("skipped images",)),
    "a class drawn where nothing is": (class_invented, ("extra class",)),
    "a gap of 5 to 9 px on two sides": (two_gaps, ("edges", *EDGE_KINDS)),
    "too loose, 5 to 15 % on each side": (loose_by_share, ("size",)),
    "too tight, 2.5 to 5 px on each side": (tight_pixels, ("size",)),
    "a checkbox always at one value": (flag_always_set, ("constant attribute",)),
    "everything shifted, 12 to 25 px": (far_shift, ("shift",)),
}
PAIRS = (
    ("too loose, 4 to 8 px on each side", "one class for another, 60 to 100 %"),
    ("everything shifted, 5 to 12 px", "small objects missed"),
    ("an attribute left empty, 50 to 100 %", "10 to 25 % drawn twice"),
)
"""Two habits at once: both should be named, and nothing else."""


def student(seed: int, scene: Scene, *habits: Habit) -> Feedback:
    """What a student with these habits is told."""
    rng = np.random.default_rng(seed)
    truth = ground_truth(rng, scene)
    drawn = noisy(truth, rng)
    for habit in habits:
        drawn = habit(drawn, rng)
    prepared = prepare_truth(truth.annotations())
    return give_feedback(score_submission(prepared, drawn.annotations()))


def kinds(feedback: Feedback) -> list[str]:
    return [advice.kind for advice in feedback.advice]


def named(habits: Mapping[str, tuple[Habit, Sequence[str]]], scene: Scene, seeds: range) -> dict[str, tuple[int, int]]:
    """Habit -> how many students have it named first, and alone."""
    counts = {}
    for name, (habit, right) in habits.items():
        told = [kinds(student(seed, scene, habit)) for seed in seeds]
        first = sum(bool(one) and one[0] in right for one in told)
        counts[name] = first, sum(len(one) == 1 and one[0] in right for one in told)
        others = sorted({kind for one in told for kind in one if kind not in right})
        silent = sum(not one for one in told)
        print(f"  {name:40} first {first:3}  alone {counts[name][1]:3}  of {len(told)}", end="")
        print(f"  silent {silent}; also {', '.join(others) or 'nothing'}")
    first, alone = (sum(one[k] for one in counts.values()) for k in (0, 1))
    total = len(seeds) * len(counts)
    print(f"  together: first {first} of {total} ({100 * first / total:.1f} %), alone {alone} ", end="")
    print(f"({100 * alone / total:.1f} %)")
    return counts


def alarms(scene: Scene, seeds: range) -> int:
    """How many students without habits are told of one."""
    told = [kinds(student(seed, scene)) for seed in seeds]
    count = sum(map(bool, told))
    said = sorted({kind for one in told for kind in one})
    print(f"  advice to {count} of {len(told)} ({100 * count / len(told):.1f} %): {', '.join(said) or 'none'}")
    return count


def both_named(scene: Scene, seeds: range) -> None:
    every = {**HABITS, **FURTHER_HABITS}
    for names in PAIRS:
        habits, right = zip(*(every[name] for name in names), strict=True)
        told = [kinds(student(seed, scene, *habits)) for seed in seeds]
        both = sum(all(set(own) & set(one) for own in right) for one in told)
        only = sum(len(one) == 2 and all(set(own) & set(one) for own in right) for one in told)
        print(f"  {names[0]}; {names[1]}: both {both}, both and nothing else {only}, of {len(told)}")


def main() -> None:
    print("12 habits, 20 seeds")
    named(HABITS, STREET, range(20))
    print("noise, 400 students")
    alarms(STREET, range(10_000, 10_400))
    if "--tuned" in sys.argv:
        return
    print("never tuned on: other seeds")
    named(HABITS, STREET, range(500, 520))
    print("never tuned on: further habits")
    named(FURTHER_HABITS, STREET, range(600, 620))
    for name, scene in OTHER_SCENES.items():
        print(f"never tuned on: {name}")
        named(HABITS, scene, range(700, 710))
        alarms(scene, range(20_000, 20_100))
    print("never tuned on: two habits at once")
    both_named(STREET, range(800, 820))


if __name__ == "__main__":
    main()
