"""What was found on an image, in words."""

from dataclasses import replace

from assay.annotations.shapes.shapes import Box
from assay.report.annotations.findings import differences, findings_on
from tests.report.annotations.annotation_sets import (
    boxes,
    plan,
    scored,
    set_of,
)


def test_what_differs_is_told_attribute_by_attribute() -> None:
    truth = set_of(
        [(Box(0, 0, 100, 100),) * 1 + ((0, 0, 100, 100),)], labels=("car",), attributes={0: {"colour": "red"}}
    )
    drawn = set_of([(Box(0, 0, 100, 100), (0, 0, 100, 100))], labels=("cart",))

    (finding,) = findings_on(scored(truth, drawn), 0)

    assert finding.remark == "label “cart” for “car”; colour left empty for “red”"


def test_missed_come_first_then_extras_then_matches_from_the_worst_on() -> None:
    findings = findings_on(plan(), 0)

    assert [(f.number, f.result, f.label) for f in findings] == [
        (1, "missed", "van"),
        (2, "extra", "car"),
        (3, "truth", "car"),
    ]
    assert findings[0].remark == "Nothing was drawn for it."
    assert findings[1].remark == "The ground truth has no object there."


def test_a_flawless_match_has_nothing_to_remark() -> None:
    same = boxes((0, 0, 100, 100), labels=("car",))
    (match,) = scored(same, same).matches(0)

    assert differences(match) == ""
    assert differences(replace(match, localisation=80.0)) == "a little off"
    assert differences(replace(match, localisation=80.0), "beside the object") == "beside the object"
    assert differences(replace(match, original_score=50.0)) == "changed by a person from 50.0"
