"""From an rsmeval configuration to tables and a report, through the command."""

import csv
import json
import re
from pathlib import Path

from typer.testing import CliRunner

from assay.cli.rsm import rsm_app
from assay.errors import InputError


def experiment(folder: Path) -> Path:
    """A configuration with comments, beside its predictions."""
    rows = [f"r{i:03d},{i % 4 + 1},{(i * 7) % 4 + 1},{i % 4 + 1 + (i % 5 - 2) / 4},{'xyz'[i % 3]}" for i in range(60)]
    (folder / "scores.csv").write_text("id,h1,h2,system,L1\n" + "\n".join(rows) + "\n", encoding="utf-8")
    config = folder / "config.json"
    config.write_text(
        """{
  // an experiment of ours
  "experiment_id": "ours", "predictions_file": "scores.csv", "description": "see a//b",
  "id_column": "id", "human_score_column": "h1", "second_human_score_column": "h2",
  "system_score_column": "system", "trim_min": 1, "trim_max": 4, /* points */
  "subgroups": "L1", "min_n_per_group": 10
}
""",
        encoding="utf-8",
    )
    return config


def test_a_configuration_becomes_tables_and_a_report(tmp_path: Path) -> None:
    config, out = experiment(tmp_path), tmp_path / "results"

    result = CliRunner().invoke(rsm_app, ["eval", str(config), str(out)])

    assert result.exit_code == 0, result.output
    with (out / "output" / "ours_eval_short.csv").open(encoding="utf-8", newline="") as stream:
        (short,) = csv.DictReader(stream)
    assert short["N"] == "60"
    # by hand: errors of -0.5, -0.25, 0, 0.25 and 0.5, twelve times each, less what trimming takes off
    assert 0.3 < float(short["RMSE.raw_trim"]) <= (5 / 40) ** 0.5
    assert (out / "output" / "ours_fairness_metrics_by_L1.csv").is_file()
    assert json.loads((out / "output" / "ours_rsmeval.json").read_text(encoding="utf-8"))["subgroups"] == ["L1"]
    assert "ours_report.html" in "".join(result.output.splitlines()[-2:])
    assert "<html" in (out / "report" / "ours_report.html").read_text(encoding="utf-8")


def test_a_second_run_into_the_same_folder_needs_force(tmp_path: Path) -> None:
    config, out = experiment(tmp_path), tmp_path / "results"
    run = CliRunner()
    run.invoke(rsm_app, ["eval", str(config), str(out)])

    refused = run.invoke(rsm_app, ["eval", str(config), str(out)])
    forced = run.invoke(rsm_app, ["eval", str(config), str(out), "--force", "--quiet"])

    assert isinstance(refused.exception, InputError)
    assert "force" in str(refused.exception)
    assert (forced.exit_code, forced.output) == (0, "")


def test_a_mistake_in_the_configuration_is_named(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    config.write_text(config.read_text(encoding="utf-8").replace("trim_min", "trim_mim"), encoding="utf-8")

    result = CliRunner().invoke(rsm_app, ["eval", str(config), str(tmp_path / "results")])

    assert isinstance(result.exception, InputError)
    assert "Did you mean trim_min?" in str(result.exception)
    assert not (tmp_path / "results").exists()


def test_notebook_sections_are_refused_and_left_out_with_compat(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    text = config.read_text(encoding="utf-8").replace('"subgroups"', '"custom_sections": ["a.ipynb"], "subgroups"')
    config.write_text(text, encoding="utf-8")

    refused = CliRunner().invoke(rsm_app, ["eval", str(config), str(tmp_path / "results"), "--quiet"])
    passed = CliRunner().invoke(rsm_app, ["eval", str(config), str(tmp_path / "results"), "--quiet", "--compat"])

    assert "Write the section as Markdown" in str(refused.exception)
    assert passed.exit_code == 0
    assert "a.ipynb is not Markdown and is left out" in " ".join(passed.stderr.split())


def test_a_markdown_section_is_in_the_report_at_its_place(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    (tmp_path / "notes.md").write_text("# Our notes\n\nWe **agreed** <b>on</b> it.", encoding="utf-8")
    text = config.read_text(encoding="utf-8")
    asked = '"custom_sections": ["notes.md"], "section_order": ["notes", "evaluation"],'
    config.write_text(text.replace('"subgroups"', f'{asked} "subgroups"'), encoding="utf-8")

    CliRunner().invoke(rsm_app, ["eval", str(config), str(tmp_path / "results"), "--quiet"], catch_exceptions=False)

    page = next((tmp_path / "results" / "report").glob("*.html")).read_text(encoding="utf-8")
    assert "<strong>agreed</strong> &lt;b&gt;on&lt;/b&gt; it." in page
    titles = re.findall(r"<h2[^>]*>(.*?)</h2>", page)
    assert "Our notes" in titles[0]
    assert len(titles) > 5


def test_the_report_holds_the_sections_asked_for_in_the_order_asked_for(tmp_path: Path) -> None:
    config = experiment(tmp_path)
    text = config.read_text(encoding="utf-8")
    asked = '"general_sections": ["data_description", "consistency", "intermediate_file_paths"], '
    asked += '"section_order": ["intermediate_file_paths", "consistency"],'
    config.write_text(text.replace('"subgroups"', f'{asked} "subgroups"'), encoding="utf-8")

    result = CliRunner().invoke(rsm_app, ["eval", str(config), str(tmp_path / "out"), "--quiet"])

    assert result.exit_code == 0, result.output
    page = (tmp_path / "out" / "report" / "ours_report.html").read_text(encoding="utf-8")
    titles = re.findall(r"<h2[^>]*>(?:<span.*?</span>)?(.*?)</h2>", page)
    assert titles == ["Files", "Two raters", "Data and exclusions"]
    assert "ours_eval_short.csv" in page
