"""Essays of our own in a workspace, scored once for all tests of a module."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import polars as pl

from tests.paths import EXAMPLES
from tests.web.visits import Visit

ESSAY = (
    "Every morning at six my alarm goes off, and every morning I think the same thing. I believe that our school "
    "should start one hour later, because students would sleep more, learn better and arrive safer.\n\n"
    "The first reason is sleep. Doctors say teenagers need nine hours, but most of my freinds gets about six. When you "
    "are tired you can not concentrate, and a tired class is hard to teach.\n\n"
    "In conclusion, an hour is a small thing to change, and it would not cost the school alot."
)
HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def essay_table(count: int = 14) -> pl.DataFrame:
    """Example essays of middling length with their human scores."""
    essays = pl.read_csv(EXAMPLES / "essays.csv")
    return essays.filter(essays["text"].str.len_chars() > 300).select("id", "prompt", "text", "score").head(count)


def table_file(frame: pl.DataFrame, name: str = "class 9.csv") -> tuple[str, tuple[str, io.BytesIO]]:
    return "essays", (name, io.BytesIO(frame.write_csv().encode()))


def document(name: str, content: bytes, field: str = "essays") -> tuple[str, tuple[str, io.BytesIO]]:
    return field, (name, io.BytesIO(content))


def zipped(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, inside in files.items():
            archive.writestr(name, inside)
    return content.getvalue()


class Essays:
    """A workspace of essays and the visitor who made it."""

    def __init__(self, folder: Path, count: int = 14) -> None:
        self.visit = Visit(f"sqlite:///{folder / 'assay.db'}", folder / "cache")
        answer = self.visit.send("/essays", files=[table_file(essay_table(count))])
        self.url = answer.url.path.rsplit("/", 1)[0]
        self.first_page = answer.text
        chosen: dict[str, Any] = {"text": "text", "id": "id", "prompt": "", "score": "score"}
        self.visit.send(f"{self.url}/columns", **chosen)
        self.visit.work()

    @property
    def workspace_id(self) -> str:
        return self.url.rsplit("/", 1)[1]

    def page(self, path: str = "/submissions", **options: Any) -> str:
        return self.visit.page(self.url + path, **options)

    def results(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.api("/results", limit=1000)["results"]
        return found

    def api(self, path: str, **asked: Any) -> Any:
        answer = self.visit.client.get(f"/api/v1/workspaces/{self.workspace_id}{path}", params=asked)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def essay(self, item_id: int) -> str:
        return self.page(f"/submissions/{item_id}")

    def override(self, item_id: int, value: float, reason: str = "Its voice is strong.") -> None:
        """As a person does it: see what it becomes, then save."""
        asked = self.visit.send(f"{self.url}/submissions/{item_id}/override", value=str(value), reason=reason)
        seen = re.search(r'name="shown" value="([^"]+)"', asked.text)
        assert seen is not None, asked.text[-3000:]
        self.visit.send(f"{self.url}/submissions/{item_id}/override", value=str(value), reason=reason, shown=seen[1])

    def export(self, path: str) -> bytes:
        answer = self.visit.client.get(f"{self.url}/exports/{path}")
        assert answer.status_code == 200, path
        return answer.content
