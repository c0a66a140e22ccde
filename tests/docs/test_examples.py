"""The documentation does what it says: every example in it is run."""

from pathlib import Path

import pytest

from docs.examples import PAGES, ROOT, blocks_of, check_page, findings, rewritten, same_output, shortened


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_example_gives_what_its_page_shows(page: Path) -> None:
    wrong = check_page(page)

    assert not wrong, "\n\n".join(
        f"{f.problem or 'shown'}:\n{f.block.text}\ngiven:\n{f.given}\n(`python docs/examples.py --write` renews it)"
        for f in wrong
    )


def test_a_wrong_output_is_found_and_mended(tmp_path: Path) -> None:
    page = "```python\n>>> 1 + 1\n3\n```\n"

    found = list(findings(page, tmp_path / "a"))

    assert not found[0].as_shown
    mended = rewritten(page, found)
    assert mended == "```python\n>>> 1 + 1\n2\n```\n"
    assert all(f.as_shown for f in findings(mended, tmp_path / "b"))


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ assay --no-such-option\n...\n```\n",
        "```console\n$ cat no-such-file\n...\n$ echo one\none\n```\n",
        "```python\nprint('not shown')\n```\n",
    ],
)
def test_a_failure_that_no_page_announces_is_found(page: str, tmp_path: Path) -> None:
    assert [f.as_shown for f in findings(page, tmp_path / "x")] == [False]


def test_an_announced_failure_and_the_output_of_a_script_are_as_shown(tmp_path: Path) -> None:
    page = (
        "```console\n$ cat no-such-file  # it fails\n...\n$ echo $?\n1\n```\n"
        "```python\nx = 2\nprint(x)\n```\n\n```text\n2\n```\n\n```python\n>>> x\n2\n```\n"
    )

    assert all(f.as_shown for f in findings(page, tmp_path / "x"))


def test_an_ellipsis_stands_for_any_lines_and_for_the_last_decimals() -> None:
    assert same_output("a\n...\nz\n", "a\nb\nc\nz\n")
    assert not same_output("a\n...\nz\n", "a\nb\nc\n")
    assert shortened("0.8245675822967031,1.25") == "0.8245...,1.25"
    assert same_output("0.8245...,1.25", "0.8245675822967039,1.25")


def test_blocks_of_other_languages_are_not_run() -> None:
    assert [block.language for block in blocks_of("```sh\nrm -rf /\n```\n\n```console\n$ ls\n```\n")] == [
        "sh",
        "console",
    ]
