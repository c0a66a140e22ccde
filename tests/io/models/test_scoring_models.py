"""Score models on disk."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.essays.models.erater.model import EssayModel, TrainingPlan, score_table
from assay.essays.models.erater.train import train_model
from assay.io.models.scoring_models import (
    NAMED_MODELS,
    bundled_essay_model,
    model_bytes,
    model_document,
    model_from,
    read_scoring_model,
    scoring_model_of,
    write_scoring_model,
)
from tests.essays.models.erater.made_essays import made_table


@pytest.mark.parametrize(
    "plan",
    [TrainingPlan(), TrainingPlan(kind="specific"), TrainingPlan.paper("generic12"), TrainingPlan(curved=True)],
)
def test_a_model_read_back_gives_the_same_scores_to_the_last_digit(plan: TrainingPlan, tmp_path: Path) -> None:
    table = made_table(300)
    model = train_model(table, plan, version="1.2")
    write_scoring_model(model, tmp_path / "model.json")

    back = read_scoring_model(tmp_path / "model.json")

    assert isinstance(back, EssayModel)
    assert repr(score_table(table, back)) == repr(score_table(table, model))
    assert back.training == model.training
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_the_scale_common_to_programs_comes_back(tmp_path: Path) -> None:
    table = made_table(300, programs=2)
    model = train_model(table, TrainingPlan(kind="generic10"))
    write_scoring_model(model, tmp_path / "model.json")

    back = read_scoring_model(tmp_path / "model.json")

    assert isinstance(back, EssayModel)
    assert back.common_scale is not None
    assert model.common_scale is not None
    assert back.common_scale.landmarks == model.common_scale.landmarks
    assert repr(score_table(table, back)) == repr(score_table(table, model))


def test_weights_are_there_in_every_form_for_people_to_read(tmp_path: Path) -> None:
    write_scoring_model(train_model(made_table(200)), tmp_path / "model.json")

    found = json.loads((tmp_path / "model.json").read_text())

    length = found["equations"][""]["weights"]["length"]
    assert length["percent"] == 20
    assert set(length) == {"raw", "standardised", "percent", "mean", "sd"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no json", "is not JSON"),
        ('{"schema": "assay.evaluation/1"}', "no essay model"),
        ('{"schema": "assay.essay-model/7"}', "version '7'; this program reads version 1"),
        ('{"schema": "assay.essay-model/1"}', "is damaged"),
        ("[]", "no essay model"),
    ],
)
def test_another_file_another_version_and_damage_are_named(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(content)

    with pytest.raises(InputError, match=said):
        read_scoring_model(tmp_path / "model.json")


def test_a_number_that_is_none_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    write_scoring_model(train_model(made_table(200)), path)
    document = json.loads(path.read_text())
    document["equations"][""]["cutoffs"][0] = None
    path.write_text(json.dumps(document))

    with pytest.raises(InputError, match="damaged"):
        read_scoring_model(path)


def test_a_missing_file_and_a_place_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_scoring_model(tmp_path / "none.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_scoring_model(train_model(made_table(200)), tmp_path / "file" / "model.json")


def test_the_bundled_model_scores_argumentative_essays_from_1_to_6() -> None:
    model = bundled_essay_model()

    assert (model.kind, model.scale.lowest, model.scale.highest) == ("generic10", 1, 6)
    assert not model.known_prompts
    assert "CC BY-NC-SA" in model.extra["licence"]


def test_models_that_come_with_assay_have_names_and_survive_their_files() -> None:
    for name in ("bundled", "generic", "generic10", "erater-2005"):
        model = NAMED_MODELS[name]()
        again = scoring_model_of(model_bytes(model), name=name)
        assert model_bytes(again) == model_bytes(model)
        assert not model.known_prompts
        assert model.extra["licence"]


def test_a_model_file_is_text_for_people_and_the_same_for_the_same_model() -> None:
    model = train_model(made_table(200), version="größer")
    content = model_bytes(model)
    document = model_document(model)
    assert content.decode() == json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    assert content.startswith(b'{\n "schema": ')
    rows = document["equations"][""]["weights"]
    assert sum(abs(row["percent"]) for row in rows.values()) == pytest.approx(100, abs=0.01)
    back = model_from(json.loads(content))
    assert model_document(back) == document


def test_damage_to_shapes_curves_and_frequencies_is_told() -> None:
    content = model_bytes(train_model(made_table(300), TrainingPlan(curved=True)))
    whole: dict[str, Any] = json.loads(content)
    whole["features"][0]["shape"] = "round"
    with pytest.raises(ValueError, match="unknown shape 'round'"):
        model_from(whole)
    for name in ("mean", "sd", "slopes"):
        whole = json.loads(content)
        curves = next(iter(whole["equations"].values()))["curves"]
        curves[name] = curves[name][:-1]
        with pytest.raises(ValueError, match="a feature has no curve"):
            model_from(whole)


def test_a_file_that_cannot_be_read_or_written_names_field_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_scoring_model(tmp_path / "none.json")
    assert (caught.value.field, caught.value.remedy) == ("model", "Name a model file.")
    (tmp_path / "file").touch()
    with pytest.raises(InputError) as caught:
        write_scoring_model(train_model(made_table(200)), tmp_path / "file" / "model.json")
    assert (caught.value.field, caught.value.remedy) == ("out", "Choose another place.")
