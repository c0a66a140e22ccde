"""Words that Harper's dictionary accepts: `python -m training.known_words` writes two lists into lexicons/.

known_words.txt: of the 40,000 most frequent lower-case words of wordfreq; what a misspelled word may have meant is
sought among them. rare_words.txt: of the rarer ones those of four letters and more that SCOWL's lists do not have.
Asking Harper about the words of an essay would take 2 to 11 ms for every word that it does not accept.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import harper
from wordfreq import top_n_list

from assay.essays.text.text import frequency_index, word_list

LEXICONS = Path(__file__).resolve().parents[1] / "src/assay/essays/errors/lexicons"
HEADER = (
    "# words that Harper (Apache-2.0) accepts, of the most frequent ones of wordfreq (CC BY-SA 4.0); see NOTICE.txt"
)


LEAST_FREQUENT = 27.0
RARE = "# rarer words that Harper (Apache-2.0) accepts and SCOWL does not have; see NOTICE.txt"


def main() -> None:
    common = [word for word in top_n_list("en", 40_000) if is_plain(word)]
    known = sorted(word for word in accepted(common) if len(word) > 1)
    (LEXICONS / "known_words.txt").write_text("\n".join([HEADER, "a", "i", *known]) + "\n", encoding="utf-8")
    listed = {*known, *word_list("spelled_words"), *word_list("spelled_names")}
    frequent = (word for word, index in frequency_index().items() if index >= LEAST_FREQUENT)
    rest = [word for word in frequent if is_plain(word) and len(word) > 3 and word not in listed]
    (LEXICONS / "rare_words.txt").write_text("\n".join([RARE, *sorted(accepted(rest))]) + "\n", encoding="utf-8")


def is_plain(word: str) -> bool:
    return word.isascii() and word.replace("'", "").isalpha()


def accepted(words: Sequence[str]) -> Iterator[str]:
    linter = harper.Linter()
    linter.set_lint_config({rule: rule == "SpellCheck" for rule in linter.get_default_lint_config()})
    for first in range(0, len(words), 500):
        some = words[first : first + 500]
        wrong = {lint.problem_text for lint in linter.lint("\n\n".join(some), language="plaintext", dedup=False)}
        yield from (word for word in some if word not in wrong)


if __name__ == "__main__":
    main()
