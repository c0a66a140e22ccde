"""MOTChallenge: tracks over frames, rows not to be scored, several sequences at once."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.annotations.datasets.mot import read_mot, sequence_of
from fuzz.seed_datasets import MOT, MOT_RESULTS
from tests.io.annotations.datasets.dataset_files import labels_of, lost, read_file, read_zip
from tests.io.annotations.submissions import read_submissions


def test_a_ground_truth_has_classes_and_rows_not_to_be_scored(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "gt.txt", MOT)

    assert annotations.format == "MOT"
    assert [image.name for image in annotations.images] == ["000001.jpg", "000002.jpg"]
    assert labels_of(annotations) == ["pedestrian", "occluder", "pedestrian"]
    assert annotations.track is not None
    assert annotations.track.tolist() == [0, 1, 0]
    assert annotations.crowd is not None
    assert annotations.crowd.tolist() == [False, True, False]
    assert annotations.attributes[2] == {"visibility": 0.8}


def test_results_have_confidences_and_are_all_pedestrians(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "anna.txt", MOT_RESULTS)
    assert labels_of(annotations) == ["pedestrian"] * 2
    assert annotations.confidence is not None
    assert annotations.confidence.tolist() == [0.9, 0.7]
    assert annotations.crowd is None


def test_sequences_of_one_hand_in_are_apart(tmp_path: Path) -> None:
    annotations = read_zip(tmp_path, {"S1/gt/gt.txt": MOT, "S2/gt/gt.txt": MOT})
    assert [image.name for image in annotations.images] == [
        *("S1/000001.jpg", "S1/000002.jpg", "S2/000001.jpg", "S2/000002.jpg")
    ]
    assert annotations.track is not None
    assert annotations.track.max() == 3


def test_files_of_several_students_are_several_submissions(tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        (tmp_path / f"{name}.txt").write_bytes(MOT_RESULTS)
    assert [one.student for one in read_submissions([tmp_path])] == ["anna", "ben"]


def test_rows_that_are_none_are_counted_or_refused() -> None:
    annotations = read_mot([("a.txt", MOT + b"1.5,1,1,1,1,1,1\n1,2,3\n1,1,x,1,1,1,1\n")], source="a")
    assert lost(annotations) == [
        "frame and id are whole numbers, not 1.5",
        "a row has 3 fields and not 7 or more",
        "'x' is not a number",
    ]
    with pytest.raises(InputError, match="no rows of MOT"):
        read_mot([("a.txt", b"a,b\n")], source="a")
    assert sequence_of("gt/gt.txt") == "gt"
