"""The rules of annotations as a page: text, presets and instructions become rules, and a mistake changes nothing."""

from dataclasses import replace

from assay.io.annotations.rubric_toml import read_rubric, rubric_toml
from assay.web.pages.annotation_rules import CHANGES_SHOWN
from assay.web.workspaces.stored_settings import AnnotationSettings
from tests.web.annotated import graded, scores
from tests.web.visits import Visit


def rules(visit: Visit, url: str) -> str:
    return AnnotationSettings.of(visit.context(url).workspace).rules


def test_rules_can_be_taken_away_and_given_back_as_text(visit: Visit) -> None:
    url = graded(visit)
    text = visit.client.get(f"{url}/rules/rules.toml").text
    rubric = read_rubric(text)
    other = replace(rubric, weights=replace(rubric.weights, quality=100.0, completeness=0.0))
    visit.send(f"{url}/rules/text", toml=rubric_toml(other))
    visit.work()

    assert text == AnnotationSettings.of(visit.context(url).workspace).inferred
    assert read_rubric(rules(visit, url)) == other
    assert scores(visit, url)["ben"] == (100.0, 100.0)  # what he found is flawless


def test_text_that_is_no_rules_is_said_beside_it_and_changes_nothing(visit: Visit) -> None:
    url = graded(visit)
    before = rules(visit, url)

    answer = visit.send(f"{url}/rules/text", toml="beta = 'high'", status=422)

    assert 'class="wrong"' in answer.text
    assert rules(visit, url) == before


def test_an_instruction_is_shown_as_changes_before_it_is_applied(visit: Visit) -> None:
    url = graded(visit)
    before = rules(visit, url)
    answer = visit.send(f"{url}/rules/instructions", instructions="ignore colour")

    assert "colour" in answer.text
    assert rules(visit, url) == before
    assert CHANGES_SHOWN > 0
