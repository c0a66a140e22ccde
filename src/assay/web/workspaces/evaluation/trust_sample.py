"""Random samples of a workspace's items: reviewed whole, they say how the engine does on all of them."""

import random
import secrets

from assay.errors import InputError
from assay.store.audit import note
from assay.store.items import scored_ids
from assay.store.schema import Json
from assay.store.workspaces import Workspace, change_workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.workspaces.workspace_page import WorkspaceContext

MOST_DRAWN = 2000


def latest_sample(workspace: Workspace) -> Json | None:
    """The sample drawn last from what this engine scored, if any."""
    engine = workspace.engine
    drawn = [sample for sample in workspace.settings.get("samples", []) if sample["engine"] == engine]
    return drawn[-1] if drawn else None


def draw_sample(found: WorkspaceContext, size: int) -> Json:
    """Draw items at random from all that have a score, reviewed or not; the sample, which the workspace keeps.

    Those reviewed before count as reviewed: every item has the same chance to be in the sample, whatever was done with
    it, so figures on the sample hold for all.
    """
    if not 1 <= size <= MOST_DRAWN:
        raise FieldErrors({"size": f"Draw between 1 and {MOST_DRAWN:,}."})
    site, now = found.site, found.site.now()
    with site.database.writing() as connection:
        workspace = hold_workspace(connection, found.workspace.id) or found.workspace
        engine = workspace.engine
        ids = scored_ids(connection, workspace.id, engine)
        if not ids:
            raise InputError("Nothing has a score yet, so there is nothing to draw from.")
        seed = secrets.randbits(32)
        chosen = sorted(random.Random(seed).sample(ids, min(size, len(ids))))
        sample: Json = {
            "engine": engine,
            "seed": seed,
            "of": len(ids),
            "items": chosen,
            "author": found.visitor.name,
            "made": now.isoformat(),
        }
        # samples of other engines are kept: going back to their rules finds them
        others = [s for s in workspace.settings.get("samples", []) if s["engine"] != engine]
        settings = {**workspace.settings, "samples": [*others, sample]}
        change_workspace(connection, workspace.id, now=now, settings=settings)
        detail = {"name": f"{len(chosen)} of {len(ids)}", "seed": seed, "items": chosen}
        note(connection, "draw a sample", author=found.visitor.name, now=now, workspace_id=workspace.id, detail=detail)
    return sample
