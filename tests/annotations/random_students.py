"""Students who err by chance, or in one certain way, for tests of what is said about them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tests.annotations.drawn import Drawn, box

Rng = np.random.Generator
LABELS = ("car", "van", "bus")


def city(rng: Rng, images: int = 20, objects: int = 6) -> list[Drawn]:
    """Objects of three classes in a row on each image, of different sizes, with a colour each."""
    drawn = []
    for image in range(images):
        for place in range(objects):
            w, h = rng.uniform(20, 120, size=2)
            label, color = str(rng.choice(LABELS)), str(rng.choice(["red", "blue"]))
            x, y = 150 * place + 10, rng.uniform(5, 400)
            drawn.append(box(f"{image:02}.jpg", label, x, y, x + w, y + h, color=color))
    return drawn


def careful(truth: list[Drawn], rng: Rng) -> list[Drawn]:
    """A student without habits: edges off by chance, a few objects missed, a few labels and colours wrong."""
    drawn = []
    for one in truth:
        if rng.random() < 0.05:
            continue
        left, top, right, bottom = one.box
        side = np.array([right - left, bottom - top] * 2)
        edges = np.array(one.box) + rng.normal(0, 0.03, 4) * side
        label = str(rng.choice(LABELS)) if rng.random() < 0.015 else one.label
        attributes = {} if rng.random() < 0.01 else one.attributes
        drawn.append(replace(one, box=tuple(edges.tolist()), label=label, attributes=attributes))
    return drawn


def changed(drawn: list[Drawn], change: Callable[[Drawn], Drawn | None]) -> list[Drawn]:
    """Each annotation as a habit changes it; None leaves it out."""
    return [new for old in drawn if (new := change(old)) is not None]
