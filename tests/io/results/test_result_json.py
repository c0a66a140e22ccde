"""Results as JSON and back."""

import json
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.io.results.result_json import evaluation_json, plain, read_contender
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
