"""Invented streets: twelve small pictures, made by a seeded generator and drawn pixel by pixel, and what is on them."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT, IMAGES = 640, 360, 12
SEED = 20_260_302

Colour = tuple[int, int, int]
Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]

PAINT: Mapping[str, Colour] = {
    "red": (178, 52, 46),
    "blue": (52, 98, 158),
    "white": (228, 226, 220),
    "black": (48, 48, 52),
    "green": (74, 122, 84),
}
LAMPS: Mapping[str, Colour] = {"red": (226, 60, 48), "amber": (240, 172, 48), "green": (70, 196, 110)}
WALLS: tuple[Colour, ...] = ((196, 148, 124), (200, 184, 152), (148, 156, 140), (160, 152, 150), (136, 148, 162))
CLOTHES: tuple[Colour, ...] = ((44, 62, 96), (196, 128, 60), (96, 52, 70), (60, 92, 84))


@dataclass(frozen=True, eq=False, slots=True)
class StreetObject:
    """Something to annotate: a box by two corners, or a polygon by its points."""

    image: int
    label: str
    points: Points
    attributes: Mapping[str, str | bool] = field(default_factory=dict)

    @property
    def is_box(self) -> bool:
        return len(self.points) == 2

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        (left, top), (right, bottom) = self.points.min(axis=0), self.points.max(axis=0)
        return float(left), float(top), float(right), float(bottom)


def street_objects() -> tuple[StreetObject, ...]:
    """Everything there is to annotate, image by image."""
    rng = np.random.default_rng(SEED)
    return tuple(thing for image in range(IMAGES) for thing in _on_one_street(rng, image))


def _on_one_street(rng: np.random.Generator, image: int) -> list[StreetObject]:
    objects: list[StreetObject] = []
    for top, scale, slots in ((228, 0.62, (20, 180, 340, 500)), (278, 1.0, (10, 230, 450))):
        for slot in slots:
            if rng.random() < 0.62:
                objects.append(_vehicle(rng, image, slot + float(rng.integers(0, 24)), top, scale))
    for slot in rng.choice(np.arange(24, 620, 44), size=rng.integers(2, 5), replace=False):
        objects.append(_pedestrian(rng, image, float(slot), float(rng.uniform(34, 50)), 216))
    for slot in rng.choice(np.arange(40, 600, 36), size=rng.integers(1, 4), replace=False):
        objects.append(_pedestrian(rng, image, float(slot + 14), float(rng.uniform(15, 20)), 200))
    for x in rng.choice((96, 250, 410, 560), size=rng.integers(1, 3), replace=False):
        objects.append(_traffic_light(rng, image, float(x)))
    if rng.random() < 0.6:
        objects.append(_stop_sign(image, float(rng.choice((40, 320, 600))), float(rng.uniform(8, 15))))
    return objects


def _vehicle(rng: np.random.Generator, image: int, left: float, top: float, scale: float) -> StreetObject:
    label = str(rng.choice(["car", "van", "cyclist"], p=[0.45, 0.37, 0.18]))
    width, height = {"car": (128, 44), "van": (132, 62), "cyclist": (58, 60)}[label]
    w, h = width * scale * rng.uniform(0.92, 1.08), height * scale * rng.uniform(0.95, 1.05)
    bottom = top + 46 * scale
    corners = np.round(np.array([[left, bottom - h], [left + w, bottom]], dtype=float), 1)
    hidden = bool(rng.random() < 0.2)
    if label == "cyclist":
        return StreetObject(image, label, corners, {"helmet": bool(rng.random() < 0.6), "hidden": hidden})
    return StreetObject(image, label, corners, {"colour": str(rng.choice(list(PAINT))), "hidden": hidden})


_RIGHT = [(0.58, 0), (0.62, 0.16), (0.8, 0.26), (0.9, 0.55), (0.72, 0.6), (0.86, 1), (0.62, 1), (0.5, 0.7)]
_LEFT = [(0.36, 1), (0.14, 1), (0.28, 0.58), (0.1, 0.54), (0.22, 0.26), (0.4, 0.16), (0.44, 0)]
_FIGURE = np.array([*_RIGHT, *_LEFT])
"""The outline of a person in a unit square."""


def _pedestrian(rng: np.random.Generator, image: int, x: float, height: float, feet: float) -> StreetObject:
    size = np.array([0.46 * height, height])
    points = np.round(_FIGURE * size + np.array([x, feet - height]), 1)
    return StreetObject(image, "pedestrian", points, {"hidden": bool(rng.random() < 0.15)})


def _traffic_light(rng: np.random.Generator, image: int, x: float) -> StreetObject:
    top = float(rng.uniform(92, 120))
    corners = np.round([[x, top], [x + 15, top + 38]], 1)
    return StreetObject(image, "traffic_light", corners, {"state": str(rng.choice(list(LAMPS)))})


def _stop_sign(image: int, x: float, radius: float) -> StreetObject:
    angle = np.pi / 8 + np.arange(8) * np.pi / 4
    points = np.column_stack([x + radius * np.cos(angle), 150 + radius * np.sin(angle)]).round(1).astype(np.float64)
    return StreetObject(image, "stop_sign", points)


# ---- drawing -------------------------------------------------------------------------------------------------------


def street_png(image: int, objects: Sequence[StreetObject]) -> bytes:
    """The picture of one street as a PNG file."""
    rng = np.random.default_rng(SEED + 1 + image)
    pixels = _background(rng)
    for thing in sorted((o for o in objects if o.image == image), key=lambda o: o.bounds[3]):
        _DRAW[thing.label](pixels, thing, rng)
    return png(pixels)


def png(pixels: Pixels) -> bytes:
    """An RGB picture as the bytes of a PNG file. Source: W3C, Portable Network Graphics, third edition."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter, 0 for none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in parts)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _background(rng: np.random.Generator) -> Pixels:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    share = np.linspace(0, 1, 216)[:, None]
    sky = (1 - share) * np.array([156, 186, 214]) + share * np.array([208, 222, 232])
    pixels[:216] = sky.astype(np.uint8)[:, None]
    x = 0
    while x < WIDTH:
        width = int(rng.integers(70, 130))
        _house(pixels, x, width, int(rng.integers(36, 110)), WALLS[rng.integers(len(WALLS))])
        x += width
    _fill(pixels, 0, 206, WIDTH, 222, (196, 190, 180))
    _fill(pixels, 0, 222, WIDTH, 332, (92, 94, 100))
    _fill(pixels, 0, 332, WIDTH, HEIGHT, (196, 190, 180))
    for left in range(10, WIDTH, 64):
        _fill(pixels, left, 268, left + 30, 271, (220, 218, 210))
    return pixels


def _house(pixels: Pixels, left: int, width: int, top: int, wall: Colour) -> None:
    _fill(pixels, left, top, left + width, 208, wall)
    _fill(pixels, left, top, left + width, top + 4, _darker(wall, 0.8))
    _fill(pixels, left + 6, 178, left + width - 6, 208, _darker(wall, 0.55))
    for y in range(top + 14, 160, 26):
        for x in range(left + 10, left + width - 16, 22):
            _fill(pixels, x, y, x + 11, y + 15, (124, 150, 172))


def _draw_car(pixels: Pixels, thing: StreetObject, _: np.random.Generator) -> None:
    left, top, right, bottom = thing.bounds
    w, h = right - left, bottom - top
    paint = PAINT[str(thing.attributes["colour"])]
    cabin = np.array([(0.2, 0.42), (0.3, 0), (0.7, 0), (0.84, 0.42)]) * (w, h) + (left, top)
    _polygon(pixels, cabin, paint)
    _polygon(pixels, (cabin - cabin.mean(axis=0)) * (0.84, 0.7) + cabin.mean(axis=0), (150, 178, 196))
    _fill(pixels, left, top + 0.4 * h, right, bottom - 0.14 * h, paint)
    _fill(pixels, left, bottom - 0.24 * h, right, bottom - 0.14 * h, _darker(paint, 0.75))
    _wheels(pixels, thing, 0.17 * h)


def _draw_van(pixels: Pixels, thing: StreetObject, _: np.random.Generator) -> None:
    left, top, right, bottom = thing.bounds
    w, h = right - left, bottom - top
    paint = PAINT[str(thing.attributes["colour"])]
    body = np.array([(0, 0), (0.74, 0), (0.9, 0.42), (1, 0.5), (1, 0.88), (0, 0.88)]) * (w, h) + (left, top)
    _polygon(pixels, body, paint)
    window = np.array([(0.7, 0.1), (0.76, 0.1), (0.88, 0.42), (0.7, 0.42)]) * (w, h) + (left, top)
    _polygon(pixels, window, (150, 178, 196))
    _fill(pixels, left + 0.08 * w, top + 0.18 * h, left + 0.58 * w, top + 0.38 * h, _darker(paint, 0.7))
    _wheels(pixels, thing, 0.15 * h)


def _wheels(pixels: Pixels, thing: StreetObject, radius: float) -> None:
    left, _, right, bottom = thing.bounds
    for share in (0.22, 0.78):
        centre = (left + share * (right - left), bottom - radius)
        _disc(pixels, *centre, radius, (34, 34, 38))
        _disc(pixels, *centre, 0.5 * radius, (168, 168, 172))


def _draw_cyclist(pixels: Pixels, thing: StreetObject, rng: np.random.Generator) -> None:
    left, top, right, bottom = thing.bounds
    w, h = right - left, bottom - top
    for share in (0.21, 0.79):
        _disc(pixels, left + share * w, bottom - 0.21 * w, 0.21 * w, (34, 34, 38))
        _disc(pixels, left + share * w, bottom - 0.21 * w, 0.15 * w, (108, 110, 116))
    body = np.array([(0.3, 0.66), (0.38, 0.26), (0.6, 0.2), (0.74, 0.46), (0.6, 0.48), (0.52, 0.86)])
    _polygon(pixels, body * (w, h) + (left, top), CLOTHES[rng.integers(len(CLOTHES))])
    _disc(pixels, left + 0.6 * w, top + 0.12 * h, 0.12 * h, (216, 172, 140))
    if thing.attributes["helmet"]:
        _fill(pixels, left + 0.6 * w - 0.13 * h, top, left + 0.6 * w + 0.13 * h, top + 0.12 * h, (60, 160, 140))


def _draw_pedestrian(pixels: Pixels, thing: StreetObject, rng: np.random.Generator) -> None:
    left, top, right, bottom = thing.bounds
    _polygon(pixels, thing.points, CLOTHES[rng.integers(len(CLOTHES))])
    _disc(pixels, (left + right) / 2, top + 0.08 * (bottom - top), 0.08 * (bottom - top), (216, 172, 140))


def _draw_light(pixels: Pixels, thing: StreetObject, _: np.random.Generator) -> None:
    left, top, right, bottom = thing.bounds
    _fill(pixels, (left + right) / 2 - 1.5, bottom, (left + right) / 2 + 1.5, 214, (70, 70, 74))
    _fill(pixels, left, top, right, bottom, (40, 40, 44))
    for place, (state, lamp) in enumerate(LAMPS.items()):
        lit = lamp if state == thing.attributes["state"] else _darker(lamp, 0.3)
        _disc(pixels, (left + right) / 2, top + 7 + 12 * place, 4.5, lit)


def _draw_sign(pixels: Pixels, thing: StreetObject, _: np.random.Generator) -> None:
    left, _top, right, bottom = thing.bounds
    _fill(pixels, (left + right) / 2 - 1, bottom, (left + right) / 2 + 1, 212, (90, 90, 94))
    _polygon(pixels, thing.points, (190, 48, 44))
    middle = thing.points.mean(axis=0)
    _fill(pixels, left + 3, middle[1] - 2, right - 3, middle[1] + 2, (240, 238, 232))


_DRAW = {
    "car": _draw_car,
    "van": _draw_van,
    "cyclist": _draw_cyclist,
    "pedestrian": _draw_pedestrian,
    "traffic_light": _draw_light,
    "stop_sign": _draw_sign,
}


def _darker(colour: Colour, share: float) -> Colour:
    r, g, b = (int(share * part) for part in colour)
    return r, g, b


def _fill(pixels: Pixels, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
    x1, x2 = (int(np.clip(round(x), 0, WIDTH)) for x in (left, right))
    y1, y2 = (int(np.clip(round(y), 0, HEIGHT)) for y in (top, bottom))
    pixels[y1:y2, x1:x2] = colour


def _disc(pixels: Pixels, x: float, y: float, radius: float, colour: Colour) -> None:
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    pixels[(columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2 <= radius**2] = colour


def _polygon(pixels: Pixels, points: Points, colour: Colour) -> None:
    """Pixels whose centre is inside, by counting the edges to the left of it."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH] + 0.5
    inside = np.zeros((HEIGHT, WIDTH), bool)
    for (x1, y1), (x2, y2) in zip(points, np.roll(points, -1, axis=0), strict=True):
        if y1 != y2:
            crosses = (rows < y1) != (rows < y2)
            inside ^= crosses & (columns > x1 + (rows - y1) * (x2 - x1) / (y2 - y1))
    pixels[inside] = colour
