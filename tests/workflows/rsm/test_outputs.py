"""What results of `rsm` verbs share: documentation, folders, provenance."""

import json
from pathlib import Path

import polars as pl
import pytest

from assay.errors import Cancelled, InputError
from assay.execution.observer import Observer
from assay.report.document.document import Document
from assay.workflows.rsm import outputs
from assay.workflows.rsm.tool import RsmToolResult, rsm_tool
from tests.io.rsm.rsm_training import write_training


class Heard(Observer):
    def __init__(self) -> None:
        self.remarks: list[str] = []

    def remark(self, text: str) -> None:
        self.remarks.append(text)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> RsmToolResult:
    return rsm_tool(write_training(tmp_path_factory.mktemp("outputs")))


def test_a_verb_is_documented_in_shared_words_for_what_it_takes() -> None:
    def verb(config: str, *, pdf: bool = False) -> None:
        """Do it.

        Returns
        -------
        None
        """
        del config, pdf

    text = outputs.documented("rsmtool")(verb).__doc__ or ""

    assert "A configuration file of rsmtool" in text
    assert "    pdf\n" in text
    assert "observer" not in text


def test_remarks_are_said_and_room_is_made_sure_of_before_any_work(tmp_path: Path) -> None:
    heard = Heard()
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "a.csv").write_text("", encoding="utf-8")

    outputs.begin(tmp_path, ["one option is passed over"], heard, force=True)
    with pytest.raises(InputError):
        outputs.begin(tmp_path, [], heard, force=False)
    assert heard.remarks == ["one option is passed over"]


def test_work_that_was_stopped_before_it_began_is_not_done() -> None:
    class Stopping(Observer):
        def check(self) -> None:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        outputs.begin(None, [], Stopping(), force=False)


def test_inputs_are_recorded_by_name_and_digest(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1", encoding="utf-8")
    provenance = outputs.provenance_of({}, [tmp_path / "a.csv", tmp_path / "none.csv"], command="c", seed=3)

    assert provenance.inputs.keys() == {"a.csv"}
    assert (provenance.command, provenance.seed) == ("c", 3)


def test_tables_with_rows_are_written_under_names_that_files_can_have(tmp_path: Path) -> None:
    tables = {"by_a/b": pl.DataFrame({"x": [1]}), "empty": pl.DataFrame({"x": []})}
    outputs.write_tables(tables, tmp_path / "output", prefix="ours", file_format="csv")
    outputs.write_json(tmp_path / "c.json", {"model": "X"})

    assert [path.name for path in (tmp_path / "output").iterdir()] == ["ours_by_a_b.csv"]
    assert json.loads((tmp_path / "c.json").read_text(encoding="utf-8")) == {"model": "X"}


def test_a_result_goes_where_rsmtool_puts_it_or_nowhere(result: RsmToolResult, tmp_path: Path) -> None:
    assert result.written(None) is result
    result.written(tmp_path / "out", no_report=True)

    assert not result.report_path(tmp_path / "out").exists()
    outputs.write_report(Document("T"), result.report_path(tmp_path / "out"))
    assert result.report_path(tmp_path / "out").read_text(encoding="utf-8").startswith("<!")


def test_the_short_look_has_responses_and_headlines(result: RsmToolResult) -> None:
    facts = dict(result.facts())

    assert facts["Responses"] == "40"
    assert facts["QWK"].startswith(f"{result.evaluation.figures()['qwk'].value:.2f} (95% CI ")
    assert result.to_polars().columns == ["figure", "value", "low", "high", "reason"]
