"""The files under deploy/. No container engine runs in CI: the Dockerfile's steps are run in a plain environment."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml

from assay.cli.main import app
from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")


def serve_options() -> set[str]:
    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    return {name for option in command.params for name in option.opts}


def test_the_image_runs_as_somebody_else_than_root_and_checks_its_health() -> None:
    last = DOCKERFILE.rpartition("FROM ")[2]
    assert "\nUSER assay\n" in last
    assert last.index("USER assay") < last.index("ENTRYPOINT")
    assert "HEALTHCHECK" in last
    assert "127.0.0.1:8765/health" in last
    assert "gcc" not in last


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "assay.service"])
def test_every_option_that_is_used_exists(name: str) -> None:
    text = (DEPLOY / name).read_text("utf-8")
    started = [line for line in text.splitlines() if re.search(r"ENTRYPOINT|^CMD|command:|ExecStart", line)]
    used = set(re.findall(r"--[a-z-]+", " ".join(started)))
    assert used
    assert used <= serve_options()


def test_compose_has_a_database_a_proxy_and_no_password_in_it() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    assert set(services) == {"database", "assay", "proxy"}
    assert "ports" not in services["assay"]
    assert services["database"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD")
    assert services["assay"]["environment"]["ASSAY_DB"].startswith("postgresql://assay:${POSTGRES_PASSWORD}@")


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_proxies_take_uploads_as_large_as_the_app_does(name: str) -> None:
    assert re.search(r"200 ?mb?", (DEPLOY / name).read_text("utf-8").lower())


def test_locks_name_no_index() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        assert "://" not in lock.read_text("utf-8"), lock.name


def build_steps() -> list[list[str]]:
    """The RUN lines of the first stage, but for packages of the system."""
    first = DOCKERFILE.split("FROM ")[1]
    lines = [line.removeprefix("RUN ") for line in first.splitlines() if line.startswith("RUN ")]
    return [shlex.split(line) for line in lines if "apt-get" not in line]


def test_the_steps_of_the_image_are_known() -> None:
    assert build_steps()[0][:3] == ["python", "-m", "venv"]
    assert build_steps()[-1] == ["/opt/assay/bin/assay", "--version"]


@pytest.mark.heavy
def test_the_steps_of_the_image_work_in_a_plain_environment(tmp_path: Path) -> None:
    """What `docker build` would run, in a folder in place of the image's root."""
    ignored = shutil.ignore_patterns(*(ROOT / ".dockerignore").read_text("utf-8").split())
    shutil.copytree(ROOT, tmp_path / "src", ignore=ignored, symlinks=True)
    for step in build_steps():
        words = [word.replace("/opt/assay", str(tmp_path / "opt")) for word in step]
        words[0] = sys.executable if words[0] == "python" else words[0]
        done = subprocess.run(words, cwd=tmp_path / "src", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    check = [str(tmp_path / "opt" / "bin" / "python"), "-c", "import assay.web.app"]
    assert subprocess.run(check, cwd=tmp_path, check=False).returncode == 0
