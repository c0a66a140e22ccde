"""What a sentence looks like to the discourse model: a list of names, each of them present or not.

Every feature is a name such as `opens:in conclusion` or `start=0`. The model knows the weight of the names that were
frequent in training and ignores all others. Content words never become names, so that the model does not learn the
topics it was trained on: a word outside the common vocabulary is represented by its part of speech.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from assay.essays.discourse_outline import Place, places
from assay.essays.text import Text

WORD_CUTS = (4, 8, 12, 16, 21, 27, 35, 50)
NEIGHBOUR_CUTS = (6, 12, 20, 30)
SENTENCE_CUTS = (3, 6, 9, 13, 18, 25, 35)
SIZE_CUTS = (6, 13, 25)
PARAGRAPH_CUTS = (1, 2, 3, 5, 8)
STEM_LETTERS = 5
TOPIC_STEMS = 6
COUNTED_TAGS = ("VBD", "MD", "PRP", "NNP", "VBG", "IN", "CC", "JJR", "RB")
CLAUSES = ("advcl", "ccomp", "relcl", "mark", "csubj", "expl", "neg", "agent", "pcomp", "parataxis")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence, in the form the model sees them."""

    forms: Sequence[str]
    """Common words in lower case; the part of speech of all others."""
    tags: Sequence[str]
    deps: Sequence[str]
    stems: frozenset[str]
    """First letters of the words outside the common vocabulary."""
    words: int
    root: int
    subject: int
    """Place of the root, and of the subject of the root (-1 if it has none), in the sentence."""

    def has(self, form: str) -> bool:
        return form in self.forms

    @property
    def opening(self) -> list[str]:
        return [form for form in self.forms[:6] if form not in {",", '"', "``", "''"}][:4]


def sentence_features(text: Text, common: Collection[str]) -> list[list[str]]:
    """The feature names of every sentence of an essay."""
    sentences, outline = read_sentences(text, common), places(text)
    repeated = list(repetition(sentences, outline))
    found = []
    for i, (sentence, place) in enumerate(zip(sentences, outline, strict=True)):
        names = [*position(place), *surface(sentence, place), *syntax(sentence), *openings(sentence)]
        names += [f"has:{form}" for form in dict.fromkeys(sentence.forms)]
        names += neighbour("before", i - 1, i, sentences, outline)
        names += neighbour("after", i + 1, i, sentences, outline)
        names += repeated[i]
        found.append(names)
    return found


def read_sentences(text: Text, common: Collection[str]) -> list[Sentence]:
    lowered = [word.lower() for word in text.words]
    forms = [word if word in common else tag for word, tag in zip(lowered, text.tags, strict=True)]
    heads = text.heads.tolist()
    found = []
    for tokens in text.sentences():
        first, last = tokens.start, tokens.stop
        deps = text.deps[first:last]
        root = deps.index("ROOT") if "ROOT" in deps else 0
        stems = [
            word[:STEM_LETTERS]
            for word, form in zip(lowered[first:last], forms[first:last], strict=True)
            if word is not form and len(word) > 3 and word.isalpha()
        ]
        subjects = (j for j, dep in enumerate(deps) if dep in _SUBJECTS and heads[first + j] == first + root)
        found.append(
            Sentence(
                forms=forms[first:last],
                tags=text.tags[first:last],
                deps=deps,
                stems=frozenset(stems),
                words=sum(word[0].isalnum() for word in lowered[first:last]),
                root=root,
                subject=next(subjects, -1),
            )
        )
    return found


_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})


def position(place: Place) -> list[str]:
    """Place in the essay and, where there are paragraphs, in the paragraph."""
    start, end = min(place.from_start, 6), min(place.from_end, 6)
    size = bisect_right(SIZE_CUTS, place.sentences)
    names = [
        "bias",
        f"start={start}",
        f"end={end}",
        f"start={start} size={size}",
        f"end={end} size={size}",
        f"decile={place.decile}",
        f"sentences={bisect_right(SENTENCE_CUTS, place.sentences)}",
    ]
    if not place.has_paragraphs:
        return [*names, "flat", f"flat start={start}", f"flat end={end}", f"flat decile={place.decile}"]
    return names + paragraph_position(place)


def paragraph_position(place: Place) -> list[str]:
    p, q, count = min(place.paragraph, 3), min(place.paragraph_from_end, 2), min(place.paragraphs, 6)
    a, b = min(place.within, 4), min(place.within_from_end, 3)
    size = bisect_right(PARAGRAPH_CUTS, place.paragraph_size)
    return [
        f"par={p}",
        f"par-end={q}",
        f"in={a}",
        f"in-end={b}",
        f"pars={count}",
        f"par={p} in={a}",
        f"par-end={q} in={a}",
        f"par={p} in={a} pars={count}",
        f"par-end={q} in={a} pars={count}",
        f"par-size={size} in={a}",
        f"par={p == 0} {q == 0} in={a == 0} {b == 0}",
    ]


def surface(sentence: Sentence, place: Place) -> list[str]:
    """Length and punctuation."""
    length, zone = bisect_right(WORD_CUTS, sentence.words), place.zone
    names = [f"words={length}", f"words={length} {zone}", f"commas={min(sentence.forms.count(','), 4)}"]
    for sign in marks(sentence):
        names += [f"sign={sign}", f"sign={sign} {zone}"]
    return names


def marks(sentence: Sentence) -> list[str]:
    """Question, exclamation, quotation, number; and a sentence that just stops."""
    found = [sign for sign in ("?", "!", ":", ";") if sign in sentence.forms]
    if "``" in sentence.tags or "''" in sentence.tags:
        found.append("quote")
    if "CD" in sentence.tags:
        found.append("number")
    if sentence.tags[-1] not in {".", "''"}:
        found.append("open")
    return found


def syntax(sentence: Sentence) -> list[str]:
    """The main verb and its subject, parts of speech and kinds of clause."""
    root = sentence.forms[sentence.root]
    subject = sentence.forms[sentence.subject] if sentence.subject >= 0 else "none"
    names = [f"root={root}", f"subject={subject}", f"subject={subject} root={root}"]
    names.append(f"root-tag={sentence.tags[sentence.root]}")
    names += [f"{tag}={min(sentence.tags.count(tag), 3)}" for tag in COUNTED_TAGS]
    names += [f"clause={dep}" for dep in CLAUSES if dep in sentence.deps]
    return names


def openings(sentence: Sentence) -> list[str]:
    """The first one to four tokens."""
    opening = sentence.opening
    return [f"opens:{' '.join(opening[: k + 1])}" for k in range(len(opening))]


def neighbour(side: str, j: int, i: int, sentences: Sequence[Sentence], outline: Sequence[Place]) -> list[str]:
    """What stands before or after: its first words, length and signs, and whether a paragraph break lies between."""
    if not 0 <= j < len(sentences):
        return [f"{side}: none"]
    other = sentences[j]
    together = "same" if outline[j].paragraph == outline[i].paragraph else "break"
    opening = other.opening
    first = opening[0] if opening else ""
    names = [f"{side}: {together} | {first}", f"{side}: length={bisect_right(NEIGHBOUR_CUTS, other.words)}"]
    if len(opening) > 1:
        names.append(f"{side}: {first} {opening[1]}")
    return names + [f"{side}: sign={sign}" for sign in marks(other)]


def repetition(sentences: Sequence[Sentence], outline: Sequence[Place]) -> Iterator[list[str]]:
    """How much of the sentence's content is found elsewhere in the essay, in fifths."""
    first = _stems_where(sentences, [_is_lead(place) for place in outline])
    last = _stems_where(sentences, [_is_tail(place) for place in outline])
    counts = Counter(stem for sentence in sentences for stem in sentence.stems)
    # ties go by the alphabet: the order of a set changes from run to run
    topic = frozenset(sorted(counts, key=lambda stem: (-counts[stem], stem))[:TOPIC_STEMS])
    once = frozenset(stem for stem, count in counts.items() if count == 1)
    around = [frozenset[str](), *(sentence.stems for sentence in sentences), frozenset[str]()]
    for i, (sentence, place) in enumerate(zip(sentences, outline, strict=True)):
        stems = sentence.stems
        if not stems:
            yield ["repeats: nothing"]
            continue
        zoned = {"first": fifths(stems, first), "topic": fifths(stems, topic), "last": fifths(stems, last)}
        names = [f"{name}={share}" for name, share in zoned.items()]
        names += [f"{name}={share} {place.zone}" for name, share in zoned.items()]
        near = {"once": once, "previous": around[i], "next": around[i + 2]}
        yield names + [f"{name}={fifths(stems, others)}" for name, others in near.items()]


def _is_lead(place: Place) -> bool:
    return place.paragraph == 0 if place.has_paragraphs else place.decile < 2


def _is_tail(place: Place) -> bool:
    return place.paragraph_from_end == 0 if place.has_paragraphs else place.decile > 7


def _stems_where(sentences: Sequence[Sentence], chosen: Sequence[bool]) -> frozenset[str]:
    return frozenset[str]().union(*(s.stems for s, inside in zip(sentences, chosen, strict=True) if inside))


def fifths(stems: frozenset[str], others: frozenset[str]) -> int:
    """The share of stems found among others, rounded to fifths.

    >>> fifths(frozenset({"uniform", "school"}), frozenset({"school"}))
    2
    """
    return round(5 * len(stems & others) / len(stems))
