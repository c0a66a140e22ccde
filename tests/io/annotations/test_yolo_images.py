"""Which image a label file of YOLO is about."""

from io import BytesIO

from PIL import Image as PillowImage

from assay.annotations.shapes.annotation_set import Image
from assay.io.annotations.yolo_dataset import YoloImages, best_fitting
from assay.io.archive import Member
from assay.io.image_files import images_among
from tests.annotations.drawn import annotation_set


def picture(name: str, width: int, height: int) -> Member:
    stream = BytesIO()
    PillowImage.new("L", (width, height)).save(stream, "PNG")
    return Member(name, len(stream.getvalue()), stream.getvalue)


def test_the_truth_s_size_goes_before_the_image_s_own() -> None:
    files = images_among([picture("images/a.png", 20, 10), picture("images/b.png", 20, 10)])
    truth = annotation_set(images=[Image("a.png", 200, 100), Image("b.png")])
    images = YoloImages.of(truth, files, [])
    assert images.image_of("labels/a.txt") == Image("a.png", 200, 100)
    assert images.image_of("labels/b.txt") == Image("b.png", 20, 10)


def test_an_image_nobody_knows_goes_by_the_label_file() -> None:
    images = YoloImages.of(None, None, ["data/x.jpg"])
    assert images.image_of("labels/x.txt") == Image("data/x.jpg", 0, 0)
    assert images.image_of("labels/y.txt") == Image("y", 0, 0)


def test_an_image_that_is_damaged_has_no_size() -> None:
    files = images_among([Member("a.png", 3, lambda: b"abc")])
    assert YoloImages.of(None, files, []).image_of("a.txt") == Image("a.png", 0, 0)


def test_of_two_that_fit_as_well_none_is_chosen() -> None:
    assert best_fitting("labels/1.txt", ["x/1.jpg", "y/1.jpg"]) == ""
    assert best_fitting("labels/1.txt", ["x/1.jpg", "images/1.jpg"]) == "images/1.jpg"


def test_a_truth_that_knows_one_side_only_does_not_know_the_size() -> None:
    files = images_among([picture("a.png", 20, 10), picture("b.png", 20, 10)])
    truth = annotation_set(images=[Image("a.png", 200, 0), Image("b.png", 0, 100)])
    images = YoloImages.of(truth, files, [])
    assert [images.image_of(name) for name in ("a.txt", "b.txt")] == [Image("a.png", 20, 10), Image("b.png", 20, 10)]


def test_the_longest_common_end_of_paths_decides() -> None:
    assert best_fitting("a/Labels/t/1.txt", ["t/1.jpg", "images/t/1.jpg", "b/images/t/1.jpg"]) == ""
    assert best_fitting("b/Labels/t/1.txt", ["t/1.jpg", "images/t/1.jpg", "b/images/t/1.jpg"]) == "b/images/t/1.jpg"
    assert best_fitting("labels/1.txt", ["x\\1.jpg", "labels\\1.jpg"]) == "labels\\1.jpg"
    assert best_fitting("labels/1.txt", ["x/2.jpg", "y/1.jpg"]) == "y/1.jpg"
    assert best_fitting("labels/1.txt", []) == ""
