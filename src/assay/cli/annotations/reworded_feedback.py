"""Feedback in a language model's words, beside the sentences that were computed."""

import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.annotations.diagnosis.feedback import Feedback
from assay.cli.terminal import console, progress
from assay.errors import InputError
from assay.io.results.annotation_results import Graded
from assay.workflows.annotations.rewording import Reworded, reword

if TYPE_CHECKING:
    from assay.io.language_model import LanguageModel


def rewording_model(llm: str | None, llm_model: str | None, *, insecure: bool) -> "LanguageModel":
    """The model of the options or the environment; asked for before anything is graded."""
    from assay.io.language_model import URL_VARIABLE, configured_model

    model = configured_model(os.environ, llm, llm_model, insecure=insecure)
    if model is None:
        raise InputError(
            f"--reword needs a language model: give its OpenAI-compatible address with --llm or {URL_VARIABLE}. "
            f"Without --reword, feedback is given in the sentences that are computed."
        )
    return model


def with_rewording(graded: Graded, model: "LanguageModel", *, quiet: bool) -> Graded:
    """The same grades, each piece of advice also in the model's words where these keep every fact."""
    # many students hear the same: it is asked for once
    sentences = list(dict.fromkeys(advice.sentence for one in graded.feedback.values() for advice in one.advice))
    names = graded.batch.truth.annotations.labels
    with progress("rewording", len(sentences), quiet=quiet) as counter:
        asked = (sentence for (sentence,) in counter.counting([(one,) for one in sentences]))
        said = {one.original: one for one in reword(asked, model, names=names)}
    if not quiet:
        _tell(said.values())
    return replace(graded, feedback={name: _reworded(one, said) for name, one in graded.feedback.items()})


def _reworded(feedback: Feedback, said: Mapping[str, Reworded]) -> Feedback:
    texts = {sentence: "" if one.kept_because else one.text for sentence, one in said.items()}
    return replace(feedback, advice=tuple(replace(one, reworded=texts[one.sentence]) for one in feedback.advice))


def _tell(said: Collection[Reworded]) -> None:
    if not said:
        console(stderr=True).print("There is no feedback to reword: no habit stood out.", markup=False)
        return
    kept = Counter(one.kept_because for one in said if one.kept_because)
    lines = [f"Reworded {len(said) - kept.total()} of {len(said)} sentences of feedback."]
    lines += [f"  {count} stand as they were: {why}" for why, count in kept.items()]
    console(stderr=True).print("\n".join(lines), markup=False, soft_wrap=True)
