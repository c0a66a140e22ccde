"""A visitor to the app, without a browser: pages, forms with their tokens, and a worker at hand."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

from assay.web.app import create_app
from assay.web.pages.page_parts import find_context
from assay.web.site import Site, WebSettings
from assay.web.visitors import Visitor
from assay.web.worker.worker import Worker
from assay.web.workspaces.scoring import WorkspaceContext


class Visit:
    """One browser's view of the app."""

    def __init__(self, url: str, cache: Path, **settings: Any) -> None:
        self.settings = replace(WebSettings(database=url, cache=cache), **settings)
        self.app = create_app(self.settings)
        self.site: Site = self.app.state.site
        self.client = self.another()

    def another(self) -> TestClient:
        """A second browser, with its own cookies."""
        return TestClient(self.app, base_url="http://127.0.0.1:8765", follow_redirects=True)

    def page(self, path: str, *, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text[:2000]
        return answer.text

    def send(self, path: str, *, files: Any = None, status: int = 200, **fields: Any) -> Response:
        """A form as its page would send it."""
        answer = self.client.post(path, data={"csrf": self.token(), **fields}, files=files)
        assert answer.status_code == status, answer.text[:3000]
        return answer

    def token(self) -> str:
        found = re.search(r'name="csrf-token" content="([^"]+)"', self.client.get("/sign-in").text)
        assert found is not None
        return found[1]

    def context(self, url: str) -> WorkspaceContext:
        """The workspace at an address, as its pages and the API see it now."""
        return find_context(url.split("/")[2], self.site, Visitor("Ada", "admin"))

    def work(self) -> None:
        """Everything in the queue is done."""
        Worker(self.site.database, self.settings.cache).work_until_idle()

    def close(self) -> None:
        self.client.close()
        self.site.database.close()


def table(text: str, name: str = "scores.csv") -> dict[str, tuple[str, BytesIO]]:
    """A table as a file field."""
    return {"table": (name, BytesIO(text.encode()))}
