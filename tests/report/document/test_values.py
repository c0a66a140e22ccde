import pickle

import pytest

from assay.errors import InputError
from assay.report.document.values import PERCENT, Band, Code, FormattedEstimate, plain


def test_a_formatted_estimate_survives_pickling() -> None:
    copy = pickle.loads(pickle.dumps(FormattedEstimate(0.5, 0.4, 0.6, "", PERCENT)))
    assert (copy.value, copy.low, copy.high, copy.number) == (0.5, 0.4, 0.6, PERCENT)


def test_the_words_of_a_text_are_read_without_its_emphasis() -> None:
    assert plain(("read from ", Code("scores.csv"))) == "read from scores.csv"


def test_a_band_whose_ends_are_swapped_is_refused() -> None:
    with pytest.raises(InputError, match="lower end first"):
        Band(0.7, 0.1)
