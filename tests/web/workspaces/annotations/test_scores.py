"""Uploads as submissions: each with a name of its own, broken ones among them."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.web.workspaces.annotations.scores import (
    SubmissionUpload,
    open_submissions,
    open_truth,
    rules_of,
    with_unique_names,
)
from assay.web.workspaces.stored_settings import StoredFile
from tests.web.annotated import ADA, BEN, TRUTH, coco, graded, zipped
from tests.web.visits import Visit


def stored(tmp_path: Path, name: str, content: bytes) -> tuple[StoredFile, Path]:
    path = tmp_path / f"blob{Path(name).suffix}"
    path.write_bytes(content)
    return StoredFile(digest=str(len(content)), suffix=path.suffix, name=name), path


def opened(tmp_path: Path, file: StoredFile, path: Path) -> list[SubmissionUpload]:
    """The submissions of an upload, beside the ground truth they belong to."""
    truth = tmp_path / "truth.json"
    truth.write_bytes(coco(TRUTH))
    like = StoredFile(digest="truth", suffix=".json", name=truth.name)
    return open_submissions(file, lambda digest, _: truth if digest == "truth" else path, like, ())


def test_a_zip_holds_a_submission_for_each_student_and_a_second_of_one_name_is_numbered(tmp_path: Path) -> None:
    file, path = stored(tmp_path, "class.zip", zipped({"ada.json": coco(ADA), "ben.json": coco(BEN)}))
    both = opened(tmp_path, file, path)
    again = opened(tmp_path, file.changed(digest="other"), path)

    assert [one.student for one in both] == ["ada", "ben"]
    assert len({one.digest for one in (*both, *again)}) == 4
    assert list(with_unique_names([*both, *both, *again])) == ["ada", "ben", "ada (2)", "ben (2)"]
    assert len(both[1].read()) == len(BEN)


def test_a_file_that_cannot_be_read_fails_when_it_is_read_by_its_own_name(tmp_path: Path) -> None:
    file, path = stored(tmp_path, "cy.json", b"{")
    (broken,) = opened(tmp_path, file, path)

    assert (broken.student, broken.item("cy", 7).detail["is"]) == ("cy", "submission")
    with pytest.raises(InputError, match=r"cy\.json"):
        broken.read()


def test_a_ground_truth_without_annotations_is_refused(tmp_path: Path) -> None:
    file, path = stored(tmp_path, "truth.json", coco([]))

    with pytest.raises(InputError, match="nothing to score by"):
        open_truth(file, lambda *_: path, ())


def test_the_rules_of_a_workspace_are_those_its_ground_truth_suggests(visit: Visit) -> None:
    rubric = rules_of(visit.context(graded(visit)).workspace)

    assert [rule.name for rule in rubric.labels] == sorted({label for _, label, _, _ in TRUTH})
