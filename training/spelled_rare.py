"""Rare words that are no likely slips: `python -m training.spelled_rare FOLDER` writes spelled_rare.txt.gz.

FOLDER holds `american-english-huge`, `british-english-huge` and `canadian-english-huge` of Debian's SCOWL packages
(wamerican-huge 2020.12.07 and so on; SCOWL's own licence, text/lexicons/SCOWL-LICENSE.txt). Of their words of five
letters and more those are taken that our lists do not have and that a writer rather meant than misspelled: `belive` and
`wether` are in SCOWL, too, and in student essays they are slips. A word is taken to be meant if its frequency is at
least that of the likeliest other word, less 15 points of the frequency index for a change of one letter.
"""

import gzip
import sys
from pathlib import Path

from assay.essays.errors.lexicon import words
from assay.essays.errors.suggestions import PER_COST, candidates, cost
from assay.essays.text.text import frequency_index, word_list

OUT = Path(__file__).resolve().parents[1] / "src/assay/essays/errors/lexicons/spelled_rare.txt.gz"
LISTS = ("american-english-huge", "british-english-huge", "canadian-english-huge")
LEAST_INDEX = 15.0
"""Frequency index of a word that wordfreq does not have."""


def is_meant(word: str) -> bool:
    index = frequency_index()
    own = index.get(word, LEAST_INDEX)
    likely = (index.get(meant, 0.0) - PER_COST * cost(word, meant) for meant, _ in candidates(word) if " " not in meant)
    return max(likely, default=0.0) <= own


def main() -> None:
    listed = {word for name in LISTS for word in Path(sys.argv[1], name).read_text(encoding="utf-8").split()}
    ours = words("known_words.txt") | words("rare_words.txt") | word_list("spelled_words") | word_list("spelled_names")
    plain = {word for word in listed if word.isascii() and word.isalpha() and word.islower() and len(word) >= 5}
    chosen = sorted(word for word in plain - ours if is_meant(word))
    text = "\n".join(["# rare words of SCOWL that are no likely slips; see NOTICE.txt", *chosen]) + "\n"
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(len(plain - ours), len(chosen), OUT.stat().st_size)


if __name__ == "__main__":
    main()
