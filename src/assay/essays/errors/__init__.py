"""The catalogue of errors and the detectors that find them."""
