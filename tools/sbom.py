"""What Assay is installed with: a bill of materials (CycloneDX 1.5, JSON) and docs/reference/licenses.md.

python tools/sbom.py dist/sbom.cdx.json          write both
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "licenses.md"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)(?:\[([^]]*)\])?")
NAMES = {
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache-2.0 license": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD 3-Clause": "BSD-3-Clause",
    "BSD-3-Clause License": "BSD-3-Clause",
    "BSD-2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "MIT license": "MIT",
    "MIT License (MIT)": "MIT",
    "Python Software Foundation License": "PSF-2.0",
    "PSF": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "GNU Library or Lesser General Public License (LGPL)": "LGPL-3.0-or-later",
    "ISC License (ISCL)": "ISC",
    "The Unlicense (Unlicense)": "Unlicense",
}
"""What packages write, as SPDX has it."""
ALLOWED = frozenset(
    {"Apache-2.0", "MIT", "MIT-0", "MIT-CMU", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "ISC", "PSF-2.0", "Python-2.0"}
    | {
        "MPL-2.0",
        "LGPL-3.0-only",
        "LGPL-3.0-or-later",
        "Zlib",
        "CC0-1.0",
        "Unlicense",
        "BSL-1.0",
        "HPND",
        "CNRI-Python",
    }
)
"""Terms under which a program that is not changed may be installed beside one under Apache-2.0."""


INTRODUCTION = """# Licenses

Assay is under the Apache License 2.0. These packages are installed with `assay-scoring[all]`, each in the version of
`requirements.lock`, under its own terms; none is changed. `make sbom` renews this page, and writes the same as a bill
of materials (CycloneDX) to `dist/sbom.cdx.json`.
"""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that Assay needs when it runs."""

    name: str
    version: str
    license: str
    """An SPDX expression; empty when the package does not say."""


def normal(name: str) -> str:
    """A name as the index writes it.

    >>> normal("Typing_Extensions")
    'typing-extensions'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(text: str) -> dict[str, str]:
    """Name -> version of everything in a lock file."""
    return {normal(name): version for name, version in _LOCKED.findall(text)}


def runtime_names() -> set[str]:
    """What the extras but those of developers bring, and what these bring in turn; as far as it is installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    waiting = [
        *project["dependencies"],
        *(line for name, lines in extras.items() if name not in ("dev", "fuzz") for line in lines),
    ]
    names: set[str] = set()
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        if requirement in seen or not (match := _REQUIREMENT.match(requirement)):
            continue
        seen.add(requirement)
        name, wished = normal(match[1]), set((match[2] or "").split(","))
        if name in ("assay-scoring", "assay-essays-nc"):
            continue
        try:
            waiting += _required_by(name, wished)
        except metadata.PackageNotFoundError:
            continue  # for another system or an earlier Python
        names.add(name)
    return names


def _required_by(name: str, extras: set[str]) -> Iterator[str]:
    for line in metadata.requires(name) or ():
        requirement, _, marker = line.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", marker)
        if extra is None or extra[1] in extras:
            yield requirement.strip()


def license_of(name: str) -> str:
    """The license a package states: an SPDX expression, or what its classifiers or its free text amount to."""
    about = metadata.metadata(name)
    if "License-Expression" in about:
        return about["License-Expression"]
    classifiers = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or () if c.startswith("License ::")]
    stated = [c for c in classifiers if c != "OSI Approved"] or [
        about["License"].strip().split("\n")[0] if "License" in about else ""
    ]
    if not any(NAMES.get(text, text) in ALLOWED for text in stated):  # then the text itself, by its heading
        files = metadata.files(name) or ()
        stated = [(f.read_text().strip().split("\n")[0]) for f in files if f.name.startswith("LICENSE")] or stated
    return " OR ".join(sorted({NAMES.get(text, text) for text in stated if text and len(text) < 60}))


def is_allowed(expression: str) -> bool:
    """Whether one of the choices of an expression consists of allowed licenses only.

    >>> is_allowed("MIT OR GPL-3.0-only"), is_allowed("MIT AND GPL-3.0-only"), is_allowed("")
    (True, False, False)
    """
    choices = re.split(r"\s+OR\s+", expression.replace("(", "").replace(")", ""), flags=re.IGNORECASE)
    parts = [re.split(r"\s+AND\s+", choice, flags=re.IGNORECASE) for choice in choices]
    return any(all(part.partition(" WITH ")[0].strip() in ALLOWED for part in choice) for choice in parts)


def packages() -> list[Package]:
    """Every locked package that Assay needs when it runs, by name."""
    versions = locked((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    return [Package(name, versions[name], license_of(name)) for name in sorted(runtime_names() & versions.keys())]


def bill(listed: list[Package], version: str, moment: datetime) -> str:
    """The bill of materials; the same packages and moment give the same bytes."""
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{p.name}@{p.version}",
            "name": p.name,
            "version": p.version,
            "licenses": [{"expression": p.license}],
            "purl": f"pkg:pypi/{p.name}@{p.version}",
        }
        for p in listed
    ]
    about = {"type": "application", "bom-ref": "assay", "name": "assay", "version": version}
    about["licenses"] = [{"license": {"id": "Apache-2.0"}}]  # type: ignore[assignment]
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps([version, components]))}",
        "version": 1,
        "metadata": {"timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": about},
        "components": components,
    }
    return json.dumps(content, indent=1) + "\n"


def page(listed: list[Package]) -> str:
    """The list as a page of the documentation."""
    rows = "".join(f"| {p.name} | {p.version} | {p.license} |\n" for p in listed)
    return f"{INTRODUCTION}\n| Package | Version | License |\n|---|---|---|\n{rows}"


def main(out: Path) -> None:
    """Write the bill and the page."""
    from assay import __version__  # noqa: PLC0415 - the page alone does not need it

    listed, epoch = packages(), os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(bill(listed, __version__, moment), encoding="utf-8")
    PAGE.write_text(page(listed), encoding="utf-8")
    print(f"{len(listed)} packages: {out}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist/sbom.cdx.json"))
