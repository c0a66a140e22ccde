"""One table of limits: each can be raised, and each refusal says how."""

import re
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.execution.limits import LIMITS, check, over, value_of
from tests.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "limits.md"


def test_limits_have_names_of_their_own_and_say_what_they_bound() -> None:
    assert len({limit.name for limit in LIMITS}) == len(LIMITS)
    assert all(re.fullmatch(r"[a-z_]+", limit.name) and limit.default > 0 and limit.meaning for limit in LIMITS)


@pytest.mark.parametrize(
    ("given", "value"), [("", 2 << 30), ("7", 7), ("3k", 3072), ("2M", 2 << 20), (" 1 G ", 1 << 30), ("1t", 1 << 40)]
)
def test_an_environment_variable_sets_a_limit(monkeypatch: pytest.MonkeyPatch, given: str, value: int) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_FILE_BYTES", given)
    assert value_of("file_bytes") == value


@pytest.mark.parametrize("given", ["many", "-1", "0", "1.5", "1e9", "3X", "9" * 40])
def test_a_variable_that_is_no_number_is_an_input_error(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_FILE_BYTES", given)
    with pytest.raises(InputError, match="ASSAY_LIMIT_FILE_BYTES is"):
        value_of("file_bytes")


def test_a_refusal_names_the_limit_and_how_to_raise_it() -> None:
    check("pdf_pages", 200, "essay.pdf")
    with pytest.raises(InputError, match="201 pages; at most 200 are read") as refused:
        check("pdf_pages", 201, "essay.pdf")
    assert "ASSAY_LIMIT_PDF_PAGES" in str(refused.value.remedy)
    assert refused.value.source == "essay.pdf"
    assert "more than 200 pages" in str(over("pdf_pages", None))


def test_the_documentation_lists_every_limit_with_its_default_and_meaning() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(limit.name, f"{limit.default:,}", limit.unit, limit.meaning) for limit in LIMITS]


def test_every_limit_of_the_table_bounds_something_in_the_code() -> None:
    source = Path(ROOT / "src" / "assay")
    code = "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.py") if path.name != "limits.py")
    assert [limit.name for limit in LIMITS if f'"{limit.name}"' not in code] == []
