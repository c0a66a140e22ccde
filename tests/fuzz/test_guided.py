"""What a guided run takes for a finding."""

from random import Random

from fuzz.mutate_pickles import mutate_pickle
from fuzz.readers import BY_NAME
from fuzz.trial import CLEAN, try_one


def test_what_only_the_net_refuses_has_a_name_and_is_clean_none_the_less() -> None:
    reader, rng = BY_NAME["pickled_model"], Random(1)
    seed = reader.seeds()[0]
    outcomes = [try_one(reader.target, mutate_pickle(seed, rng)) for _ in range(40)]
    assert any(what for _, what, _ in outcomes)
    assert {outcome for outcome, _, _ in outcomes} <= set(CLEAN)
