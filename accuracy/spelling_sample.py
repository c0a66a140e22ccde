"""Draw words marked as misspelled for a reader to judge: `python -m accuracy.spelling_sample [--summary]`.

200 of the words marked as misspelled in 300 essays of ASAP 2.0 and ELLIPSE, by a seed that was fixed before the first
draw. Printed with the words around for a reader, who writes one letter each in the order drawn: r the suggestion is
what is meant, w it is another word, n the word was spelled right, u nobody can tell. `--record LETTERS` keeps essay,
offsets, digest and verdict in recorded/spelling_judged.tsv, no text. `--summary` counts what was recorded.
"""

import argparse
import random
from collections import Counter
from hashlib import sha256
from pathlib import Path

import polars as pl

from assay.essays.errors.catalogue import Finding
from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_texts

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CORPORA = (
    ("asap2", "asap2/asap2_public.parquet", "essay_id", "text"),
    ("ellipse", "ellipse/ellipse_train.parquet", "text_id", "full_text"),
)
RECORDED = Path(__file__).parent / "recorded" / "spelling_judged.tsv"
SEED, ESSAYS, DRAWN = 1518, 150, 200
VERDICTS = {"r": "right", "w": "wrong word", "n": "no misspelling", "u": "cannot be told"}

Drawn = tuple[str, str, Finding, str]
"""Corpus, essay, finding, the words around it."""


def draw() -> list[Drawn]:
    rng = random.Random(SEED)
    drawn: list[Drawn] = []
    for name, path, column, written in CORPORA:
        table = pl.read_parquet(DATA / path)
        rows = sorted(rng.sample(range(table.height), ESSAYS))
        texts = read_texts(table[written].gather(rows).to_list())
        for essay, text in zip(table[column].gather(rows).to_list(), texts, strict=True):
            for f in findings(text):
                if f.type == "spelling":
                    around = " ".join(text.raw[max(0, f.start - 40) : f.end + 30].split())
                    drawn.append((name, str(essay), f, around))
    return rng.sample(drawn, min(DRAWN, len(drawn)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", metavar="LETTERS")
    parser.add_argument("--summary", action="store_true")
    chosen = parser.parse_args()
    if chosen.summary:
        rows = [line.split("\t") for line in RECORDED.read_text("utf-8").splitlines() if not line.startswith("#")]
        counts = Counter(row[-1] for row in rows)
        misspelled = counts["right"] + counts["wrong word"]
        print(f"{len(rows)} judged: {dict(counts)}")
        print(
            f"misspelled {misspelled / len(rows):.3f}; suggestion right in {counts['right'] / misspelled:.3f} of these"
        )
        return
    drawn = draw()
    if not chosen.record:
        for k, (_, _, f, around) in enumerate(drawn, 1):
            print(f"{k:3} {f.confidence:.2f} [{f.words} -> {f.suggestion}] {around}")
        return
    if len(chosen.record) != len(drawn):
        parser.error(f"{len(drawn)} letters are needed, not {len(chosen.record)}")
    lines = [f"# seed {SEED}; corpus, essay, start, end, sha256 of the marked words and the suggestion, verdict"]
    for (name, essay, f, _), letter in zip(drawn, chosen.record, strict=True):
        digest = sha256(f"{f.words}\t{f.suggestion}".encode()).hexdigest()[:16]
        lines.append("\t".join([name, essay, str(f.start), str(f.end), digest, VERDICTS[letter]]))
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
