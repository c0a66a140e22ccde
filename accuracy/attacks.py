"""Texts that want a score they do not deserve: made from a real essay, or from scratch. Each is a function by name."""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.essays.text.reader import read_texts
from assay.essays.text.text import Text, frequency_index, word_list

WORD = re.compile(r"[A-Za-z']+")
SPANISH = (
    "La vida en la ciudad es muy difícil para los niños que no tienen una casa. Por eso creo que el gobierno debe dar "
    "más dinero a las familias y a las escuelas. En mi opinión todos los estudiantes deben aprender a leer y a "
    "escribir con sus padres, porque la educación es lo más importante para el futuro de nuestro país. "
)
_NOUNS = (
    "hegemony paradox society technology phenomenon legislation methodology culture knowledge civilization humanity "
    "governance ideology discourse infrastructure hypothesis cognition morality sovereignty narrative privacy altruism "
    "orthodoxy parable apprehension agronomist contradiction dictum analysis amanuensis"
)
_ADJECTIVES = (
    "essential modern ostensible plethoric indispensable fundamental pivotal erratic utilitarian ubiquitous empirical "
    "contemporary inevitable profound peripheral abstract paramount scholarly"
)
_ADVERBS = "massively ostensibly always inherently rapidly perhaps undoubtedly fundamentally quixotically"
_VERBS = (
    "proclaims authenticates demonstrates undermines contradicts postulates transforms accumulates diagnoses "
    "celebrates exposes circumscribes legitimizes masticates"
)
NOUNS, ADJECTIVES, ADVERBS, VERBS = (words.split() for words in (_NOUNS, _ADJECTIVES, _ADVERBS, _VERBS))
FRAMES = (
    "The {n} of {n} is {a} because {n} has always been {a} to the {n} of modern society.",
    "{n} will always be a {n} of human life.",
    "Society will always choose {n}; some on {n} and others on the {n}.",
    "The {a} {n} {v} that every {n} {v} the {n}.",
    "Although {n} is {a}, the {n} of the {n} {r} {v} a {n}.",
    "In conclusion, {n} is a {a} {n} of {n} and {n}.",
    "{r}, the {n} that {v} {n} can be {a} for the {n}.",
    "Many people believe that {n} {v} {n} because of {a} {n}.",
)
SENTENCES, IN_PARAGRAPH = 25, 5
LONGEST = 40


@dataclass(frozen=True, eq=False, slots=True)
class Material:
    """What attacks from scratch are made of: essays of others, read."""

    texts: Sequence[Text]
    by_tag: Mapping[str, Sequence[str]]
    sentences: Sequence[Sequence[tuple[str, str]]]
    """Words with their tags."""
    chains: Mapping[tuple[str, ...], Sequence[str]]
    """What follows one, two or three words."""

    @classmethod
    def of(cls, raws: Sequence[str]) -> "Material":
        texts, by_tag, chains = list(read_texts(raws)), defaultdict(list), defaultdict(list)
        sentences = []
        for text in texts:
            for place in text.sentences():
                sentence = [(text.words[i], text.tags[i]) for i in place]
                sentences.append(sentence)
                words = ["", "", "", *(word for word, _ in sentence), "\n"]
                for a, b, c, d in zip(words, words[1:], words[2:], words[3:], strict=False):
                    for before in ((c,), (b, c), (a, b, c)):
                        chains[before].append(d)
                for word, tag in sentence:
                    by_tag[tag].append(word.lower())
        return cls(texts, by_tag, sentences, chains)


@dataclass(frozen=True, slots=True)
class Target:
    """The essay an attack begins with, and the question it answers."""

    text: str
    prompt: str


Attack = Callable[[Target, random.Random, Material], str]


def sentences_of(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+", text) if part.strip()]


def words_shuffled(target: Target, rng: random.Random, _: Material) -> str:
    words = target.text.split()
    rng.shuffle(words)
    return " ".join(words)


def words_shuffled_in_sentences(target: Target, rng: random.Random, _: Material) -> str:
    lines = []
    for sentence in sentences_of(target.text):
        words = sentence.rstrip(".!?").split()
        rng.shuffle(words)
        lines.append(" ".join(words).capitalize() + ".")
    return " ".join(lines)


def sentences_shuffled(target: Target, rng: random.Random, _: Material) -> str:
    sentences = sentences_of(target.text)
    rng.shuffle(sentences)
    return " ".join(sentences)


def doubled(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001 - as all attacks
    return f"{target.text}\n\n{target.text}"


def recopied(target: Target, rng: random.Random, material: Material) -> str:
    return "\n\n".join(sentences_shuffled(target, rng, material) for _ in range(4))


def recopied_with_changes(target: Target, rng: random.Random, _: Material) -> str:
    words = [w if rng.random() > 0.12 else rng.choice(["very", "good", "many", "often"]) for w in target.text.split()]
    return f"{target.text}\n\n{' '.join(words)}"


def all_capitals(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001
    return target.text.upper()


def no_punctuation(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s']", "", target.text)).lower()


def prompt_pasted(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001
    return f"{target.prompt} {target.text} {target.prompt}\n\n{target.prompt}"


def prompt_alone(target: Target, rng: random.Random, _: Material) -> str:
    return " ".join(rng.sample(sentences_of(target.prompt) * 6, 6))


def _content(text: str) -> list[str]:
    return [w for w in WORD.findall(text) if len(w) > 4 and w.lower() not in word_list("function_words")] or ["word"]


def keywords_appended(target: Target, rng: random.Random, _: Material) -> str:
    content = _content(target.text)
    return f"{target.text}\n\n{', '.join(rng.choice(content) for _ in range(100))}."


def keyword_nonsense(target: Target, rng: random.Random, _: Material) -> str:
    content, lines = _content(target.text + target.prompt), []
    for _number in range(15):
        pick = [rng.choice(content).lower() for _ in range(9)]
        lines.append(f"The {' '.join(pick[:3])} is {' and '.join(pick[3:6])} because {' '.join(pick[6:])}.")
    return " ".join(lines)


def half_spanish(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001
    return f"{target.text[: len(target.text) // 2]} {SPANISH * 2}"


def babble(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001
    drawn = {"n": NOUNS, "a": ADJECTIVES, "v": VERBS, "r": ADVERBS}
    lines = []
    for _number in range(SENTENCES):
        line = re.sub(r"\{(\w)\}", lambda mark: rng.choice(drawn[mark[1]]), rng.choice(FRAMES))
        lines.append(line[0].upper() + line[1:])
    return paragraphs(lines)


def frames_refilled(target: Target, rng: random.Random, material: Material) -> str:  # noqa: ARG001
    return _refilled(rng, material, ("NN", "JJ", "RB", "VB"))


def nouns_replaced(target: Target, rng: random.Random, material: Material) -> str:  # noqa: ARG001
    return _refilled(rng, material, ("NN",))


def _refilled(rng: random.Random, material: Material, tags: tuple[str, ...]) -> str:
    """Sentences of real essays whose words of some kinds were drawn anew."""
    function, lines = word_list("function_words"), []
    for sentence in rng.sample(material.sentences, SENTENCES):
        words = [
            rng.choice(material.by_tag[tag]) if tag[:2] in tags and word.lower() not in function else word
            for word, tag in sentence
        ]
        lines.append(joined(words))
    return paragraphs(lines)


def markov_two(target: Target, rng: random.Random, material: Material) -> str:  # noqa: ARG001
    return markov(rng, material, 2)


def markov_one(target: Target, rng: random.Random, material: Material) -> str:  # noqa: ARG001
    return markov(rng, material, 1)


def markov(rng: random.Random, material: Material, order: int) -> str:
    """Sentences in which each word follows the last few as in some real essay."""
    lines = []
    for _number in range(SENTENCES):
        words = ["", "", ""]
        while len(words) < LONGEST and words[-1] != "\n":
            before = words[-order:] if words[-1] else ["", "", ""]
            words.append(rng.choice(material.chains[tuple(before)]))
        lines.append(joined([word for word in words if word.strip()]))
    return paragraphs(lines)


def sentences_of_others(target: Target, rng: random.Random, material: Material) -> str:  # noqa: ARG001
    return paragraphs(
        [joined([word for word, _ in sentence]) for sentence in rng.sample(material.sentences, SENTENCES)]
    )


def rare_words(target: Target, rng: random.Random, _: Material) -> str:
    return re.sub(
        r"[A-Za-z]{5,}", lambda word: rng.choice(NOUNS + ADJECTIVES) if rng.random() < 0.5 else word[0], target.text
    )


def dictionary(target: Target, rng: random.Random, _: Material) -> str:  # noqa: ARG001
    index = frequency_index()
    words = sorted(word for word in word_list("spelled_words") if index.get(word, 0) > 35)
    joining = sorted(word_list("function_words"))
    lines = [
        " ".join(rng.choice(words) if rng.random() < 0.6 else rng.choice(joining) for _ in range(15)).capitalize()
        for _number in range(SENTENCES)
    ]
    return paragraphs([f"{line}." for line in lines])


def another_prompt(target: Target, rng: random.Random, material: Material) -> str:  # noqa: ARG001
    return rng.choice([text.raw for text in material.texts if len(text) > 150])


def paragraphs(lines: Sequence[str]) -> str:
    return "\n\n".join(" ".join(lines[k : k + IN_PARAGRAPH]) for k in range(0, len(lines), IN_PARAGRAPH))


def joined(words: Sequence[str]) -> str:
    return re.sub(r" (n't)", r"\1", re.sub(r" ([.,;:!?'])", r"\1", " ".join(words)))


ATTACKS: Mapping[str, Attack] = {
    attack.__name__: attack
    for attack in (
        *(words_shuffled, words_shuffled_in_sentences, sentences_shuffled, doubled, recopied, recopied_with_changes),
        *(all_capitals, no_punctuation, prompt_pasted, prompt_alone, keywords_appended, keyword_nonsense, half_spanish),
        *(babble, frames_refilled, nouns_replaced, markov_one, markov_two, sentences_of_others, rare_words, dictionary),
        another_prompt,
    )
}
"""The kinds that were known when the detectors were made."""
LATER: Mapping[str, Attack] = {}
"""Kinds that were written after the detectors were frozen."""
