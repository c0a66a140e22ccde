"""Write the example annotations of this folder anew: `python examples/make_annotations.py`."""

from pathlib import Path

from assay.io.examples.annotations import write_example_annotations

if __name__ == "__main__":
    example = write_example_annotations(Path(__file__).parent / "annotations")
    for path in (example.truth, example.images, *example.submissions):
        print(path)
