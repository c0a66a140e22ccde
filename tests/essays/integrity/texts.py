"""Texts of our own to judge: an essay, and what it is not."""

import random

ESSAY = (
    "Schools should let students keep their phones during lunch. A phone is how many of us reach our parents, and "
    "lunch is the only time of the school day when we can call them. My brother needed a ride home last spring "
    "because his practice was moved, and he could not ask for one until the last bell. If he had been allowed to use "
    "his phone at lunch, our mother would have known in time. Some teachers say that phones keep students from "
    "talking to each other. That may be true in class, but at lunch most students show each other pictures and talk "
    "about them. A rule that takes phones away for the whole day also costs teachers time, because they have to "
    "collect the phones, lock them up and give them back. A better rule would be simple: phones stay in the bag "
    "during lessons, and students may use them at lunch. Students who break the rule would lose their lunch time with"
    " the phone for a week. That is fair, it is easy to check, and it teaches us to use a phone at the right time "
    "instead of not at all."
)
NOUNS = (
    "hegemony paradox legislation methodology civilization ideology discourse hypothesis cognition sovereignty parable "
)
NOUNS += "orthodoxy dictum amanuensis infrastructure altruism apprehension agronomist"
ADJECTIVES = (
    "ostensible plethoric indispensable erratic utilitarian ubiquitous empirical peripheral paramount scholarly"
)
VERBS = "proclaims authenticates undermines contradicts postulates accumulates diagnoses circumscribes legitimizes"


def babble(sentences: int = 24) -> str:
    """Grammatical sentences of rare words drawn at random."""
    rng = random.Random(3)
    nouns, adjectives, verbs = NOUNS.split(), ADJECTIVES.split(), VERBS.split()
    frames = (
        "The {n} of {n} is {a} because {n} has always been {a} to the {n} of modern society.",
        "The {a} {n} {v} that every {n} {v} the {n}.",
        "Although {n} is {a}, the {n} of the {n} {v} a {n}.",
    )
    lines = []
    for number in range(sentences):
        line = frames[number % len(frames)]
        for mark, words in (("{n}", nouns), ("{a}", adjectives), ("{v}", verbs)):
            while mark in line:
                line = line.replace(mark, rng.choice(words), 1)
        lines.append(line)
    return " ".join(lines)


def shuffled(text: str = ESSAY) -> str:
    """The same words in random order."""
    words = text.split()
    random.Random(4).shuffle(words)
    return " ".join(words)
