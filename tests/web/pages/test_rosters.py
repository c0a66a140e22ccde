"""A roster in the browser, and files that somebody settles."""

from io import BytesIO

from assay.store.courses import course_people
from assay.web.pages.rosters import MOST_WAITING
from tests.web.annotated import item_of
from tests.web.pages.test_courses import school  # noqa: F401 - a fixture
from tests.web.visits import Visit

HEAD = "Name,E-mail,ID\n"
CLASS = HEAD + "".join(f"Student {n},s{n}@x.org,{4700 + n}\n" for n in range(30))


def roster(visit: Visit, text: str, status: int = 200, **fields: str) -> str:
    files = {"roster": ("class.csv", BytesIO(text.encode()))}
    return visit.send("/courses/default/roster", files=files, status=status, **fields).text


def names(visit: Visit) -> dict[str, str]:
    return {one.name: one.number for one in visit.site.database.read(course_people, "default", "student")}


def test_a_roster_of_thirty_is_enrolled_and_kept_in_step(school: Visit) -> None:  # noqa: F811
    page = roster(school, CLASS)
    assert page.count("not invited yet") == len(names(school)) == 30
    roster(school, CLASS.replace("Student 3,", "Student Three,") + "New,new@x.org,1\n")
    assert len(names(school)) == 31
    assert names(school)["Student Three"] == "4703"
    roster(school, HEAD + "Student 1,s1@x.org,4701\n", end_others="true")
    assert names(school) == {"Student 1": "4701"}
    assert "no column with names" in roster(school, "a,b\n1,2\n", status=422)
    school.send("/courses/default/roster", status=422)


def test_files_are_matched_by_id_mail_or_name_and_the_rest_is_settled(school: Visit) -> None:  # noqa: F811
    roster(school, CLASS)
    bears = ("4701", "s2@x.org", "Student 3", "letter of student 4", "IMG_2207")
    files = [("essays", (f"{name}.txt", BytesIO(f"An essay in {name}.".encode()))) for name in bears]
    url = str(school.send("/essays", files=files).url.path).removesuffix("/submissions")
    page = school.page("/courses/default/matching")
    assert "2 files to match" in page
    assert MOST_WAITING > 30
    assert page.index("Student 4 (4704)") < page.index("Student 0 (4700)")
    workspace = url.rpartition("/")[2]
    people = {one.name: one.id for one in school.site.database.read(course_people, "default", "student")}
    here = f"/courses/default/matching/{workspace}"
    first, second = (item_of(school, url, name) for name in bears[3:])
    school.send(f"{here}/{first}", owner=str(people["Student 4"]))
    school.send(f"{here}/{second}", owner="", status=422)
    assert "1 file to match" in school.page("/courses/default/matching")
    school.send(f"{here}/{second}", owner="nobody")
    assert "0 files to match" in school.page("/courses/default/matching")
    school.send(f"{here}/{first}", owner="999999", status=422)
    school.send("/courses/default/matching/none/1", owner="nobody", status=404)
