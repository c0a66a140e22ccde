"""Whether the app answers, for proxies, containers and supervisors."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from assay.store.database import schema_version
from assay.web.site import SiteHere

router = APIRouter()


@router.get("/health")
def health(site: SiteHere) -> JSONResponse:
    """Ok when the database answers; 503 otherwise. It says nothing else, since anybody may ask."""
    site.database.read(schema_version)
    return JSONResponse({"status": "ok"})
