"""What bears on a score beside the model itself, each named by version or digest, so that none is changed unseen."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

from assay.errors import InputError
from assay.essays.discourse.model import DiscourseModel
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.text.reader import MODEL

RULES = "rules"
"""Names the labeller that needs no weights; of another, the SHA-256 of its weights is stated."""
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
    return {part: value for part, value in _parts(labeller).items() if part != "traits" or kind in BY_TRAITS}


@cache
def _parts(labeller: DiscourseModel | None) -> Mapping[str, str]:
    versions = {}
    for package in (MODEL.replace("_", "-"), "wordfreq"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "unknown"
    lexicons = [files(f"assay.essays.{folder}") / "lexicons" for folder in ("errors", "text")]
    lists = [file for place in lexicons for file in sorted(place.iterdir(), key=lambda file: file.name)]
    digests = []
    for contents in (lists, [files("assay.essays.models.hybrid") / "traits.npz"]):
        digest = sha256("\n".join(sorted(CATALOGUE)).encode())
        for file in contents:
            if not file.name.startswith(("NOTICE", ".", "__")):
                digest.update(file.name.encode())
                digest.update(file.read_bytes())
        digests.append(digest.hexdigest())
    discourse = RULES
    if labeller is not None:
        digest = sha256("\n".join(sorted(labeller.names, key=labeller.names.__getitem__)).encode())
        digest.update("\n".join(sorted(labeller.common)).encode())
        for array in ARRAYS:
            digest.update(getattr(labeller, array).astype("<f4").tobytes())
        discourse = digest.hexdigest()
    return {
        "reader": f"{MODEL} {versions[MODEL.replace('_', '-')]}",
        "lexicons": digests[0],
        "traits": digests[1],
        "frequencies": f"wordfreq {versions['wordfreq']}",
        "discourse": discourse,
    }


def check_parts(stated: Mapping[str, str], labeller: DiscourseModel | None) -> None:
    """InputError if a model states other parts than this program has; a file that states none passes."""
    own = _parts(labeller)
    first = next((part for part, value in stated.items() if own.get(part) != value), None)
    if first is None:
        return
    if first == "discourse" and labeller is None:
        problem = "the model was trained with a labeller of discourse elements, and this copy of assay comes without"
        remedy = "Install assay with its weights, or train the model again here."
    else:
        problem = (
            f"the model was trained with another version of {TITLES.get(first, first)} "
            f"({stated[first][:40]}; here it is {own.get(first, 'missing')[:40]})"
        )
        remedy = "Train the model again, or use the version of assay that wrote it."
    raise InputError(problem, field="model", remedy=remedy)
