"""Overrides of annotations: shown before they are saved, undone, kept with their reasons."""

import re
from typing import Any

import pytest

from assay.store.items import find_item
from assay.web.workspaces.annotations.scores import original_score
from assay.web.workspaces.annotations.view import Work, detail_of, image_view, subject_in, subject_of
from tests.web.annotated import graded, item_of, override, scores
from tests.web.visits import Visit

# cy: "cab" for "car" (label 66.7), "green" for "blue" (attribute 20); match 50 + 16.7 + 5 = 71.7, overall 95.3


def choices(page: str) -> list[str]:
    return re.findall(r'name="choice" value="([^"]+)"', page)


@pytest.mark.parametrize(
    ("student", "target", "value", "was", "final"),
    [
        ("ben", "miss:2", 100, 0.0, 85.7),
        ("ben", "extra:2", 100, 0.0, 95.5),
        ("ben", "extra:2", True, 0.0, 95.5),
        ("cy", "label:1:1", 100, 66.7, 96.7),
        ("cy", "attribute:1:1:colour", 100, 20.0, 98.6),
        ("cy", "match:1:1", 0, 71.7, 83.3),
    ],
)
def test_each_kind_of_override_changes_what_it_names(
    visit: Visit, student: str, target: str, value: object, was: float, final: float
) -> None:
    url = graded(visit)
    override(visit, url, student, target, value)
    made = visit.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/decisions").json()["decisions"][0]

    assert scores(visit, url)[student][1] == final
    assert made["previous"] == pytest.approx(was, abs=0.05)
    assert made["human_score"] == pytest.approx(final, abs=0.05)


@pytest.mark.parametrize(
    ("target", "value", "words"),
    [
        ("score", 90, "follows from its parts"),
        ("miss:0", 100, "does not have"),
        ("label:0:2", 100, "does not have"),
        ("attribute:0:0:size", 100, "does not have"),
        ("extra:2", 101, "0 to 100"),
        ("extra:2", "all", "0 to 100"),
        ("extra:2", None, "0 to 100"),
        ("extra:two", 100, "There is no target"),
        ("nonsense", 100, "There is no target"),
        ("match:1", 100, "There is no target"),
    ],
)
def test_a_decision_about_nothing_is_refused(visit: Visit, target: str, value: object, words: str) -> None:
    url = graded(visit)
    path = f"/api/v1/workspaces/{url.rpartition('/')[2]}/results/{item_of(visit, url, 'ben')}/decisions"
    answer = visit.another().post(
        path, json={"kind": "override", "target": target, "value": value, "reason": "a reason"}
    )

    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_a_choice_says_what_the_score_becomes_and_is_saved_when_it_still_does(visit: Visit) -> None:
    url = graded(visit)
    cy = item_of(visit, url, "cy")
    page = visit.page(f"{url}/submissions/{cy}?image=1&finding=1")
    label = next(code for code in choices(page) if code.endswith("|100|label:1:1"))
    visit.send(f"{url}/submissions/{cy}/decisions", choice=label, reason="a cab is a car", image=1, finding=1)
    after = visit.page(f"{url}/submissions/{cy}?image=1&finding=1")

    assert label == "96.7|100|label:1:1"
    assert "95.3 → 96.7" in page
    assert "final score; the system gave 95.3" in after
    assert "<q>a cab is a car</q>" in after
    assert 'cab <span class="k matched">(accepted)</span>' in after


def test_a_choice_made_on_an_old_page_is_shown_again_before_it_is_saved(visit: Visit) -> None:
    url = graded(visit)
    cy = item_of(visit, url, "cy")
    old = next(c for c in choices(visit.page(f"{url}/submissions/{cy}")) if c.endswith("|100|label:1:1"))
    override(visit, url, "cy", "attribute:1:1:colour", 100)
    page = visit.send(f"{url}/submissions/{cy}/decisions", choice=old, reason="a cab is a car", status=422).text
    again = next(code for code in choices(page) if code.endswith("|100|label:1:1") and code != old)

    assert "Before you save:" in page
    assert scores(visit, url)["cy"][1] == 98.6
    assert "a cab is a car</textarea>" in page
    assert again == "100.0|100|label:1:1"


def test_a_score_of_ones_own_is_shown_first_and_works_without_a_script(visit: Visit) -> None:
    url = graded(visit)
    cy = item_of(visit, url, "cy")
    form: dict[str, Any] = {"reason": "badly placed", "image": 1, "finding": 1}
    shown = visit.send(f"{url}/submissions/{cy}/decisions", choice="||match:1:1", points="40", status=422, **form).text
    code = next(c for c in choices(shown) if c.endswith("|40|match:1:1"))
    unsaved = scores(visit, url)["cy"]
    visit.send(f"{url}/submissions/{cy}/decisions", choice=code, points="40", **form)
    effect = visit.client.get(f"{url}/submissions/{cy}/effect", params={"target": "match:1:1", "value": 40})

    assert "a match goes from 72 to 40" in shown
    assert unsaved == (95.3, 95.3)
    assert scores(visit, url)["cy"] == (95.3, 90.0)
    assert effect.json() == {"becomes": "90.0"}


@pytest.mark.parametrize(
    ("choice", "points", "reason", "words"),
    [
        ("96.7|100|label:1:1", "", "  ", "an override without a reason"),
        ("||match:1:1", "", "why", "Give the match a score"),
        ("||match:1:1", "1000", "why", "0 to 100"),
        ("||match:9:9", "10", "why", "does not have"),
        ("x|y|z", "", "why", "Give the match a score"),
    ],
)
def test_what_cannot_be_saved_is_said_and_nothing_is_lost(
    visit: Visit, choice: str, points: str, reason: str, words: str
) -> None:
    url = graded(visit)
    cy = item_of(visit, url, "cy")
    page = visit.send(
        f"{url}/submissions/{cy}/decisions", choice=choice, points=points, reason=reason, image=1, finding=1, status=422
    ).text

    assert words in page
    assert f"{reason}</textarea>" in page
    assert scores(visit, url)["cy"] == (95.3, 95.3)


def test_undoing_the_first_of_two_leaves_the_second_with_its_own_effect(visit: Visit) -> None:
    url = graded(visit)
    cy = item_of(visit, url, "cy")
    first = override(visit, url, "cy", "label:1:1", 100, "first")
    override(visit, url, "cy", "attribute:1:1:colour", 100, "second")
    both = scores(visit, url)["cy"]
    page = visit.send(f"{url}/submissions/{cy}/decisions/{first}/undo", image=1, finding=1).text

    assert both == (95.3, 100.0)
    assert scores(visit, url)["cy"] == (95.3, 98.6)
    assert "final score; the system gave 95.3" in page
    assert "Undone by" in page
    assert (
        visit.client.post(f"{url}/submissions/{cy}/decisions/{first}/undo", data={"csrf": visit.token()}).status_code
        == 422
    )


def test_an_undo_by_a_program_leaves_the_second_with_its_own_effect_too(visit: Visit) -> None:
    url = graded(visit)
    first = override(visit, url, "cy", "label:1:1", 100, "first")
    override(visit, url, "cy", "attribute:1:1:colour", 100, "second")
    here, api = f"/api/v1/workspaces/{url.rpartition('/')[2]}", visit.another()
    undone = [api.delete(f"{here}/decisions/{first}").status_code for _ in range(2)]
    decisions = api.get(f"{here}/decisions").json()["decisions"]

    assert undone == [204, 422]
    assert scores(visit, url)["cy"] == (95.3, 98.6)
    assert [round(d["human_score"], 1) for d in decisions] == [96.7, 100.0, 98.6]
    assert [d["reason"] for d in decisions if d["undone"] is None] == ["second", "second"]


def test_a_confirmation_of_an_overridden_score_follows_when_the_override_is_undone(visit: Visit) -> None:
    url = graded(visit)
    first = override(visit, url, "cy", "label:1:1", 100, "first")
    cy, here = item_of(visit, url, "cy"), f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    visit.another().post(f"{here}/results/{cy}/decisions", json={"kind": "confirm"})
    visit.another().delete(f"{here}/decisions/{first}")

    assert scores(visit, url)["cy"] == (95.3, 95.3)
    assert visit.client.get(f"{here}/results/{cy}").json()["reviewed"]


def test_the_last_undo_leaves_the_submission_unreviewed(visit: Visit) -> None:
    url = graded(visit)
    made = override(visit, url, "cy", "label:1:1", 100)
    cy, here = item_of(visit, url, "cy"), f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    visit.another().delete(f"{here}/decisions/{made}")
    told = visit.client.get(f"{here}/results/{cy}").json()

    assert (told["reviewed"], told["final_score"]) == (False, told["score"])
    assert "0 of 3 reviewed" in visit.page("/annotations")


def test_a_decision_under_other_rules_is_not_undone_behind_ones_back(visit: Visit) -> None:
    url = graded(visit)
    rules = visit.client.get(f"{url}/rules/rules.toml").text
    made = override(visit, url, "ben", "miss:2", 100)
    visit.send(f"{url}/rules/text", toml=rules.replace("beta = 0.5", "beta = 1"))
    answer = visit.another().delete(f"/api/v1/workspaces/{url.rpartition('/')[2]}/decisions/{made}")

    assert answer.status_code == 422
    assert "no longer counts" in answer.json()["detail"]


def test_a_confirmation_counts_as_reviewed_and_changes_nothing(visit: Visit) -> None:
    url = graded(visit)
    ada = item_of(visit, url, "ada")
    visit.send(f"{url}/submissions/{ada}/decisions", review="submission", image=1)
    page = visit.page(f"{url}/submissions")

    assert scores(visit, url)["ada"] == (100.0, 100.0)
    assert "1 of 3 are reviewed" in page
    assert '<span class="state confirmed">confirmed</span>' in page
    assert "system and people 0.0 points apart" in visit.page("/annotations")


def test_a_finding_offers_choices_with_the_score_each_leads_to(visit: Visit) -> None:
    url = graded(visit)
    context = visit.context(url)
    item = visit.site.database.read(find_item, context.workspace.id, item_of(visit, url, "ben"))
    assert item is not None
    work = Work.of(original_score(context.site, context.workspace, item), [])
    missed = next(finding for finding in work.findings(1) if finding.result == "missed")
    detail, view = detail_of(work, missed), image_view(work, 1)

    assert subject_of(missed) == subject_in("miss:2") == "miss:2"
    assert [round(choice["becomes"], 1) for choice in detail.choices] == [85.7]
    assert detail_of(work, missed, choices=False).choices == ()
    assert len(view["shapes"]) >= len(work.findings(1)) == 2
