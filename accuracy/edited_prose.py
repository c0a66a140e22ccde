"""False alarms on edited prose: `python -m accuracy.edited_prose FOLDER` with the handbook's HTML pages.

The prose is that of the Debian Administrator's Handbook (Debian package `debian-handbook`, CC BY-SA 3.0 or GPL-2+), its
plain paragraphs of 30 words and more, shuffled by a fixed seed. The weights of `weighing` saw the first half; the
figures are those of the second. `--write FILE` writes the paragraphs for `training.weigh_proposals`.
"""

import argparse
import html
import random
import re
from collections import Counter
from pathlib import Path

from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_texts

PARAGRAPH = re.compile(r'<div class="para">(.*?)</div>', re.DOTALL)
MARKUP = re.compile(r"<(code|pre|ul|ol|tt|em|div|strong|a)\b")
TAG = re.compile(r"<[^>]+>")
LEAST_WORDS, SEED, ESSAY = 30, 1, 5


def paragraphs(folder: Path) -> list[str]:
    bodies = [body for page in sorted(folder.glob("*.html")) for body in PARAGRAPH.findall(page.read_text("utf-8"))]
    plain = (" ".join(html.unescape(TAG.sub("", body)).split()) for body in bodies if not MARKUP.search(body))
    chosen = [paragraph for paragraph in plain if len(paragraph.split()) > LEAST_WORDS]
    random.Random(SEED).shuffle(chosen)
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args()
    prose = paragraphs(chosen.folder)
    if chosen.write:
        chosen.write.write_text("\n\n".join(prose), encoding="utf-8")
        return
    unseen = prose[1::2]
    essays = ["\n\n".join(unseen[k : k + ESSAY]) for k in range(0, len(unseen), ESSAY)]
    counts, words = Counter[tuple[str, str]](), 0
    for text in read_texts(essays):
        words += len(text.raw.split())
        for f in findings(text):
            counts[f.category, f.type] += 1
            if chosen.show and f.category != "style":
                around = " ".join(text.raw[max(0, f.start - 50) : f.end + 40].split())
                print(f"{f.type:16} {f.confidence:.2f} [{f.words} -> {f.suggestion}] {around}")
    style = sum(n for (category, _), n in counts.items() if category == "style")
    rest = counts.total() - style
    print(
        f"{words} words: {1000 * rest / words:.2f} findings in 1,000 words without style,"
        f" {1000 * counts.total() / words:.2f} with"
    )
    for (_, kind), n in counts.most_common():
        print(f"{kind:20} {n:4}")


if __name__ == "__main__":
    main()
