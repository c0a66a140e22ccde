"""Coverage-guided inputs on one reader by Atheris: `python -m fuzz.guided READER --runs N [--out FOLDER]`.

libFuzzer keeps what reaches new branches of the reader's modules; our mutators make most of its inputs, its own the
rest. It stops at the first finding, which is saved as the runs of `python -m fuzz` save theirs.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

OWN_SHARE = 0.75
"""So many inputs are mutated by us, the others by libFuzzer."""
SECONDS, MEGABYTES = 10, 4096


def main(arguments: Sequence[str]) -> None:
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    parser = argparse.ArgumentParser(prog="python -m fuzz.guided", description=__doc__)
    parser.add_argument("reader")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"))
    asked = parser.parse_args(arguments)
    with atheris.instrument_imports(include=["assay.io", "assay.annotations", "assay.rsm", "assay.scale"]):
        from fuzz.readers import BY_NAME
        from fuzz.trial import CLEAN, try_one
        from fuzz.worker import save
    reader = BY_NAME[asked.reader]

    def mutate(content: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        own = rng.random() < OWN_SHARE
        mutated: bytes = reader.mutate(content, rng) if own else atheris.Mutate(content, len(content) + 64)
        return mutated[:most]

    def test_one_input(content: bytes) -> None:
        outcome, what, shown = try_one(reader.target, content)
        if outcome not in CLEAN:
            save(asked.out, reader.name, what, content, shown)
            raise RuntimeError(what)

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(reader.seeds()):
            (Path(corpus) / f"seed-{number}").write_bytes(seed)
            try_one(reader.target, seed)  # what is imported late comes now, before a clock runs
        limits = [f"-atheris_runs={asked.runs}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", "-max_len=65536"]
        quiet = [f"-seed={asked.seed}", "-print_final_stats=1", f"-artifact_prefix={corpus}/"]
        atheris.Setup([sys.argv[0], *limits, *quiet, corpus], test_one_input, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
