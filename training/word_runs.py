"""How often words follow each other: `python -m training.word_runs MODEL` writes errors/lexicons/word_runs.npz.

MODEL is `en-us.lm.bin`, the trigram model of US English that comes with CMU Sphinx (PyPI `pocketsphinx` 5.1.1, Debian
`pocketsphinx-en-us`; BSD-2-Clause). Of its 72,547 words those are taken that our lists have and that are not too rare,
and of their runs the likelier ones. Probabilities are stored as -20 log10 p in one byte.
"""

import struct
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.essays.errors.lexicon import BOUNDARIES, words
from assay.essays.text.text import word_list

OUT = Path(__file__).resolve().parents[1] / "src/assay/essays/errors/lexicons/word_runs.npz"
MAGIC = b"Trie Language Model"
LOG10 = np.log10(1.0001)
"""Probabilities are logarithms to the base 1.0001."""
LEAST_WORD, LEAST_PAIR, LEAST_RUN = -6.3, -7.6, -7.6
"""log10 of the least probability of a word, a pair and a run of three."""
STEP, SHIFT = 20.0, 50
UNIGRAM = np.dtype([("p", "<f4"), ("backoff", "<f4"), ("next", "<u4")])

Numbers = NDArray[np.int64]


def main() -> None:
    data = Path(sys.argv[1]).read_bytes()
    if not data.startswith(MAGIC):
        sys.exit(f"{sys.argv[1]} is no model of CMU Sphinx")
    at = len(MAGIC)
    counts = struct.unpack_from("<3I", data, at + 1)
    at += 13 + 4
    tables = np.frombuffer(data, np.float32, 3 * 65536, at).reshape(3, 65536) * LOG10
    at += tables.size * 4
    one = np.frombuffer(data, UNIGRAM, counts[0] + 1, at)
    at += one.nbytes
    word_bits, next_bits = counts[0].bit_length(), counts[2].bit_length()
    wide, narrow = word_bits + 32 + next_bits, word_bits + 16
    second = at + ((1 + counts[1]) * wide + 7) // 8 + 8
    names_at = second + ((1 + counts[2]) * narrow + 7) // 8 + 8
    names = [name.decode() for name in data[names_at + 4 :].split(b"\0")[: counts[0]]]
    ends = one["next"].astype(np.int64)
    last = np.repeat(np.arange(counts[0]), np.diff(ends))
    before = bits(data[at:], len(last) + 1, wide, 0, word_bits)
    pair_p = tables[0][bits(data[at:], len(last), wide, word_bits + 16, 16)]
    pair_backoff = tables[1][bits(data[at:], len(last), wide, word_bits, 16)]
    children = bits(data[at:], len(last), wide, word_bits + 32, next_bits)
    own = np.repeat(np.arange(len(last)), np.diff(np.append(children, counts[2])))
    first = bits(data[second:], len(own), narrow, 0, word_bits)
    run_p = tables[2][bits(data[second:], len(own), narrow, word_bits, 16)]
    write(names, one, (before[:-1], last, pair_p, pair_backoff), (first, own, run_p))


def bits(data: bytes, count: int, total: int, offset: int, width: int) -> Numbers:
    """`count` numbers of `width` bits, one every `total` bits from `offset` on."""
    stored = np.frombuffer(data, np.uint8)
    place = np.arange(count, dtype=np.int64) * total + offset
    value = np.zeros(count, np.uint64)
    for k in range(6):
        byte = stored[np.minimum((place >> 3) + k, len(stored) - 1)]
        value |= byte.astype(np.uint64) << np.uint64(8 * k)
    return np.asarray((value >> (place & 7).astype(np.uint64)) & np.uint64((1 << width) - 1), dtype=np.int64)


def write(names: list[str], one: NDArray[np.void], pairs: tuple[Numbers, ...], runs: tuple[Numbers, ...]) -> None:
    before, last, pair_p, pair_backoff = pairs
    first, own, run_p = runs
    p = one["p"][: len(names)] * LOG10
    p[names.index(BOUNDARIES[0])] = -2.0  # the start of a sentence is never guessed
    known, spelled = words("known_words.txt"), word_list("spelled_words")
    listed = np.array([n in known or n in BOUNDARIES or (n in spelled and len(n) > 3) for n in names])
    good = listed & (p >= LEAST_WORD)
    size, place = int(good.sum()), np.cumsum(good) - 1
    common_pair = good[before] & good[last] & (p[before] + pair_p >= LEAST_PAIR)
    common_run = common_pair[own] & good[first]
    # the likelihood of a run needs that of its first two words
    position = {key: k for k, key in enumerate((before * len(names) + last).tolist())}
    opening = np.array([position.get(key, -1) for key in (first * len(names) + before[own]).tolist()])
    common_run &= (opening >= 0) & common_pair[opening]
    common_run &= p[first] + pair_p[opening] + run_p >= LEAST_RUN
    order = np.lexsort((place[last[common_pair]], place[before[common_pair]]))
    keys = (place[before[common_pair]] * size + place[last[common_pair]])[order]
    rank = np.zeros(len(last), np.int64)
    rank[np.flatnonzero(common_pair)[order]] = np.arange(len(order))
    run_keys = rank[opening[common_run]] * size + place[last[own[common_run]]]
    by_run = np.argsort(run_keys)
    backoff = np.clip(np.round(-STEP * pair_backoff[common_pair][order]) + SHIFT, 0, 255)
    np.savez_compressed(
        OUT,
        words=np.frombuffer("\n".join(n for n, g in zip(names, good, strict=True) if g).encode(), dtype=np.uint8),
        one=np.round(-STEP * p[good]).astype(np.uint8),
        one_backoff=(np.round(-STEP * one["backoff"][: len(names)][good] * LOG10) + SHIFT).astype(np.uint8),
        two=np.diff(keys, prepend=0).astype(np.uint32),
        two_p=np.clip(np.round(-STEP * pair_p[common_pair][order]), 0, 255).astype(np.uint8),
        two_backoff=backoff.astype(np.uint8),
        three=np.diff(run_keys[by_run], prepend=0).astype(np.uint32),
        three_p=np.clip(np.round(-STEP * run_p[common_run][by_run]), 0, 255).astype(np.uint8),
    )
    print(size, len(keys), len(run_keys), OUT.stat().st_size)


if __name__ == "__main__":
    main()
