"""Courses in the browser: who is in one, in which role, and who may change that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.web.pages.courses import ROLE_WORDS
from tests.web.pages.test_accounts import PASSWORD, make_admin, sign_in
from tests.web.visits import Visit


@pytest.fixture
def school(database_url: str, tmp_path: Path) -> Iterator[Visit]:
    """A school with an administrator, who is signed in, and two trainers."""
    made = Visit(database_url, tmp_path / "cache", accounts=True, first_run_key="the key")
    make_admin(made)
    for name in ("Tess", "Rob"):
        made.send("/accounts", name=name, password=PASSWORD, role="trainer")
    yield made
    made.close()


def as_person(visit: Visit, name: str) -> None:
    visit.client = visit.another()
    sign_in(visit, name)


def test_a_teacher_creates_a_course_and_enrolls_people_who_then_share_it(school: Visit) -> None:
    as_person(school, "Tess")
    made = school.send("/courses", name="English 9").url.path
    assert "already" in school.send(f"{made}/people", name="Tess", role="teacher", status=422).text
    school.send(f"{made}/people", name="Rob", role="reviewer")
    invited = school.send(f"{made}/people", name="Amara Osei", email="amara@school.org", role="student").text
    link = "/welcome/" + invited.partition("/welcome/")[2].partition("<")[0].strip()
    people = school.page(f"{made}/people")
    assert all(name in people for name in ("Tess", "Rob", "Amara Osei", "amara@school.org"))
    assert all(words in people for words in ROLE_WORDS.values())
    school.client = school.another()
    assert "My work" in school.send(link, password=PASSWORD).text
    school.page(made, status=403)
    as_person(school, "Rob")
    assert "English 9" in school.page("/courses")
    school.page(f"{made}/people", status=403)
    school.send("/courses", name=" ", status=422)


def test_nobody_gives_or_takes_a_role_as_high_as_their_own(school: Visit) -> None:
    as_person(school, "Tess")
    made = school.send("/courses", name="English 9").url.path
    school.send(f"{made}/people", name="Rob", role="teacher")
    numbers = people_ids(school, made)
    assert "needs an owner" in school.send(f"{made}/people/{numbers['Tess']}/end", status=422).text
    school.send(f"{made}/name", name="English 10")
    as_person(school, "Rob")
    school.send(f"{made}/people", name="Ada", role="owner", status=403)
    school.send(f"{made}/people/{numbers['Tess']}/role", role="student", status=403)
    school.send(f"{made}/people", name="Zoe", role="assistant")
    school.send(f"{made}/people/{people_ids(school, made)['Zoe']}/role", role="reviewer")
    school.send(f"{made}/people/{people_ids(school, made)['Zoe']}/end")
    assert "Zoe" not in people_ids(school, made)
    log = school.page(f"{made}/log")
    assert all(words in log for words in ("rename course", "enroll", "change role", "end enrollment"))


def people_ids(visit: Visit, course: str) -> dict[str, int]:
    from assay.store.courses import course_people

    listed = visit.site.database.read(course_people, course.rpartition("/")[2])
    return {one.name: one.id for one in listed}


def test_students_on_the_roster_get_links_all_at_once(school: Visit) -> None:
    from assay.store.courses import enroll

    with school.site.database.writing() as connection:
        for name in ("Ben Carver", "Ben Carver", "Chloë O’Neil"):
            enroll(connection, "default", "student", name, now=school.site.now())
    page = school.send("/courses/default/invite").text

    assert page.count("/welcome/") == 3
    assert "Ben Carver 2" in page
    assert "Create invitation links" not in school.page("/courses/default/people")


def test_on_ones_own_machine_nothing_of_courses_shows(visit: Visit) -> None:
    assert "Courses" not in visit.page("/")
    assert "Course" not in visit.page("/essays")
    for path in ("/courses", "/courses/default", "/courses/default/people"):
        visit.page(path, status=404)
