"""Results as JSON and back."""

import base64
import json
import math
import tracemalloc
import zlib
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.io.results.result_json import comparison_json, evaluation_json, plain, read_contender, study_content
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.scale import ScoreScale

RATINGS = Ratings.of([1, 2, 3, 4, 5, 2, 3, 4], [1.2, 2.1, 3.4, 4.2, 4.4, 2.6, 3.3, 3.9], groups={"g": list("aabbaabb")})


def written(tmp_path: Path) -> Path:
    evaluation = evaluate_engine(RATINGS, Plan(ScoreScale(1, 6)), engine="mine")
    path = tmp_path / "evaluation.json"
    path.write_text(evaluation_json(evaluation, Provenance("0.1")), encoding="utf-8")
    return path


def test_every_number_is_there_and_nothing_is_not_a_number(tmp_path: Path) -> None:
    content = json.loads(written(tmp_path).read_text(), parse_constant=pytest.fail)

    assert content["schema"] == "assay.evaluation/1"
    assert content["figures"]["qwk"]["value"] == content["forms"]["raw_trim"]["metrics"]["qwk"]["value"]
    assert content["exclusions"] == {"read": 8, "left_out": {}}


def test_an_undefined_figure_is_null_beside_its_reason() -> None:
    assert plain(Estimate(reason="only one response")) == {
        "value": None,
        "low": None,
        "high": None,
        "reason": "only one response",
    }


def test_the_tallies_come_back_as_they_were(tmp_path: Path) -> None:
    contender = read_contender(written(tmp_path))

    assert contender.name == "mine"
    whole = contender.trimmed.merged()
    assert whole.n == 8
    assert whole.human_mean == pytest.approx(3.0)
    np.testing.assert_array_equal(contender.rounded.merged().points, [1, 2, 3, 4, 5])


@pytest.mark.parametrize("harm", ["numbers", "shapes", "step"])
def test_a_damaged_file_is_refused(tmp_path: Path, harm: str) -> None:
    path = written(tmp_path)
    content = json.loads(path.read_text())
    content["blocks"]["raw_trim"][harm] = "eJwDAAAAAAE="
    path.write_text(json.dumps(content))

    with pytest.raises(InputError, match="damaged"):
        read_contender(path)


def changed(tmp_path: Path, **values: object) -> Path:
    """An evaluation.json with other values in its first tally."""
    path = written(tmp_path)
    content = json.loads(path.read_text())
    content["blocks"]["raw_trim"] |= values
    path.write_text(json.dumps(content))
    return path


def packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content)).decode()


def test_packed_zeros_are_not_unpacked_beyond_what_the_shapes_state(tmp_path: Path) -> None:
    path = changed(tmp_path, numbers=packed(bytes(64 << 20)))
    tracemalloc.start()
    with pytest.raises(InputError, match="damaged"):
        read_contender(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 << 20


def test_shapes_that_state_more_than_the_limit_are_refused(tmp_path: Path) -> None:
    shapes = {name: [1 << 40] for name in ("n", "weight")}
    with pytest.raises(InputError, match="ASSAY_LIMIT_TALLY_BYTES"):
        read_contender(changed(tmp_path, shapes=shapes))


@pytest.mark.parametrize(
    "values",
    [
        {"lowest_point": float("inf")},
        {"lowest_point": 1e300},
        {"step": 0},
        {"step": float("nan")},
        {"step": None},
        {"shapes": {}},
        {"shapes": []},
        {"shapes": {"n": [-1]}},
        {"shapes": {"n": [8], "weight": [4]}},
        {"numbers": packed(b"")},
        {"numbers": 7},
    ],
    ids=str,
)
def test_tallies_of_wrong_shapes_or_numbers_are_refused(tmp_path: Path, values: dict[str, object]) -> None:
    with pytest.raises(InputError, match="damaged"):
        read_contender(changed(tmp_path, **values))


@pytest.mark.parametrize("blocks", [{}, [], None, {"raw_trim": []}, {"raw_trim": None}])
def test_blocks_that_are_none_are_refused(tmp_path: Path, blocks: object) -> None:
    path = written(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"blocks": blocks}))
    with pytest.raises(InputError, match="damaged"):
        read_contender(path)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 100_000, "", "\0", "9" * 5000])
def test_json_that_is_none_or_too_deep_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "evaluation.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"evaluation\.json: (is not|nests)"):
        read_contender(path)


def test_a_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read_contender(tmp_path / ("x" * 300))


def test_arrays_of_fewer_or_more_blocks_than_the_first_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    content = json.loads(path.read_text())
    shapes = next(iter(content["blocks"].values()))["shapes"]
    for name, shape in shapes.items():
        if name == "n":
            continue
        for blocks in (0, shape[0] - 1, shape[0] + 1):
            other = {**shapes, name: [blocks, *shape[1:]]}
            numbers = packed(bytes(8 * sum(prod(each) for each in other.values())))
            with pytest.raises(InputError, match="damaged"):
                read_contender(changed(tmp_path, shapes=other, numbers=numbers))


@pytest.mark.parametrize(
    ("content", "schema"), [("[]", "none"), ("{}", "none"), ('{"schema": "assay.comparison/1"}', "assay.comparison/1")]
)
def test_what_is_no_evaluation_says_what_it_is(content: str, schema: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(InputError, match="is not an evaluation") as refused:
        read_contender(path)
    assert refused.value.problem == f"is not an evaluation (schema {schema!r})"
    assert (refused.value.field, refused.value.remedy) == ("tables", "Give the evaluation.json of an evaluation.")


def test_comparisons_and_studies_name_their_schema_and_what_made_them() -> None:
    @dataclass(frozen=True)
    class Figures:
        figure: float
        kind: str = field(default="x", metadata={"json": "sort"})

    made = Provenance("0.1", "assay compare")
    text = comparison_json(Figures(math.inf), made)  # type: ignore[arg-type]
    content = json.loads(text)
    assert (content["schema"], content["figure"], content["sort"]) == ("assay.comparison/1", None, "x")
    assert content["provenance"]["command"] == "assay compare"
    assert text.startswith('{\n "schema"')
    assert text.endswith("}\n")
    study = study_content(Figures(1.5), made)  # type: ignore[arg-type]
    assert (study["schema"], study["figure"], list(study)[:2]) == ("assay.study/1", 1.5, ["schema", "provenance"])
