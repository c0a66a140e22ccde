"""Every kind of workspace has its words, its pages and its handlers."""

from assay.web.workspaces.handler_table import WORKSPACE_HANDLERS
from assay.web.workspaces.kinds import KINDS, SHARED
from tests.web.visits import Visit


def test_every_kind_has_handlers_and_ends_with_the_shared_pages() -> None:
    assert KINDS.keys() == WORKSPACE_HANDLERS.keys()
    for name, kind in KINDS.items():
        shared = SHARED[1:] if name == "panels" else SHARED  # nobody reviews single items of a panel
        assert kind.tabs[-len(shared) :] == shared


def test_every_kind_has_a_landing_page_that_promises_what_it_does(visit: Visit) -> None:
    home = visit.page("/")

    for kind in KINDS.values():
        assert kind.promise in home
        assert kind.title in visit.page(f"/{kind.path}")
