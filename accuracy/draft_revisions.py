"""Whether writers resolve what is marked: errors of first drafts of ArgRewrite, in drafts two and three.

    .venv/bin/python -m accuracy.draft_revisions ../shared/data/argrewrite/argrewrite2.parquet

Writers did not see our marks: they revised by themselves after draft 1 and with other feedback after draft 2. What is
measured is whether marks are about things that writers change anyway.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.features.features import analyse_all
from assay.essays.feedback.drafts import DraftChanges, compare_drafts
from assay.essays.feedback.notes import WritingNote, numbered
from assay.io.models.scoring_models import bundled_discourse_model

OUTCOMES = ("resolved", "cut", "remaining")


def drafts(path: Path) -> Iterator[tuple[str, ...]]:
    """The texts of each writer, first to last."""
    frame = pl.read_parquet(path).sort("writer", "draft")
    for _, own in frame.group_by("writer", maintain_order=True):
        yield tuple(own["text"].to_list())


def notes_of(text: str) -> tuple[WritingNote, ...]:
    return numbered(next(analyse_all([text], bundled_discourse_model())).findings)


def outcomes(changes: DraftChanges) -> Iterator[tuple[str, str]]:
    for name in OUTCOMES:
        for error in getattr(changes, name):
            yield error.category, name


def main(path: Path) -> None:
    tallies: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    words, marked = Counter[int](), Counter[int]()
    for texts in drafts(path):
        notes = [notes_of(text) for text in texts]
        for draft, (text, own) in enumerate(zip(texts, notes, strict=True), start=1):
            words[draft] += len(text.split())
            marked[draft] += sum(len(note.places) for note in own if note.category != "style")
        for later in range(1, len(texts)):
            for category, name in outcomes(compare_drafts(texts[0], notes[0], texts[later], notes[later])):
                tallies[category, later + 1][name] += 1
    print("| category | draft | marked in draft 1 | resolved | cut | left |\n|---|---|---|---|---|---|")
    for category in CATEGORIES:
        for draft in (2, 3):
            tally = tallies[category, draft]
            shares = " | ".join(f"{tally[name]} ({tally[name] / max(1, tally.total()):.0%})" for name in OUTCOMES)
            print(f"| {category} | {draft} | {tally.total()} | {shares} |")
    for draft in sorted(words):
        rate = 1000 * marked[draft] / words[draft]
        print(f"draft {draft}: {words[draft]:,} words, {rate:.1f} errors in 1,000 without style")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
