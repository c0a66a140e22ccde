"""Other tools to measure against, each in an environment of its own: their dependencies are not ours."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / ".peers"


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool by its packages, and the variable that names an environment that has it already."""

    name: str
    packages: tuple[str, ...]
    variable: str


RSMTOOL = Peer("rsmtool", ("rsmtool==12.0.0", "pandas==2.2.3"), "ASSAY_PEER_RSMTOOL")


def peer_program(peer: Peer, program: str) -> Path:
    """A program of the peer's environment, which is made when there is none: some minutes, once."""
    given = os.environ.get(peer.variable)
    folder = Path(given) if given else FOLDER / peer.name
    if not given and not (folder / "ready").exists():
        _install(peer, folder)
    return folder / ("Scripts" if os.name == "nt" else "bin") / program


def _install(peer: Peer, folder: Path) -> None:
    print(f"installing {', '.join(peer.packages)} into {folder.parent.name}/{folder.name} ...", file=sys.stderr)
    uv = shutil.which("uv")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if uv:
        # not the Python we run on: RSMTool 12 knows none after 3.12
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", "3.11", folder], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python, *peer.packages], check=True)
    else:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *peer.packages], check=True)
    (folder / "ready").touch()
