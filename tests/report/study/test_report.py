"""The report of a study: every table of the paper is there, or says why it is not."""

import pytest

from assay.essays.study.study import Study, study_essays
from assay.provenance import Provenance
from assay.report.document.document import Document, tables_of
from assay.report.render.html import to_html
from assay.report.render.tables_csv import csv_files
from assay.report.study.report import study_report
from tests.essays.study.corpora import made_corpus
from tests.report.study.studies import bare, full

MADE = Provenance("1", "assay essays study", {"essays.csv": "0" * 64}, 2005, "2026-01-02T03:04:05+00:00")


def report(study: Study) -> Document:
    return study_report(study, source="essays.csv", provenance=MADE)


def test_all_nine_tables_are_there_as_csv() -> None:
    files = csv_files(report(full()))

    for number in range(1, 10):
        assert any(name.startswith(f"table{number}_") for name in files), number
    retest = files["table7_retest.csv"].splitlines()
    assert retest[0] == "program,candidates,erater,single_human,average_human"
    assert retest[-1] == '"Paper, overall",1987,0.6,0.5,0.58'


def test_figures_in_the_tables_are_those_of_the_study() -> None:
    study = full()
    rows = {table.name: table for table in tables_of(report(study))}
    generic = study.systems.of("generic12", "grade 8", 0.2)

    assert generic is not None
    shown = next(r for r in rows["table6_systems"].rows if r[:3] == ("Generic12", "grade 8", "0.2"))
    assert shown[4] == generic.mean_kappa
    assert shown[6] == generic.mean_exact
    weights = {row[0]: row[-2] for row in rows["table4_weights"].rows}
    assert sum(weights.values()) == pytest.approx(1)  # type: ignore[arg-type]


def test_what_the_corpus_lacks_is_said_in_place() -> None:
    html = to_html(report(bare()))

    assert "Tables 7, 8 and 9: n/a: nobody says who wrote which essay" in html
    assert "Two raters, All essays: n/a:" in html
    assert "the features of v.1.3 were not measured" in html
    assert "one prompt in the program" in html
    assert "All essays" in html
    assert ">nan<" not in html.lower()


def test_the_opening_names_the_best_system_and_its_kappa() -> None:
    document = report(full())

    assert "models agree best with the human score" in document.verdict_lead
    assert {figure.name for figure in document.key_figures} >= {"Generic12", "v.1.3", "Two raters", "Retest"}


def test_names_from_outside_are_escaped() -> None:
    corpus = made_corpus(prompts={"<script>x</script>": "<b>", "y": "<b>"}, per_prompt=45)
    html = to_html(report(study_essays(corpus)))

    assert "<script>" not in html
    assert "&lt;b&gt;" in html
