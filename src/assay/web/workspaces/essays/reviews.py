"""Human scores that came with the essays, taken as reviews: what people gave before counts as what they give here."""

from assay.errors import InputError
from assay.scale import ScoreScale
from assay.store.audit import note
from assay.store.database import Connection
from assay.store.items import Item, find_result, workspace_items
from assay.store.overrides import Consequence, decide, reviewed
from assay.store.workspaces import hold_workspace
from assay.web.workspaces.essays.models import workspace_model
from assay.web.workspaces.essays.workspace import score_point
from assay.web.workspaces.stored_settings import EssayTask
from assay.web.workspaces.summaries import refresh_summary
from assay.web.workspaces.workspace_page import WorkspaceContext

REASON = "Human score of the uploaded table"


def reviews_from_table(context: WorkspaceContext, *, author: str = "", most: int | None = None) -> int:
    """A decision for every essay that has a human score on the scale and none yet; how many.

    Where the system has not scored yet, its score is filled in when it has.
    """
    site, workspace = context.site, context.workspace
    engine, scale = workspace.engine, workspace_model(site, workspace).scale
    now, count = site.now(), 0
    with site.database.writing() as connection:
        hold_workspace(connection, workspace.id)
        known = reviewed(connection, workspace.id, engine)
        for item in workspace_items(connection, workspace.id):
            human = EssayTask.from_json(item.detail).human
            if human is None or item.id in known or not _on(scale, human) or count == most:
                continue
            _review(connection, context, item, engine, human, author or context.visitor.name)
            count += 1
        detail = {"name": f"{count} human scores"}
        note(
            connection,
            "take human scores as reviews",
            author=context.visitor.name,
            now=now,
            workspace_id=workspace.id,
            detail=detail,
        )
        refresh_summary(connection, workspace.id, now=now)
    return count


def _on(scale: ScoreScale, human: float) -> bool:
    try:
        score_point(human, scale)
    except InputError:
        return False
    return True


def _review(
    connection: Connection, context: WorkspaceContext, item: Item, engine: str, human: float, author: str
) -> None:
    result = find_result(connection, item.id, engine)
    system = result.score if result is not None else None
    decide(
        connection,
        item,
        engine,
        kind="confirm" if system == human else "override",
        target="score",
        value=human,
        consequence=Consequence(system, system, human),
        reason=REASON,
        author=author,
        now=context.site.now(),
    )
