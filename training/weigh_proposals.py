"""Fit how likely a proposed change touches an error: `python -m training.weigh_proposals EDITED`.

Reads the tuning half of JFLEG dev (`accuracy.errors`; CC BY-NC-SA 4.0) and EDITED, a text file of edited prose with an
empty line between paragraphs (`accuracy.edited_prose` makes one of a Debian package), of which the first half is taken,
and writes proposal_weights.tsv into packages/assay-essays-nc: weights only. Prints what ten-fold cross-validation says.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

from accuracy.edits import edits
from accuracy.errors import JFLEG, REWRITES, halved
from accuracy.jfleg import written
from assay.essays.errors import weighing
from assay.essays.errors.merge import findings
from assay.essays.errors.proposals import proposals
from assay.essays.errors.reading import read
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Text

OUT = Path(__file__).resolve().parents[1] / "packages/assay-essays-nc/src/assay_essays_nc/proposal_weights.tsv"
HEADER = "# what speaks for a change, and its weight; fitted on JFLEG dev (CC BY-NC-SA 4.0), see NOTICE.txt"
LEAST_WEIGHT = 0.02
PENALTY = 0.2

Row = tuple[dict[str, float], bool, bool]
"""What is seen of a change, whether it touches an edit, whether a rule has marked it."""


def changes_of(text: Text) -> Iterator[tuple[dict[str, float], int, int, bool]]:
    """What is seen of each proposal, its place, and whether a rule has marked a word of it."""
    r = read(text)
    marked = [f for f in findings(text) if f.category != "style" and len(f.words.split()) <= 8]
    taken = {place for f in marked for place in range(f.start, f.end)}
    density = weighing.errors_per_hundred(r, len(marked))
    for p in proposals(r):
        first, end = r.starts[p.first], r.ends[p.last]
        yield weighing.features(r, p, density), first, end, not taken.isdisjoint(range(first, end))


def from_jfleg() -> Iterator[Row]:
    table = halved(pl.read_csv(JFLEG), "tuning")
    sources = [sentence.split() for sentence in table["src"]]
    shown = [written(tokens) for tokens in sources]
    texts = read_texts(sentence for sentence, _ in shown)
    for row, tokens, (_, spans), text in zip(table.iter_rows(named=True), sources, shown, texts, strict=True):
        rewrites = [edits(tokens, row[ref].split()) for ref in REWRITES]
        union = {k for rewrite in rewrites for edit in rewrite for k in edit.touched(len(tokens))}
        for seen, first, end, marked in changes_of(text):
            yield seen, any(k in union for k, (a, b) in enumerate(spans) if a < end and first < b), marked


def from_prose(path: str) -> Iterator[Row]:
    paragraphs = Path(path).read_text(encoding="utf-8").split("\n\n")[::2]
    for text in read_texts(paragraphs):
        yield from ((seen, False, marked) for seen, _, _, marked in changes_of(text))


def main() -> None:
    weighing.LEAST_LIKELY = 2.0  # the rules alone decide what is marked already
    learner, prose = list(from_jfleg()), list(from_prose(sys.argv[1]))
    every = learner + prose
    columns = DictVectorizer()
    matrix, right = columns.fit_transform([row[0] for row in every]), [row[1] for row in every]
    model = LogisticRegression(C=PENALTY, max_iter=5000, fit_intercept=False)
    folds = KFold(10, shuffle=True, random_state=0)
    likely = cross_val_predict(model, matrix, right, cv=folds, method="predict_proba")[:, 1]
    for least in (0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6):
        new = [row[1] for row, p in zip(learner, likely, strict=False) if p >= least and not row[2]]
        false = sum(p >= least for p in likely[len(learner) :])
        print(f"{least}: {sum(new)} of {len(new)} new marks touch an edit; {false} marks in edited prose")
    model.fit(matrix, right)
    weights = dict(zip(columns.get_feature_names_out(), model.coef_[0], strict=True))
    lines = [f"{name}\t{weight:.3f}" for name, weight in sorted(weights.items()) if abs(weight) >= LEAST_WEIGHT]
    OUT.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    print(len(lines), "weights")


if __name__ == "__main__":
    main()
