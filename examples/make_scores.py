"""Write the example scores of this folder anew: `python examples/make_scores.py`."""

from pathlib import Path

from assay.io.examples.scores import write_example_scores

if __name__ == "__main__":
    for path in write_example_scores(Path(__file__).parent):
        print(path)
