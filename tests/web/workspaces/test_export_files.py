"""Files to take away: listed, found by path, made when they are asked for."""

import json
from math import nan

import pytest

from assay.io.results.evaluation_tables import PlainTable
from assay.store.blobs import workspace_uploads
from assay.store.overrides import history
from assay.web.problems import NotFound
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS
from assay.web.workspaces.export_files import (
    csv_bytes,
    decision_content,
    decision_table,
    evaluation_exports,
    file_of,
    json_bytes,
    listed_items,
)
from tests.web.annotated import EVERYONE, graded, override
from tests.web.pages.test_evaluation import SCORES, chosen, workspace_of
from tests.web.visits import Visit


def test_every_item_has_its_files_and_one_that_is_not_there_is_a_404(visit: Visit) -> None:
    workspace = visit.context(graded(visit)).workspace
    listed = ANNOTATION_EXPORTS.listed(visit.site, workspace)
    found = ANNOTATION_EXPORTS.find(visit.site, workspace, listed[-1].path)

    assert {file.group for file in listed} == {"All submissions", *(name.split(".")[0] for name in EVERYONE)}
    assert (found.path, found.title) == (listed[-1].path, listed[-1].title)
    for path in ("all/nothing.csv", "99999/report.html", "²/report.html", "nonsense"):
        with pytest.raises(NotFound):
            ANNOTATION_EXPORTS.find(visit.site, workspace, path)


def test_the_files_of_an_engine_are_those_its_worker_made(visit: Visit) -> None:
    url = workspace_of(visit)
    before = evaluation_exports(visit.site, visit.context(url).workspace)
    visit.send(f"{url}/columns", **chosen())
    visit.work()
    files = {f.path.split("/")[1]: f for f in evaluation_exports(visit.site, visit.context(url).workspace)}

    assert before == []
    assert {"report.html", "tables.xlsx", "tables.zip", "evaluation.json"} <= set(files)
    assert json.loads(files["evaluation.json"].make())["engine"] == "engine"


def test_an_upload_is_a_file_with_its_bytes(visit: Visit) -> None:
    workspace = visit.context(workspace_of(visit)).workspace
    (upload,) = visit.site.database.read(workspace_uploads, workspace.id, "scores")

    assert file_of(visit.site)(upload.digest, upload.suffix).read_text() == SCORES


def test_decisions_are_told_as_a_table_and_as_json(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "ben", "miss:2", 100, "hidden")
    workspace = visit.context(url).workspace
    decisions = visit.site.database.read(history, workspace.id)
    listed, decided, failed = listed_items(visit.site, workspace)
    table = decision_table(decisions, {row.id: row.name for row in listed}, "student", {"about": lambda d: d.target})

    assert dict(zip(table.columns, table.rows[0], strict=True)) | {"made": ""} == {
        **{"student": "ben", "about": "miss:2", "kind": "override", "was": 0.0, "is": 100, "reason": "hidden"},
        **{"system_score": decisions[0].system_score, "final_score": decisions[0].human_score},
        **{"author": decisions[0].author, "made": "", "undone": None, "undone_by": None},
    }
    assert decision_content(decisions[0], ("made", "reason"))["made"].startswith(str(decisions[0].made_at.year))
    assert (len(decided), failed) == (1, {})


def test_what_is_undefined_is_null_in_json_and_empty_in_csv() -> None:
    assert json.loads(json_bytes({"a": nan})) == {"a": None}
    assert csv_bytes(PlainTable(("a", "b"), [[None, "x,y"]])).splitlines() == [b"a,b", b',"x,y"']
