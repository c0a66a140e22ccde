"""`assay essays features` and `feedback`, and the names of all commands on essays."""

import json
from pathlib import Path

import pytest

from assay.cli.essays.commands import essays_app, features, feedback
from assay.errors import InputError
from tests.paths import EXAMPLES

PHONES = EXAMPLES / "essays" / "phones.txt"
MODEL = EXAMPLES / "essay_model.json"
Screen = pytest.CaptureFixture[str]


def test_every_command_on_essays_has_its_name() -> None:
    names = {command.name for command in essays_app.registered_commands}

    assert names == {"features", "train", "score", "calibrate", "refit", "feedback", "study"}


def test_features_are_summed_up_for_people_and_for_programs(tmp_path: Path, capsys: Screen) -> None:
    table = tmp_path / "essays.csv"
    table.write_text("text\nDogs wait for us.\n", encoding="utf-8")
    features(table, tmp_path / "features.csv", text="text", workers=1, as_json=True)
    said = json.loads(capsys.readouterr().out)
    features(table, tmp_path / "features.csv", text="text", workers=1)

    assert (said["essays"], said["features"]) == (1, str(tmp_path / "features.csv"))
    assert capsys.readouterr().out.startswith("Measured 1 essays.")


def test_a_page_is_refused_before_the_essay_is_read_and_named_when_it_is_written(
    tmp_path: Path, capsys: Screen
) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("my own page", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        feedback(str(tmp_path / "not-there.txt"), html=mine)
    feedback(str(PHONES), html=tmp_path / "page.html", model=MODEL)

    assert refused.value.source == str(mine)
    assert f"Page: {tmp_path / 'page.html'}" in capsys.readouterr().out.replace("\n", "")
    assert mine.read_text(encoding="utf-8") == "my own page"
