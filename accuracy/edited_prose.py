"""False alarms on edited prose: `python -m accuracy.edited_prose FOLDER` with the HTML pages of a Debian package.

Two kinds: a manual full of program names, the Debian Administrator's Handbook (package `debian-handbook`, folder
html/en-US, CC BY-SA 3.0 or GPL-2+), and argument in essays, An Anarchist FAQ (package `anarchism`, folder html, GFDL or
GPL), which was written by many hands and holds some errors. Their plain paragraphs of 30 words and more are shuffled by
a fixed seed. Rules and the weights of `weighing` saw the first half; the figures are those of the second. `--write
FILE` writes the paragraphs for `training.weigh_proposals`.
"""

import argparse
import html
import random
import re
from collections import Counter
from pathlib import Path

from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_texts

PARAGRAPHS = (re.compile(r'<div class="para">(.*?)</div>', re.DOTALL), re.compile(r"<p>([^<>]*(?:<[bi]>.*?)?)</p>"))
"""Of the handbook, and of pages with plain paragraphs."""
MARKUP = re.compile(r"<(code|pre|ul|ol|tt|em|div|strong|a)\b")
TAG = re.compile(r"<[^>]+>")
LEAST_WORDS, SEED, ESSAY = 30, 1, 5
MOST_WORDS = 60_000
"""Of each half; the larger package has more than a million."""


def paragraphs(folder: Path) -> list[str]:
    pages = [page.read_text("utf-8", errors="replace") for page in sorted(folder.glob("*.html"))]
    pattern = next((p for p in PARAGRAPHS if sum(len(p.findall(page)) for page in pages) > len(pages)), PARAGRAPHS[0])
    bodies = [body for page in pages for body in pattern.findall(page)]
    plain = (" ".join(html.unescape(TAG.sub("", body)).split()) for body in bodies if not MARKUP.search(body))
    chosen = [paragraph for paragraph in plain if len(paragraph.split()) > LEAST_WORDS and "�" not in paragraph]
    random.Random(SEED).shuffle(chosen)
    return chosen


def half(prose: list[str], *, seen: bool) -> list[str]:
    """Every second paragraph, those the rules saw or the others, up to a number of words."""
    chosen: list[str] = []
    words = 0
    for paragraph in prose[0 if seen else 1 :: 2]:
        if words < MOST_WORDS:
            chosen.append(paragraph)
            words += len(paragraph.split())
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("tuning", "reporting"), default="reporting")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args()
    prose = paragraphs(chosen.folder)
    if chosen.write:
        chosen.write.write_text("\n\n".join(prose), encoding="utf-8")
        return
    taken = half(prose, seen=chosen.half == "tuning")
    essays = ["\n\n".join(taken[k : k + ESSAY]) for k in range(0, len(taken), ESSAY)]
    counts, words, asked = Counter[tuple[str, str]](), 0, 0
    for text in read_texts(essays):
        words += len(text.raw.split())
        for f in findings(text):
            counts[f.category, f.type] += 1
            asked += f.is_question and f.category != "style"
            if chosen.show and f.category != "style":
                around = " ".join(text.raw[max(0, f.start - 50) : f.end + 40].split())
                print(f"{f.type:16} {f.confidence:.2f} [{f.words} -> {f.suggestion}] {around}")
    style = sum(n for (category, _), n in counts.items() if category == "style")
    rest = counts.total() - style
    print(
        f"{words} words: {1000 * rest / words:.2f} findings in 1,000 words without style,"
        f" {1000 * counts.total() / words:.2f} with; stated flatly, without style: {1000 * (rest - asked) / words:.2f}"
    )
    for (_, kind), n in counts.most_common():
        print(f"{kind:20} {n:4}")


if __name__ == "__main__":
    main()
