"""Write the example essays of this folder anew: `python examples/make_essays.py`."""

from pathlib import Path

from assay.io.examples.essays import write_example_essays

if __name__ == "__main__":
    print(write_example_essays(Path(__file__).parent))
