"""`python -m fuzz`: hostile inputs on every reader, in processes of their own; out/fuzz/summary.json has the counts."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fuzz.readers import BY_NAME, READERS, Reader
from fuzz.trial import Tally
from fuzz.worker import read_now, save

OUT = Path("out/fuzz")
COUNT, LEAST = 24_000, 20_000
"""Inputs for each reader, and for each slow one."""
STUCK = 120.0
"""Seconds without a new input after which a process is ended: it hangs where Python cannot be interrupted."""
RESTARTS = 25
ONE_THREAD = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
ENVIRONMENT = dict.fromkeys(ONE_THREAD, "1") | {"RUST_BACKTRACE": "0"}


@dataclass(slots=True)
class Job:
    """A reader that is being tried, with what is left to do."""

    reader: Reader
    left: int
    seed: int
    tally: Tally
    process: "subprocess.Popen[bytes] | None" = None
    progress: tuple[int, float] = (0, 0.0)
    """How many inputs were tried when it was last looked at, and when that number last changed."""
    restarts: int = 0


def start(job: Job, seconds: float, folder: Path) -> None:
    name = job.reader.name
    for ending in ("json", "kinds", "now"):
        (folder / f"{name}.{ending}").unlink(missing_ok=True)
    command = [sys.executable, "-m", "fuzz.worker", name, str(job.left), str(job.seed), str(seconds), str(folder)]
    with (folder / f"{name}.log").open("ab") as log:
        job.process = subprocess.Popen(command, env=os.environ | ENVIRONMENT, stdout=log, stderr=log)
    job.progress = (0, time.monotonic())


def look(job: Job, folder: Path) -> bool:
    """Whether the process of a job has ended; one that is stuck is ended first."""
    process, now = job.process, folder / f"{job.reader.name}.now"
    assert process is not None
    if process.poll() is not None:
        return True
    tried = read_now(now)[0].inputs if now.exists() and now.stat().st_size else 0
    if tried != job.progress[0]:
        job.progress = (tried, time.monotonic())
    elif time.monotonic() - job.progress[1] > STUCK and tried:
        process.kill()
        process.wait()
        return True
    return False


def finish(job: Job, folder: Path) -> bool:
    """Take what a process counted; whether the job is done. One that crashed goes on with other inputs."""
    name, process = job.reader.name, job.process
    assert process is not None
    whole = folder / f"{name}.json"
    if process.returncode == 0 and whole.exists():
        content = json.loads(whole.read_text(encoding="utf-8"))
        counted = {name: Counter(content[name]) for name in ("findings", "nets")}
        job.tally = added(job.tally, Tally(**{**content, **counted}))
        return True
    now, kinds = folder / f"{name}.now", folder / f"{name}.kinds"
    tally, content = read_now(now) if now.exists() else (Tally(), b"")
    stuck = process.returncode == -9 and time.monotonic() - job.progress[1] > STUCK
    what = "hang outside of Python" if stuck else f"the process ended with {process.returncode}"
    tally.inputs += 1
    tally.findings = Counter(json.loads(kinds.read_text(encoding="utf-8"))) if kinds.exists() else Counter()
    if not stuck and refused_apart(name, content, folder):
        tally.refused += 1
        tally.nets[f"{what}; in use a child's"] += 1
    else:
        save(folder, name, what, content, f"{what}; see {name}.log")
        tally.hangs, tally.crashes = tally.hangs + stuck, tally.crashes + (not stuck)
        tally.findings[what] += 1
    job.tally = added(job.tally, tally)
    job.left, job.seed, job.restarts = job.left - tally.inputs, job.seed + 1_000, job.restarts + 1
    return job.left <= 0 or job.restarts > RESTARTS or not now.exists()  # the last: it never began


def refused_apart(name: str, content: bytes, folder: Path) -> bool:
    """Whether an input that ended a process ends only a child in use: here children are not used, to be quick."""
    path = folder / f"{name}.ended"
    path.write_bytes(content)
    command = [sys.executable, "-m", "fuzz.worker", "--apart", name, str(path)]
    with (folder / f"{name}.log").open("ab") as log:
        return (
            subprocess.run(command, env=os.environ | ENVIRONMENT, stdout=log, stderr=log, check=False).returncode == 0
        )


def added(first: Tally, second: Tally) -> Tally:
    """The tallies of two processes of one reader; branches are those of the process that reached more."""
    largest = ("slowest", "branches", "of_branches")
    combined = {
        field.name: max(pair) if field.name in largest else pair[0] + pair[1]
        for field in fields(Tally)
        for pair in [(getattr(first, field.name), getattr(second, field.name))]
    }
    return Tally(**combined)


def run(jobs: Sequence[Job], *, workers: int, seconds: float, folder: Path) -> None:
    """All jobs, so many at a time; each gets at most the seconds."""
    waiting, running = list(jobs), list[Job]()
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(waiting.pop(0))
            start(running[-1], seconds, folder)
        time.sleep(0.2)
        for job in [job for job in running if look(job, folder)]:
            running.remove(job)
            if finish(job, folder):
                print(line(job.reader.name, job.tally), flush=True)
            else:
                waiting.insert(0, job)


def run_guided(jobs: Sequence[Job], runs: int, seed: int, folder: Path) -> dict[str, dict[str, Any]]:
    """Inputs guided by Atheris, so many a reader, one after the other: inputs tried, branches reached, findings."""
    outcome = {}
    for job in jobs:
        name = job.reader.name
        options = ("--runs", str(runs), "--seed", str(seed), "--out", str(folder))
        command = [sys.executable, "-m", "fuzz.guided", name, *options]
        with (folder / f"{name}.guided.log").open("w+", encoding="utf-8", errors="replace") as log:
            code = subprocess.run(command, stdout=log, stderr=log, env=os.environ | ENVIRONMENT, check=False).returncode
            log.seek(0)
            text = log.read()
        if (
            code == -signal.SIGALRM and f"\nDone {runs} " in text
        ):  # all were tried; libFuzzer's clock rang on the way out
            code = 0
        tried = [int(n) for n in re.findall(r"^(?:#|Done )(\d+)\s", text, re.MULTILINE)]
        branches = [int(n) for n in re.findall(r" cov: (\d+)", text)]
        outcome[name] = {
            "inputs": max(tried, default=0),
            "branches": max(branches, default=0),
            "findings": int(code != 0),
            "made": datetime.now(UTC).date().isoformat(),
        }
        shown = f"{outcome[name]['inputs']:>9,} inputs, {outcome[name]['branches']:>5,} branches"
        print(f"{name:<18}{shown}{f', ended with {code}: see {name}.guided.log' if code else ''}", flush=True)
    return outcome


def line(name: str, tally: Tally) -> str:
    """One reader's counts; under it what was found."""
    share = f"{100 * tally.branches / tally.of_branches:.0f} %" if tally.of_branches else "n/a"
    bad = tally.unclean + tally.hangs + tally.over_memory + tally.crashes
    counts = f"{tally.inputs:>9,} {tally.read:>9,} {tally.refused:>9,} {bad:>7,} {share:>6} {tally.cpu:>7.1f}"
    kinds = [f"    {n:>6,} {what}" for what, n in tally.findings.most_common(12)]
    kinds += [f"    {n:>6,} {what} (refused by the net)" for what, n in tally.nets.most_common(5)]
    return "\n".join([f"{name:<18}{counts}", *kinds])


def summary(jobs: Sequence[Job], seed: int) -> dict[str, Any]:
    """What summary.json holds."""
    readers = {}
    for job in jobs:
        tally = {field.name: getattr(job.tally, field.name) for field in fields(Tally)}
        tally |= {name: dict(getattr(job.tally, name).most_common()) for name in ("findings", "nets")}
        branches, of = tally.pop("branches"), tally.pop("of_branches")
        readers[job.reader.name] = {
            **tally,
            "coverage": {"branches": branches, "of": of},
            "modules": job.reader.modules,
            "seed": seed,
            "made": datetime.now(UTC).date().isoformat(),
        }
    names = ("inputs", "read", "refused", "netted", "unclean", "hangs", "over_memory", "crashes", "cpu")
    total = {name: sum(reader[name] for reader in readers.values()) for name in names}
    return {"schema": "assay.fuzz/2", "total": total, "readers": readers}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--reader", action="append", choices=sorted(BY_NAME), help="only this one; may be repeated")
    parser.add_argument(
        "--count", type=int, help=f"inputs for each reader ({COUNT:,}; slow ones {LEAST:,}); 0 for --guided only"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0, help="at most so long for each reader")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument(
        "--guided", type=int, default=0, help="then so many inputs each guided by Atheris, if installed"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args(arguments)
    chosen = [reader for reader in READERS if not asked.reader or reader.name in asked.reader]
    # slow ones first, so that the last process does not run alone for long
    usual = {True: LEAST, False: COUNT}
    jobs = [Job(r, usual[r.slow] if asked.count is None else asked.count, asked.seed, Tally()) for r in chosen]
    asked.out.mkdir(parents=True, exist_ok=True)
    print(f"{'reader':<18}{'inputs':>9} {'read':>9} {'refused':>9} {'unclean':>7} {'branch':>6} {'CPU s':>7}")
    ordered = sorted((job for job in jobs if job.left), key=lambda job: not job.reader.slow)
    run(ordered, workers=asked.jobs, seconds=60 * asked.minutes, folder=asked.out)
    content = summary(ordered, asked.seed)
    if asked.guided and find_spec("atheris"):
        for name, guided in run_guided(jobs, asked.guided, asked.seed, asked.out).items():
            content["readers"].setdefault(name, {})["guided"] = guided
    (asked.out / "summary.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    total = content["total"]
    bad = sum(total[name] for name in ("unclean", "hangs", "over_memory", "crashes"))
    bad += sum(reader.get("guided", {}).get("findings", 0) for reader in content["readers"].values())
    print(
        f"{total['inputs']:,} inputs, {bad:,} findings, {total['cpu'] / 60:.1f} CPU minutes; {asked.out}/summary.json"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
