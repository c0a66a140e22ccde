"""Essays as the hybrid sees them, and how their measures are spread."""

import numpy as np
import pytest

from assay.essays.features.features import analyse
from assay.essays.features.measures import NAMES
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.hybrid.reading import CLIP, LOG_WORDS, HybridEssays, Standard, joined, learn_standard
from assay.essays.text.text import Essay
from tests.essays.essay_texts import UNIFORMS, written

DOUBT = (Advisory("too_short", "3 words"),)
ESSAYS = HybridEssays(
    (Essay("a", "one", "p"), Essay("b", "two", "q"), Essay("c", "three", "p")),
    np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 6.1234567]]),
    ((), DOUBT, ()),
)


def test_prompts_and_texts_come_in_the_order_of_the_essays() -> None:
    assert len(ESSAYS) == 3
    assert ESSAYS.prompts == ("p", "q", "p")
    assert ESSAYS.texts == ("one", "two", "three")


def test_measures_are_rounded_and_cannot_be_written_to() -> None:
    assert ESSAYS.measures[2, 1] == 6.12346
    with pytest.raises(ValueError, match="read-only"):
        ESSAYS.measures[0, 0] = 1


def test_some_essays_come_in_the_order_asked_for() -> None:
    own = ESSAYS.at(np.array([1, 0]))

    assert [essay.essay_id for essay in own.essays] == ["b", "a"]
    assert own.measures[:, 0].tolist() == [3, 1]
    assert own.advisories == (DOUBT, ())


def test_essays_read_one_by_one_are_joined_again() -> None:
    whole = joined([ESSAYS.at(np.array([row])) for row in range(3)])

    assert (whole.essays, whole.advisories) == (ESSAYS.essays, ESSAYS.advisories)
    assert whole.measures == pytest.approx(ESSAYS.measures, nan_ok=True)


def test_a_single_essay_has_its_measures_and_its_flags() -> None:
    text = written(UNIFORMS)
    essay = Essay("1", text.raw, "p")

    one = HybridEssays.of(essay, analyse(text), np.array([4.0, 5.0]))
    short = HybridEssays.of(Essay("2", "Too short"), analyse(written([["Too short"]])), np.array([4.0, 5.0]))

    assert (one.essays, one.advisories) == ((essay,), ((),))
    assert one.measures.tolist() == [[4, 5]]
    assert [doubt.name for doubt in short.advisories[0]] == ["too_short"]


def test_values_are_told_in_standard_deviations_up_to_four_and_undefined_ones_are_average() -> None:
    standard = Standard(np.array([10.0, 0.0]), np.array([2.0, 1.0]))

    z = standard.z(np.array([[12.0, np.nan], [7.0, 99.0], [-99.0, np.inf], [18.0, -4.5]]))

    assert z.tolist() == [[1, 0], [-1.5, CLIP], [-4, 0], [4, -4]]
    assert CLIP == 4


def test_mean_and_spread_are_learned_from_what_is_known() -> None:
    values = np.array([[1.0, 7.0, np.nan, 2.0], [3.0, 7.0, np.nan, np.nan], [5.0, 7.0, np.nan, 6.0]])

    standard = learn_standard(values)

    assert standard.mean.tolist() == [3, 7, 0, 4]
    # a feature that does not vary, or is never known, has the spread 1
    assert standard.sd == pytest.approx([np.sqrt(8 / 3), 1, 1, 2])


def test_a_single_value_is_its_own_mean_and_a_small_spread_counts() -> None:
    standard = learn_standard(np.array([[9.0, 1.0, 2e-9], [np.nan, 1.5, 0.0]]))

    assert standard.mean.tolist() == [9, 1.25, 1e-9]
    assert standard.sd.tolist() == [1, 0.25, 1]  # of a billionth it is rounding


def test_the_first_measure_is_that_of_words() -> None:
    assert NAMES[LOG_WORDS] == "log_words"
