"""`assay annotations`: how many processes, what goes where, what is refused before anything is written."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.annotations.commands import FEW_BYTES, _processes, agree, rules, score
from assay.cli.main import app
from assay.errors import InputError
from tests.paths import EXAMPLES

FOLDER = EXAMPLES / "annotations"
THREE = [FOLDER / "submissions" / name for name in ("ada.xml", "ben.json", "chloe.xml")]


def test_one_process_works_where_there_is_little_to_do(tmp_path: Path) -> None:
    many = tmp_path / "many.zip"
    many.write_bytes(b"0" * (FEW_BYTES + 1))
    alone = many.rename(tmp_path / "one.json")

    assert _processes(None, None, THREE) == 1
    assert _processes(None, None, [alone]) == 1
    assert _processes(None, None, [*THREE, alone]) is None
    assert _processes(3, None, THREE) == 3
    assert _processes(None, "local", THREE) is None


def test_the_time_of_comparing_annotators_is_told_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agree(THREE, out=tmp_path / "out", consensus=tmp_path / "c.json", quiet=True, timings=True)

    stages = capsys.readouterr().err
    assert all(stage in stages for stage in ("read", "compared", "wrote"))
    assert (tmp_path / "out/report.html").is_file()
    assert (tmp_path / "c.json").is_file()


def test_a_dash_prints_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    rules(FOLDER / "truth.xml", out=Path("-"))

    assert 'profile = "annotator-ai-1.0"' in capsys.readouterr().out


def test_rewording_needs_an_address_before_anything_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASSAY_LLM_URL", "ASSAY_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError) as refused:
        score(THREE, truth=FOLDER / "truth.xml", out=tmp_path / "out", reword=True)

    assert refused.value.field == "llm"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [("score", "--truth", str(FOLDER / "truth.xml")), ("agree",)])
def test_the_folder_for_results_has_a_short_option(command: tuple[str, ...], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["annotations", *command, *map(str, THREE[:2]), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out/report.html").is_file()


def test_a_piped_table_cuts_no_name(tmp_path: Path) -> None:
    long = tmp_path / "Hannelore Maximiliane von und zu Oberunterhausen (repeats the course).xml"
    long.write_bytes(THREE[0].read_bytes())
    done = CliRunner().invoke(
        app, ["annotations", "score", "--truth", str(FOLDER / "truth.xml"), str(long), "-o", str(tmp_path / "out")]
    )
    assert long.stem in done.output
