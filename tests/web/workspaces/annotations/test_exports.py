"""Grades to take away: places shared by equals, original and final scores beside each other."""

import json

from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS, grade_table, together_result
from assay.web.workspaces.stored_settings import AnnotationSettings
from tests.web.annotated import ADA, BEN, coco, graded, override
from tests.web.visits import Visit


def test_equal_scores_share_a_place_and_overrides_stand_beside_the_original(visit: Visit) -> None:
    url = graded(visit, {"ada.json": coco(ADA), "ana.json": coco(ADA), "ben.json": coco(BEN)})
    override(visit, url, "ben", "miss:2", 100)
    table = grade_table(visit.site, visit.context(url).workspace)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]

    assert [(row["student"], row["place"]) for row in rows] == [("ada", 1), ("ana", 1), ("ben", 3)]
    assert [f"{rows[2][name]:.1f}" for name in ("system_score", "final_score")] == ["83.3", "85.7"]


def test_grades_as_json_hold_the_rules_and_the_ground_truth(visit: Visit) -> None:
    workspace = visit.context(graded(visit)).workspace
    content = json.loads(ANNOTATION_EXPORTS.find(visit.site, workspace, "all/grades.json").make())
    truth = AnnotationSettings.of(workspace).truth

    assert truth is not None
    assert content["ground_truth"] == truth.to_json()
    assert [student["student"] for student in content["students"]] == ["ada", "cy", "ben"]


def test_the_report_of_all_is_there_once_a_worker_made_it(visit: Visit) -> None:
    result = together_result(visit.site, visit.context(graded(visit)).workspace)

    assert result is not None
    assert result.payload["submissions"] == 3
