"""Essays measured for training and studies: once, each by itself, and kept in a file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")

from assay.errors import Cancelled, InputError
from assay.essays.features.features import FEATURES
from assay.essays.text.text import Essay
from assay.execution.executor import SerialExecutor
from assay.execution.observer import Observer
from assay.io.essays.scored_essays import ScoredEssays, read_scored_essays
from assay.io.essays.table import EssayColumns
from assay.workflows.essays.essay_inputs import essay_source
from assay.workflows.essays.measured_essays import (
    content_table,
    feature_table,
    hybrid_essays,
    measure_each,
    measured_essays,
    v1_feature_table,
)

ESSAYS = [Essay(str(n), f"Dogs wait for us on day {n}. They is happy.", "dogs") for n in range(3)]


def read() -> ScoredEssays:
    rows = [{"id": e.essay_id, "text": e.text, "prompt": e.prompt, "score": 2 + n} for n, e in enumerate(ESSAYS)]
    return read_scored_essays(*essay_source(rows, EssayColumns("text", "id", "prompt", "score")))


def test_features_are_measured_once_and_then_read_from_their_file(tmp_path: Path) -> None:
    first = feature_table(read(), tmp_path / "features.csv", SerialExecutor())
    again = feature_table(read(), tmp_path / "features.csv", Refusing())

    assert first.names == tuple(FEATURES)
    assert first.essay_ids == ("0", "1", "2")
    np.testing.assert_allclose(again.values, first.values)


class Refusing(SerialExecutor):
    """Nothing is to be measured."""

    def map_ordered(self, work: Any, items: Any, *common: Any) -> Any:  # noqa: ARG002
        pytest.fail("essays are read again")


def test_an_essay_is_measured_as_if_it_were_alone() -> None:
    together, alone = measure_each(ESSAYS), [measure_each([essay])[0] for essay in ESSAYS]

    assert [dict(one.values) for one in together] == [dict(one.values) for one in alone]


def test_features_for_studies_come_with_those_of_v1_and_are_kept(tmp_path: Path) -> None:
    values, v1 = measured_essays(ESSAYS, tmp_path / "study.csv", SerialExecutor())
    again, v1_again = measured_essays(ESSAYS, tmp_path / "study.csv", Refusing())

    assert values.shape == (3, 12)
    assert v1 is not None
    assert v1_again is not None
    assert v1.shape == (3, 51)
    np.testing.assert_allclose(again, values)
    table = content_table(read(), tuple(FEATURES), values)
    assert table.prompts == ("dogs",) * 3
    assert "dogs" in table.contents[0]


def test_a_file_without_features_of_v1_cannot_train_such_a_model(tmp_path: Path) -> None:
    feature_table(read(), tmp_path / "features.csv", SerialExecutor())

    with pytest.raises(InputError, match=r"holds no features of v\.1\.3") as refused:
        v1_feature_table(read(), tmp_path / "features.csv", SerialExecutor())
    assert refused.value.field == "features"


def test_reading_stops_between_blocks_when_asked_to() -> None:
    class Stopping(Observer):
        def check(self) -> None:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        hybrid_essays(ESSAYS, SerialExecutor(), Stopping())
