"""Precision and recall of error detection on JFLEG dev: `python -m accuracy.errors [--half tuning|reporting]`.

A finding is right if it touches an edit of any of the four rewrites; recall is the share of all edits of all rewrites
that a finding touches. An insertion touches its two neighbours. Findings of more than 8 words, findings on whole
sentences and remarks on style are left out: the first two touch every edit of a sentence, the last are no errors.

Only the development set is here, so it is halved by a fixed seed: rules and confidences are tuned on one half (377
sentences) and reported on the other. An edit touches a spelling error if one of its words is in none of our lists or is
marked as misspelled. A suggestion agrees if every word of it stands in one of the rewrites.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from accuracy.edits import edits
from accuracy.jfleg import written
from assay.essays.errors.catalogue import CATALOGUE, Finding
from assay.essays.errors.merge import findings
from assay.essays.errors.spelling import is_misspelled
from assay.essays.text.reader import read_texts

JFLEG = Path(__file__).resolve().parents[2] / "shared/data/jfleg/jfleg_dev.csv.gz"
LONGEST = 8
"""Words; a longer finding would touch many edits by its length alone."""
REWRITES = ("ref0", "ref1", "ref2", "ref3")
SEED = 15
TOKEN = re.compile(r"n't|'s|[\w-]+?(?=n't)|[\w-]+|[^\w\s]")


def halved(table: pl.DataFrame, half: str) -> pl.DataFrame:
    """The sentences rules may be tuned on, or those that figures are reported on; or all."""
    rows = list(range(table.height))
    random.Random(SEED).shuffle(rows)
    middle = table.height // 2
    return table if half == "both" else table[sorted(rows[:middle] if half == "tuning" else rows[middle:])]


def counted(finding: Finding) -> bool:
    words = len(finding.words.split())
    return finding.category != "style" and not CATALOGUE[finding.type].sentence and words <= LONGEST


def tokens_of(finding: Finding, spans: Sequence[tuple[int, int]]) -> frozenset[int]:
    return frozenset(k for k, (a, b) in enumerate(spans) if a < finding.end and finding.start < b)


def agrees(finding: Finding, rewrites: Sequence[str]) -> bool:
    """Whether every word of the suggestion stands in one of the rewrites."""
    wanted = TOKEN.findall((finding.suggestion or "").lower())
    return any(set(wanted) <= set(rewrite.lower().split()) for rewrite in rewrites)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("tuning", "reporting", "both"), default="both")
    parser.add_argument("--wrong", action="store_true", help="show the findings that touch no edit")
    parser.add_argument("--suggestions", action="store_true", help="show the suggestions that stand in no rewrite")
    chosen = parser.parse_args()
    if not JFLEG.exists():
        sys.exit(f"{JFLEG} is absent: this measurement needs the JFLEG development set")
    table = halved(pl.read_csv(JFLEG), chosen.half)
    sources = [sentence.split() for sentence in table["src"]]
    shown = [written(tokens) for tokens in sources]
    texts = read_texts(sentence for sentence, _ in shown)
    flags, right, stated, stated_right = Counter[str](), Counter[str](), 0, 0
    suggested, agreed, sure = Counter[str](), Counter[str](), Counter[str]()
    touched = total = union_tokens = all_tokens = unspelled = unspelled_touched = 0
    by_type_touched = Counter[str]()
    for row, tokens, (sentence, spans), text in zip(table.iter_rows(named=True), sources, shown, texts, strict=True):
        rewrites = [row[ref] for ref in REWRITES]
        wanted = [[e.touched(len(tokens)) for e in edits(tokens, rewrite.split())] for rewrite in rewrites]
        union = frozenset(k for reference in wanted for edit in reference for k in edit)
        union_tokens, all_tokens = union_tokens + len(union), all_tokens + len(tokens)
        marked = [f for f in findings(text) if counted(f)]
        found = [(f.type, tokens_of(f, spans)) for f in marked]
        misspelled = {k for kind, places in found for k in places if kind in ("spelling", "fused")}
        misspelled |= {k for k, token in enumerate(tokens) if is_misspelled(token)}
        for f, (kind, places) in zip(marked, found, strict=True):
            flags[kind] += 1
            hit = bool(places & union)
            right[kind] += hit
            sure[kind] += f.confidence
            stated, stated_right = stated + (not f.is_question), stated_right + (hit and not f.is_question)
            if f.suggestion:
                suggested[kind] += 1
                agreed[kind] += agrees(f, rewrites)
                if chosen.suggestions and not agrees(f, rewrites):
                    print(f"{kind:15} {f.confidence:.2f} [{f.words} -> {f.suggestion}] {sentence} | {rewrites[0]}")
            if chosen.wrong and not hit:
                print(f"{kind:15} {f.confidence:.2f} [{f.words} -> {f.suggestion}] {sentence}")
        covered = frozenset(k for _, places in found for k in places)
        for edit in (edit for reference in wanted for edit in reference):
            touched, total = touched + bool(edit & covered), total + 1
            if not edit & misspelled:
                unspelled, unspelled_touched = unspelled + 1, unspelled_touched + bool(edit & covered)
        for kind in {kind for kind, _ in found}:
            own = frozenset(k for name, places in found if name == kind for k in places)
            by_type_touched[kind] += sum(bool(edit & own) for reference in wanted for edit in reference)
    precision = right.total() / flags.total()
    print(f"findings {flags.total()}  precision {precision:.3f}  recall {touched / total:.3f}  edits {total}")
    print(f"stated flatly {stated}  precision {stated_right / max(1, stated):.3f}")
    print(f"edits that touch no spelling error {unspelled}  recall {unspelled_touched / unspelled:.3f}")
    print(f"suggestions {suggested.total()}  in a rewrite {agreed.total() / max(1, suggested.total()):.3f}")
    print(f"a token taken at random lies in an edit of some rewrite with probability {union_tokens / all_tokens:.3f}")
    for kind, n in flags.most_common():
        share = f"{agreed[kind] / suggested[kind]:.2f}" if suggested[kind] else "   -"
        print(
            f"{kind:20} {n:5} right {right[kind] / n:.3f}  confidence {sure[kind] / n:.2f}  suggestion {share}  "
            f"edits touched {by_type_touched[kind]:5}"
        )


if __name__ == "__main__":
    main()
