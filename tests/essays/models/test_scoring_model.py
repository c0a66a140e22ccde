"""What every model offers: scores, their place, the parts it reads with."""

from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from importlib.resources import files
from math import isnan, nan

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.features.features import Analysis, analyse_all
from assay.essays.feedback.advisories import Advisory
from assay.essays.integrity.consequences import NO_SCORE
from assay.essays.models import scoring_model as scoring
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.scoring_model import (
    SCORE_TITLES,
    ErrorBand,
    EssayScore,
    ScoringModel,
    TrainingSummary,
    check_known,
    check_parts,
    only_prompt,
    placed_score,
    reading_parts,
    score_each,
    score_essay,
    unscored,
    with_consequences,
)
from assay.essays.text.reader import MODEL
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import bundled_discourse_model
from assay.scale import ScoreScale

SCALE = ScoreScale(1, 4)
POINTS = np.array([1.0, 2, 3, 4])
CUTOFFS = Cutoffs(POINTS.copy(), np.array([1.5, 2.5, 3.5]))
BAND = ErrorBand(POINTS.copy(), np.array([-0.1, -0.2, -0.3, -0.4]), np.array([0.1, 0.2, 0.3, 0.4]))
ESSAY = Essay("7", "Dogs are good friends, because they never lie.", "dogs")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _ByLength(ScoringModel):
    """As many points as the essay has words."""

    kind: str = "length"

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> EssayScore:
        count = float(len(analysis.words))
        values = {"length": count}
        return EssayScore(essay.essay_id, program, count, count, count, count, 50.0, values, values, 0.0, ())


def model(**given: object) -> ScoringModel:
    known = {name: given.pop(name) for name in list(given) if name.startswith("known_")}
    own = _ByLength(scale=SCALE, training=TrainingSummary(3, (), {}, "", "rounding"), **given)  # type: ignore[arg-type]
    for name, value in known.items():
        object.__setattr__(own, name, value)
    return own


@pytest.mark.parametrize(
    ("raw", "placed"),
    [
        (2.0, (2.0, 1.8, 2.2, 20.0)),
        (2.49, (2.0, 2.29, 2.69, 24.9)),
        (2.5, (3.0, 2.2, 2.8, 25.0)),  # a cut is the lowest raw score of its point
        (4.0, (4.0, 3.6, 4.0, 40.0)),  # the interval ends with the scale
        (0.5, (1.0, 1.0, 1.0, 5.0)),
        (99.0, (4.0, 4.0, 4.0, 100.0)),
    ],
)
def test_a_raw_score_has_a_point_an_interval_on_the_scale_and_a_percentile(
    raw: float, placed: tuple[float, ...]
) -> None:
    assert placed_score(raw, CUTOFFS, np.linspace(0, 10, 101), BAND, SCALE) == pytest.approx(placed)


def test_an_even_band_holds_nine_in_ten_of_a_normal_distribution() -> None:
    band = ErrorBand.even(POINTS, 2.0)

    assert band.points.tolist() == POINTS.tolist()
    assert band.low.tolist() == [-3.29] * 4
    assert band.high.tolist() == [3.29] * 4
    noise = np.random.default_rng(1).normal(0, 2, 20_000)
    assert np.mean((noise > band.low[0]) & (noise < band.high[0])) == pytest.approx(0.9, abs=0.01)


def test_an_essay_without_a_score_keeps_its_features_and_the_reason() -> None:
    doubt = Advisory("empty", "no words")

    score = unscored(ESSAY, {"length": 0.0}, (doubt,))

    assert not score.scored
    assert (score.essay_id, score.prompt, score.features, score.advisories) == ("7", "dogs", {"length": 0.0}, (doubt,))
    assert all(map(isnan, (score.raw, score.score, score.low, score.high, score.percentile, score.average)))
    assert list(score.shares) == ["length"]
    assert isnan(score.shares["length"])
    assert isnan(score.common)
    assert score.words == {}
    assert replace(score, score=0.0).scored


def test_every_reason_not_to_score_has_a_title() -> None:
    assert {"empty", "unknown_prompt", "unknown_program", "no_rating"} == NO_SCORE
    assert set(SCORE_TITLES) > NO_SCORE | {"feature_undefined", "beyond_training", "unstated_parts"}


def test_a_model_promises_nothing_unless_it_says_so() -> None:
    own = model()

    assert (own.known_prompts, own.known_programs, own.columns, own.basis) == ((), (), (), "")
    assert (own.can_refit, own.can_calibrate, own.has_common_scale) == (False, False, False)
    assert own.explains_by == "family"
    assert own.score_if(ESSAY, {"length": 3.0}) is None
    assert own.training.revision == 1


def test_essays_are_read_and_scored_one_by_one_each_with_its_program() -> None:
    parts = reading_parts(None)

    scores = list(score_each([ESSAY, Essay("8", "Two words.")], model(reads_with=parts), None, programs=["x", "y"]))

    assert [(s.essay_id, s.prompt, s.score) for s in scores] == [("7", "x", 8.0), ("8", "y", 2.0)]
    assert [s.advisories for s in scores] == [(), ()]
    assert [s.prompt for s in score_each([ESSAY], model(reads_with=parts), None)] == [""]


def test_a_model_that_does_not_name_its_parts_scores_with_a_flag() -> None:
    (score,) = score_each([ESSAY], model(), None)

    assert score.score == 8
    assert [doubt.name for doubt in score.advisories] == ["unstated_parts"]
    assert "train it again" in score.advisories[0].evidence


def test_a_program_reaches_the_model_and_none_is_the_default() -> None:
    analysis = next(analyse_all([ESSAY.text]))
    own = model(reads_with={"reader": "x"})

    assert score_essay(ESSAY, analysis, own, "grade 6", labeller=None).prompt == "grade 6"
    assert score_essay(ESSAY, analysis, own, labeller=None).prompt == ""


def flagged(*names: str) -> EssayScore:
    doubts = tuple(Advisory(name, "seen") for name in names)
    return EssayScore("7", "dogs", 3.6, 4.0, 3.2, 4.0, 80.0, {"length": 9.0}, {"length": 0.6}, 3.0, doubts)


def test_a_withheld_score_leaves_no_score_but_says_apart_what_it_would_have_been() -> None:
    score = with_consequences(flagged("nonsense", "too_short"), model())

    assert not score.scored
    assert isnan(score.raw)
    assert isnan(score.shares["length"])
    assert (score.withheld_raw, score.withheld_score) == (3.6, 4.0)
    assert [doubt.consequence for doubt in score.advisories] == ["withhold", "warn"]
    assert score.consequence == "withheld: nonsense"


def test_a_model_may_only_warn_or_cap_where_others_withhold() -> None:
    warned = with_consequences(flagged("nonsense"), model(consequences={"nonsense": "warn"}))
    capped = with_consequences(flagged("nonsense"), model(consequences={"nonsense": "cap:2"}))
    middle = with_consequences(flagged("partly_not_english"), model())

    assert (warned.score, warned.consequence) == (4.0, "")
    assert (capped.score, capped.high, capped.raw, capped.withheld_score) == (2.0, 2.0, 3.6, 4.0)
    assert capped.consequence == "capped: nonsense"
    assert middle.score == 2.0


def test_what_is_said_twice_is_scored_once() -> None:
    said = "Dogs are good friends to people of every age. They never lie about what they want from us."
    parts = reading_parts(None)

    once, twice = score_each([Essay("1", said), Essay("2", f"{said}\n\n{said}")], model(reads_with=parts), None)

    assert once.score == twice.score
    assert (once.left_out, twice.left_out) == ({}, {"repeated": 18})


def test_an_essay_that_names_no_prompt_answers_the_only_one() -> None:
    assert only_prompt(model()) == ""
    assert only_prompt(model(known_prompts=("dogs",))) == "dogs"
    assert only_prompt(model(known_prompts=("dogs", "rain"))) == ""


def test_a_model_that_knows_one_of_the_prompts_or_needs_none_is_not_refused() -> None:
    own = model(known_prompts=("dogs", "rain"), known_programs=("8",))

    check_known(own, prompts=["rain", "tea"], programs=["8", "9"])
    check_known(own, prompts=[], programs=[])
    check_known(model(), prompts=["tea"], programs=["9"])


def test_a_model_that_knows_none_of_the_prompts_names_three_of_each() -> None:
    own = model(known_prompts=("d", "c", "b", "a"))

    with pytest.raises(InputError) as caught:
        check_known(own, prompts=["x", "y", "z"], programs=[])

    assert caught.value.field == "prompt"
    assert str(caught.value) == (
        "the model was trained on prompt 'a', 'b', 'c' and 1 more, and these essays are on prompt 'x', 'y', 'z'. "
        "Name the column with prompt, or train a model that needs no prompt, such as generic10."
    )


def test_a_model_that_knows_none_of_the_programs_says_so() -> None:
    with pytest.raises(InputError, match="trained on program '8', and these essays are on program '9'") as caught:
        check_known(model(known_programs=("8",)), prompts=["x"], programs=["9"])
    assert caught.value.field == "program"


def test_essays_that_name_no_prompt_are_told_so() -> None:
    with pytest.raises(InputError, match="trained on prompt 'dogs', and these essays name no prompt"):
        check_known(model(known_prompts=("dogs",)), prompts=["", ""], programs=[])
    with pytest.raises(InputError, match="and these essays are on prompt '', 'rain'"):
        check_known(model(known_prompts=("dogs",)), prompts=["", "rain"], programs=[])


def test_parts_are_named_and_traits_only_where_a_model_looks_at_them() -> None:
    parts = reading_parts(None)

    assert set(parts) == {"reader", "lexicons", "traits", "frequencies", "discourse"}
    assert parts["reader"].startswith(f"{MODEL} ")
    assert parts["frequencies"].startswith("wordfreq ")
    assert "unknown" not in parts["reader"] + parts["frequencies"]
    assert parts["discourse"] == "rules"
    assert len(parts["lexicons"]) == len(parts["traits"]) == 64
    assert parts["lexicons"] != parts["traits"]
    assert reading_parts(None, "calibrated") == parts
    assert reading_parts(None, "generic10") == {name: value for name, value in parts.items() if name != "traits"}


def test_a_labeller_is_named_by_its_weights() -> None:
    labeller = bundled_discourse_model()
    assert labeller is not None
    stated = reading_parts(labeller)["discourse"]
    changed = replace(labeller, output=labeller.output + 1)

    assert len(stated) == 64
    assert stated != reading_parts(changed)["discourse"]
    check_parts(reading_parts(labeller), labeller)


def test_parts_other_than_those_of_training_are_refused_with_both_versions() -> None:
    own = reading_parts(None)
    check_parts({}, None)
    check_parts(own, None)

    with pytest.raises(InputError) as caught:
        check_parts({**own, "reader": "en_core_web_sm 1.0"}, None)
    assert str(caught.value) == (
        f"the model was trained with another version of the parser (en_core_web_sm 1.0; here it is {own['reader']}). "
        "Train the model again, or use the version of assay that wrote it."
    )
    assert caught.value.field == "model"


def test_a_part_this_program_does_not_have_is_missing_and_long_digests_are_cut() -> None:
    with pytest.raises(InputError, match=r"another version of horoscope \(x{40}; here it is missing\)"):
        check_parts({"horoscope": "x" * 64}, None)
    with pytest.raises(InputError, match=r"another version of accent \(x; here it is missing\)"):
        check_parts({"accent": "x"}, None)


def test_a_model_of_labelled_discourse_is_refused_where_the_weights_are_missing() -> None:
    with pytest.raises(InputError, match=r"comes without. Install assay with its weights, or train the model again"):
        check_parts({"discourse": "f" * 64}, None)
    with pytest.raises(InputError, match="another version of the labeller of discourse elements"):
        check_parts({"discourse": "f" * 64}, bundled_discourse_model())


def test_the_common_place_of_a_score_is_undefined_unless_given() -> None:
    own = EssayScore("1", "", 1.0, 1.0, 1.0, 1.0, 50.0, {}, {}, 1.0, ())

    assert isnan(own.common)
    assert replace(own, score=nan).scored is False


def test_raw_scores_have_four_decimals_and_explanations_twelve_words() -> None:
    assert (scoring.RAW_DECIMALS, scoring.TELLING_WORDS) == (4, 12)


def test_prompts_beyond_the_third_are_counted() -> None:
    with pytest.raises(InputError, match="trained on prompt 'a', 'b', 'c' and 5 more, and these essays are on"):
        check_known(model(known_prompts=tuple("abcdefgh")), prompts=["x"], programs=[])


def test_word_lists_and_traits_are_named_by_their_contents() -> None:
    own = reading_parts(None)
    catalogue = "\n".join(sorted(CATALOGUE)).encode()
    learned = {file.name: file for file in files("assay_essays_nc").iterdir()}
    traits = learned["traits.npz"]
    of_errors, of_text = (
        {file.name: file for file in (files(f"assay.essays.{folder}") / "lexicons").iterdir()}
        for folder in ("errors", "text")
    )
    of_errors |= {name: learned[name] for name in ("trigrams.npz", "bare_nouns.tsv", "proposal_weights.tsv")}
    lists = [
        folder[name]
        for folder in (of_errors, of_text)
        for name in sorted(folder)
        if not name.startswith(("NOTICE", ".", "__"))
    ]

    assert own["traits"] == sha256(catalogue + b"traits.npz" + traits.read_bytes()).hexdigest()
    assert (
        own["lexicons"]
        == sha256(catalogue + b"".join(file.name.encode() + file.read_bytes() for file in lists)).hexdigest()
    )


def test_a_labeller_is_named_by_its_names_words_and_arrays_in_order() -> None:
    labeller = bundled_discourse_model()
    assert labeller is not None
    digest = sha256("\n".join(sorted(labeller.names, key=labeller.names.__getitem__)).encode())
    digest.update("\n".join(sorted(labeller.common)).encode())
    for name in ("embedding", "embedding_bias", "mixing", "mixing_bias", "output", "links", "start", "end"):
        digest.update(getattr(labeller, name).astype("<f4").tobytes())

    assert reading_parts(labeller)["discourse"] == digest.hexdigest()


def test_parts_are_looked_up_once_and_a_package_that_is_not_installed_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    assert scoring._parts(None) is scoring._parts(None)
    monkeypatch.setattr(scoring, "version", missing)
    scoring._parts.cache_clear()
    try:
        own = reading_parts(None)
    finally:
        scoring._parts.cache_clear()
    assert (own["reader"], own["frequencies"]) == (f"{MODEL} unknown", "wordfreq unknown")


def test_long_digests_of_this_program_are_cut_too() -> None:
    own = reading_parts(None)["lexicons"]

    with pytest.raises(InputError, match=rf"\({'f' * 40}; here it is {own[:40]}\)"):
        check_parts({"lexicons": "f" * 64}, None)
