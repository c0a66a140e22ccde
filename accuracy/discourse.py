"""How well the discourse labels agree with human labels on topics the model has not seen, and development with scores.

    python -m accuracy.discourse --data ../shared/data --cache /tmp/assay-discourse [--split topics|random|both]

Five folds; in each the words, feature names and weights come from the training essays alone. "Stripped" essays have
lost their line breaks and are parsed again. Rebuttals are main points in every figure, unless a line says otherwise.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.discourse import Discourse, label_sentences
from assay.essays.discourse.model import (
    LABEL_OF_STATE,
    LABELS,
    STATES,
    SUPPORT,
    development,
    expected_development,
)
from training.discourse_corpus import LabelledEssay
from training.discourse_fitting import fit_model
from training.discourse_network import Settings
from training.discourse_topics import FOLDS, human_scores, known_prompts
from training.train_discourse import arguments, read_corpus, read_topics

LABEL = np.array(LABEL_OF_STATE)
REBUTTAL_AS_SUPPORT = np.where(np.arange(len(STATES)) == STATES.index("Rebuttal"), SUPPORT, LABEL)


@dataclass
class Held:
    """Held-out essays and what the model said of them."""

    essays: list[LabelledEssay] = field(default_factory=list)
    found: list[Discourse] = field(default_factory=list)

    def human(self, label_of: NDArray[np.int_] = LABEL) -> NDArray[np.int_]:
        return np.concatenate([label_of[essay.states] for essay in self.essays])

    def system(self) -> NDArray[np.int_]:
        return np.concatenate([found.labels for found in self.found])


def cohen_kappa(human: NDArray[np.int_], system: NDArray[np.int_]) -> float:
    table = np.zeros((len(LABELS), len(LABELS)))
    np.add.at(table, (human, system), 1)
    table /= table.sum()
    chance = float(table.sum(axis=0) @ table.sum(axis=1))
    return float((np.trace(table) - chance) / (1 - chance))


def f1(human: NDArray[np.int_], system: NDArray[np.int_], label: int) -> float:
    both = np.sum((human == label) & (system == label))
    return float(2 * both / (np.sum(human == label) + np.sum(system == label)))


def agreement(name: str, human: NDArray[np.int_], system: NDArray[np.int_]) -> str:
    by_label = [f1(human, system, label) for label in range(len(LABELS))]
    figures = " ".join(f"{value:.2f}" for value in by_label)
    head = f"{name:34} accuracy {np.mean(human == system):.3f}  kappa {cohen_kappa(human, system):.3f}"
    return f"{head}  macro-F1 {np.mean(by_label):.3f}  F1 by label {figures}"


def correlations(
    values: Mapping[str, float], words: Mapping[str, float], scores: Mapping[str, int], prompts: Mapping[str, str]
) -> tuple[list[float], list[float]]:
    """r with the human score within each prompt of ASAP 2.0, in the order of the folds; and r at a given length."""
    plain, partial = [], []
    for topics in FOLDS:
        ids = [i for i in values if prompts.get(i) in topics]
        columns = np.array([[scores[i], values[i], np.log(words[i])] for i in ids], dtype=float)
        r = np.corrcoef(columns.T)
        plain.append(float(r[0, 1]))
        partial.append(float((r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))))
    return plain, partial


def shown(name: str, plain: Sequence[float], partial: Sequence[float]) -> str:
    by_prompt = " ".join(f"{r:.2f}" for r in plain)
    return f"  {name:34} {by_prompt}  mean {np.mean(plain):.3f}  given log words {np.mean(partial):.3f}"


def report(held: Held, name: str, scores: Mapping[str, int], prompts: Mapping[str, str]) -> None:
    """Agreement by sentence, and development against the score."""
    print(agreement(name, held.human(), held.system()))
    print(agreement(f"{name}, rebuttal = support", held.human(REBUTTAL_AS_SUPPORT), held.system()))
    ids = [essay.essay_id for essay in held.essays]
    columns = {
        "development, expected": [found.expected_development for found in held.found],
        "development, expected, as written": [expected_development(f.posteriors, f.pairs) for f in held.found],
        "development, labels shown": [found.development for found in held.found],
        "development, human labels": [development(LABEL[essay.states]) for essay in held.essays],
        "AEL, expected": [found.expected_average_element_length for found in held.found],
    }
    words = dict(zip(ids, [float(found.words.sum()) for found in held.found], strict=True))
    print(f"  r with the human score: {', '.join(next(p for p in t if p in prompts.values()) for t in FOLDS)}")
    for title, values in columns.items():
        print(shown(title, *correlations(dict(zip(ids, values, strict=True)), words, scores, prompts)))
        print(f"  {'':34} mean {np.mean(values):.2f}, standard deviation {np.std(values):.2f}")
    print(f"  {'words':34} mean {np.mean(correlations(words, words, scores, prompts)[0]):.3f}")


def main() -> None:
    parser = arguments("Accuracy of the discourse labels on held-out essays.")
    parser.add_argument("--split", choices=["topics", "random", "both"], default="topics")
    chosen = parser.parse_args()
    written, flat = read_corpus(chosen.data, chosen.cache)
    topic = read_topics(chosen.data)
    by_topic = {i: next(k for k, names in enumerate(FOLDS) if name in names) for i, name in topic.items()}
    at_random = {i: int(i[-3:], 16) % len(FOLDS) for i in topic}
    splits = {"topics": by_topic, "random": at_random}
    scores, prompts = human_scores(chosen.data), known_prompts(chosen.data)
    for split in splits if chosen.split == "both" else [chosen.split]:
        fold_of, held = splits[split], {"paragraphs": Held(), "stripped": Held()}
        words, seconds = 0, 0.0
        for fold in range(len(FOLDS)):
            model = fit_model(
                [e for e in (*written, *flat) if fold_of[e.essay_id] != fold], topic, Settings(), chosen.seed
            )
            for kind, essays in (("paragraphs", written), ("stripped", flat)):
                tested = [essay for essay in essays if fold_of[essay.essay_id] == fold]
                begun = time.process_time()
                found = [label_sentences(essay.text, model) for essay in tested]
                seconds += time.process_time() - begun
                words += sum(int(one.words.sum()) for one in found)
                held[kind].essays += tested
                held[kind].found += found
                print(agreement(f"  fold {fold} {kind}", *_labels(tested, found)), flush=True)
        print(f"split by {split}; F1 in the order {', '.join(LABELS)}; {words / seconds:,.0f} words a second")
        for kind, part in held.items():
            report(part, kind, scores, prompts)
    for kind, essays in (("paragraphs", written), ("stripped", flat)):
        by_rule = [label_sentences(essay.text, None) for essay in essays]
        print(agreement(f"rules alone, {kind}", *_labels(essays, by_rule)))


def _labels(essays: Sequence[LabelledEssay], found: Sequence[Discourse]) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    held = Held(list(essays), list(found))
    return held.human(), held.system()


if __name__ == "__main__":
    main()
