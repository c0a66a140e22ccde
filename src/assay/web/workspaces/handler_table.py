"""Which code serves which kind of workspace; read once, when the app is put together."""

from collections.abc import Mapping

from assay.web.workspaces.annotations import workspace as annotation_work
from assay.web.workspaces.annotations.exports import annotation_exports
from assay.web.workspaces.essays import workspace as essay_work
from assay.web.workspaces.essays.exports import essay_exports
from assay.web.workspaces.evaluation import further_engines, score_tables
from assay.web.workspaces.export_files import evaluation_exports
from assay.web.workspaces.workspace_handlers import WorkspaceHandlers, no_decisions

WORKSPACE_HANDLERS: Mapping[str, WorkspaceHandlers] = {
    "evaluation": WorkspaceHandlers(
        roles=("scores", further_engines.ROLE),
        received=further_engines.received,
        start=score_tables.start,
        decide=no_decisions,
        exports=evaluation_exports,
    ),
    "annotations": WorkspaceHandlers(
        roles=annotation_work.ROLES,
        received=annotation_work.received,
        start=annotation_work.start,
        decide=annotation_work.decide,
        exports=annotation_exports,
    ),
    "essays": WorkspaceHandlers(
        roles=essay_work.ROLES,
        received=essay_work.received,
        start=essay_work.start,
        decide=essay_work.decide,
        exports=essay_exports,
    ),
}
"""Kind of a workspace -> what it does."""
