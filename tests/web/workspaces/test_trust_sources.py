"""The trust page: figures from decisions, honest about how they came about."""

import re
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from assay.metrics.kappa import quadratic_weighted_kappa
from assay.store.items import NewItem, put_items, put_result
from assay.store.overrides import history
from assay.web.problems import FieldErrors
from assay.web.workspaces.stored_settings import WorkspaceSettings
from assay.web.workspaces.trust_sources import MOST_DRAWN, draw_sample
from tests.web.pages.test_evaluation import SCORES, chosen, workspace_of
from tests.web.reviews import ENGINE, START, essay_payload, reviewed_essays
from tests.web.visits import Visit


def trust_of(visit: Visit, workspace: str, **query: str) -> Any:
    """What the API says of a workspace: JSON."""
    answer = visit.another().get(f"/api/v1/workspaces/{workspace}/trust", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_results_that_come_while_a_batch_is_scored_are_waiting_at_once(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=30, reviewed=20)
    before = trust_of(visit, made)
    with visit.site.database.writing() as connection:  # as a worker does: the workspace changes when all are done
        (item,) = put_items(connection, made, [NewItem("f" * 64, "The latest", {"human": None})], now=START)
        doubtful = {**essay_payload(4.5), "doubts": 2}
        put_result(connection, item.id, ENGINE, payload=doubtful, score=4.0, files={}, now=START)
    after = trust_of(visit, made)
    assert (before["waiting"], after["waiting"]) == (10, 11)
    assert after["reviewed"] == before["reviewed"]
    assert after["next"][0]["name"] == "The latest"


def test_decisions_become_figures_with_verdicts_on_both_databases(visit_on_both: Visit) -> None:
    made = reviewed_essays(visit_on_both.site.database, items=60, reviewed=40)

    page = visit_on_both.page(f"/essays/{made}/trust")
    told = trust_of(visit_on_both, made)

    assert (told["reviewed"], told["waiting"]) == (40, 20)
    qwk = told["figures"]["qwk"]
    assert qwk["low"] < 0.7 < qwk["high"]
    assert qwk["verdict"] == ("met, uncertain" if qwk["value"] >= 0.7 else "not met, uncertain")
    assert "Agreement with human scores" in page
    assert "not a random sample" in page
    assert "with the system score in" in page
    assert "Difference by reviewer" in page
    assert "1 Sep to" in page


def test_the_figures_are_those_of_the_command_line_on_the_same_pairs(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=50, reviewed=50)
    with visit.site.database.reading() as connection:
        pairs = [(d.human_score, d.system_score) for d in history(connection, made)]
    human, system = np.array(pairs, dtype=float).T

    told = trust_of(visit, made)

    assert told["figures"]["qwk"]["value"] == pytest.approx(quadratic_weighted_kappa(human, system))


def test_a_closer_figure_needs_more_reviews(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=60, reviewed=40)
    loose, close = (trust_of(visit, made, within=within)["precision"] for within in ("0.1", "0.03"))
    page = visit.page(f"/essays/{made}/trust?figure=r&within=0,04")

    assert loose["more"] < close["more"]
    assert re.search(r"Pearson r is known to ±0\.\d\d\. About \d+ more reviews", page)
    assert "Give a number above 0" in visit.page(f"/essays/{made}/trust?within=much", status=422)


def test_what_to_review_next_is_not_reviewed_yet_and_says_why(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=60, reviewed=40)
    listed = trust_of(visit, made)["next"]
    page = visit.page(f"/essays/{made}/trust")

    assert len(listed) == 8
    assert all(int(one["name"].split()[1]) > 40 and one["why"] for one in listed)
    assert f'href="{listed[0]["address"]}"' in page


def test_a_random_draw_is_judged_by_itself_once_it_is_reviewed(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=60, reviewed=60)
    drawn = visit.another().post(f"/api/v1/workspaces/{made}/trust/sample", json={"size": 25}).json()
    told, everything = trust_of(visit, made), trust_of(visit, made, of="all")

    assert (len(drawn["items"]), drawn["of"]) == (25, 60)
    assert len(set(drawn["items"])) == 25
    assert (told["sample"], told["reviewed"], everything["reviewed"]) == (True, 25, 60)
    assert "hold for all 60" in str(told["selection"])
    assert "draw a sample" in visit.page(f"/essays/{made}/history")


def test_a_draw_that_still_waits_says_so(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=40, reviewed=20)
    page = visit.send(f"/essays/{made}/trust/draw", size="40").text
    wrong = visit.send(f"/essays/{made}/trust/draw", size="many", status=422).text

    assert "20 of them still wait" in page
    assert "20 of 40 reviewed" in page
    assert "Draw between 1 and 2,000" in wrong


def test_drift_is_seen_when_the_engine_moves_and_only_then(visit: Visit) -> None:
    steady = reviewed_essays(visit.site.database, items=60, reviewed=60)
    moved = reviewed_essays(visit.site.database, items=60, reviewed=60, late_shift=1.0)

    assert "No drift beyond chance" in visit.page(f"/essays/{steady}/trust")
    assert "scores higher against people than before" in visit.page(f"/essays/{moved}/trust")


def test_before_any_review_the_page_says_what_to_plan_for(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=20, reviewed=0)
    page = visit.page(f"/essays/{made}/trust?figure=r&within=0.1")
    one = reviewed_essays(visit.site.database, items=20, reviewed=1)

    assert "Nothing is reviewed yet" in page
    assert "As a plan: 105 essays" in page
    assert "1 essay reviewed so far" in visit.page(f"/essays/{one}/trust")


def test_reviews_that_all_agree_are_not_taken_for_certainty(visit: Visit) -> None:
    visit.send("/example")
    visit.work()
    made = next(w for w in visit.client.get("/api/v1/workspaces").json()["workspaces"] if w["kind"] == "annotations")
    here = f"/api/v1/workspaces/{made['id']}"
    scored = [r for r in visit.client.get(f"{here}/results").json()["results"] if r["score"] is not None]
    for result in scored:
        visit.another().post(f"{here}/results/{result['item']['id']}/decisions", json={"kind": "confirm"})

    told = trust_of(visit, made["id"])
    page = visit.page(f"/annotations/{made['id']}/trust")

    assert (told["reviewed"], told["waiting"]) == (len(scored), 0)
    assert told["figures"]["qwk"]["verdict"] == "met, uncertain"
    assert told["precision"]["needed"] is None
    assert "Everything with a score is reviewed" in page


def test_undoing_a_decision_takes_it_out_of_the_figures(visit: Visit) -> None:
    made = reviewed_essays(visit.site.database, items=20, reviewed=10)
    first = visit.client.get(f"/api/v1/workspaces/{made}/decisions").json()["decisions"][0]["id"]
    before = trust_of(visit, made)["reviewed"]
    visit.another().delete(f"/api/v1/workspaces/{made}/decisions/{first}")

    assert (before, trust_of(visit, made)["reviewed"]) == (10, 9)


def test_the_human_scores_of_a_table_are_its_reviews(visit: Visit) -> None:
    url = workspace_of(visit, SCORES + "r97,,4.4,3,north\nr98,,2.5,3,south\n")
    empty = visit.page(f"{url}/trust")
    visit.send(f"{url}/columns", **chosen(system=["engine", "other"]))
    page, other = visit.page(f"{url}/trust"), visit.page(f"{url}/trust?engine=other")

    assert "Nothing to trust yet" in empty
    assert "which responses people read is not known" in page.lower()
    assert re.search(r"r98</?.*beside the cut", page, re.S)
    assert re.search(r'engine=other" aria-current', other)
    visit.send(f"{url}/trust/draw", size="5", status=422)


def test_nothing_scored_is_said_to_programs_too(visit: Visit) -> None:
    made = visit.another().post("/api/v1/workspaces", json={"kind": "evaluation", "name": "x"}).json()["id"]
    visit.another().post(
        f"/api/v1/workspaces/{made}/uploads/scores", files={"files": ("s.csv", BytesIO(SCORES.encode()))}
    )
    answer = visit.another().get(f"/api/v1/workspaces/{made}/trust")
    assert (answer.status_code, "Nothing is scored" in answer.text) == (422, True)


def test_a_draw_is_kept_with_its_seed_and_replaces_the_one_before(visit: Visit) -> None:
    url = f"/essays/{reviewed_essays(visit.site.database, items=30, reviewed=0)}"
    draw_sample(visit.context(url), 5)
    drawn = draw_sample(visit.context(url), 7)

    assert WorkspaceSettings.of(visit.context(url).workspace).samples == (drawn,)
    assert (len(drawn.items), drawn.of, drawn.author) == (7, 30, "Ada")
    for size in (0, MOST_DRAWN + 1):
        with pytest.raises(FieldErrors, match="Draw between 1 and 2,000"):
            draw_sample(visit.context(url), size)
