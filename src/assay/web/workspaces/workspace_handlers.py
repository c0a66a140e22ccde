"""What each kind of workspace does with what comes in; pages and programs call the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.store.database import Connection
from assay.store.items import Item, StoredResult
from assay.store.overrides import Consequence, Decision
from assay.store.schema import Json
from assay.store.uploads import Upload
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.workspaces.export_files import ExportFile
from assay.web.workspaces.workspace_page import WorkspaceContext

Decide = Callable[[Site, Workspace, Item, StoredResult, Sequence[Decision], str, Any], Consequence]
"""Site, workspace, item, its result, the decisions that stand, target and value -> what it does; InputError if it
cannot be done. A target of `score` with the value None confirms the score as it is."""


@dataclass(frozen=True, slots=True)
class WorkspaceHandlers:
    """What one kind does."""

    roles: tuple[str, ...]
    """The roles an upload may have."""
    received: Callable[[Connection, Site, Workspace, Sequence[Upload]], None]
    """Called after uploads were kept, in the same transaction; InputError when they cannot be used."""
    start: Callable[[WorkspaceContext, Json], str | None]
    """Check settings and start the scoring; the id of the job, None when everything has its result already."""
    decide: Decide
    exports: Callable[[Site, Workspace], list[ExportFile]]


def no_decisions(
    site: Site,
    workspace: Workspace,
    item: Item,
    result: StoredResult,
    decisions: Sequence[Decision],
    target: str,
    value: Any,
) -> Consequence:
    """For kinds whose results are not overridden."""
    del site, workspace, item, result, decisions, target, value
    raise InputError("The figures of an evaluation follow from its table; mend the table and upload it again.")
