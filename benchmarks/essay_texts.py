"""Essays to measure speed on: real ones where the corpora lie beside the project, else made up from a fixed seed."""

from pathlib import Path

import numpy as np
import polars as pl

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "asap2" / "asap2_public.parquet"

OPENINGS = ("In my opinion", "Some people say that", "For example,", "When I was younger", "However,", "Last summer")
WHO = ("students", "the city", "my parents", "most teachers", "a good friend", "our neighbours", "young drivers")
VERBS = ("should support", "rarely understand", "have always liked", "might change", "cannot pay for", "forgot")
WHAT = ("longer holidays", "the old library", "cleaner buses", "a quiet place to read", "better food", "public parks")
ENDINGS = ("every year.", "without any doubt.", ", and this matters.", ", but it takes time.", "if we let them.", "!")


def essay_texts(essays: int) -> tuple[str, list[str]]:
    """Where the essays come from, and so many of them, spread evenly over the corpus."""
    if not CORPUS.exists():
        return "made-up essays", [made_up_essay(number) for number in range(essays)]
    texts = pl.read_parquet(CORPUS, columns=["text"])["text"]
    step = max(1, texts.len() // essays)
    return "ASAP 2.0 (public part)", texts.gather_every(step).head(essays).to_list()


def made_up_essay(number: int, *, words: int = 350, invented: int = 5) -> str:
    """An essay of about so many words in five paragraphs, some of them invented and met nowhere else."""
    rng = np.random.default_rng([26, number])
    sentences = [_sentence(rng) for _ in range(words // 12)]
    for place in rng.integers(len(sentences), size=invented):
        sentences[place] += f" They call it {_invented(rng)}."
    cuts = np.array_split(np.array(sentences, dtype=object), 5)
    return "\n\n".join(" ".join(part) for part in cuts)


def _sentence(rng: np.random.Generator) -> str:
    parts = [OPENINGS, WHO, VERBS, WHAT, ENDINGS]
    return " ".join(part[rng.integers(len(part))] for part in parts).replace(" ,", ",").replace(" !", "!")


def _invented(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list("aeioubcdfghklmnprst"), size=rng.integers(6, 12)).tolist())
