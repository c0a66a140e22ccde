from assay.store.leases import lease
from assay.web.site import utc_now
from assay.web.worker.panels import prepare
from assay.web.worker.worker import Tools
from tests.web.pages.test_panels import chosen, workspace_of
from tests.web.visits import Visit


def test_a_panel_is_files_and_a_few_words(visit: Visit) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen())
    with visit.site.database.writing() as connection:
        (leased,) = lease(connection, "worker", now=utc_now(), most=3)

    outcome = prepare(leased, Tools(visit.site.database, visit.settings.cache))(leased)

    assert {"report.html", "page.html", "tables.zip", "tables.xlsx", "panel.json"} <= outcome.files.keys()
    assert outcome.payload["count"] == "60 items, 5 raters"
    assert "of 2 judges can replace a rater" in outcome.payload["state"]
