"""Shapes drawn over an image, as frozen values in the image's own coordinates."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from assay.errors import InputError

Role: TypeAlias = Literal["truth", "submission", "missed", "extra", "agreed"]
Place: TypeAlias = tuple[float, float]
"""x and y in pixels of the image."""

ROLE_WORDS: dict[Role, str] = {
    "truth": "ground truth",
    "submission": "submission",
    "missed": "missed",
    "extra": "extra",
    "agreed": "agreed",
}


@dataclass(frozen=True, slots=True)
class Photo:
    """The image itself, as the bytes of its file."""

    media: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Outline:
    """A line through points; a closed one ends where it began."""

    points: tuple[Place, ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class OverlayShape:
    """One annotation: lines, dots (points and joints), the part it plays, and words for who points at it."""

    role: Role
    outlines: tuple[Outline, ...] = ()
    dots: tuple[Place, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """A number beside a shape, which the table below the picture repeats; `more` goes when the page is narrow.

    x and y are shares of width and height. The pin stands above its place, and `left` of it where the image ends.
    """

    x: float
    y: float
    text: str
    more: str = ""
    left: bool = False
    below: bool = False


@dataclass(frozen=True, slots=True)
class Overlay:
    """Annotations over their image, or over a plain canvas of its size."""

    title: str
    says: str
    alt: str
    width: float
    height: float
    shapes: tuple[OverlayShape, ...]
    pins: tuple[Pin, ...] = ()
    photo: Photo | None = None
    words: tuple[tuple[Role, str], ...] = ()
    """What the roles are called in the key, where that is not their usual name."""

    def __post_init__(self) -> None:
        if not (self.title and self.says and self.alt):
            raise InputError(f"overlay {self.title!r} needs a title, a sentence that says what to see, and an alt text")
        if not (self.width > 0 and self.height > 0):
            raise InputError(f"overlay {self.title!r} has no size: {self.width} x {self.height}")

    @property
    def key(self) -> tuple[tuple[Role, str], ...]:
        """The roles that occur, in their usual order, with their words."""
        roles = {shape.role for shape in self.shapes}
        own = dict(self.words)
        return tuple((role, own.get(role, words)) for role, words in ROLE_WORDS.items() if role in roles)
