"""data.yaml and the other files that describe a YOLO data set."""

from typing import Any

import pytest

from assay.errors import InputError
from assay.execution.limits import value_of
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.yolo_dataset import (
    DEEPEST_YAML,
    best_fitting,
    classes_of,
    part_of,
    read_data_yaml,
    yolo_members,
)
from assay.io.archive import Member


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("names: [no, on, NO, Yes, off, y, ~, null]", ["no", "on", "NO", "Yes", "off", "y", "~", "null"]),
        ("names: [1.0, 1e3, .inf, 0x1f, 0o7, 1_000, 12:30:00, 2001-01-01]", None),
        ("names: ['1', \"2\", 3, -4]", ["1", "2", 3, -4]),
        ("names: [a, 'it''s', \"say \\\"hi\\\"\"]", ["a", "it's", 'say "hi"']),
        ("names:\n- cat\n- big dog\n", ["cat", "big dog"]),
        ("names: !!seq\n- cat\n", ["cat"]),
        ("names: !!python/object/apply:os.system [echo]\n", ["echo"]),
        ("names: &all [cat]\n", ["cat"]),
    ],
)
def test_names_are_text_whatever_yaml_makes_of_them(text: str, names: list[Any] | None) -> None:
    expected = text.removeprefix("names: [").removesuffix("]").split(", ") if names is None else names
    assert read_data_yaml(text, "d")["names"] == expected


def test_quotes_comments_and_colons() -> None:
    text = "# head\nnames:\n  0: 'a # b'\n  1: \"c: d\"   # note\n  2: traffic light\n  3: http://x.y#z\n  4:\n"
    assert read_data_yaml(text, "d") == {
        "names": {"0": "a # b", "1": "c: d", "2": "traffic light", "3": "http://x.y#z", "4": ""}
    }


def test_what_stands_under_other_keys_is_not_looked_at() -> None:
    text = 'path: "C:\\data"\ntrain: @home\nnames: [cat]\ndownload: *gone\nkpt_shape: [2, 3]\n'
    assert read_data_yaml(text, "d") == {"names": ["cat"], "kpt_shape": [2, 3]}


def test_tabs_and_documents_are_read() -> None:
    assert read_data_yaml("---\nnames:\n\t0: cat\n...\n", "d") == {"names": {"0": "cat"}}


@pytest.mark.parametrize(
    ("text", "row", "message"),
    [
        ("train: x\nnames: [cat, dog\n", 3, "it is no YAML: did not find expected ',' or ']'"),
        ("names: [cat]\n?? what\n", 3, "it is no YAML"),
        ("names: [cat, @dog]\n", 1, "cannot start any token"),
        ("names: [\x01]\n", None, "it is no YAML"),
        ("names: " + "[" * 50 + "]" * 50, None, "nested too deeply"),
        ("names:\n" + "".join(" " * i + f"k{i}:\n" for i in range(1, 99)), None, "nested too deeply"),
        ("names: [&a cat, *a]", None, "an alias"),
        (f"names: [{'x' * (1 << 20)}]", None, "at most 1,048,576 are read"),
    ],
)
def test_what_is_not_understood_names_file_and_line(text: str, row: int | None, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_data_yaml(text, "s/data.yaml")
    assert (refused.value.source, refused.value.row) == ("s/data.yaml", row)
    assert message in str(refused.value)


def test_aliases_of_aliases_are_refused_before_they_grow() -> None:
    rows = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    with pytest.raises(InputError, match="an alias"):
        read_data_yaml("\n".join([*rows, "names: *a59"]), "d")


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("names: cat", "names is neither a list nor numbers with names"),
        ("names: {a: cat}", "names is neither a list nor numbers with names"),
        ("names: [cat]\nkpt_shape: [17, 9]", "kpt_shape is not"),
        ("names: [cat]\nkpt_shape: 17", "kpt_shape is not"),
    ],
)
def test_a_data_yaml_that_says_something_else_is_refused_by_name(yaml: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        classes_of([("s/data.yaml", yaml.encode())], ProblemTally())
    assert "s/data.yaml" in str(refused.value)


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        ("a/classes.txt", b"0 0.5 0.5 1 1", "classes"),
        ("a/obj.data", b"classes = 1", "settings"),
        ("notes.json", b'{"categories": []}', "notes"),
        ("labels/a.txt", b"0 0.5 0.5 1 1\n", "labels"),
        ("labels/a.txt", b"", "labels"),
        ("train.txt", b"data/a.png\n", "list"),
        ("data.yaml", b"train: x\nnames: [cat]\n", "yaml"),
        ("readme.txt", b"names: [cat]\n", "none"),
        ("readme.txt", b"see below", "none"),
    ],
)
def test_files_are_told_apart_by_what_they_hold_and_are_called(path: str, text: bytes, part: str) -> None:
    assert part_of(path, text) == part


@pytest.mark.parametrize("others", ["cat\ncow", "cat\nant", "cat"])
def test_files_that_name_other_classes_are_refused_by_both_names(others: str) -> None:
    files = [("a/classes.txt", b"cat\ndog"), ("b/classes.txt", others.encode())]
    with pytest.raises(InputError, match=r"it names other classes than a/classes\.txt") as caught:
        classes_of(files, ProblemTally())
    assert (caught.value.source, caught.value.remedy) == ("b/classes.txt", "Hand in one of them.")
    assert classes_of(files[:1] * 2, ProblemTally()).names == {0: "cat", 1: "dog"}


@pytest.mark.parametrize(
    ("shape", "good"),
    [("[17, 3]", True), ("[1, 2]", True), ("[0, 3]", False), ("[10001, 3]", False), ("[5, 4]", False)],
)
def test_the_shape_of_keypoints_is_a_count_and_two_or_three_numbers(shape: str, good: bool) -> None:
    files = [("data.yaml", f"names: [cat]\nkpt_shape: {shape}\n".encode())]
    if good:
        assert classes_of(files, ProblemTally()).keypoints is not None
    else:
        with pytest.raises(InputError, match=r"kpt_shape is not \[keypoints, 2 or 3\]"):
            classes_of(files, ProblemTally())


def test_classes_of_one_name_are_told() -> None:
    tally = ProblemTally()
    classes_of([("classes.txt", b"cat\ncat")], tally)
    assert [problem.where for problem in tally.problems()] == ["classes.txt"]


def test_lists_may_be_nested_and_a_file_as_long_as_is_allowed() -> None:
    deepest = read_data_yaml("names: " + "[" * DEEPEST_YAML + "]" * DEEPEST_YAML, "d")["names"]
    for _ in range(DEEPEST_YAML - 1):
        (deepest,) = deepest
    assert deepest == []
    with pytest.raises(InputError, match="nested too deeply"):
        read_data_yaml("names: " + "[" * (DEEPEST_YAML + 1) + "]" * (DEEPEST_YAML + 1), "d")
    text = "names: [cat]\n#"
    longest = value_of("yaml_characters")
    assert read_data_yaml(text.ljust(longest, "x"), "d") == {"names": ["cat"]}
    with pytest.raises(InputError, match="YAML_CHARACTERS"):
        read_data_yaml(text.ljust(longest + 1, "x"), "d")


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        ("a.txt", b"1 2", "none"),
        ("a.txt", b"1 2 3", "labels"),
        ("a.txt", b"1 2 x", "none"),
        ("a.txt", b"x 2 3", "none"),
        ("a.txt", b"\n  \n1 2 3 x", "none"),
        ("a.txt", b" \n ", "labels"),
        ("set.yml", b"nc: 2", "yaml"),
        ("set.yaml", b"path: x", "none"),
        ("pets.NAMES", b"cat", "classes"),
        ("list.txt", b"a.txt", "none"),
    ],
)
def test_a_file_is_labels_by_its_first_row(path: str, text: bytes, part: str) -> None:
    assert part_of(path, text) == part


@pytest.mark.parametrize(("key", "good"), [("999999999", True), ("1000000000", False), ("-1", False), ("a", False)])
def test_classes_have_numbers_of_at_most_nine_digits(key: str, good: bool) -> None:
    files = [("data.yaml", f"names: {{{key}: cat, 0: 7}}".encode())]
    if good:
        assert classes_of(files, ProblemTally()).names == {int(key): "cat", 0: "7"}
    else:
        with pytest.raises(InputError, match="names is neither a list nor numbers with names") as caught:
            classes_of(files, ProblemTally())
        assert (caught.value.source, caught.value.remedy) == ("data.yaml", "Write 'names: [first, second]'.")


@pytest.mark.parametrize(("shape", "keypoints"), [("[10000, 2]", (10000, 2)), ("[1, 3]", (1, 3)), ("['1', 3]", None)])
def test_the_shape_of_keypoints_is_read_as_it_stands(shape: str, keypoints: tuple[int, int] | None) -> None:
    files = [("data.yaml", f"names: [cat]\nkpt_shape: {shape}\n".encode())]
    if keypoints:
        assert classes_of(files, ProblemTally()).keypoints == keypoints
    else:
        with pytest.raises(InputError, match="kpt_shape") as caught:
            classes_of(files, ProblemTally())
        assert (caught.value.source, caught.value.remedy) == ("data.yaml", "Write 'kpt_shape: [17, 3]'.")


def test_names_of_joints_are_lists_under_the_number_of_a_class() -> None:
    text = b"names: [cat]\nkpt_names: {0: [nose, 2], x: [tail], 1: ear}\n"
    assert classes_of([("data.yaml", text)], ProblemTally()).joints == {0: ("nose", "2")}
    assert classes_of([("data.yaml", b"names: [cat]\nkpt_names: [nose]\n")], ProblemTally()).joints == {}


def test_notes_number_their_categories() -> None:
    rows = b'{"categories": [{"id": 3, "name": "cat"}, {"id": 5}]}'
    assert classes_of([("notes.json", rows)], ProblemTally()).names == {3: "cat", 5: "5"}
    for wrong in (b'{"categories": [{"id": "a"}]}', b'{"categories": 3}', b'{"categories": [3]}', b"{}"):
        with pytest.raises(InputError, match="it holds no categories with id and name") as caught:
            classes_of([("n.json", wrong)], ProblemTally())
        assert (caught.value.source, caught.value.remedy) == ("n.json", "Export the labels again.")


def test_names_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(InputError, match="it holds text that is not UTF-8") as caught:
        classes_of([("classes.txt", b"caf\xe9")], ProblemTally())
    assert (caught.value.source, caught.value.remedy) == ("classes.txt", "Save it as UTF-8.")


def members(**files: bytes) -> list[str]:
    listed = [Member(name.replace("__", "/"), 1, lambda content=content: content) for name, content in files.items()]  # type: ignore[misc]
    return [member.name for member in yolo_members(listed)]


def test_texts_of_a_hand_in_are_yolo_s_when_they_lie_among_labels() -> None:
    row = b"0 0.5 0.5 1 1"
    assert members(**{"readme.txt": b"hello", "a.txt": b""}) == []
    assert members(**{"Labels__a.txt": b""}) == ["Labels/a.txt"]
    assert members(**{"labels__a.names": b""}) == []
    assert members(**{"x__a.txt": b"", "classes.txt": b"cat"}) == ["x/a.txt", "classes.txt"]
    files = {"x__a.txt": row, "x__note.txt": b"see", "y__note.txt": b"see", "y__b.txt": row, "z__b.txt": b""}
    assert members(**files) == ["x/a.txt", "x/note.txt", "y/note.txt", "y/b.txt"]
    assert members(**{"x__a.txt": row, "data.yaml": b"names: [cat]", "p.json": row}) == ["x/a.txt", "data.yaml"]


@pytest.mark.parametrize(
    ("images", "best"),
    [
        (["b/2.jpg", "c/1.jpg"], "c/1.jpg"),
        (["c/1.jpg", "b/2.jpg"], "c/1.jpg"),
        (["b/2.jpg", "c/3.jpg"], ""),
        (["b/1.jpg", "c/1.jpg"], ""),
        (["x/images/1.png", "labels/1.png"], ""),
        (["x/images/1.png", "y/1.png"], "x/images/1.png"),
        ([], ""),
    ],
)
def test_the_image_that_ends_most_like_its_labels_fits_best(images: list[str], best: str) -> None:
    assert best_fitting("labels/1.txt", images) == best


@pytest.mark.parametrize("labels", ["labels", "Labels"])
def test_images_stand_for_labels_and_for_no_other_folder(labels: str) -> None:
    images = ["images/train/1.png", "images/images/1.png", "images/val/1.png", "train/1.png"]
    assert best_fitting(f"{labels}/train/1.txt", images) == "images/train/1.png"
    assert best_fitting("zoo/1.txt", ["zoo/1.png", "images/1.png"]) == "zoo/1.png"
