/* Object keypoint similarity, as far as its exponents: geometry/keypoints.py explains it. */
#include "kernel.h"

enum { PAIRS_BETWEEN_LOOKS = 1 << 16 };

/* keypoint_exponents(truth, labelled, student, marked, spread, t, s, scale, exponents, weights, counted)

   Skeletons with the same points: (n, points, 2) and (n, points); of pair p and point k the exponent is minus the
   squared distance by 2 scale[p] spread[k], and its weight 1. Where the point is not marked or does not count, or the
   power would be 0, both are 0: numpy takes its time over powers that vanish. Counted are the points that count. */
PyObject *kernel_keypoint_exponents(PyObject *module, PyObject *arguments)
{
    (void)module;
    enum { TRUTH, LABELLED, STUDENT, MARKED, SPREAD, T, S, SCALE, EXPONENTS, WEIGHTS, COUNTED, ARRAYS };
    static const double vanishing = -746; /* the power is 0 from -745.14 on */
    static const size_t items[ARRAYS] = {8, 1, 8, 1, 8, 8, 8, 8, 8, 8, 8};
    PyObject *objects[ARRAYS], *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOOOO", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4],
                          &objects[5], &objects[6], &objects[7], &objects[8], &objects[9],
                          &objects[10]))
        return NULL;
    Given array[ARRAYS];
    memset(array, 0, sizeof array);
    for (int k = 0; k < ARRAYS; k++)
        if (given(objects[k], items[k], k >= EXPONENTS, &array[k]) < 0)
            goto done;
    Py_ssize_t points = array[SPREAD].count, pairs = array[T].count;
    if (points < 1 || array[LABELLED].count % points || array[MARKED].count % points ||
        array[TRUTH].count != 2 * array[LABELLED].count || array[STUDENT].count != 2 * array[MARKED].count ||
        array[S].count != pairs || array[SCALE].count != pairs || array[EXPONENTS].count % points ||
        array[EXPONENTS].count / points != pairs || array[WEIGHTS].count != array[EXPONENTS].count ||
        array[COUNTED].count != pairs) {
        PyErr_SetString(PyExc_ValueError, "columns of skeletons differ in length");
        goto done;
    }
    const int64_t *t = array[T].view.buf, *s = array[S].view.buf;
    const double *scale = array[SCALE].view.buf, *spread = array[SPREAD].view.buf;
    int64_t *counted = array[COUNTED].view.buf;
    double *to = array[EXPONENTS].view.buf, *weight = array[WEIGHTS].view.buf;
    Py_ssize_t ours = array[LABELLED].count / points, theirs = array[MARKED].count / points;
    for (Py_ssize_t p = 0; p < pairs; p++)
        if (t[p] < 0 || t[p] >= ours || s[p] < 0 || s[p] >= theirs) {
            PyErr_SetString(PyExc_IndexError, "a pair names a skeleton that is not there");
            goto done;
        }
    int stopped = 0;
    PyThreadState *saved = PyEval_SaveThread();
    for (Py_ssize_t p = 0; p < pairs && !stopped; p++) {
        const double *one = (const double *)array[TRUTH].view.buf + 2 * points * t[p];
        const double *two = (const double *)array[STUDENT].view.buf + 2 * points * s[p];
        const char *labelled = (const char *)array[LABELLED].view.buf + points * t[p];
        const char *marked = (const char *)array[MARKED].view.buf + points * s[p];
        double twice = 2 * scale[p];
        double *exponents = to + p * points, *weights = weight + p * points;
        for (Py_ssize_t k = 0; k < points; k++) {
            double x = one[2 * k] - two[2 * k], y = one[2 * k + 1] - two[2 * k + 1];
            exponents[k] = -(x * x + y * y) / (twice * spread[k]);
        }
        for (Py_ssize_t k = 0; k < points; k++) { /* without a branch, which nobody could predict */
            uint64_t bits, counts = (labelled[k] != 0) & (marked[k] != 0) & (exponents[k] > vanishing);
            memcpy(&bits, &exponents[k], sizeof bits);
            bits &= 0 - counts;
            memcpy(&exponents[k], &bits, sizeof bits);
            weights[k] = (double)counts;
        }
        int64_t count = 0;
        for (Py_ssize_t k = 0; k < points; k++)
            count += labelled[k] != 0;
        counted[p] = count;
        if (p % PAIRS_BETWEEN_LOOKS == PAIRS_BETWEEN_LOOKS - 1)
            stopped = interrupted(&saved);
    }
    PyEval_RestoreThread(saved);
    if (!stopped)
        result = Py_NewRef(Py_None);
done:
    for (int k = 0; k < ARRAYS; k++)
        given_done(&array[k]);
    return result;
}

/* poses(points, visibility, labelled, bounds)

   Skeletons (n, points, 2) and (n, points): whether a point of each is labelled, and the bounds of its labelled points,
   of all where none is. */
PyObject *kernel_poses(PyObject *module, PyObject *arguments)
{
    (void)module;
    enum { POINTS, VISIBILITY, LABELLED, BOUNDS, ARRAYS };
    static const size_t items[ARRAYS] = {8, 1, 1, 8};
    PyObject *objects[ARRAYS], *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOO", &objects[0], &objects[1], &objects[2], &objects[3]))
        return NULL;
    Given array[ARRAYS];
    memset(array, 0, sizeof array);
    for (int k = 0; k < ARRAYS; k++)
        if (given(objects[k], items[k], k >= LABELLED, &array[k]) < 0)
            goto done;
    Py_ssize_t n = array[LABELLED].count, all = array[VISIBILITY].count, length = n ? all / n : 0;
    if (length * n != all || array[POINTS].count != 2 * all || array[BOUNDS].count != 4 * n) {
        PyErr_SetString(PyExc_ValueError, "columns of skeletons differ in length");
        goto done;
    }
    const double *points = array[POINTS].view.buf;
    const signed char *visibility = array[VISIBILITY].view.buf;
    signed char *labelled = array[LABELLED].view.buf;
    double *bounds = array[BOUNDS].view.buf;
    for (Py_ssize_t i = 0; i < n; i++) {
        const signed char *flags = visibility + i * length;
        int any = 0;
        for (Py_ssize_t k = 0; k < length; k++)
            any |= flags[k] > 0;
        labelled[i] = (signed char)any;
        double sides[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        for (Py_ssize_t k = 0; k < length; k++) {
            double x = points[2 * (i * length + k)], y = points[2 * (i * length + k) + 1];
            if (any && flags[k] <= 0)
                continue;
            sides[0] = x < sides[0] ? x : sides[0];
            sides[1] = y < sides[1] ? y : sides[1];
            sides[2] = x > sides[2] ? x : sides[2];
            sides[3] = y > sides[3] ? y : sides[3];
        }
        memcpy(bounds + 4 * i, sides, sizeof sides);
    }
    result = Py_NewRef(Py_None);
done:
    for (int k = 0; k < ARRAYS; k++)
        given_done(&array[k]);
    return result;
}

/* near_skeletons(truth, labelled, student, marked, spread, scale, low, high, least) -> (a, b), columns of int64

   Skeletons as above, the i-th of the truth beside those from low[i] to high[i] of the student. Pairs are left out
   whose similarity is below `least` for certain: exp(-x) is at most 1 / (1 + x + x^2 / 2 + x^3 / 6 + x^4 / 24), so the
   mean of that over the points is at least the similarity. */
static double mean_bound(const double *one, const double *two, const double *inverse, Py_ssize_t points, double scale)
{
    enum { LANES = 4 };
    double sums[LANES] = {0}, rest = 0;
    const double *x = one, *y = one + points, *u = two, *v = two + points;
    Py_ssize_t k = 0;
    for (; k + LANES <= points; k += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double across = x[k + lane] - u[k + lane], down = y[k + lane] - v[k + lane];
            double away = (across * across + down * down) * (scale * inverse[k + lane]);
            sums[lane] += 1 / (1 + away * (1 + away * (1.0 / 2) * (1 + away * (1.0 / 3) * (1 + away * (1.0 / 4)))));
        }
    for (; k < points; k++) {
        double across = x[k] - u[k], down = y[k] - v[k];
        double away = (across * across + down * down) * (scale * inverse[k]);
        rest += 1 / (1 + away * (1 + away * (1.0 / 2) * (1 + away * (1.0 / 3) * (1 + away * (1.0 / 4)))));
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

/* All x, then all y; those that do not count lie so far away that nothing is near them. */
static int64_t apart(const double *points, const char *counts, Py_ssize_t length, double nowhere, double *to)
{
    int64_t counted = 0;
    for (Py_ssize_t k = 0; k < length; k++) {
        to[k] = counts[k] ? points[2 * k] : nowhere;
        to[length + k] = counts[k] ? points[2 * k + 1] : nowhere;
        counted += counts[k] != 0;
    }
    return counted;
}

PyObject *kernel_near_skeletons(PyObject *module, PyObject *arguments)
{
    enum { TRUTH, LABELLED, STUDENT, MARKED, SPREAD, SCALE, LOW, HIGH, ARRAYS };
    static const size_t items[ARRAYS] = {8, 1, 8, 1, 8, 8, 8, 8};
    PyObject *objects[ARRAYS], *result = NULL;
    double least;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOd", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4],
                          &objects[5], &objects[6], &objects[7], &least))
        return NULL;
    Given array[ARRAYS];
    Store first = {0}, second = {0}, beside = {0};
    double *inverse = NULL, *own = NULL;
    memset(array, 0, sizeof array);
    for (int k = 0; k < ARRAYS; k++)
        if (given(objects[k], items[k], 0, &array[k]) < 0)
            goto done;
    Py_ssize_t points = array[SPREAD].count, ours = array[LOW].count;
    Py_ssize_t theirs = points ? array[MARKED].count / points : 0;
    if (points < 1 || array[LABELLED].count % points || array[MARKED].count % points ||
        array[LABELLED].count / points != ours || array[TRUTH].count != 2 * array[LABELLED].count ||
        array[STUDENT].count != 2 * array[MARKED].count || array[SCALE].count != ours || array[HIGH].count != ours) {
        PyErr_SetString(PyExc_ValueError, "columns of skeletons differ in length");
        goto done;
    }
    const int64_t *low = array[LOW].view.buf, *high = array[HIGH].view.buf;
    const double *scale = array[SCALE].view.buf, *spread = array[SPREAD].view.buf;
    for (Py_ssize_t i = 0; i < ours; i++)
        if (low[i] < 0 || high[i] < low[i] || high[i] > theirs) {
            PyErr_SetString(PyExc_IndexError, "a range of skeletons is not there");
            goto done;
        }
    size_t width = 2 * (size_t)points * sizeof(double);
    inverse = malloc(width / 2);
    own = malloc(width);
    if (inverse == NULL || own == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t k = 0; k < points; k++)
        inverse[k] = 1 / spread[k];
    int stopped = 0, failed = 0, looks = 0;
    int64_t begin = 0, end = 0;
    PyThreadState *saved = PyEval_SaveThread();
    for (int64_t i = 0; i < ours && !stopped && !failed; i++) {
        if (low[i] != begin || high[i] != end) { /* of another image than the one before */
            begin = low[i];
            end = high[i];
            beside.used = 0;
            if (store_reserve(&beside, (size_t)(end - begin) * width) < 0) {
                failed = 1;
                break;
            }
            for (int64_t j = begin; j < end; j++)
                (void)apart((const double *)array[STUDENT].view.buf + 2 * points * j,
                            (const char *)array[MARKED].view.buf + points * j, points, 1e150,
                            (double *)(void *)(beside.bytes + (size_t)(j - begin) * width));
        }
        double counted = (double)apart((const double *)array[TRUTH].view.buf + 2 * points * i,
                                       (const char *)array[LABELLED].view.buf + points * i, points, -1e150, own);
        double enough = least * counted * (1 - 1e-9), by = 0.5 / scale[i];
        for (int64_t j = begin; j < end && !stopped && !failed; j++) {
            const double *other = (const double *)(void *)(beside.bytes + (size_t)(j - begin) * width);
            if (!(mean_bound(own, other, inverse, points, by) < enough)) /* also where it is not known */
                failed = store_push(&first, &i, sizeof i) < 0 || store_push(&second, &j, sizeof j) < 0;
            if (++looks == PAIRS_BETWEEN_LOOKS) {
                stopped = interrupted(&saved);
                looks = 0;
            }
        }
    }
    PyEval_RestoreThread(saved);
    if (failed)
        PyErr_NoMemory();
    else if (!stopped) {
        PyObject *a = column_of(module, &first), *b = a != NULL ? column_of(module, &second) : NULL;
        result = b != NULL ? PyTuple_Pack(2, a, b) : NULL;
        Py_XDECREF(a);
        Py_XDECREF(b);
    }
done:
    free(inverse);
    free(own);
    store_free(&beside);
    store_free(&first);
    store_free(&second);
    for (int k = 0; k < ARRAYS; k++)
        given_done(&array[k]);
    return result;
}
