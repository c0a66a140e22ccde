"""The example scores: the files hold what the generator writes."""

from pathlib import Path

from examples.make_scores import write_example_scores
from tests.paths import EXAMPLES


def test_the_examples_are_those_that_the_generator_writes(tmp_path: Path) -> None:
    for written in write_example_scores(tmp_path):
        assert (EXAMPLES / written.name).read_bytes() == written.read_bytes()
