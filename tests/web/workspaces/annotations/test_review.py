"""What people decide lasts: it survives rules that leave what was looked at as it was, and means what it says."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.store.items import find_item
from assay.store.overrides import history
from assay.store.reviews import last_decisions
from assay.web.workspaces.annotations.review import carried_decisions
from assay.web.workspaces.annotations.scores import original_score
from tests.web.annotated import graded, item_of, override, scores
from tests.web.visits import Visit
from tests.web.workspaces.annotations.test_rules import form_of

OTHER_WEIGHT = ("beta = 0.5", "beta = 1")


def confirm(visit: Visit, url: str, student: str, target: str = "score", status: int = 201) -> dict[str, Any]:
    path = f"/api/v1/workspaces/{url.rpartition('/')[2]}/results/{item_of(visit, url, student)}/decisions"
    answer = visit.another().post(path, json={"kind": "confirm", "target": target})
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def is_reviewed(visit: Visit, url: str, student: str) -> bool:
    here = f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    return bool(visit.client.get(f"{here}/results/{item_of(visit, url, student)}").json()["reviewed"])


def rules_of(visit: Visit, url: str) -> str:
    return str(visit.client.get(f"{url}/rules/rules.toml").text)


def use(visit: Visit, url: str, toml: str) -> None:
    visit.send(f"{url}/rules/text", toml=toml)
    visit.work()


def test_decisions_survive_rules_that_leave_what_was_reviewed_as_it_was(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "ben", "miss:2", 100, "hidden by a tree")
    confirm(visit, url, "ben")
    confirm(visit, url, "ada")
    before = rules_of(visit, url)
    assert OTHER_WEIGHT[0] in before
    use(visit, url, before.replace(*OTHER_WEIGHT))

    system, final = scores(visit, url)["ben"]
    assert final is not None
    assert system is not None
    assert final > system
    assert is_reviewed(visit, url, "ben")
    assert is_reviewed(visit, url, "ada")
    page = visit.page(f"{url}/submissions/{item_of(visit, url, 'ben')}")
    assert "Made under earlier rules." in page
    assert "hidden by a tree" in page
    assert "2 of 3 reviewed" in visit.page("/annotations")


def test_what_is_no_longer_there_is_not_decided_about_and_comes_back_with_the_rules(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "cy", "label:1:1", 100)
    confirm(visit, url, "cy")
    before = rules_of(visit, url)
    assert "colour" in before
    use(visit, url, before.replace("colour", "shade"))
    changed = is_reviewed(visit, url, "cy")
    use(visit, url, before)

    assert not changed
    assert is_reviewed(visit, url, "cy")
    assert scores(visit, url)["cy"] == (95.3, 96.7)


def test_a_decision_under_new_rules_holds_when_one_goes_back(visit: Visit) -> None:
    url = graded(visit)
    before = rules_of(visit, url)
    use(visit, url, before.replace(*OTHER_WEIGHT))
    override(visit, url, "ben", "miss:2", 100)
    use(visit, url, before)

    assert scores(visit, url)["ben"] == (83.3, 85.7)


def test_what_was_undone_stays_undone_under_every_rules(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "ben", "miss:2", 100)
    before = rules_of(visit, url)
    use(visit, url, before.replace(*OTHER_WEIGHT))
    here, api = f"/api/v1/workspaces/{url.rpartition('/')[2]}", visit.another()
    carried = api.get(f"{here}/decisions").json()["decisions"][-1]
    assert api.delete(f"{here}/decisions/{carried['id']}").status_code == 204
    use(visit, url, before)

    system, final = scores(visit, url)["ben"]
    assert system == final


def test_only_what_was_seen_is_carried_with_what_it_does_here(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "ben", "miss:2", 100)
    context = visit.context(url)
    (decision,) = visit.site.database.read(history, context.workspace.id)
    item = visit.site.database.read(find_item, context.workspace.id, decision.item_id)
    assert item is not None
    score = original_score(context.site, context.workspace, item)
    (carried,) = carried_decisions(score, [decision])

    assert round(carried.consequence.human_score or 0, 1) == 85.7
    assert carried.consequence.seen == decision.seen
    assert carried_decisions(score, [replace(decision, seen="another")]) == []


def test_an_error_that_is_right_reviews_no_submission(visit: Visit) -> None:
    url = graded(visit)
    confirm(visit, url, "ben", "finding:miss:2")
    override(visit, url, "cy", "label:1:1", 100)

    assert not is_reviewed(visit, url, "ben")
    assert not is_reviewed(visit, url, "cy")
    assert "0 of 3 reviewed" in visit.page("/annotations")
    context = visit.context(url)
    assert visit.site.database.read(last_decisions, context.workspace.id, context.workspace.engine) == {}


def test_the_last_image_reviews_the_submission(visit: Visit) -> None:
    url = graded(visit)
    ada = item_of(visit, url, "ada")
    first = visit.send(f"{url}/submissions/{ada}/decisions", review="image", image=1).text
    one = is_reviewed(visit, url, "ada")
    second = visit.send(f"{url}/submissions/{ada}/decisions", review="image", image=2).text

    assert "1 of 2 images reviewed" in first
    assert not one
    assert "2 of 2 images reviewed · submission reviewed" in second
    assert is_reviewed(visit, url, "ada")


def test_after_an_error_that_is_right_comes_the_next_finding(visit: Visit) -> None:
    url = graded(visit)
    cy = item_of(visit, url, "cy")
    first = visit.send(f"{url}/submissions/{cy}/decisions", choice="finding:match:1:1", image=1, finding=1)
    last = visit.send(f"{url}/submissions/{cy}/decisions", choice="finding:match:0:0", image=1, finding=2)

    assert str(first.url).endswith("image=1&finding=2")
    assert str(last.url).endswith("image=1&finding=2")
    assert "Match is right" in last.text


@pytest.mark.parametrize("target", ["finding:miss:0", "finding:match:9:9", "image:none.png", "finding:", "image:"])
def test_nobody_reviews_what_is_not_there(visit: Visit, target: str) -> None:
    url = graded(visit)

    assert "no such finding or image" in confirm(visit, url, "ada", target, status=422)["detail"]


def test_the_effect_of_rules_says_what_becomes_of_decisions(visit: Visit) -> None:
    url = graded(visit)
    confirm(visit, url, "ada")
    page = visit.page(f"{url}/rules")
    shown = visit.send(f"{url}/rules/effect", **form_of(page) | {"beta": "1"}).text

    assert "decisions stay" in shown


ACTS = st.sampled_from(["excuse", "confirm", "image", "weights", "back", "undo"])


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(ACTS, min_size=3, max_size=7))
def test_any_sequence_leaves_a_whole_history_and_trust_as_it_says(visit: Visit, acts: list[str]) -> None:
    url = graded(visit)
    rules, api, here = rules_of(visit, url), visit.another(), f"/api/v1/workspaces/{url.rpartition('/')[2]}"
    ids: set[int] = set()
    for act in acts:
        if act == "excuse":
            override(visit, url, "ben", "miss:2", 100)
        elif act in ("confirm", "image"):
            confirm(visit, url, "ben", "score" if act == "confirm" else "image:one.png")
        elif act == "undo":
            context = visit.context(url)
            standing = [d for d in api.get(f"{here}/decisions").json()["decisions"] if not d["undone"]]
            own = visit.site.database.read(history, context.workspace.id)
            current = [d.id for d in own if d.engine == context.workspace.engine and d.undone is None]
            if current and standing:
                assert api.delete(f"{here}/decisions/{current[-1]}").status_code == 204
        else:
            use(visit, url, rules.replace(*OTHER_WEIGHT) if act == "weights" else rules)
        context = visit.context(url)
        past = visit.site.database.read(history, context.workspace.id)
        assert ids <= {d.id for d in past}
        ids = {d.id for d in past}
        own = [d for d in past if d.engine == context.workspace.engine and d.undone is None]
        trusted = visit.site.database.read(last_decisions, context.workspace.id, context.workspace.engine)
        whole = {d.item_id for d in own if d.target == "score"}
        assert trusted.keys() == whole
        for item, decision in trusted.items():
            assert decision.human == [d for d in own if d.item_id == item][-1].human_score
