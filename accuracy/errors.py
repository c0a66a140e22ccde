"""Precision and recall of error detection on JFLEG dev: `python -m accuracy.errors`.

A finding is right if it touches an edit of any of the four rewrites; recall is the share of all edits of all rewrites
that a finding touches. An insertion touches its two neighbours. Findings of more than 8 words, findings on whole
sentences and remarks on style are left out: the first two touch every edit of a sentence, the last are no errors.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from accuracy.edits import edits
from accuracy.jfleg import written
from assay.essays.errors.catalogue import CATALOGUE, Finding
from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_texts

JFLEG = Path(__file__).resolve().parents[2] / "shared/data/jfleg/jfleg_dev.csv.gz"
LONGEST = 8
"""Words; a longer finding would touch many edits by its length alone."""
REWRITES = ("ref0", "ref1", "ref2", "ref3")


def counted(finding: Finding) -> bool:
    words = len(finding.words.split())
    return finding.category != "style" and not CATALOGUE[finding.type].sentence and words <= LONGEST


def tokens_of(finding: Finding, spans: Sequence[tuple[int, int]]) -> frozenset[int]:
    return frozenset(k for k, (a, b) in enumerate(spans) if a < finding.end and finding.start < b)


def main() -> None:
    if not JFLEG.exists():
        sys.exit(f"{JFLEG} is absent: this measurement needs the JFLEG development set")
    table = pl.read_csv(JFLEG)
    sources = [sentence.split() for sentence in table["src"]]
    shown = [written(tokens) for tokens in sources]
    texts = read_texts(sentence for sentence, _ in shown)
    flags, right = Counter[str](), Counter[str]()
    touched = total = union_tokens = all_tokens = 0
    by_type_touched = Counter[str]()
    for row, tokens, (_, spans), text in zip(table.iter_rows(named=True), sources, shown, texts, strict=True):
        wanted = [[e.touched(len(tokens)) for e in edits(tokens, row[ref].split())] for ref in REWRITES]
        union = frozenset(k for reference in wanted for edit in reference for k in edit)
        union_tokens, all_tokens = union_tokens + len(union), all_tokens + len(tokens)
        found = [(f.type, tokens_of(f, spans)) for f in findings(text) if counted(f)]
        for kind, places in found:
            flags[kind] += 1
            right[kind] += bool(places & union)
        covered = frozenset(k for _, places in found for k in places)
        touched += sum(bool(edit & covered) for reference in wanted for edit in reference)
        total += sum(map(len, wanted))
        for kind in {kind for kind, _ in found}:
            own = frozenset(k for name, places in found if name == kind for k in places)
            by_type_touched[kind] += sum(bool(edit & own) for reference in wanted for edit in reference)
    precision = right.total() / flags.total()
    print(f"findings {flags.total()}  precision {precision:.3f}  recall {touched / total:.3f}  edits {total}")
    print(f"a token taken at random lies in an edit of some rewrite with probability {union_tokens / all_tokens:.3f}")
    for kind, n in flags.most_common():
        print(f"{kind:20} {n:5} right {right[kind] / n:.3f}  edits touched {by_type_touched[kind]:5}")


if __name__ == "__main__":
    main()
