"""The trained discourse model as a small file: numpy's npz, half precision, never pickle."""

import io
import zipfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.essays.discourse.model import DiscourseModel

ARRAYS = ("embedding", "embedding_bias", "mixing", "mixing_bias", "output", "links", "start", "end")
PLACE = ("weights", "discourse.npz")


@cache
def bundled_discourse_model() -> DiscourseModel | None:
    """The model that comes with the package; None if the file was left out, as its license may require."""
    weights = files("assay.essays").joinpath(*PLACE)
    return read_discourse_model(weights.read_bytes(), name=PLACE[-1]) if weights.is_file() else None


def read_discourse_model(content: bytes, *, name: str) -> DiscourseModel:
    """A model from the bytes of its file."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {array: stored[array].astype(np.float32) for array in ARRAYS}
            names, common = (str(stored[words]).split("\n") for words in ("names", "common"))
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as broken:
        problem = f"does not hold a discourse model: {broken}"
        remedy = "Write it anew with training/train_discourse.py, or delete it to label sentences by rules."
        raise InputError(problem, source=name, remedy=remedy) from broken
    for array in arrays.values():
        array.flags.writeable = False
    return DiscourseModel(common=frozenset(common), names={n: row for row, n in enumerate(names)}, **arrays)


def write_discourse_model(model: DiscourseModel, path: Path) -> None:
    """The model in half precision; the file is the same for the same model."""
    stored = {array: getattr(model, array).astype(np.float16) for array in ARRAYS}
    names = sorted(model.names, key=model.names.__getitem__)
    np.savez_compressed(
        path, names=np.array("\n".join(names)), common=np.array("\n".join(sorted(model.common))), **stored
    )
