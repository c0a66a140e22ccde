"""What Assay is installed with is known, and under terms that allow it."""

import json
from datetime import UTC, datetime

import pytest

from tools.sbom import PAGE, ROOT, Package, bill, is_allowed, locked, packages, page, runtime_names

LISTED = packages()


def test_every_package_that_is_needed_is_locked() -> None:
    versions = locked((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    assert len(LISTED) > 50
    assert runtime_names() - versions.keys() == set()


@pytest.mark.parametrize("package", LISTED, ids=lambda package: package.name)
def test_its_license_is_known_and_allowed(package: Package) -> None:
    assert is_allowed(package.license), package


def test_a_license_that_binds_the_whole_program_is_not_allowed() -> None:
    assert not is_allowed("GPL-3.0-only")
    assert not is_allowed("AGPL-3.0-or-later OR LicenseRef-Commercial")


def test_the_page_lists_what_is_locked() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(LISTED), "run: make sbom"


def test_the_bill_names_every_package_once_and_is_the_same_each_time() -> None:
    moment = datetime(2026, 1, 5, tzinfo=UTC)
    content = json.loads(bill(LISTED, "1.0", moment))
    assert [component["purl"] for component in content["components"]] == [
        f"pkg:pypi/{p.name}@{p.version}" for p in LISTED
    ]
    assert content["specVersion"] == "1.5"
    assert bill(LISTED, "1.0", moment) == bill(LISTED, "1.0", moment)
    assert bill(LISTED[1:], "1.0", moment) != bill(LISTED, "1.0", moment)
