"""What bears on a score beside the model itself, each named by version or digest, so that none is changed unseen."""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable

from assay.errors import InputError
from assay.essays.discourse.model import DiscourseModel
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.text.reader import MODEL

RULES = "rules"
"""Names the labeller that needs no weights."""
TITLES: Mapping[str, str] = {
    "reader": "the parser",
    "lexicons": "the word lists and rules of errors",
    "discourse": "the labeller of discourse elements",
    "traits": "the weights of language traits",
    "frequencies": "the word frequencies",
}
BY_TRAITS = ("hybrid", "calibrated")
"""The kinds of model that look at traits of language."""
ARRAYS = ("embedding", "embedding_bias", "mixing", "mixing_bias", "output", "links", "start", "end")


def reading_parts(labeller: DiscourseModel | None, kind: str = "hybrid") -> dict[str, str]:
    """The parts of this program, with the labeller given, that bear on scores by models of a kind."""
    parts = {**_installed_parts(), "discourse": labeller_digest(labeller)}
    return parts if kind in BY_TRAITS else {part: value for part, value in parts.items() if part != "traits"}


@cache
def _installed_parts() -> dict[str, str]:
    return {
        "reader": f"{MODEL} {_version(MODEL.replace('_', '-'))}",
        "lexicons": _digest([files("assay.essays.errors") / "lexicons", files("assay.essays.text") / "lexicons"]),
        "traits": _digest([files("assay.essays.models.hybrid") / "traits.npz"]),
        "frequencies": f"wordfreq {_version('wordfreq')}",
    }


@cache
def labeller_digest(labeller: DiscourseModel | None) -> str:
    """SHA-256 of the weights; `rules` where sentences are labelled by rules of place."""
    if labeller is None:
        return RULES
    total = sha256("\n".join([*sorted(labeller.names, key=labeller.names.__getitem__)]).encode())
    total.update("\n".join(sorted(labeller.common)).encode())
    for array in ARRAYS:
        total.update(getattr(labeller, array).astype("<f4").tobytes())
    return total.hexdigest()


def check_parts(stated: Mapping[str, str], labeller: DiscourseModel | None) -> None:
    """InputError if a model states other parts than this program has; a file that states none passes."""
    own = reading_parts(labeller)
    differing = [part for part, value in stated.items() if own.get(part) != value]
    if not differing:
        return
    first = differing[0]
    if first == "discourse" and labeller is None:
        raise InputError(
            "the model was trained with a labeller of discourse elements, and this copy of assay comes without",
            field="model",
            remedy="Install assay with its weights, or train the model again here.",
        )
    raise InputError(
        f"the model was trained with another version of {TITLES.get(first, first)} "
        f"({stated[first][:40]}; here it is {own.get(first, 'missing')[:40]})",
        field="model",
        remedy="Train the model again, or use the version of assay that wrote it.",
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _digest(places: list[Traversable]) -> str:
    total = sha256("\n".join(sorted(CATALOGUE)).encode())
    for place in places:
        for file in _files(place):
            total.update(file.name.encode())
            total.update(file.read_bytes())
    return total.hexdigest()


def _files(place: Traversable) -> Iterator[Traversable]:
    if place.is_file():
        yield place
        return
    for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
        if not entry.name.startswith(("NOTICE", ".", "__")):
            yield from _files(entry)
