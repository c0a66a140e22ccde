"""What helps people while they review: rules tried out first, history in words, single keys, work that goes on."""

import re
from datetime import UTC, datetime, timedelta

from assay.store.jobs import cancel, latest_job
from assay.store.workspaces import Entry
from assay.web.pages.shared_pages import log_lines
from tests.web.annotated import ADA, BEN, coco, fields, graded, item_of, override, scores
from tests.web.visits import Visit, table
from tests.web.workspaces.annotations.test_rules import form_of


def test_rules_are_tried_out_and_nothing_is_saved(visit: Visit) -> None:
    url = graded(visit)
    before, rules = scores(visit, url), visit.client.get(f"{url}/rules/rules.toml").text
    form = form_of(visit.page(f"{url}/rules")) | {"w_quality": "100"}
    part = visit.send(f"{url}/rules/effect?part=true", **form).text
    page = visit.send(f"{url}/rules/effect", **form).text

    # ben found all pairs rightly and lost by completeness alone: 83.3 becomes 100
    assert re.search(r'ben</th><td class="n quiet">83.3</td><td class="n">100.0</td>', part)
    assert "<html" not in part
    assert "nothing is saved" in part
    assert "nothing is saved" in page
    assert 'name="w_quality" type="number"' in page
    assert scores(visit, url) == before
    assert visit.client.get(f"{url}/rules/rules.toml").text == rules


def test_a_wrong_number_is_told_beside_its_field_when_rules_are_tried_out(visit: Visit) -> None:
    url = graded(visit)
    form = form_of(visit.page(f"{url}/rules")) | {"t_box": "7"}

    assert 'id="t_box-wrong"' in visit.send(f"{url}/rules/effect", status=422, **form).text


def test_the_history_lists_decisions_with_both_scores_and_the_reason(visit: Visit) -> None:
    url = graded(visit)
    override(visit, url, "ben", "miss:2", 100, "<b>hidden</b> by a tree")
    page = visit.page(f"{url}/history")

    row = re.search(r"<tr><td[^>]*><time(?:(?!</tr>).)*miss excused(?:(?!</tr>).)*</tr>", page, re.S)
    assert row is not None
    assert ">ben</a>" in row[0]
    assert "83.3" in row[0]
    assert "&lt;b&gt;hidden&lt;/b&gt; by a tree" in row[0]
    assert f"/submissions/{item_of(visit, url, 'ben')}" in row[0]


def test_files_that_came_in_one_go_are_one_line_of_the_log() -> None:
    now = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
    acts = [("upload", "c.xml", 0), ("upload", "b.xml", 1), ("change rules", "rules.toml", 2), ("upload", "a.xml", 500)]
    entries = [Entry(9 - i, now - timedelta(seconds=s), "Ada", a, "w", {"name": n}) for i, (a, n, s) in enumerate(acts)]

    lines = log_lines(entries)

    assert [(line.action, line.about) for line in lines] == [
        ("upload", "b.xml, c.xml"),
        ("change rules", "rules.toml"),
        ("upload", "a.xml"),
    ]


def test_single_keys_stay_off_once_switched_off(visit: Visit) -> None:
    url = graded(visit)
    page = f"{url}/submissions/{item_of(visit, url, 'ben')}"
    on = visit.page(page)
    visit.send("/keys", keys="off", back=page)
    off = visit.page(page)

    assert 'data-keys="off"' not in on
    assert 'aria-pressed="true" title="Single keys' in on
    assert 'data-keys="off"' in off
    assert 'aria-pressed="false" title="Single keys' in off


def test_stopped_work_can_be_taken_up_from_any_page_of_the_workspace(visit: Visit) -> None:
    sent = fields(truth={"truth.json": coco(ADA)}, submissions={"ben.json": coco(BEN)})
    url = str(visit.client.post("/annotations", data={"csrf": visit.token()}, files=sent).url.path).removesuffix(
        "/submissions"
    )
    with visit.site.database.writing() as connection:
        job = latest_job(connection, url.rpartition("/")[2], now=visit.site.now())
        assert job is not None
        cancel(connection, job.job_id, now=visit.site.now())
    assert "The work was stopped" in visit.page(f"{url}/rules")
    visit.send(f"/jobs/{job.job_id}/resume")
    visit.work()

    assert "The work was stopped" not in visit.page(f"{url}/rules")
    assert scores(visit, url)["ben"] == (83.3, 83.3)


def test_a_table_that_cannot_be_read_is_called_by_its_own_name(visit: Visit) -> None:
    page = visit.send("/evaluation", files=table("\0\1\2", "pilot.csv"), status=422).text

    assert "pilot.csv" in page
    assert not re.search(r"[0-9a-f]{40}", page.partition('id="table-wrong"')[2][:400])


def test_a_submission_that_could_not_be_scored_is_marked_among_the_files(visit: Visit) -> None:
    url = graded(visit, {"ben.json": coco(BEN), "cut.json": b'{"images": ['})

    page = visit.page(f"{url}/files")
    assert re.search(r'class="bad">(?:(?!</li>).)*<b>cut.json</b><p>[^<]*not complete', page, re.S)
    assert re.search(r'class="ok">(?:(?!</li>).)*<b>ben.json</b>', page, re.S)


def test_a_page_that_is_not_there_still_leads_on(visit: Visit) -> None:
    page = visit.page("/nowhere", status=404)

    assert 'href="/annotations"' in page
    assert "There is no such page" in page
