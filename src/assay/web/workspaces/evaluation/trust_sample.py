"""Random samples of a workspace's items: reviewed whole, they say how the engine does on all of them."""

import random
import secrets

from assay.errors import InputError
from assay.store.items import scored_ids
from assay.store.schema import Json
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.workspaces.scoring import change_settings
from assay.web.workspaces.workspace_page import WorkspaceContext

MOST_DRAWN = 2000


def latest_sample(workspace: Workspace) -> Json | None:
    """The sample drawn last from what this engine scored, if any."""
    drawn = [sample for sample in workspace.settings.get("samples", []) if sample["engine"] == workspace.engine]
    return drawn[-1] if drawn else None


def draw_sample(context: WorkspaceContext, size: int) -> Json:
    """Draw items at random from all that have a score, reviewed or not; the sample, which the workspace keeps.

    Those reviewed before count as reviewed: every item has the same chance to be in the sample, whatever was done with
    it, so figures on the sample hold for all.
    """
    if not 1 <= size <= MOST_DRAWN:
        raise FieldErrors({"size": f"Draw between 1 and {MOST_DRAWN:,}."})
    site = context.site
    with site.database.writing() as connection:
        workspace = hold_workspace(connection, context.workspace.id) or context.workspace
        ids = scored_ids(connection, workspace.id, workspace.engine)
        if not ids:
            raise InputError("Nothing has a score yet, so there is nothing to draw from.")
        seed = secrets.randbits(32)
        chosen = sorted(random.Random(seed).sample(ids, min(size, len(ids))))
        sample: Json = {"engine": workspace.engine, "seed": seed, "of": len(ids), "items": chosen}
        sample |= {"author": context.visitor.name, "made": site.now().isoformat()}
        # samples of other engines are kept: going back to their rules finds them
        others = [s for s in workspace.settings.get("samples", []) if s["engine"] != workspace.engine]
        change_settings(connection, site, workspace, {"samples": [*others, sample]})
        detail = {"name": f"{len(chosen)} of {len(ids)}", "seed": seed, "items": chosen}
        context.note(connection, "draw a sample", detail)
    return sample
