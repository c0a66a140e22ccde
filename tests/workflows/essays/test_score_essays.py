"""Essays scored through Python, as the command scores them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import Cancelled, InputError
from assay.essays.data_files import has_non_commercial
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.scoring_model import score_each
from assay.essays.text.text import Essay
from assay.execution.observer import Observer
from assay.io.models.scoring_models import bundled_discourse_model, bundled_essay_model, write_scoring_model
from assay.workflows.essays.score_essays import EssayScores, score_essays
from tests.paths import EXAMPLES

pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")

PHONES = (EXAMPLES / "essays" / "phones.txt").read_text()
TABLE = pl.read_csv(EXAMPLES / "essays.csv").head(5)


def bundled() -> EssayModel:
    model = bundled_essay_model()
    assert isinstance(model, EssayModel)
    return model


def by_program() -> EssayModel:
    """A model with an equation for each of two programs."""
    model = bundled()
    (equation,) = model.equations.values()
    stricter = replace(equation, weights=replace(equation.weights, intercept=equation.weights.intercept - 1))
    return replace(model, grouping="program", equations={"grade 8": equation, "grade 10": stricter})


def command(*words: object) -> str:
    result = CliRunner().invoke(app, ["essays", "score", *map(str, words), "-j", "1", "-q"], catch_exceptions=False)
    return result.output


def test_python_and_the_command_give_one_score_to_the_byte(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "1.txt").write_text(PHONES)
    command(texts, "-o", tmp_path / "by-command")

    scores = score_essays([PHONES])
    scores.write(tmp_path / "by-python")

    written = [(tmp_path / folder / "scores.csv").read_bytes() for folder in ("by-command", "by-python")]
    assert written[0] == written[1]
    assert isinstance(scores, EssayScores)


def test_the_labeller_comes_with_the_model_and_scoring_by_rules_is_refused() -> None:
    with pytest.raises(InputError, match="labeller of discourse elements") as refused:
        next(score_each([Essay("1", PHONES)], bundled(), None))
    assert refused.value.remedy

    own = next(score_each([Essay("1", PHONES)], bundled(), bundled_discourse_model()))
    assert repr(score_essays([Essay("1", PHONES)])[0]) == repr(own)


def test_a_model_trained_with_other_word_lists_is_refused_and_one_that_states_nothing_is_doubted() -> None:
    other = replace(bundled(), reads_with={**bundled().reads_with, "lexicons": "0" * 64})
    with pytest.raises(InputError, match="another version of the word lists"):
        score_essays([PHONES], other)

    old = replace(bundled(), reads_with={})
    assert "unstated_parts" in [doubt.name for doubt in score_essays([PHONES], old)[0].advisories]


def test_every_form_of_input_gives_the_same_scores(tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "essays.csv")
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt"}
    essays = [Essay(*row) for row in TABLE.select("id", "text", "prompt").iter_rows()]

    by_path = score_essays(tmp_path / "essays.csv", **columns)
    by_frame = score_essays(TABLE.to_pandas(), **columns)
    by_essays = score_essays(essays)

    assert by_path.to_polars().equals(by_frame.to_polars())
    assert by_path.to_polars().equals(by_essays.to_polars())
    assert [score.raw for score in score_essays([essay.text for essay in essays])] == [score.raw for score in by_path]
    assert len(by_path) == len(TABLE)


def test_a_frame_in_which_nothing_looks_like_essays_is_refused_with_its_columns() -> None:
    with pytest.raises(InputError, match="there are: id, candidate") as refused:
        score_essays(TABLE.drop("text"))
    assert refused.value.field == "text"


def test_programs_reach_the_model_and_an_essay_without_one_says_so(tmp_path: Path) -> None:
    model = by_program()
    scores = score_essays(TABLE, model, text="text", id="id", program="program")
    assert {score.scored for score in scores} == {True}

    with pytest.raises(InputError, match="trained on program 'grade 10', 'grade 8'") as refused:
        score_essays(TABLE, model, text="text", id="id")
    assert refused.value.field == "program"

    some = TABLE.with_columns(pl.when(pl.col("id") == "E001").then(pl.col("program")).alias("program"))
    first, second, *_ = score_essays(some, model, text="text", id="id", program="program")
    assert first.scored
    assert not second.scored
    assert "names no program" in second.advisories[-1].evidence

    write_scoring_model(model, tmp_path / "model.json")
    TABLE.write_csv(tmp_path / "essays.csv")
    options = ("--text", "text", "--id", "id", "--program", "program", "--model", tmp_path / "model.json")
    command(tmp_path / "essays.csv", *options, "-o", tmp_path / "out")
    assert pl.read_csv(tmp_path / "out" / "scores.csv")["raw"].to_list() == [round(score.raw, 4) for score in scores]


def test_a_folder_to_write_to_holds_what_write_writes(tmp_path: Path) -> None:
    kept = score_essays(TABLE, text="text", id="id")
    kept.write(tmp_path / "kept")
    streamed = score_essays(TABLE, text="text", id="id", out=tmp_path / "streamed")

    for name in ("scores.csv", "report.html"):
        assert (tmp_path / "kept" / name).read_text() == (tmp_path / "streamed" / name).read_text()
    assert streamed.to_polars()["id"].to_list() == TABLE["id"].to_list()
    assert len(streamed) == len(TABLE)
    with pytest.raises(InputError, match="not held in memory"):
        streamed[0]


def test_parts_are_gone_on_with_after_a_crash(tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "essays.csv")
    out = tmp_path / "parts"
    whole = score_essays(tmp_path / "essays.csv", text="text", id="id", out=out, partitions=True).to_polars()
    (part,) = out.glob("*.parquet")
    part.unlink()
    remarks: list[str] = []

    class Hearing(Observer):
        def remark(self, text: str) -> None:
            remarks.append(text)

    again = score_essays(
        tmp_path / "essays.csv", text="text", id="id", out=out, partitions=True, observer=Hearing()
    ).to_polars()
    nothing = score_essays(tmp_path / "essays.csv", text="text", id="id", out=out, partitions=True, observer=Hearing())

    assert again.equals(whole)
    assert nothing.counts.essays == 0
    assert remarks == [f"1 of 1 parts are in {out} already: nothing is left to do."]


def test_stopping_leaves_nothing_half_written(tmp_path: Path) -> None:
    class Stopping(Observer):
        def check(self) -> None:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        score_essays([PHONES], out=tmp_path / "out", observer=Stopping())
    assert list(tmp_path.iterdir()) == []


def test_a_result_is_short_to_look_at_and_whole_as_a_dict() -> None:
    result = score_essays([PHONES, ""])
    assert len(repr(result).splitlines()) < 10
    assert result.to_dict()["schema"] == "assay.essay-scores/1"
    assert (result.to_dict()["essays"], result.to_dict()["scored"]) == (2, 1)
    assert result.plot("score_points").html().startswith("<!doctype html>")
