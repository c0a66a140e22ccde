"""Leave-one-out predictions of kernel ridge against fits that really leave one out."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from assay.errors import InputError
from assay.essays.models.hybrid.parts import (
    Inputs,
    KernelPart,
    Nearness,
    Shares,
    centred,
    compact,
    fit_kernel_ridge,
    fit_part,
    gram,
    median_distance,
    scaled,
    squared_distances,
    training_kernels,
)


def example(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, 6))
    kernel = centred(x @ x.T)
    return kernel / (np.trace(kernel) / 30), x @ rng.normal(size=6) + rng.normal(size=30)


def test_the_closed_form_equals_fits_without_each_essay() -> None:
    kernel, scores = example()
    fit = fit_kernel_ridge(kernel, scores, [0.5])
    target = scores - scores.mean()
    for out in range(30):
        rest = np.delete(np.arange(30), out)
        dual = np.linalg.solve(kernel[np.ix_(rest, rest)] + 0.5 * np.eye(29), target[rest])
        assert fit.left_out[out] == pytest.approx(scores.mean() + kernel[out, rest] @ dual)


def test_the_ridge_with_the_least_left_out_error_is_taken() -> None:
    kernel, scores = example()
    chosen = fit_kernel_ridge(kernel, scores, [0.01, 0.1, 1.0, 10.0, 100.0])
    errors = {
        ridge: np.sum((fit_kernel_ridge(kernel, scores, [ridge]).left_out - scores) ** 2) for ridge in (0.01, 100.0)
    }
    assert np.sum((chosen.left_out - scores) ** 2) <= min(errors.values())


def test_a_kernel_that_is_no_kernel_is_refused() -> None:
    with pytest.raises(InputError, match="too much alike"):
        fit_kernel_ridge(-5 * np.eye(4), np.arange(4.0), [0.1])


def test_distances_are_squared_and_never_below_zero() -> None:
    a, b = np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])

    assert squared_distances(a, b).tolist() == [[25, 1], [0, 18]]
    assert median_distance(np.array([[0.0], [1.0], [3.0]])) == 4.0  # 1, 9 and 4
    assert median_distance(np.array([[0.0], [0.5]])) == 0.25
    assert median_distance(np.zeros((3, 1))) == median_distance(np.zeros((1, 1))) == 1.0


def test_a_kernel_is_centred_and_scaled_to_a_mean_diagonal_of_1() -> None:
    x = np.array([[1.0, 0.0], [3.0, 1.0], [2.0, 5.0]])
    middle = x - x.mean(axis=0)

    kernel, scale = scaled(x @ x.T)

    assert centred(x @ x.T) == pytest.approx(middle @ middle.T)
    assert kernel * scale == pytest.approx(middle @ middle.T)
    assert np.trace(kernel) == pytest.approx(3)
    assert scaled(np.zeros((2, 2)))[1] == 1e-12


def test_frequent_and_rare_columns_make_one_gram_matrix() -> None:
    rng = np.random.default_rng(2)
    dense = (rng.random((40, 30)) < np.linspace(0.01, 0.6, 30)).astype(float)

    assert gram(csr_matrix(dense)) == pytest.approx(dense @ dense.T)


def test_the_first_ridge_after_which_errors_grow_ends_the_search() -> None:
    kernel, scores = example()
    each = {r: float(np.sum((fit_kernel_ridge(kernel, scores, [r]).left_out - scores) ** 2)) for r in (0.01, 0.5, 50.0)}

    found = fit_kernel_ridge(kernel, scores, [50.0, 0.5, 0.01])

    expected = 50.0
    for ridge in (0.5, 0.01):
        if not each[ridge] < each[expected]:
            break
        expected = ridge
    assert found.ridge == expected
    assert found.intercept == pytest.approx(scores.mean())
    with pytest.raises(InputError, match="too few or too much alike"):
        fit_kernel_ridge(kernel, np.full(30, np.nan), [1.0])


NEAR = Nearness(np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0]]), np.array([0.5, 2.0]), 3.0)


def test_shares_in_nearness_are_the_mean_slopes_on_the_way_from_the_average_essay() -> None:
    z, dual = np.array([0.8, -1.1]), np.array([0.3, -0.7, 0.5])

    shares, start = NEAR.shares(z, dual)

    def value(point: np.ndarray) -> float:
        return float(np.exp(-((NEAR.z - point) ** 2).sum(axis=1) / 3.0) @ dual)

    steps = (np.arange(500) + 0.5) / 500
    ends = np.eye(2) * 1e-6
    slopes = [[(value(t * z + end) - value(t * z - end)) / 2e-6 for end in ends] for t in steps]
    assert shares == pytest.approx(z * np.mean(slopes, axis=0), abs=1e-5)
    assert start == pytest.approx(value(np.zeros(2)))
    assert start + shares.sum() == pytest.approx(value(z))


def test_a_part_adds_up_its_layers_term_by_term() -> None:
    part = KernelPart(
        intercept=np.array([1.0, 0.25, 0.5]),
        features=np.array([[1.0, 2.0], [9.0, 9.0], [0.5, 0.0]]),
        characters=np.array([[0.1, 0.2, 0.3], [9.0, 9.0, 9.0], [0.0, 0.4, 0.0]]),
        words=np.array([[1.0, -1.0], [9.0, 9.0], [0.0, 3.0]]),
        nearness=np.empty((3, 0)),
    )
    characters, words = np.array([0, 1], dtype=np.int32), np.array([1], dtype=np.int32)
    essay = Inputs(np.array([2.0, 1.0]), characters, words, np.array([0.5]), 1)

    found = part.shares(essay, NEAR)

    assert found.start == 1.5  # all prompts, and the second
    assert found.features.tolist() == [2 * 0.5 * 1.5, 1 * 2 * 2.0]
    assert found.characters == pytest.approx((0.1 + 0.2 + 0.4) / 2**0.5)
    assert found.words.tolist() == [0.5 * 2]
    assert found.total == pytest.approx(1.5 + 1.5 + 4 + 0.7 / 2**0.5 + 1)


def test_a_part_that_uses_nothing_gives_its_intercept() -> None:
    none = np.empty((1, 0))
    part = KernelPart(np.array([0.7]), none, none, none, none)
    essay = Inputs(np.ones(2), np.array([1], dtype=np.int32), np.array([0], dtype=np.int32), np.ones(1), 5)

    found = part.shares(essay, NEAR)

    assert (found.total, found.features.tolist(), found.characters, found.words.tolist()) == (0.7, [0, 0], 0, [0])


def test_terms_are_scaled_and_added_one_by_one() -> None:
    one = Shares(1.0, np.array([1.0, 2.0]), 3.0, np.array([4.0]))

    both = one.times(2).plus(one)

    assert (both.start, both.features.tolist(), both.characters, both.words.tolist()) == (3, [3, 6], 9, [12])
    assert both.total == pytest.approx(3 * one.total)


@pytest.mark.parametrize("by_prompt", [False, True])
def test_a_part_in_the_form_of_weights_predicts_as_its_kernel_does(by_prompt: bool) -> None:
    rng = np.random.default_rng(4)
    essays, prompts = 24, np.arange(24) % 2
    z = rng.normal(size=(essays, 3))
    near = Nearness(z * 0.5, np.full(3, 0.5), median_distance(z * 0.5))
    characters, words = (csr_matrix((rng.random((essays, 8)) < 0.4) * 1.0) for _ in "12")
    kernels = training_kernels(near, characters, words)
    target, mix = rng.normal(size=essays), {"features": 1.0, "characters": 2.0, "words": 0.5, "nearness": 1.5}

    part, left_out = fit_part(kernels, target, mix, [1.0], prompts=prompts, by_prompt=by_prompt)

    kernel = sum((share / 5.0 * kernels.grams[kind] for kind, share in mix.items()), np.zeros((essays, essays)))
    kernel = kernel * (1 + (prompts[:, None] == prompts[None, :])) if by_prompt else kernel
    fit = fit_kernel_ridge(kernel, target, [1.0])
    assert left_out == pytest.approx(fit.left_out)
    assert len(part.intercept) == (3 if by_prompt else 1)
    expected = fit.intercept + kernel @ fit.dual
    for row in (0, 1, 7):
        own = characters[row].indices.astype(np.int32)
        given = words[row].indices.astype(np.int32)
        # a row of the matrix of characters has equal entries of length 1
        essay = Inputs(z[row], own, given, np.ones(len(given)), int(prompts[row]))
        shares = part.shares(essay, near)
        total = shares.total + shares.characters * (np.sqrt(max(len(own), 1)) - 1)
        assert total == pytest.approx(expected[row], abs=2e-3)


def test_weights_are_kept_in_so_many_steps() -> None:
    weights = np.array([[2.0, -1.0, 3e-5], [0.0, 0.0, 0.0]])

    kept = compact(weights)

    assert kept[0].tolist() == pytest.approx([2, -1, 2 / 32767 * 0], abs=2 / 32767)
    assert kept[1].tolist() == [0, 0, 0]
    assert (kept[0] / (2 / 32767)) == pytest.approx(np.rint(kept[0] / (2 / 32767)))
    assert compact(np.empty((2, 0))).shape == (2, 0)


def test_a_distance_that_rounding_puts_below_zero_is_zero() -> None:
    one = np.array([[0.18905338179353307, -0.5227484414807474, -0.41306354339189344]])

    assert squared_distances(one, one)[0, 0] >= 0


def test_columns_of_two_three_and_four_in_fifty_essays_are_multiplied_once() -> None:
    # three in fifty is the share up to which columns are sparse
    rows = np.zeros((50, 4))
    for column, essays in enumerate((2, 3, 4, 1)):
        rows[:essays, column] = 1.0 + column

    assert gram(csr_matrix(rows)).tolist() == (rows @ rows.T).tolist()


def test_the_search_ends_at_the_first_ridge_that_is_no_better() -> None:
    kernel, scores = example()  # errors fall to a ridge of .1 and grow from there

    assert fit_kernel_ridge(kernel, scores, [0.5, 50.0, 0.1]).ridge == 0.5
    assert fit_kernel_ridge(kernel, scores, [0.5, 0.5, 0.1]).ridge == 0.5
    assert fit_kernel_ridge(kernel, scores, [0.5, 0.1, 0.01]).ridge == 0.1


def test_shares_in_nearness_are_those_of_twelve_points_and_the_rest_goes_to_the_largest() -> None:
    z, dual = np.array([6.0, -5.0]), np.array([0.3, -0.7, 0.5])

    shares, start = NEAR.shares(z, dual)

    expected = np.zeros(2)
    for node, length in zip(*np.polynomial.legendre.leggauss(12), strict=True):
        point = (node + 1) / 2 * z
        pull = np.exp(-((NEAR.z - point) ** 2).sum(axis=1) / 3.0) * dual
        expected += z * (length / 2) * (-2 / 3) * (pull[:, None] * (point - NEAR.z)).sum(axis=0)
    ends = [float(np.exp(-((NEAR.z - point) ** 2).sum(axis=1) / 3.0) @ dual) for point in (0 * z, z)]
    largest = int(np.abs(expected).argmax())
    assert start == pytest.approx(ends[0], abs=1e-12)
    assert shares[1 - largest] == pytest.approx(expected[1 - largest], abs=1e-12)
    assert shares.sum() == pytest.approx(ends[1] - ends[0], abs=1e-12)


def test_nearness_adds_to_features_and_to_the_start() -> None:
    none = np.empty((1, 0))
    part = KernelPart(np.array([0.25]), np.array([[1.0, -2.0]]), none, none, np.array([[0.3, -0.7, 0.5]]))
    no_runs = np.empty(0, dtype=np.int32)

    found = part.shares(Inputs(np.array([1.0, 0.5]), no_runs, no_runs, np.empty(0), 0), NEAR)

    near, start = NEAR.shares(np.array([0.5, 1.0]), np.array([0.3, -0.7, 0.5]))
    assert found.features == pytest.approx(near + np.array([0.5, -2.0]), abs=1e-12)
    assert found.start == pytest.approx(0.25 + start, abs=1e-12)


def test_an_essay_without_runs_gets_nothing_from_them() -> None:
    part = KernelPart(np.array([0.5]), np.empty((1, 0)), np.ones((1, 4)), np.ones((1, 4)), np.empty((1, 0)))
    no_runs = np.empty(0, dtype=np.int32)

    found = part.shares(Inputs(np.zeros(2), no_runs, no_runs, np.empty(0), 0), NEAR)

    assert (found.characters, found.words.tolist(), found.total) == (0.0, [], 0.5)


def test_a_single_prompt_needs_no_layer_of_its_own() -> None:
    z = np.array([[1.0], [2.0], [4.0], [7.0]])
    words = csr_matrix(np.eye(4))
    kernels = training_kernels(Nearness(z, np.ones(1), 2.0), words, words)

    part, _ = fit_part(
        kernels, np.array([1.0, 2, 3, 5]), {"features": 2.0}, [0.5], prompts=np.zeros(4, dtype=np.intp), by_prompt=True
    )

    # centred z: -2.5, -1.5, .5, 3.5; with mean diagonal 1 its squares sum to 4, and the ridge is .5
    middle = z[:, 0] - 3.5
    slope = middle @ [-1.75, -0.75, 0.25, 2.25] / (middle @ middle + 0.5 * (middle @ middle) / 4)
    assert part.intercept.shape == (1,)
    assert part.features[0, 0] == pytest.approx(slope, rel=1e-4)
    assert part.intercept[0] == pytest.approx(2.75 - 3.5 * slope, rel=1e-4)
