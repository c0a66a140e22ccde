"""The weights file of the discourse model."""

import zipfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.discourse.model import DiscourseModel
from assay.io.models.scoring_models import (
    ARRAYS,
    bundled_discourse_model,
    read_discourse_model,
    write_discourse_model,
)

WEIGHTS = files("assay_essays_nc")
SHAPES = ((2, 9), (9,), (7, 1), (1,), (1, 8), (2, 8, 8), (8,), (8,))


def small_model() -> DiscourseModel:
    arrays = {name: np.full(shape, 0.5, dtype=np.float32) for name, shape in zip(ARRAYS, SHAPES, strict=True)}
    return DiscourseModel(common=frozenset({"the", ","}), names={"bias": 0, "opens:the NN": 1}, **arrays)


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    write_discourse_model(small_model(), path)

    read = read_discourse_model(path.read_bytes(), name="model.npz")

    assert read.common == {"the", ","}
    assert read.names == {"bias": 0, "opens:the NN": 1}
    assert read.mixing.tolist() == small_model().mixing.tolist()
    assert read.mixing.dtype == np.float32


@pytest.mark.parametrize("content", [b"", b"not a model", b"PK\x03\x04 broken"])
def test_a_broken_file_says_how_to_mend_it(content: bytes) -> None:
    with pytest.raises(InputError, match=r"model\.npz: does not hold a discourse model.*train_discourse"):
        read_discourse_model(content, name="model.npz")


def test_a_file_without_an_array_says_which(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    np.savez(path, names=np.array("bias"), common=np.array("the"))

    with pytest.raises(InputError, match="embedding"):
        read_discourse_model(path.read_bytes(), name="model.npz")


def test_the_packaged_weights_are_small_and_have_a_notice_of_origin_and_licence() -> None:
    if bundled_discourse_model() is None:
        pytest.skip("the weights file is absent")

    assert len(WEIGHTS.joinpath("discourse.npz").read_bytes()) < 1_000_000
    notice = WEIGHTS.joinpath("NOTICE.txt").read_text(encoding="utf-8")
    assert "PERSUADE" in notice
    assert "CC BY-NC-SA 4.0" in notice


def test_members_that_are_no_arrays_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "model.npz", "w") as archive:
        archive.writestr("embedding.npy", b"\x93NUMPY\x01\x00\x08\x00{'a': (\n")
        archive.writestr("embedding_bias", b"no array")
    with pytest.raises(InputError, match="does not hold a discourse model"):
        read_discourse_model((tmp_path / "model.npz").read_bytes(), name="model.npz")


def test_a_file_whose_members_ask_for_a_password_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    write_discourse_model(small_model(), path)
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(InputError, match="does not hold a discourse model"):
        read_discourse_model(bytes(content), name="model.npz")
