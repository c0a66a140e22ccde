"""Workspaces with invented data, to try everything on."""

from io import BytesIO

import polars as pl

from assay.io.example_data import example_annotations, example_folder
from assay.store.workspaces import find_workspace, recent_workspaces
from assay.web.site import Site
from assay.web.uploads import keep_files
from assay.web.visitors import Visitor
from assay.web.workspaces.annotations.workspace import new_annotations
from assay.web.workspaces.essays.workspace import new_workspace, received, reviews_from_table, score_with
from assay.web.workspaces.evaluation.score_tables import evaluate_with, new_evaluation
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.stored_settings import EssayColumnNames, EssaySettings
from assay.web.workspaces.workspace_page import WorkspaceContext

SHOWN = "cars"
"""The prompt whose essays are shown; the example model learned from those on the others."""
REVIEWED = 16
"""Example essays that somebody has reviewed already."""


def fill_with_examples(site: Site, who: Visitor) -> str | None:
    """Make the example workspaces unless they are there; the address of the first."""
    with site.database.reading() as connection:
        if any(w.example for w in recent_workspaces(connection, most=10_000)):
            return None
    first = _example_evaluation(site, who)
    _example_annotations(site, who)
    _example_essays(site, who)
    return first


def _example_annotations(site: Site, who: Visitor) -> str:
    street = example_annotations()
    paths = {"truth": [street.truth], "submissions": street.submissions, "images": sorted(street.images.iterdir())}
    files = {role: [(path.name, BytesIO(path.read_bytes())) for path in own] for role, own in paths.items()}
    return new_annotations(site, files, who, title="Street objects, seven students", example=True).url


def _example_essays(site: Site, who: Visitor) -> str:
    examples = example_folder()
    essays = pl.read_csv(examples / "essays.csv")
    shown = essays.filter(essays["prompt"] == SHOWN).select("candidate", "text", "score")
    table = ("essays_on_cars.csv", BytesIO(shown.write_csv().encode()))
    context = new_workspace(site, [table], who, title="Cars in the town center, grade 10", example=True)
    with site.database.writing() as connection:
        model = [("Example model.json", BytesIO((examples / "essay_model.json").read_bytes()))]
        received(
            connection, site, context.workspace, keep_files(connection, site, context.workspace, "model", model, who)
        )
        changed = find_workspace(connection, context.workspace.id)
    assert changed is not None  # made above
    given = WorkspaceContext(changed, context.kind, who, site)
    columns = EssayColumnNames(text="text", id="candidate", prompt="", score="score")
    question = (examples / "prompts" / f"{SHOWN}.txt").read_text(encoding="utf-8").strip()
    score_with(given, columns=columns, question=question, model=EssaySettings.of(changed).next_model)
    with site.database.reading() as connection:
        scoring = find_workspace(connection, context.workspace.id)
    assert scoring is not None
    reviews_from_table(WorkspaceContext(scoring, context.kind, who, site), author="Example teacher", most=REVIEWED)
    return context.url


def _example_evaluation(site: Site, who: Visitor) -> str:
    table = BytesIO((example_folder() / "scores.csv").read_bytes())
    title = "Three engines, 600 responses"
    made = new_evaluation(site, "example_scores.csv", table, who, title=title, example=True)
    context = WorkspaceContext(made, KINDS[made.kind], who, site)
    chosen = {**made.settings["columns"], "system": ["engine_a", "engine_b", "judge"]}
    chosen["groups"] = ["first_language", "gender"]
    evaluate_with(context, chosen, "1-6")
    return context.url
