"""Essay workspaces: the pages under /essays."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.store.workspaces import recent_workspaces
from assay.web.kinds import KINDS
from assay.web.site import SiteHere
from assay.web.templating import render
from assay.web.visitors import Trainer

router = APIRouter(prefix="/essays")
KIND = KINDS["essays"]


@router.get("")
def door(request: Request, site: SiteHere, _who: Trainer) -> HTMLResponse:
    """What scoring does, essays to drop, and the workspaces there are."""
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, kind=KIND.path)
    return render(request, "essays/door.html", {"kind": KIND, "workspaces": listed})
