"""Can a score be gamed? `python -m accuracy.gaming [--essays N] [--real N]`: attacks, and false alarms.

Each attack is made from an essay of a prompt, or from scratch, and scored by the bundled model (ASAP 2.0, 1 to 6) and
by a hybrid trained on one ASAP prompt (0 to 4). Gain is the score given beyond that of the essay itself; a score that
is withheld gains nothing; "unguarded" is the gain if none were withheld or capped. Thresholds were chosen on a sample
of the corpora (`CHOSEN_ON`); false alarms are counted on essays outside it. Wordings of prompts are our own: the
corpora have none.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from math import isfinite

import numpy as np
import polars as pl

from accuracy.attacks import ATTACKS, LATER, Attack, Material, Target
from accuracy.feature_cache import CORPORA
from assay.essays.features.features import analyse_all
from assay.essays.feedback.advisories import TITLES
from assay.essays.integrity.consequences import CONSEQUENCES
from assay.essays.integrity.detectors import text_advisories
from assay.essays.integrity.unique_text import unique_text
from assay.essays.models.scoring_model import EssayScore, ScoringModel, score_essay
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Essay, written_words
from assay.io.models.scoring_models import bundled_discourse_model, required_bundled_model
from assay.workflows.essays.train import train

CHOSEN_ON: Mapping[str, tuple[str, str, int]] = {
    "ASAP": ("asap/asap_public.parquet", "text", 2400),
    "ASAP 2.0": ("asap2/asap2_public.parquet", "text", 1400),
    "ELLIPSE": ("ellipse/ellipse_train.parquet", "full_text", 1000),
}
"""File, column and how many essays of each corpus were drawn (seed 7) to choose thresholds on."""
WORDINGS: Mapping[str, str] = {
    "Driverless cars": (
        "Companies are developing driverless cars that would change how people travel. Write an essay that argues"
        " for or against the development of these cars. Use details from the article about safety, laws and "
        "drivers."
    ),
    "Car-free cities": (
        "Some cities limit car usage so that people walk, ride bikes or use buses. Write an essay for your fellow"
        " citizens that explains the advantages of limiting car use. Use details about pollution and traffic."
    ),
    "Facial action coding system": (
        "A computer can read the emotional expressions of students from the muscles of a face. Argue whether "
        "using this technology to read emotions of students in a classroom is valuable."
    ),
    "Does the electoral college work?": (
        "Write a letter to your state senator in which you argue in favor of keeping the Electoral College or "
        "changing to election by popular vote for the president of the United States."
    ),
    '"A Cowboy Who Rode the Waves"': (
        "Luke joined the Seagoing Cowboys program and crossed the ocean with animals. Argue from his point of "
        "view that others should participate in the Seagoing Cowboys program. Use details of the story."
    ),
    "5": (
        "Read the memoir of Narciso Rodriguez about his home, his family and his parents who came from Cuba. "
        "Describe the mood created by the author in the memoir. Support your answer with information from the "
        "memoir."
    ),
}
TRAINED_PROMPT, TRAINED_ESSAYS = "5", 600


def main() -> None:
    """Print Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--essays", type=int, default=40, help="essays attacked")
    parser.add_argument("--real", type=int, default=1500, help="real essays of each corpus for false alarms")
    asked = parser.parse_args()
    if not CORPORA.exists():
        raise SystemExit(f"{CORPORA} is absent: this measurement needs it")
    show_false_alarms(asked.real)
    asap = pl.read_parquet(CORPORA / CHOSEN_ON["ASAP"][0])
    others = asap.filter(pl.col("prompt").cast(pl.String) != TRAINED_PROMPT)["text"].sample(300, seed=11).to_list()
    material = Material.of(others)
    outside = unused("ASAP 2.0").filter(pl.col("text").str.len_chars() > 900).sample(asked.essays, seed=3)
    show_attacks("Bundled model, ASAP 2.0, 1 to 6", required_bundled_model(), outside, material)
    own = asap.filter(pl.col("prompt").cast(pl.String) == TRAINED_PROMPT)
    table = own.filter(pl.col("fold") < 3).sample(TRAINED_ESSAYS, seed=3).with_columns(pl.col("prompt").cast(pl.String))
    model = train(table, text="text", score="score", prompt="prompt", kind="hybrid").model
    held_out = own.filter((pl.col("fold") == 3) & (pl.col("text").str.len_chars() > 400)).sample(asked.essays, seed=3)
    show_attacks(f"Hybrid trained on {TRAINED_ESSAYS} essays of ASAP prompt 5, 0 to 4", model, held_out, material)


def unused(name: str) -> pl.DataFrame:
    """The essays of a corpus on which no threshold was chosen."""
    file, _, drawn = CHOSEN_ON[name]
    table = pl.read_parquet(CORPORA / file).with_row_index("row")
    used = table.sample(min(drawn, table.height), seed=7, shuffle=True)["row"]
    return table.filter(~pl.col("row").is_in(used.implode()))


def show_false_alarms(most: int) -> None:
    """How many essays that people wrote raise each advisory, and of how many a part is not scored."""
    counts: dict[str, Counter[str]] = {}
    for name, (_, column, _) in CHOSEN_ON.items():
        table = unused(name)
        table = table.sample(min(most, table.height), seed=5)
        prompts = table["prompt"].cast(pl.String).to_list() if "prompt" in table.columns else [""] * table.height
        count = counts[name] = Counter({"essays": table.height})
        for text, prompt in zip(read_texts(table[column].to_list()), prompts, strict=True):
            wording = WORDINGS.get(prompt, "")
            count.update(doubt.name for doubt in text_advisories(text, written_words(text), prompt=wording))
            count["part not scored"] += unique_text(text, wording).words_left_out > 0
    heads = [f"{name}, of {count['essays']:,}" for name, count in counts.items()]
    print(f"\n| advisory | consequence | {' | '.join(heads)} | all |\n|---|---{'|---' * (len(heads) + 1)}|")
    total = sum(count["essays"] for count in counts.values())
    for advisory in (*TITLES, "part not scored"):
        each = [count[advisory] for count in counts.values()]
        follows = CONSEQUENCES.get(advisory, "")
        print(f"| {advisory} | {follows} | {' | '.join(map(str, each))} | {sum(each) / total:.2%} |")


def show_attacks(title: str, model: ScoringModel, essays: pl.DataFrame, material: Material) -> None:
    """What each attack gains by a model."""
    prompts = essays["prompt"].cast(pl.String).to_list()
    targets = [Target(text, WORDINGS.get(p, p)) for text, p in zip(essays["text"].to_list(), prompts, strict=True)]
    first = scored(targets, prompts, model, lambda target, *_: target.text, material)
    base = np.array([s.score if s.scored else s.withheld_score for s in first])
    print(f"\n{title}: {len(targets)} essays, mean score {base.mean():.2f}\n")
    print("| attack | unguarded gain | mean gain | highest gain | flagged | withheld |\n|---|---|---|---|---|---|")
    for kinds, mark in ((ATTACKS, ""), (LATER, " (later)")):
        for name, attack in kinds.items():
            scores = list(scored(targets, prompts, model, attack, material))
            given = np.array([s.score if s.scored else np.nan for s in scores]) - base
            open_gain = np.array([s.withheld_score if isfinite(s.withheld_score) else s.score for s in scores]) - base
            mean, highest = np.nan_to_num(given).mean(), np.nanmax([*given, np.nan if np.isfinite(given).any() else 0])
            flagged = np.mean([bool(s.advisories or s.left_out) for s in scores])
            figures = f"{np.nanmean(open_gain):+.2f} | {mean:+.2f} | {highest:+.0f}"
            print(f"| {name}{mark} | {figures} | {flagged:.0%} | {np.isnan(given).mean():.0%} |", flush=True)


def scored(
    targets: list[Target], prompts: list[str], model: ScoringModel, attack: Attack, material: Material
) -> Iterator[EssayScore]:
    """The scores of one kind of attack on all essays."""
    rng, labeller = random.Random(9), bundled_discourse_model()
    for number, (target, prompt) in enumerate(zip(targets, prompts, strict=True)):
        text = attack(target, rng, material)
        essay = Essay(str(number), text, prompt if model.known_prompts else "")
        (analysis,) = analyse_all([text], labeller)
        yield score_essay(essay, analysis, model, labeller=labeller, wording=target.prompt)


if __name__ == "__main__":
    main()
