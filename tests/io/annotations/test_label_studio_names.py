"""Names of images in Label Studio, which keeps addresses."""

import pytest

from assay.io.annotations.label_studio_tasks import address_of, image_names, path_of


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"image": "a.jpg", "other": "b.png"}, ("image", "a.jpg")),
        ({"scan": "x/a.PNG", "text": "hello"}, ("scan", "x/a.PNG")),
        ({"one": "a.png", "two": "b.png"}, ("", "")),
        ({"image": " ", "n": 3}, ("", "")),
    ],
)
def test_the_image_of_a_task_is_its_usual_key_or_the_only_one(
    values: dict[str, object], found: tuple[str, str]
) -> None:
    assert address_of(values) == found


@pytest.mark.parametrize(
    ("address", "path"),
    [("data:image/png;base64,xx", ""), (r"C:\shots\a.jpg", "shots/a.jpg"), ("http://[x/a.jpg", "[x/a.jpg")],
)
def test_the_path_of_an_address_whatever_holds_it(address: str, path: str) -> None:
    assert path_of(address) == path


def test_names_are_the_shortest_that_differ() -> None:
    same = ["/data/upload/1/0a1b2c3d-a.jpg", "/data/upload/2/ffffffff-a.jpg"]
    assert image_names(same) == ["data/upload/1/0a1b2c3d-a.jpg", "data/upload/2/ffffffff-a.jpg"]
    assert image_names(["data:image/png;base64,xx"]) == [""]
