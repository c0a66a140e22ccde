"""What a launch says."""

import pytest

from assay.web.sign_on.lti import ROLE, course_role


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ([f"{ROLE}#Instructor", f"{ROLE}#Learner"], "teacher"),
        ([f"{ROLE}#Instructor", f"{ROLE}/Instructor#TeachingAssistant"], "assistant"),
        (["Learner"], "student"),
        ([], "student"),
        (None, "student"),
        ([3, {}], "student"),
        (["http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"], "student"),
    ],
)
def test_roles_of_a_platform_never_give_more_than_a_teacher_may(roles: object, expected: str) -> None:
    assert course_role(roles) == expected
