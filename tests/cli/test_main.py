"""What holds for every command before it begins."""

import os
import subprocess
import sys

PROGRAM = """
import os, sys
sys.argv = ["assay", "--version"]
from assay.cli.main import main
try:
    main()
except SystemExit:
    pass
print("numpy" in sys.modules, os.environ["OPENBLAS_NUM_THREADS"])
"""


def said(**environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env={**kept, **environment}
    )
    return done.stdout.splitlines()[-1]


def test_matrix_products_have_one_thread_said_before_numpy_comes() -> None:
    assert said() == "False 1"


def test_what_the_user_set_stays() -> None:
    assert said(OPENBLAS_NUM_THREADS="4") == "False 4"
