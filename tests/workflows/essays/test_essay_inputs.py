"""Essays and models as people pass them."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.essays.text.text import Essay
from assay.workflows.essays.essay_inputs import (
    essay_frame,
    essay_source,
    made_now,
    model_input,
    names_judge,
    open_essay_input,
)


def test_a_path_stays_a_path() -> None:
    assert essay_source("essays.csv", None) == (Path("essays.csv"), None)


def test_texts_and_essays_name_their_own_columns() -> None:
    frame, columns = essay_frame(["One.", "Two."])
    assert frame["text"].to_list() == ["One.", "Two."]
    assert columns is not None
    assert columns.id is None
    frame, columns = essay_frame([Essay("a", "One.", "dogs")])
    assert frame.row(0) == ("a", "One.", "dogs")


def test_essays_in_memory_are_numbered_from_one() -> None:
    source = open_essay_input(["One.", "Two."], None)
    (part,) = source.parts()
    assert [essay.essay_id for essay in part.essays] == ["1", "2"]


def test_what_holds_no_essays_is_refused_by_its_type() -> None:
    with pytest.raises(InputError, match="type int") as refused:
        open_essay_input(7, None)
    assert refused.value.field == "essays"


def test_provenance_has_a_time_with_its_offset() -> None:
    assert made_now("train").created[-6] in "+-"


def test_a_judge_is_known_by_its_prefix() -> None:
    assert names_judge("judge:r.toml")
    assert names_judge(Path("judge:r.toml"))
    assert not names_judge("model.json")
    assert not names_judge(None)


def test_a_bundled_model_is_known_by_its_name_from_python_and_from_the_command_line() -> None:
    by_name, by_path = (model_input(kind("erater-2005")) for kind in (str, Path))

    assert by_name[1] == by_path[1] == "erater-2005"
    assert by_name[0].kind == by_path[0].kind
