"""Annotations in a workspace: rules inferred, everything scored when both sides are there."""

import zipfile
from io import BytesIO

import pytest

from assay.web.problems import FieldErrors
from assay.web.workspaces.annotations.workspace import (
    is_together_current,
    put_together,
    score_if_ready,
    score_with,
    start,
    zipped,
)
from assay.web.workspaces.stored_settings import AnnotationSettings
from tests.web.annotated import graded, override, scores
from tests.web.visits import Visit


def empty(visit: Visit) -> str:
    made = visit.another().post("/api/v1/workspaces", json={"kind": "annotations", "name": "Group B"}).json()["id"]
    return f"/annotations/{made}"


def test_nothing_is_scored_before_there_is_a_ground_truth(visit: Visit) -> None:
    context = visit.context(empty(visit))

    assert score_if_ready(context) is None
    with pytest.raises(FieldErrors) as wrong:
        score_with(context, None)
    assert set(wrong.value.errors) == {"truth"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rules": 3}, "rules takes TOML text"),
        ({"rules": "beta = "}, "rules"),
        ({"rule": ""}, "There is no setting 'rule'. There is: rules."),
    ],
)
def test_rules_of_a_program_that_cannot_be_are_named(visit: Visit, settings: dict[str, object], words: str) -> None:
    with pytest.raises(FieldErrors, match=words):
        start(visit.context(graded(visit)), settings)


def test_other_rules_score_again_and_the_workspace_remembers_those_of_before(visit: Visit) -> None:
    url = graded(visit)
    before = visit.context(url).workspace
    rules = AnnotationSettings.of(before).rules.replace('attributes."colour" = "text"', "")
    start(visit.context(url), {"rules": rules})
    visit.work()
    after = AnnotationSettings.of(visit.context(url).workspace)

    assert (after.previous_engine, after.engine != before.engine) == (before.engine, True)
    assert scores(visit, url)["cy"] == (98.6, 98.6)  # without the colour that differs


def test_a_decision_makes_the_report_of_all_old_until_it_is_made_again(visit: Visit) -> None:
    url = graded(visit)
    current = [is_together_current(visit.context(url))]
    override(visit, url, "ben", "miss:2", 100)
    current.append(is_together_current(visit.context(url)))
    put_together(visit.context(url))
    visit.work()
    current.append(is_together_current(visit.context(url)))

    assert current == [True, False, True]


def test_several_files_of_a_ground_truth_are_one_archive_without_their_folders() -> None:
    name, content = zipped([("a/../one.xml", BytesIO(b"1")), ("C:\\two.xml", BytesIO(b"2"))])

    assert name.endswith(".zip")
    assert zipfile.ZipFile(content).namelist() == ["one.xml", "two.xml"]
