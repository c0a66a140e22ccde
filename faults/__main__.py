"""`python -m faults`: injects faults into the running app at random moments, and checks that nothing was lost.

Writes out/faults/summary.json: per kind of fault and database how many were injected, and what was lost, doubled,
changed or failed without a fault of its own. Exit code 1 when anything was.
"""

import argparse
import json
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from faults.databases import PostgresqlServer, SqliteFile
from faults.invariants import Problems, Snapshot, finished_work, whole_database
from faults.kinds import KINDS, aim
from faults.rig import Rig, Work, open_jobs
from faults.store_level import store_faults
from tests.store.databases import why_no_postgresql

OPEN_JOBS = 2
"""So many jobs are going on while faults come."""
CHECK_EVERY = 25
"""After so many faults the whole database is looked at."""
ENDS_WORKERS = ("kill -9 of a worker", "kill -9 of the server", "kill -9 of server and workers", "no memory")
"""Faults after which every job has to get on before the next one: several at the same piece would be its fault."""
Summary = dict[str, dict[str, Any]]


def draw(name: str, count: int, rng: random.Random, kinds: list[str] | None) -> list[str]:
    """Kinds of faults at random; of cheap ones there are more."""
    weights = {words: weight for words, (_, weight) in KINDS[name].items() if not kinds or words in kinds}
    return rng.choices(list(weights), list(weights.values()), k=count)


def next_kind(number: int) -> str:
    """The kind of the next workspace: essays are dear, since every new worker loads their models."""
    return "essays" if number % 16 == 15 else "evaluation" if number % 5 == 4 else "annotations"


def run(
    name: str, *, plan: Sequence[str], seed: int, seconds: float = 600, essays: bool = True
) -> tuple[Counter[str], Problems]:
    """Faults injected by kind, as planned and as far as the time goes, and the problems that were met."""
    rng, injected, problems = random.Random(f"{name} {seed}"), Counter[str](), Problems()
    end, expected, works = time.monotonic() + seconds, dict[str, dict[str, str]](), list[Work]()
    before: Snapshot = {}
    with Rig(SqliteFile() if name == "sqlite" else PostgresqlServer()) as rig:
        for kind in ("annotations", "evaluation", *(["essays"] if essays else [])):  # undisturbed, to compare with
            work = rig.make(kind)
            rig.until(partial(_all_moved, rig, [work], {work.job: 10**9}))
            expected[kind] = rig.results(work)
            works.append(work)
        aim(rig, works[0])
        going: list[Work] = []
        for fault in plan:
            if time.monotonic() > end:
                break
            while len(going) < OPEN_JOBS:
                kind = next_kind(len(works))
                going.append(rig.make(kind if kind in expected else "annotations"))
                works.append(going[-1])
            time.sleep(rng.uniform(0, 0.3))
            with rig.log.open("a", encoding="utf-8") as log:
                print(f"{time.strftime('%H:%M:%S')} {fault}", file=log)
            counts = {work.job: rig.progress(work)["done"] for work in going}
            KINDS[name][fault][0](rig, rng)
            injected[fault] += 1
            if fault in ENDS_WORKERS:
                rig.until(partial(_all_moved, rig, going, counts))
            still = open_jobs(rig, going)
            problems += _closed(rig, [work for work in going if work not in still], expected, rng)
            going = still
            if sum(injected.values()) % CHECK_EVERY == 0:
                told, before = whole_database(rig, works, before, sum(injected.values()))
                problems += told
                print(f"{name}: {sum(injected.values())} faults, {len(works)} jobs, {dict(+problems)}", flush=True)
        rig.wait_for_workers()
        rig.until(lambda: not open_jobs(rig, going))
        problems += _closed(rig, going, expected, rng)
        told, _ = whole_database(rig, works, before, sum(injected.values()))
        problems += told + _left_behind(rig)
        if problems:
            (Path(tempfile.gettempdir()) / f"faults-{name}.log").write_bytes(rig.log.read_bytes())
    return injected, +problems


def _all_moved(rig: Rig, works: list[Work], before: dict[str, int]) -> bool:
    """Whether every job got on by a piece, or ended: the app has recovered, and the next fault is another one."""
    states = [(rig.progress(work), before[work.job]) for work in works]
    return all(state["state"] == "done" or state["done"] > count for state, count in states)


def _closed(rig: Rig, ended: list[Work], expected: dict[str, dict[str, str]], rng: random.Random) -> Problems:
    """What is wrong with jobs that are over; some of their results are decided about."""
    problems = Problems()
    for work in ended:
        problems += finished_work(rig, work, expected[work.kind])
        if work.kind == "annotations" and rng.random() < 0.5:
            rig.decide(work)
    return problems


def _left_behind(rig: Rig) -> Problems:
    """Processes that are still there after the server was asked to end."""
    assert rig.server is not None
    rig.server.terminate()
    rig.server.wait()
    end = time.monotonic() + 20
    while (left := len(rig.pids("worker")) + len(rig.pids("server"))) and time.monotonic() < end:
        time.sleep(0.1)  # one that just started ends when it first looks at its parent
    for pid in (*rig.pids("server"), *rig.pids("worker")):
        print(pid, Path(f"/proc/{pid}/status").read_text("ascii"), Path(f"/proc/{pid}/stack").read_text("ascii"))
    return Problems({"processes left": left})


def cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> int:
    """Inject, check, write."""
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__)
    parser.add_argument("--count", type=int, default=600, help="faults of processes, per database")
    parser.add_argument("--store-count", type=int, default=2000, help="faults inside the store, per database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], help="only this one")
    parser.add_argument("--minutes", type=float, default=20, help="at most, per database")
    parser.add_argument("--kind", action="append", help="only this kind of fault")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is ended
    names = [asked.database] if asked.database else ["sqlite", "postgresql"]
    if "postgresql" in names and (reason := why_no_postgresql()):
        print(f"postgresql left out: {reason}", file=sys.stderr)
        names.remove("postgresql")
    out = Path("out/faults") / "summary.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    summary: Summary = json.loads(out.read_text("utf-8")) if out.exists() else {}
    for name in names:
        begun = cpu_seconds()
        plan = draw(name, asked.count, random.Random(asked.seed), asked.kind)
        injected, problems = run(name, plan=plan, seed=asked.seed, seconds=60 * asked.minutes)
        in_store, store_problems = store_faults(name, count=asked.store_count, seed=asked.seed)
        summary[name] = {
            "injected": dict(sorted(injected.items())),
            "injected_in_all": sum(injected.values()),
            "problems": dict(problems),
            "store_injected": dict(sorted(in_store.items())),
            "store_injected_in_all": sum(in_store.values()),
            "store_problems": dict(store_problems),
            "cpu_seconds": round(cpu_seconds() - begun),
            "seed": asked.seed,
            "made": datetime.now(UTC).date().isoformat(),
        }
    out.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(summary, indent=2))
    return int(any(summary[name]["problems"] or summary[name]["store_problems"] for name in names))


if __name__ == "__main__":
    sys.exit(main())
