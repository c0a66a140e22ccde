/* Whether rings cross or touch themselves, as GEOS's is_simple says it, by signs that are exact. */
#include "kernel.h"

enum { SIMPLE = 0, CROSSING = 1, UNSURE = 2 };

static inline void two_sum(double a, double b, double *sum, double *rest)
{
    *sum = a + b;
    double b_part = *sum - a;
    *rest = (a - (*sum - b_part)) + (b - b_part);
}

static inline void split(double a, double *high, double *low)
{
    double c = 134217729.0 * a; /* 2^27 + 1 */
    *high = c - (c - a);
    *low = a - *high;
}

static inline void two_product(double a, double b, double *product, double *rest)
{
    double a_high, a_low, b_high, b_low;
    *product = a * b;
    split(a, &a_high, &a_low);
    split(b, &b_high, &b_low);
    *rest = a_low * b_low - (((*product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/* The sign of the sum of six products, without rounding: a sum of floats that do not overlap, the largest last.
   Source: Shewchuk (1997), Adaptive precision floating-point arithmetic, GROW-EXPANSION. */
static int exact_sign(double ax, double ay, double bx, double by, double cx, double cy)
{
    double factors[6][2] = {{ax, by}, {-ay, bx}, {bx, cy}, {-by, cx}, {cx, ay}, {-cy, ax}};
    double parts[12];
    int size = 0;
    for (int k = 0; k < 6; k++) {
        double pair[2];
        two_product(factors[k][0], factors[k][1], &pair[1], &pair[0]);
        for (int l = 0; l < 2; l++) {
            double carried = pair[l];
            for (int i = 0; i < size; i++)
                two_sum(carried, parts[i], &carried, &parts[i]);
            parts[size++] = carried;
        }
    }
    for (int i = size - 1; i >= 0; i--)
        if (parts[i] != 0)
            return parts[i] > 0 ? 1 : -1;
    return 0;
}

/* On which side of the line from a to b the point c lies. Source of the bound: Shewchuk (1997), ORIENT2D. */
static int side(const double *a, const double *b, const double *c)
{
    double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    double difference = left - right, bound = 3.3306690738754716e-16 * (fabs(left) + fabs(right));
    if (difference > bound)
        return 1;
    if (difference < -bound)
        return -1;
    return exact_sign(a[0], a[1], b[0], b[1], c[0], c[1]);
}

static int same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

static int within(const double *a, const double *b, const double *p)
{
    return (a[0] <= p[0] || b[0] <= p[0]) && (a[0] >= p[0] || b[0] >= p[0]) && (a[1] <= p[1] || b[1] <= p[1]) &&
           (a[1] >= p[1] || b[1] >= p[1]);
}

/* Whether segments i < j of a ring of n corners meet where they should not; their boxes overlap. */
static int meet(const double *corners, int64_t n, int64_t i, int64_t j)
{
    const double *a = corners + 2 * i, *b = corners + 2 * (i + 1);
    const double *c = corners + 2 * j, *d = corners + 2 * (j + 1 < n ? j + 1 : 0);
    /* neighbours share a corner, and more only where they lie on one line and turn back */
    if (j == i + 1)
        return side(a, b, d) == 0 && (within(a, b, d) || within(c, d, a));
    if (i == 0 && j == n - 1)
        return side(a, b, c) == 0 && (within(a, b, c) || within(c, d, b));
    int c_side = side(a, b, c), d_side = side(a, b, d);
    if (c_side * d_side > 0 || side(c, d, a) * side(c, d, b) > 0)
        return 0;
    if (c_side == 0 && d_side == 0) /* on one line */
        return within(a, b, c) || within(a, b, d) || within(c, d, a) || within(c, d, b);
    return 1;
}

typedef struct {
    double low, high;   /* along the axis that is chosen */
    double bottom, top; /* along another */
    int64_t segment;
} Span;

enum { LONG = 256 };

/* What is looked at: x, y, and the two diagonals, for outlines that go to and fro in a slant. */
static double along(const double *point, int axis)
{
    return axis == 0 ? point[0] : axis == 1 ? point[1] : axis == 2 ? point[0] + point[1] : point[0] - point[1];
}

/* How long the segments are, all together, as a share of the ring: the less, the fewer lie beside each other. */
static double crowding(const double *corners, int64_t n, int axis)
{
    double low = along(corners, axis), high = low, length = 0, before = along(corners + 2 * (n - 1), axis);
    for (int64_t i = 0; i < n; i++) {
        double here = along(corners + 2 * i, axis);
        low = here < low ? here : low;
        high = here > high ? here : high;
        length += fabs(here - before);
        before = here;
    }
    return high > low ? length / (high - low) : HUGE_VAL;
}

/* Along the axis on which the fewest segments lie beside each other: those are neighbours when sorted. */
static int crossing_of(const double *corners, int64_t n, Span *spans, Key *keys, Key *spare, int64_t *budget)
{
    int best = 0;
    double least = crowding(corners, n, 0);
    for (int axis = 1; axis < (n > LONG ? 4 : 2); axis++) {
        double crowded = crowding(corners, n, axis);
        if (crowded < least) {
            best = axis;
            least = crowded;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * (i + 1 < n ? i + 1 : 0);
        double one = along(a, best), two = along(b, best);
        keys[i] = (Key){one < two ? one : two, i};
    }
    sort_keys(keys, spare, n);
    int across = best == 0 ? 1 : 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = keys[k].item;
        const double *a = corners + 2 * i, *b = corners + 2 * (i + 1 < n ? i + 1 : 0);
        double one = along(a, best), two = along(b, best);
        double margin = best < 2 ? 0 : (fabs(one) + fabs(two)) * 1e-12; /* the diagonals are rounded */
        spans[k] = (Span){
            keys[k].value - margin,
            (one < two ? two : one) + margin,
            a[across] < b[across] ? a[across] : b[across],
            a[across] < b[across] ? b[across] : a[across],
            i,
        };
    }
    for (int64_t k = 0; k < n; k++) {
        Span span = spans[k];
        int64_t l = k + 1;
        for (; l < n && spans[l].low <= span.high; l++) {
            if (spans[l].bottom > span.top || span.bottom > spans[l].top)
                continue;
            int64_t i = span.segment, j = spans[l].segment;
            if (i < j ? meet(corners, n, i, j) : meet(corners, n, j, i))
                return CROSSING;
        }
        *budget -= l - k;
        if (*budget < 0)
            return UNSURE;
    }
    return SIMPLE;
}

enum { POINTS_BETWEEN_LOOKS = 1 << 18 };

/* self_crossing(points, ring: int64 (rings + 1), crossing: uint8, budget: int) -> whether the budget sufficed */
PyObject *kernel_self_crossing(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *points_object, *ring_object, *crossing_object, *result = NULL;
    long long tests;
    if (!PyArg_ParseTuple(arguments, "OOOL", &points_object, &ring_object, &crossing_object, &tests))
        return NULL;
    Given points = {0}, ring = {0}, crossing = {0};
    double *corners = NULL;
    Span *spans = NULL;
    Key *keys = NULL;
    if (given(points_object, 8, 0, &points) < 0 || given(ring_object, 8, 0, &ring) < 0 ||
        given(crossing_object, 1, 1, &crossing) < 0)
        goto done;
    const int64_t *start = ring.view.buf;
    const double *at = points.view.buf;
    char *to = crossing.view.buf;
    int64_t rings = ring.count - 1, most = 1, budget = tests;
    if (rings < 0 || crossing.count != rings || start[0] < 0 || start[rings] > points.count / 2) {
        PyErr_SetString(PyExc_ValueError, "rings lie outside of their points");
        goto done;
    }
    for (int64_t r = 0; r < rings; r++) {
        if (start[r + 1] < start[r]) {
            PyErr_SetString(PyExc_ValueError, "rings lie outside of their points");
            goto done;
        }
        if (start[r + 1] - start[r] > most)
            most = start[r + 1] - start[r];
    }
    corners = malloc((size_t)most * 2 * sizeof(double));
    spans = malloc((size_t)most * sizeof(Span));
    keys = malloc((size_t)most * 2 * sizeof(Key));
    if (!corners || !spans || !keys) {
        PyErr_NoMemory();
        goto done;
    }
    int stopped = 0;
    int64_t work = 0;
    PyThreadState *saved = PyEval_SaveThread();
    for (int64_t r = 0; r < rings && !stopped && budget >= 0; r++) {
        int64_t n = 0;
        for (int64_t p = start[r]; p < start[r + 1]; p++) /* without points that are drawn twice in a row */
            if (n == 0 || !same(at + 2 * p, corners + 2 * (n - 1))) {
                corners[2 * n] = at[2 * p];
                corners[2 * n + 1] = at[2 * p + 1];
                n++;
            }
        while (n > 1 && same(corners, corners + 2 * (n - 1)))
            n--;
        if (n < 3)
            to[r] = n == 2 ? CROSSING : SIMPLE; /* a line there and back, or a point */
        else
            to[r] = (char)crossing_of(corners, n, spans, keys, keys + most, &budget);
        work += n + 1;
        if (work > POINTS_BETWEEN_LOOKS) {
            work = 0;
            stopped = interrupted(&saved);
        }
    }
    PyEval_RestoreThread(saved);
    if (!stopped)
        result = PyBool_FromLong(budget >= 0);
done:
    free(corners);
    free(spans);
    free(keys);
    given_done(&points);
    given_done(&ring);
    given_done(&crossing);
    return result;
}
