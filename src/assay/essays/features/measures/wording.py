"""Words that show how a writer argues: connectives, examples, opinions, quotations, address."""

from collections.abc import Mapping
from math import log1p
from types import MappingProxyType

from assay.essays.features.analysis import Analysis
from assay.essays.text.words import word_form

WORDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "contrast": (
            "Words of contrast (however, although, instead)",
            "however although though but nevertheless nonetheless instead whereas despite unlike yet still "
            "otherwise rather",
            "even if|even though|on the other hand|in contrast|on the contrary|in spite of",
        ),
        "cause": (
            "Words of cause and effect (because, therefore)",
            "because since therefore thus hence consequently so due cause causes caused reason reasons",
            "as a result|so that|because of|leads to|led to|this is why|in order to",
        ),
        "addition": (
            "Words that add a point (also, furthermore)",
            "also furthermore moreover additionally besides another too plus likewise similarly",
            "in addition|as well|not only|on top of that",
        ),
        "order": (
            "Words that put points in order (first, next, finally)",
            "first second third firstly secondly thirdly next then finally lastly last afterwards later meanwhile",
            "to begin with|first of all|at first|last but not least|after that",
        ),
        "example": (
            "Words that bring an example (for example, such as)",
            "example examples instance evidence proof shows show showed proves prove demonstrates illustrates",
            "for example|for instance|such as|in fact|this shows|states that",
        ),
        "conclusion": (
            "Words that conclude (in conclusion, overall)",
            "overall conclude conclusion summary altogether ultimately",
            "in conclusion|to conclude|in the end|all in all|to sum up|in summary|for these reasons|as you can see",
        ),
        "opinion": (
            "Words of opinion (I think, I believe)",
            "think believe opinion feel agree disagree should must",
            "i think|i believe|in my opinion|i feel|i agree",
        ),
        "caution": (
            "Words of caution (may, perhaps, usually)",
            "may might could perhaps possibly probably maybe usually often sometimes generally likely seems seem "
            "tend tends appears",
        ),
        "author": (
            "Words about the source (the author, the article)",
            "author article passage text story excerpt paragraph narrator memoir character line quote "
            "states stated says wrote writes describes described explains explained according conveys portrays",
            "the author|the article|in the text|in the story|according to",
        ),
        "first_person": ("The writer in person (I, my, we)", "i me my mine myself we us our ours ourselves"),
        "second_person": ("The reader addressed (you, your)", "you your yours yourself u ur"),
        "third_person": (
            "Other persons (he, she, they)",
            "he she they him her them his their hers theirs himself herself themselves",
        ),
        "vague": (
            "Vague words (things, stuff, good, a lot)",
            "thing things stuff good bad nice big get gets got getting very really just like kind sort lots",
            "a lot|kind of|sort of|and stuff|and so on",
        ),
        "feeling": (
            "Words of feeling and sense",
            "love hate happy sad angry afraid scared excited laugh laughed laughing smile smiled cry cried heart "
            "feelings mood felt hope fear joy proud worried nervous eyes voice face hands",
        ),
        "report": (
            "Words of speech and thought (said, thought, realized)",
            "said say told tell asked ask replied thought knew realized wondered decided remember remembered noticed "
            "looked heard saw felt",
        ),
        "negation": ("Negations (not, never)", "not never no none nothing nobody neither nor cannot without"),
        "degree": (
            "Words of degree (more, most, less)",
            "more most less least much many few several enough too extremely greatly highly completely entirely",
        ),
    }
)
TITLES = MappingProxyType(
    {
        **{f"wording_{name}": f"{title} per 100 words" for name, (title, *_) in WORDINGS.items()},
        "connective_kinds": "Different connectives",
    }
)
CONNECTIVES = ("contrast", "cause", "addition", "order", "example", "conclusion")


LISTED = MappingProxyType(
    {name: (frozenset(words.split()), tuple("".join(phrases).split("|")) if phrases else ())
     for name, (_, words, *phrases) in WORDINGS.items()}
)  # fmt: skip


def wording_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name: log(1 + uses per 100 words)."""
    forms = [word_form(word) for word in essay.words]
    running = f" {' '.join(forms)} "
    words = max(1, len(forms))
    rates = {name: log1p(100 * _uses(name, forms, running) / words) for name in WORDINGS}
    kinds = {form for name in CONNECTIVES for form in LISTED[name][0] if f" {form} " in running}
    phrases = {phrase for name in CONNECTIVES for phrase in LISTED[name][1] if f" {phrase} " in running}
    return {
        **{f"wording_{name}": rate for name, rate in rates.items()},
        "connective_kinds": log1p(len(kinds) + len(phrases)),
    }


def _uses(name: str, forms: list[str], running: str) -> int:
    words, phrases = LISTED[name]
    return sum(form in words for form in forms) + sum(running.count(f" {phrase} ") for phrase in phrases)
