"""Each optional part installed alone from the built wheel: what it is for works, and without it the remedy is named.

    python -m tools.extras [--write]   # each extra in an environment of its own; --write renews the docs

By uv where there is one, by pip otherwise, at the versions of requirements.lock.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "how-to" / "install.md"
BEGIN, END = "<!-- made by tools/extras.py -->\n", "<!-- end -->"
EXAMPLES = ROOT / "examples"
STREETS = EXAMPLES / "annotations"
SCORES = f"evaluate {EXAMPLES}/scores.csv --human human --system engine_a"
ESSAYS = f"{EXAMPLES}/essays.csv --text text --id id"
TRUTH = f"--truth {STREETS}/truth.xml"
RUNS: dict[str, tuple[str, ...]] = {
    "": (
        f"{SCORES} --out out",
        f"compare {EXAMPLES}/scores.csv --human human --system engine_a,engine_b --out compared",
        f"panel {EXAMPLES}/judges.csv --out panel",
        "doctor",
    ),
    "pdf": (f"{SCORES} --out out --pdf",),
    "tables": ("evaluate scores.xlsx --human human --system system --out out",),
    "essays": (
        f"essays features {ESSAYS} --out out.csv",
        f"essays train {ESSAYS} --prompt prompt --score rating_1 --out model.json",
        f"essays score {ESSAYS} --prompt prompt --model model.json --out scored",
        f"essays feedback {EXAMPLES}/essays/phones.txt",
    ),
    "models": ("rsm tool experiment.json out",),
    "annotations": (
        f"annotations score {STREETS}/submissions {TRUTH} --out out",
        f"annotations rules {STREETS}/truth.xml",
        f"annotations agree {STREETS}/submissions/ada.xml {STREETS}/submissions/ben.json",
    ),
    "web": ("serve --port 0 --db assay.db",),
    "cluster": (f"{SCORES} --out out --cluster local",),
}
"""Extra -> commands that it is for, the first of which needs it; the empty one is what everyone has."""


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment with one extra."""

    extra: str
    assay: Path
    megabytes: float


def built_wheel(folder: Path) -> Path:
    """The wheel, as a release has it."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, extra: str, folder: Path) -> Installed:
    """A new environment with this extra alone (or several, with commas), at the versions of the lock file."""
    folder.mkdir(parents=True, exist_ok=True)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(pins((ROOT / "requirements.lock").read_text("utf-8"))), "utf-8")
    what = [f"assay-scoring[{extra}] @ {wheel.as_uri()}" if extra else str(wheel), "--constraint", str(constraints)]
    venv = folder / "venv"
    python = str(venv / "bin" / "python")
    if uv := shutil.which("uv"):
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(venv)], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python, *what], check=True)
    else:
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *what], check=True)
    size = sum(path.stat().st_size for path in venv.rglob("*") if path.is_file() and not path.is_symlink())
    return Installed(extra, venv / "bin" / "assay", size / 1e6)


def pins(lock: str) -> list[str]:
    r"""The versions of a lock file, without hashes and extras.

    >>> pins("numpy==2.1 ; python_version < '3.12' \\\n    --hash=sha256:0\npsycopg[binary]==3.2 \\\n")
    ["numpy==2.1 ; python_version < '3.12'", 'psycopg==3.2']
    """
    lines = re.findall(r"^([\w.-]+(?:\[.*?\])?==.*?) *\\?$", lock, re.MULTILINE)
    return [re.sub(r"\[.*?\]", "", line) for line in lines]


def write_inputs(folder: Path) -> None:
    """A workbook, and a configuration of RSMTool with a model that scikit-learn fits."""
    import polars as pl  # noqa: PLC0415

    rows = [(1 + k % 4, 1 + (k + (k % 5 == 0)) % 4, (k % 7) / 3, (k % 11) / 5) for k in range(80)]
    frame = pl.DataFrame(rows, schema=["human", "system", "a", "b"], orient="row").with_row_index("spkitemid")
    frame.select("human", "system").write_excel(folder / "scores.xlsx")
    frame.rename({"human": "sc1"}).drop("system").write_csv(folder / "features.csv")
    configuration = {"experiment_id": "trial", "model": "Ridge", "train_file": "features.csv"}
    configuration |= {"test_file": "features.csv", "train_label_column": "sc1", "test_label_column": "sc1"}
    (folder / "experiment.json").write_text(json.dumps(configuration), "utf-8")


def run(assay: Path, words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in a folder; a server is asked for its first page, then stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "scores.xlsx").exists():
        write_inputs(folder)
    command = [str(assay), *words.split()]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if not words.startswith("serve"):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    pipes = {"env": environment, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as server:  # type: ignore[call-overload]
        address = next((url for line in server.stdout for url in re.findall(r"http://[\w.:]+", line)), None)
        page = urlopen(address).read().decode() if address else ""
        server.terminate()
        _, said = server.communicate()
    return subprocess.CompletedProcess(command, 0 if "<h1" in page else server.returncode, page, said)


def matrix(folder: Path) -> list[tuple[Installed, dict[str, int], int | None]]:
    """Every extra alone: its environment, the exit code of each of its commands, and of the first without it."""
    wheel = built_wheel(folder)
    plain = installed(wheel, "", folder / "plain")
    rows = []
    for extra, commands in RUNS.items():
        alone = installed(wheel, extra, folder / extra) if extra else plain
        codes = {words: run(alone.assay, words, folder / extra / "work").returncode for words in commands}
        refused = run(plain.assay, commands[0], folder / extra / "without").returncode if extra else None
        rows.append((alone, codes, refused))
        print(
            f"{extra or 'nothing'}: {list(codes.values())}, without it {refused}, {alone.megabytes:.0f} MB", flush=True
        )
    return rows


def table(rows: Sequence[tuple[Installed, dict[str, int], int | None]], day: str) -> str:
    """The record of a run, for the docs."""
    lines = [
        f"Last run {day}, Python {sys.version_info.major}.{sys.version_info.minor}, versions of `requirements.lock`.",
        "",
        "| Extra alone | Commands that ran | Without it | Installed size |",
        "|---|---|---|---|",
    ]
    for alone, codes, refused in rows:
        names = {" ".join(word for word in words.split()[:2] if word.isalpha()) for words in codes}
        failed = [words for words, code in codes.items() if code]
        ran = f"**failed: {', '.join(failed)}**" if failed else ", ".join(f"`{name}`" for name in sorted(names))
        without = {None: "", 2: "says how to add it, exit 2"}.get(refused, f"**exit {refused}**")
        lines.append(
            f"| {f'`[{alone.extra}]`' if alone.extra else 'none'} | {ran} | {without} | {alone.megabytes:.0f} MB |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        record = table(matrix(Path(place)), datetime.now(tz=UTC).date().isoformat())
    if "--write" in sys.argv:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{record}{END}{rest.partition(END)[2]}", "utf-8")
    print(record)
