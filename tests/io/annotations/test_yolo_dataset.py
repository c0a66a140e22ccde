"""data.yaml and the other files that describe a YOLO data set."""

from typing import Any

import pytest

from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.yolo_dataset import LONGEST_YAML, classes_of, part_of, read_data_yaml


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
        (f"names: [{'x' * LONGEST_YAML}]", None, "letters are too many"),
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
