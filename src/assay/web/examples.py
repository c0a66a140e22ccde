"""Workspaces with invented data, to try everything on."""

from io import BytesIO

from assay.files.example_scores import example_scores
from assay.store.workspaces import recent_workspaces
from assay.web.kinds import KINDS
from assay.web.score_tables import evaluate_with, new_evaluation
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspace_page import FoundWorkspace


def fill_with_examples(site: Site, who: Visitor) -> str | None:
    """Make the example workspaces unless they are there; the address of the first."""
    with site.database.reading() as connection:
        if any(w.example for w in recent_workspaces(connection, most=10_000)):
            return None
    return _example_evaluation(site, who)


def _example_evaluation(site: Site, who: Visitor) -> str:
    table = BytesIO(example_scores().write_csv().encode())
    title = "Three engines, 600 responses"
    made = new_evaluation(site, "example_scores.csv", table, who, title=title, example=True)
    found = FoundWorkspace(made, KINDS[made.kind], who, site)
    chosen = {**made.settings["columns"], "system": ["engine_a", "engine_b", "judge"]}
    chosen["groups"] = ["first_language", "gender"]
    evaluate_with(found, chosen, "1-6")
    return found.url
