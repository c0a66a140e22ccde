"""What a student sees: their own work, over all workspaces."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.store.items import find_result, students_items
from assay.store.overrides import item_decisions
from assay.store.workspaces import find_workspace
from assay.web.site import SiteHere
from assay.web.templating import render
from assay.web.visitors import Anyone

router = APIRouter()


@router.get("/mine")
def mine(request: Request, site: SiteHere, who: Anyone) -> HTMLResponse:
    """Everything the student handed in, with the score that holds."""
    rows = []
    with site.database.reading() as connection:
        for item in students_items(connection, who.name):
            workspace = find_workspace(connection, item.workspace_id)
            if workspace is None:
                continue
            engine = workspace.engine
            result, decisions = find_result(connection, item.id, engine), item_decisions(connection, item, engine)
            score = result.score if result else None
            final = decisions[-1].human_score if decisions else score
            rows.append({"item": item, "workspace": workspace, "score": score, "final": final})
    return render(request, "mine.html", {"rows": rows})
