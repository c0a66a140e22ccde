"""The wheel and the source archive: complete, named the same everywhere, and nothing in them that does not belong."""

import re
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_string
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from assay import __version__
from assay.errors import DISTRIBUTION, install_command
from assay.operations.doctor import PARTS
from tests.paths import ROOT
from tools.extras import RUNS
from tools.sbom import locked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NON_COMMERCIAL_PROJECT = "packages/assay-essays-nc"
LOCK = locked((ROOT / "requirements.lock").read_text("utf-8"))
DEMO_LOCK = locked((ROOT / "requirements-demo.lock").read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel_names(built: Path) -> set[str]:
    (wheel,) = built.glob("*.whl")
    with ZipFile(wheel) as content:
        return set(content.namelist())


@pytest.fixture(scope="module")
def metadata(built: Path) -> Message:
    (wheel,) = built.glob("*.whl")
    with ZipFile(wheel) as content:
        (name,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(content.read(name).decode())


def test_the_wheel_says_what_it_is(metadata: Message) -> None:
    assert (metadata["Name"], metadata["Version"]) == (DISTRIBUTION, __version__)
    assert metadata["Author"] == "Assay maintainers"
    assert metadata["Requires-Python"] == ">=3.11"
    parts = set(metadata["License-Expression"].split(" AND "))
    assert parts == {"Apache-2.0", "CC-BY-4.0", "CC-BY-SA-4.0", "MIT", "BSD-2-Clause", "LicenseRef-SCOWL"}
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert len(metadata["Keywords"].split(",")) >= 5
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])


def test_the_wheel_holds_the_program_its_data_and_its_licenses_and_nothing_else(wheel_names: set[str]) -> None:
    notices = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("NOTICE.txt")}
    licenses = {name.partition("/licenses/")[2] for name in wheel_names if "/licenses/" in name}
    assert {"assay/py.typed", "assay/example_data/scores.csv", "assay/web/templates/home.html"} <= wheel_names
    scowl = "src/assay/essays/text/lexicons/SCOWL-LICENSE.txt"
    assert {"LICENSE", scowl, *(f"src/{notice}" for notice in notices)} == licenses
    assert {name.partition("/")[0].partition("-")[0] for name in wheel_names} == {"assay", "assay_scoring"}
    assert not [name for name in wheel_names if "__pycache__" in name or name.endswith((".c", ".pyc"))]


def test_an_extra_in_the_metadata_needs_no_other_and_never_the_name_of_another_project(metadata: Message) -> None:
    required = metadata.get_all("Requires-Dist", [])
    assert not [line for line in required if re.match(r"assay\b(?!-)", line)]
    web = {re.split(r"[<>=\[;]", line)[0] for line in required if "extra == 'web'" in line}
    assert {"spacy", "shapely", "lightgbm", "fastexcel", "typst", "uvicorn", "jinja2"} <= web


def test_the_source_archive_can_be_built_from_and_tested(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    locks = {"requirements.lock", "requirements-demo.lock"}
    assert {"pyproject.toml", "hatch_build.py", "Makefile", "README.md", "LICENSE", "tests/paths.py", *locks} <= names
    assert not [name for name in names if name.endswith(".so") or "/.venv/" in name]


def test_every_extra_is_known_to_the_doctor_and_tried_alone() -> None:
    for_users = set(PROJECT["optional-dependencies"]) - {"all", "dev", "fuzz"}
    assert for_users == set(PARTS) - {""}
    assert for_users - {"essays-nc"} == set(RUNS) - {""}  # which only adds data: every command runs without


LEARNED_FROM_NON_COMMERCIAL = {"discourse.npz", "traits.npz", "proposal_weights.tsv", "generic10_argument.json"}
BOTH = {"trigrams.npz", "bare_nouns.tsv", "norms.tsv"}
"""Files of which there is a free one and another."""


def test_nothing_under_a_non_commercial_license_is_in_the_wheel(built: Path, wheel_names: set[str]) -> None:
    assert not {Path(name).name for name in wheel_names} & LEARNED_FROM_NON_COMMERCIAL
    (wheel,) = built.glob("*.whl")
    corpora = re.compile(rb"PERSUADE|ELLIPSE|JFLEG|ASAP|NC-SA")
    with ZipFile(wheel) as content:
        data = [
            n for n in wheel_names if "/essays/" in n and not n.endswith((".py", ".html")) and "example_data" not in n
        ]
        assert len(data) > 30
        assert not [name for name in data if corpora.search(content.read(name))]


def test_free_files_and_those_of_the_other_distribution_differ() -> None:
    other = ROOT / NON_COMMERCIAL_PROJECT / "src" / "assay_essays_nc"
    for name in BOTH:
        (free,) = (ROOT / "src").rglob(name)
        assert free.read_bytes() != (other / name).read_bytes(), name


def test_the_non_commercial_wheel_holds_its_data_its_license_and_says_so(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT / NON_COMMERCIAL_PROJECT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as content:
        names = set(content.namelist())
        (about,) = (n for n in names if n.endswith(".dist-info/METADATA"))
        stated = message_from_string(content.read(about).decode())
        notice = content.read("assay_essays_nc/NOTICE.txt").decode()
    data = {Path(n).name for n in names if n.startswith("assay_essays_nc/")} - {"__init__.py", "py.typed", "NOTICE.txt"}
    assert (stated["Name"], stated["License-Expression"]) == ("assay-essays-nc", "CC-BY-NC-SA-4.0")
    assert data >= LEARNED_FROM_NON_COMMERCIAL | BOTH
    assert not [name for name in data if name not in notice]
    assert {n.partition("/licenses/")[2] for n in names if "/licenses/" in n} == {
        "LICENSE",
        "src/assay_essays_nc/NOTICE.txt",
    }


def test_the_demo_installs_the_locked_versions_and_no_tool_of_developers() -> None:
    assert DEMO_LOCK.items() <= LOCK.items()
    assert not {"playwright", "mypy", "schemathesis", "pytest", "lightgbm", "fastapi"} & DEMO_LOCK.keys()


def test_no_page_or_message_names_another_project_to_install() -> None:
    places = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    wrong = re.compile(
        r"pip install ['\"]?assay\b(?!-)|assay\[(?:all|web|pdf|tables|essays|models|annotations|cluster)\b"
    )
    assert not [str(path) for path in places if wrong.search(path.read_text("utf-8"))]
    assert install_command("web") == "pip install 'assay-scoring[web]'"
