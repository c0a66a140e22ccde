"""The words that need no look in the speller: `python -m training.known_words` writes lexicons/known_words.txt.

Of the 40,000 most frequent lower-case words of wordfreq, those that Harper's dictionary accepts. The list only saves
time: any other word is put to Harper itself.
"""

from pathlib import Path

import harper
from wordfreq import top_n_list

LEXICONS = Path(__file__).resolve().parents[1] / "src/assay/essays/errors/lexicons"
HEADER = (
    "# words that Harper (Apache-2.0) accepts, of the most frequent ones of wordfreq (CC BY-SA 4.0); see NOTICE.txt"
)


def main() -> None:
    linter = harper.Linter()
    linter.set_lint_config({rule: rule == "SpellCheck" for rule in linter.get_default_lint_config()})
    words = [word for word in top_n_list("en", 40_000) if word.isascii() and word.replace("'", "").isalpha()]
    accepted = []
    for first in range(0, len(words), 500):
        some = words[first : first + 500]
        wrong = {lint.problem_text for lint in linter.lint("\n\n".join(some), language="plaintext", dedup=False)}
        accepted += [word for word in some if word not in wrong and len(word) > 1]
    (LEXICONS / "known_words.txt").write_text("\n".join([HEADER, "a", "i", *sorted(accepted)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
