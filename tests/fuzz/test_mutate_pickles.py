"""Hostile pickles get past the first instruction: some are still models, and all differ from their seed."""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fuzz.mutate_pickles import FRAME, mutate_pickle
from fuzz.readers import BY_NAME
from fuzz.trial import run


def test_some_hostile_pickles_are_still_models() -> None:
    tally = run(BY_NAME["pickled_model"], 60, seed=3, traced=0)
    assert tally.read >= 3
    assert tally.refused >= 20


def test_one_generator_makes_one_pickle() -> None:
    seed = BY_NAME["pickled_model"].seeds()[0]
    first, second, other = (mutate_pickle(seed, Random(n)) for n in (5, 5, 6))
    assert first == second != other
    assert FRAME.sub(b"", seed) not in (first, other)
