"""A course with a roster, its teacher and two students, each with a browser of their own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from httpx2 import Response

from assay.store.accounts import create_account, start_session
from assay.store.courses import create_course, create_organization, enroll
from assay.web.visitors import SESSION
from tests.web.essayed import ESSAY
from tests.web.visits import Visit

PEOPLE = ("Amara Osei", "Ben Carver", *(f"Student Number{n}" for n in range(3, 31)))
MARK = "quetzalcoatlus"
"""A word that only Amara writes."""
TEXTS = {
    "amara": f"{ESSAY}\n\nMy pet {MARK} agrees with every word of this essay.",
    "ben": ESSAY.replace("alarm", "radio"),
}


class Class:
    """An app with one course: a teacher, an administrator, thirty students of whom two have accounts."""

    def __init__(self, url: str, folder: Path, people: Sequence[str] = PEOPLE) -> None:
        self.visit = Visit(url, folder / "cache", accounts=True, first_run_key="the key")
        self.cache = folder / "cache"
        now, self.browsers, self.students = self.visit.site.now(), {}, {}
        with self.visit.site.database.writing() as connection:
            organization = create_organization(connection, "School", now=now).id
            self.course = create_course(connection, "English 9", organization_id=organization, now=now).id
            for name, role, place in (
                ("teacher", "trainer", "owner"),
                ("root", "admin", None),
                ("amara", "student", "student"),
                ("ben", "student", "student"),
            ):
                kind: Any = role
                id_ = create_account(connection, name, "none", kind, now=now, organization_id=organization)
                self.browsers[name] = self.visit.another()
                self.browsers[name].cookies.set(SESSION, start_session(connection, id_, now=now))
                if place == "owner":
                    enroll(connection, self.course, "owner", name, now=now, account_id=id_)
                elif place == "student":
                    whole = next(one for one in people if one.casefold().startswith(name))
                    email = f"{name}@school.example"
                    one = enroll(
                        connection,
                        self.course,
                        "student",
                        whole,
                        now=now,
                        account_id=id_,
                        email=email,
                        number=f"id-{name}",
                    )
                    self.students[name] = one.id
            for whole in people[2:]:
                enroll(connection, self.course, "student", whole, now=now)

    def get(self, who: str, path: str, *, status: int = 200) -> Response:
        answer = self.browsers[who].get(path)
        assert answer.status_code == status, answer.text[:3000]
        return answer

    def post(self, who: str, path: str, /, *, status: int = 200, files: Any = None, **fields: Any) -> Response:
        self.visit.client = self.browsers[who]
        return self.visit.send(path, status=status, files=files, **fields)

    def assignment(self, **fields: Any) -> str:
        """A new essay assignment; its workspace."""
        due = {"due": "2099-01-01T12:00"} | fields
        page = self.post("teacher", f"/courses/{self.course}/assignments", name="Persuasive letter", **due)
        return page.url.path.rpartition("/")[2]

    def hand_in(self, who: str, workspace: str, *, status: int = 200, text: str = "") -> Response:
        content = (text or TEXTS[who]).encode()
        files = {"file": (f"{who}-letter.txt", content)}
        return self.post(who, f"/mine/{workspace}/hand-in", files=files, status=status)

    def item_ids(self, workspace: str) -> dict[str, int]:
        """Name -> item, as the teacher sees them."""
        listed = self.get("teacher", f"/api/v1/workspaces/{workspace}/results").json()["results"]
        return {row["item"]["name"]: row["item"]["id"] for row in listed}

    def release(self, workspace: str, **fields: Any) -> Response:
        chosen = {"who": "all", "shown": ["score", "advice", "errors"], "action": "release"} | fields
        return self.post("teacher", f"/courses/{self.course}/assignments/{workspace}/release", **chosen)

    def close(self) -> None:
        self.visit.close()
