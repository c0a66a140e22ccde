"""`python -m faults.load`: many users read pages over the loopback address while a batch is scored.

Each reads a page a second, for at most a minute. Writes out/load/summary.json: errors, how long pages took, and the
server's processor time for each; the clock says as much about what else the machine does.
"""

import argparse
import asyncio
import json
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.bench_web import _processor_seconds, _users
from benchmarks.web_batches import Serve, done, start_batch

BATCH = 200


def measure(users: int, batch: int) -> dict[str, Any]:
    """What so many users met."""
    with tempfile.TemporaryDirectory() as folder:
        serve = Serve(f"{folder}/assay.db", workers=1, cache=Path(folder))
        try:
            workspace, job = start_batch(serve, batch)
            used = _processor_seconds(serve)
            visits = asyncio.run(_users(serve, workspace, job, users))
            used = _processor_seconds(serve) - used
            scored, total, _ = done(serve, job)
        finally:
            serve.stop()
    return {
        "users": users,
        "pages": len(visits.times),
        "errors": visits.errors,
        "seconds": round(visits.seconds, 1),
        **{f"p{share}_ms": round(visits.within(share / 100)) for share in (50, 95, 99)},
        "server_cpu_ms_per_page": round(1000 * used / len(visits.times), 2),
        "scored": f"{scored} of {total}",
        "load_average": round(os.getloadavg()[0], 1),
        "processors": os.cpu_count(),
        "made": datetime.now(UTC).date().isoformat(),
    }


def main() -> None:
    """Measure, write, say."""
    parser = argparse.ArgumentParser(prog="python -m faults.load", description=__doc__)
    parser.add_argument("--users", type=int, nargs="*", default=[50, 200])
    parser.add_argument("--batch", type=int, default=BATCH)
    asked = parser.parse_args()
    summary = [measure(users, asked.batch) for users in asked.users]
    out = Path("out/load")
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
