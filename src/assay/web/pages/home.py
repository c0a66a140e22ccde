"""Home: three tasks, the workspaces there are, an example to try; of a student, their own work."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.store.items import find_result, students_items
from assay.store.jobs import latest_job
from assay.store.overrides import item_decisions
from assay.store.workspace_deletion import remove_workspaces, restore_workspace
from assay.store.workspaces import find_workspace, recent_workspaces
from assay.web.examples import fill_with_examples
from assay.web.site import SiteHere
from assay.web.templating import KEYS, THEME, YEAR, render, set_cookie
from assay.web.visitors import Anyone, Trainer
from assay.web.workspaces.workspace_page import progress_words

router = APIRouter()


@router.get("/")
def home(request: Request, site: SiteHere, who: Anyone) -> Response:
    """Three tasks for trainers; students go to their own work."""
    if not who.may_train:
        return RedirectResponse("/mine", 303)
    with site.database.reading() as connection:
        listed = recent_workspaces(connection)
        latest = ((w.id, latest_job(connection, w.id, now=site.now())) for w in listed)
        jobs = {id_: (job, progress_words(job)) for id_, job in latest if job is not None and job.is_open}
    values = {"workspaces": listed, "jobs": jobs, "has_example": any(w.example for w in listed)}
    return render(request, "home.html", values)


@router.post("/example")
def try_example(site: SiteHere, who: Trainer) -> RedirectResponse:
    """Workspaces with invented data."""
    first = fill_with_examples(site, who)
    return RedirectResponse(first or "/", 303)


@router.post("/example/remove")
def remove_example(site: SiteHere, who: Trainer) -> RedirectResponse:
    """Take the workspaces with invented data away again."""
    with site.database.writing() as connection:
        ids = [w.id for w in recent_workspaces(connection, most=10_000) if w.example]
        remove_workspaces(connection, ids, author=who.name, now=site.now())
    return RedirectResponse("/", 303)


@router.post("/workspaces/{workspace_id}/remove")
def remove(workspace_id: str, site: SiteHere, who: Trainer) -> RedirectResponse:
    """Take a workspace away; the page it leads to offers to bring it back."""
    with site.database.writing() as connection:
        remove_workspaces(connection, [workspace_id], author=who.name, now=site.now())
    return RedirectResponse(f"/workspaces/{workspace_id}/removed", 303)


@router.get("/workspaces/{workspace_id}/removed")
def removed(request: Request, workspace_id: str, _who: Trainer) -> HTMLResponse:
    """A removed workspace can be brought back."""
    return render(request, "removed.html", {"workspace_id": workspace_id})


@router.post("/workspaces/{workspace_id}/restore")
def restore(workspace_id: str, site: SiteHere, who: Trainer) -> RedirectResponse:
    """Bring a removed workspace back."""
    with site.database.writing() as connection:
        restore_workspace(connection, workspace_id, author=who.name, now=site.now())
    return RedirectResponse("/", 303)


@router.post("/theme")
def theme(
    request: Request,
    theme: Annotated[Literal["light", "dark"], Form()],
    back: Annotated[str, Form()] = "/",
) -> Response:
    """Light or dark from now on; the server knows, so that no page flashes."""
    return _with_cookie(request, THEME, theme, back)


@router.post("/keys")
def keys(
    request: Request, keys: Annotated[Literal["on", "off"], Form()], back: Annotated[str, Form()] = "/"
) -> Response:
    """Whether single keys do something: with speech input they can get in the way."""
    return _with_cookie(request, KEYS, keys, back)


def _with_cookie(request: Request, cookie: str, value: str, back: str) -> Response:
    """Back to the page, with a wish that later pages know of."""
    # only a path of ours: `//host` and `/\host` lead elsewhere
    ours = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if ours else "/", 303)
    set_cookie(request, answer, cookie, value, lasts=YEAR)
    return answer


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
