/* Areas of outlines, by the sum over pairs of edges that geometry/common_area.py explains.

   Every figure is worked out by the same operations in the same order as there, so that both give the same digits. */
#include "kernel.h"

typedef struct {
    double left, right, y, slope, sign;
} Edge;

/* Outlines as Python gives them: ring r has the points from ring[r] up to ring[r + 1], shape k the rings likewise. */
typedef struct {
    Given points, ring, shape, hole;
    int64_t shapes;
} Drawn;

static int rising(const Given *bounds, int64_t most)
{
    const int64_t *at = bounds->view.buf;
    if (bounds->count < 1 || at[0] < 0 || at[bounds->count - 1] > most)
        return 0;
    for (Py_ssize_t k = 1; k < bounds->count; k++)
        if (at[k] < at[k - 1])
            return 0;
    return 1;
}

static int drawn_given(PyObject *tuple, Drawn *drawn)
{
    memset(drawn, 0, sizeof *drawn);
    PyObject *points, *ring, *shape, *hole;
    if (!PyArg_ParseTuple(tuple, "OOOO", &points, &ring, &shape, &hole))
        return -1;
    if (given(points, 8, 0, &drawn->points) < 0 || given(ring, 8, 0, &drawn->ring) < 0 ||
        given(shape, 8, 0, &drawn->shape) < 0 || given(hole, 1, 0, &drawn->hole) < 0)
        return -1;
    if (!rising(&drawn->ring, drawn->points.count / 2) || !rising(&drawn->shape, drawn->ring.count - 1) ||
        drawn->hole.count < drawn->ring.count - 1) {
        PyErr_SetString(PyExc_ValueError, "rings lie outside of their points");
        return -1;
    }
    drawn->shapes = drawn->shape.count - 1;
    return 0;
}

static void drawn_done(Drawn *drawn)
{
    given_done(&drawn->points);
    given_done(&drawn->ring);
    given_done(&drawn->shape);
    given_done(&drawn->hole);
}

static int64_t points_of(const Drawn *drawn, int64_t k)
{
    const int64_t *shape = drawn->shape.view.buf, *ring = drawn->ring.view.buf;
    return ring[shape[k + 1]] - ring[shape[k]];
}

/* The edges of shape k in order of their left ends; scratch has room for two keys and an edge for each point. */
static int64_t edges_of(const Drawn *drawn, int64_t k, Edge *edges, Edge *unsorted, Key *keys, Key *spare, double *area)
{
    static const double narrowest = 1e-12;
    const double *points = drawn->points.view.buf;
    const int64_t *ring = drawn->ring.view.buf, *shape = drawn->shape.view.buf;
    const char *hole = drawn->hole.view.buf;
    int64_t n = 0;
    for (int64_t r = shape[k]; r < shape[k + 1]; r++) {
        int64_t first = ring[r], past = ring[r + 1];
        if (first == past)
            continue;
        /* relative to the first point: far from the origin the products would lose the small differences */
        double x0 = points[2 * first], y0 = points[2 * first + 1], twice = 0;
        for (int64_t p = first; p < past; p++) {
            int64_t q = p + 1 < past ? p + 1 : first;
            double u = points[2 * p] - x0, v = points[2 * p + 1] - y0;
            double u_next = points[2 * q] - x0, v_next = points[2 * q + 1] - y0;
            twice += u * v_next - u_next * v;
        }
        double inside = (hole[r] ? -1.0 : 1.0) * (twice < 0 ? -1.0 : 1.0);
        for (int64_t p = first; p < past; p++) {
            int64_t q = p + 1 < past ? p + 1 : first;
            double x = points[2 * p], y = points[2 * p + 1], x_next = points[2 * q], y_next = points[2 * q + 1];
            double width = x_next - x;
            if (!(fabs(width) > narrowest))
                continue;
            int forward = x < x_next;
            Edge *edge = &unsorted[n];
            edge->sign = forward ? -inside : inside;
            edge->left = forward ? x : x_next;
            edge->right = forward ? x_next : x;
            edge->y = forward ? y : y_next;
            edge->slope = (y_next - y) / width;
            /* the area it adds waits where the sorted edges go, which are written last */
            edges[n].y = edge->sign * fabs(width) * (y + y_next) / 2;
            keys[n] = (Key){edge->left, n};
            n++;
        }
    }
    sort_keys(keys, spare, n);
    double total = 0;
    for (int64_t i = 0; i < n; i++)
        total += edges[keys[i].item].y;
    *area = total > 0 ? total : 0;
    for (int64_t i = 0; i < n; i++)
        edges[i] = unsorted[keys[i].item];
    return n;
}

static inline double term(const Edge *i, const Edge *j)
{
    double begin = i->left > j->left ? i->left : j->left;
    double end = i->right < j->right ? i->right : j->right;
    double width = end - begin;
    if (!(width > 0))
        return 0;
    double at_begin = (i->y + i->slope * (begin - i->left)) - (j->y + j->slope * (begin - j->left));
    double at_end = at_begin + (i->slope - j->slope) * width;
    double height = fabs(at_begin + at_end);
    if (at_begin * at_end < 0)
        height = (at_begin * at_begin + at_end * at_end) / fabs(at_begin - at_end);
    return -0.25 * i->sign * j->sign * width * height;
}

/* The part of the sum over edges of `first` that begin within an edge of `second`; and with it, if so asked. */
static double beginning_within(
    const Edge *first, int64_t n, const Edge *second, int64_t m, int and_with, int64_t *work)
{
    double sum = 0;
    int64_t low = 0;
    for (int64_t j = 0; j < m; j++) {
        double left = second[j].left, right = second[j].right;
        if (and_with)
            while (low < n && first[low].left < left)
                low++;
        else
            while (low < n && first[low].left <= left)
                low++;
        int64_t i = low;
        for (; i < n && first[i].left <= right; i++)
            sum += term(&first[i], &second[j]);
        *work += i - low + 1;
    }
    return sum;
}

static double own_area(const Edge *edges, int64_t n, int64_t *work)
{
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
        int64_t i = j + 1;
        for (; i < n && edges[i].left <= edges[j].right; i++)
            sum += 2 * term(&edges[i], &edges[j]);
        *work += i - j;
    }
    return sum;
}

enum { WORK_BETWEEN_LOOKS = 1 << 22 };

/* Room for the edges of the largest shape. */
typedef struct {
    Edge *sorted, *unsorted;
    Key *keys, *spare;
} Scratch;

static int64_t most_points(const Drawn *drawn)
{
    int64_t most = 1;
    for (int64_t k = 0; k < drawn->shapes; k++)
        if (points_of(drawn, k) > most)
            most = points_of(drawn, k);
    return most;
}

static int scratch_room(Scratch *scratch, int64_t points)
{
    size_t n = (size_t)points;
    *scratch = (Scratch){0};
    if (n > (size_t)PTRDIFF_MAX / sizeof(Edge))
        return -1;
    scratch->sorted = malloc(n * sizeof(Edge));
    scratch->unsorted = malloc(n * sizeof(Edge));
    scratch->keys = malloc(n * sizeof(Key));
    scratch->spare = malloc(n * sizeof(Key));
    return scratch->sorted && scratch->unsorted && scratch->keys && scratch->spare ? 0 : -1;
}

static void scratch_free(Scratch *scratch)
{
    free(scratch->sorted);
    free(scratch->unsorted);
    free(scratch->keys);
    free(scratch->spare);
}

/* outline_figures(drawn, edges: int64, area: float64, extent: (n, 4)) */
PyObject *kernel_outline_figures(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *tuple, *count_object, *area_object, *extent_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOO", &tuple, &count_object, &area_object, &extent_object))
        return NULL;
    Drawn drawn;
    Given count = {0}, area = {0}, extent = {0};
    Scratch scratch = {0};
    if (drawn_given(tuple, &drawn) < 0 || given(count_object, 8, 1, &count) < 0 || given(area_object, 8, 1, &area) < 0 ||
        given(extent_object, 8, 1, &extent) < 0)
        goto done;
    if (count.count != drawn.shapes || area.count != drawn.shapes || extent.count != 4 * drawn.shapes) {
        PyErr_SetString(PyExc_ValueError, "columns of outlines differ in length");
        goto done;
    }
    if (scratch_room(&scratch, most_points(&drawn)) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    int stopped = 0;
    int64_t work = 0;
    PyThreadState *saved = PyEval_SaveThread();
    for (int64_t k = 0; k < drawn.shapes && !stopped; k++) {
        double own;
        int64_t n = edges_of(&drawn, k, scratch.sorted, scratch.unsorted, scratch.keys, scratch.spare, &own);
        double *sides = (double *)extent.view.buf + 4 * k;
        ((int64_t *)count.view.buf)[k] = n;
        ((double *)area.view.buf)[k] = own;
        for (int64_t i = 0; i < n; i++) {
            const Edge *edge = &scratch.sorted[i];
            double begin = edge->y, end = edge->y + edge->slope * (edge->right - edge->left);
            double low = begin < end ? begin : end, high = begin < end ? end : begin;
            if (i == 0) {
                sides[0] = edge->left;
                sides[1] = low;
                sides[2] = edge->right;
                sides[3] = high;
            }
            if (low < sides[1])
                sides[1] = low;
            if (edge->right > sides[2])
                sides[2] = edge->right;
            if (high > sides[3])
                sides[3] = high;
        }
        work += n + 1;
        if (work > WORK_BETWEEN_LOOKS) {
            work = 0;
            stopped = interrupted(&saved);
        }
    }
    PyEval_RestoreThread(saved);
    if (!stopped)
        result = Py_NewRef(Py_None);
done:
    scratch_free(&scratch);
    drawn_done(&drawn);
    given_done(&count);
    given_done(&area);
    given_done(&extent);
    return result;
}

/* winding(drawn, area: float64, counted: float64): the area, and that with a part wound around w times w^2 times */
PyObject *kernel_winding(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *tuple, *area_object, *counted_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOO", &tuple, &area_object, &counted_object))
        return NULL;
    Drawn drawn;
    Given area = {0}, counted = {0};
    Scratch scratch = {0};
    if (drawn_given(tuple, &drawn) < 0 || given(area_object, 8, 1, &area) < 0 || given(counted_object, 8, 1, &counted) < 0)
        goto done;
    if (area.count != drawn.shapes || counted.count != drawn.shapes) {
        PyErr_SetString(PyExc_ValueError, "columns of outlines differ in length");
        goto done;
    }
    if (scratch_room(&scratch, most_points(&drawn)) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    int stopped = 0;
    int64_t work = 0;
    PyThreadState *saved = PyEval_SaveThread();
    for (int64_t k = 0; k < drawn.shapes && !stopped; k++) {
        double own;
        int64_t n = edges_of(&drawn, k, scratch.sorted, scratch.unsorted, scratch.keys, scratch.spare, &own);
        ((double *)area.view.buf)[k] = own;
        ((double *)counted.view.buf)[k] = own_area(scratch.sorted, n, &work);
        if (work > WORK_BETWEEN_LOOKS) {
            work = 0;
            stopped = interrupted(&saved);
        }
    }
    PyEval_RestoreThread(saved);
    if (!stopped)
        result = Py_NewRef(Py_None);
done:
    scratch_free(&scratch);
    drawn_done(&drawn);
    given_done(&area);
    given_done(&counted);
    return result;
}

/* The sorted edges of shapes looked at lately: pairs come image by image, so each shape is as a rule sorted once. */
typedef struct {
    const Drawn *drawn;
    Store edges;
    int64_t *start;    /* of each shape in the store, -1 when it is not there */
    int64_t *count;
    int64_t *members;  /* the shapes that are there */
    int64_t size;
} Shelf;

enum { MOST_ON_SHELF = 1 << 17 };

static int shelf_open(Shelf *shelf, const Drawn *drawn)
{
    size_t n = (size_t)(drawn->shapes ? drawn->shapes : 1);
    *shelf = (Shelf){.drawn = drawn};
    if (n > (size_t)PTRDIFF_MAX / sizeof(int64_t))
        return -1;
    shelf->start = malloc(n * sizeof(int64_t));
    shelf->count = malloc(n * sizeof(int64_t));
    shelf->members = malloc(n * sizeof(int64_t));
    if (!shelf->start || !shelf->count || !shelf->members)
        return -1;
    for (size_t k = 0; k < n; k++)
        shelf->start[k] = -1;
    return 0;
}

static void shelf_close(Shelf *shelf)
{
    store_free(&shelf->edges);
    free(shelf->start);
    free(shelf->count);
    free(shelf->members);
}

/* Puts the edges of shape k on the shelf unless they are there; 0, or -1 when there is no memory. */
static int shelf_put(Shelf *shelf, int64_t k, Scratch *scratch, int64_t *work)
{
    if (shelf->start[k] >= 0)
        return 0;
    if (shelf->edges.used > MOST_ON_SHELF * sizeof(Edge)) {
        for (int64_t i = 0; i < shelf->size; i++)
            shelf->start[shelf->members[i]] = -1;
        shelf->size = 0;
        shelf->edges.used = 0;
    }
    size_t room = (size_t)points_of(shelf->drawn, k) * sizeof(Edge);
    if (store_reserve(&shelf->edges, room) < 0)
        return -1;
    double area;
    int64_t n = 0;
    if (room) {
        Edge *to = (Edge *)(void *)(shelf->edges.bytes + shelf->edges.used);
        n = edges_of(shelf->drawn, k, to, scratch->unsorted, scratch->keys, scratch->spare, &area);
    }
    shelf->start[k] = (int64_t)(shelf->edges.used / sizeof(Edge));
    shelf->count[k] = n;
    shelf->members[shelf->size++] = k;
    shelf->edges.used += (size_t)n * sizeof(Edge);
    *work += n;
    return 0;
}

/* common_areas(first, second, a, b, common) */
PyObject *kernel_common_areas(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *first_tuple, *second_tuple, *a_object, *b_object, *common_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &first_tuple, &second_tuple, &a_object, &b_object, &common_object))
        return NULL;
    Drawn first, second = {0};
    Given a = {0}, b = {0}, common = {0};
    Shelf ours = {0}, theirs = {0};
    Scratch scratch = {0};
    if (drawn_given(first_tuple, &first) < 0 || drawn_given(second_tuple, &second) < 0 || given(a_object, 8, 0, &a) < 0 ||
        given(b_object, 8, 0, &b) < 0 || given(common_object, 8, 1, &common) < 0)
        goto done;
    if (b.count != a.count || common.count != a.count) {
        PyErr_SetString(PyExc_ValueError, "columns of pairs differ in length");
        goto done;
    }
    const int64_t *left = a.view.buf, *right = b.view.buf;
    double *to = common.view.buf;
    for (Py_ssize_t p = 0; p < a.count; p++)
        if (left[p] < 0 || left[p] >= first.shapes || right[p] < 0 || right[p] >= second.shapes) {
            PyErr_SetString(PyExc_IndexError, "a pair names an outline that is not there");
            goto done;
        }
    int64_t most = most_points(&first), other = most_points(&second);
    if (shelf_open(&ours, &first) < 0 || shelf_open(&theirs, &second) < 0 ||
        scratch_room(&scratch, most > other ? most : other) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    int stopped = 0, full = 0;
    int64_t work = 0;
    Py_ssize_t pairs = a.count;
    PyThreadState *saved = PyEval_SaveThread();
    for (Py_ssize_t p = 0; p < pairs && !stopped && !full; p++) {
        int64_t i = left[p], j = right[p];
        if (shelf_put(&ours, i, &scratch, &work) < 0 || shelf_put(&theirs, j, &scratch, &work) < 0) {
            full = 1;
            break;
        }
        const Edge *one = (const Edge *)(void *)ours.edges.bytes;
        const Edge *two = (const Edge *)(void *)theirs.edges.bytes;
        int64_t n = ours.count[i], m = theirs.count[j];
        if (n == 0 || m == 0) {
            to[p] = 0;
            continue;
        }
        one += ours.start[i];
        two += theirs.start[j];
        double sum = beginning_within(one, n, two, m, 1, &work);
        sum += beginning_within(two, m, one, n, 0, &work);
        to[p] = sum > 0 ? sum : 0;
        if (work > WORK_BETWEEN_LOOKS) {
            work = 0;
            stopped = interrupted(&saved);
        }
    }
    PyEval_RestoreThread(saved);
    if (full)
        PyErr_NoMemory();
    else if (!stopped)
        result = Py_NewRef(Py_None);
done:
    shelf_close(&ours);
    shelf_close(&theirs);
    scratch_free(&scratch);
    drawn_done(&first);
    drawn_done(&second);
    given_done(&a);
    given_done(&b);
    given_done(&common);
    return result;
}

/* bounds(drawn, bounds: (n, 4)): left, top, right, bottom of the points of each shape; as it was where there are none */
PyObject *kernel_bounds(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *tuple, *bounds_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OO", &tuple, &bounds_object))
        return NULL;
    Drawn drawn;
    Given bounds = {0};
    if (drawn_given(tuple, &drawn) < 0 || given(bounds_object, 8, 1, &bounds) < 0)
        goto done;
    if (bounds.count != 4 * drawn.shapes) {
        PyErr_SetString(PyExc_ValueError, "columns of outlines differ in length");
        goto done;
    }
    const double *points = drawn.points.view.buf;
    const int64_t *ring = drawn.ring.view.buf, *shape = drawn.shape.view.buf;
    for (int64_t k = 0; k < drawn.shapes; k++) {
        double *sides = (double *)bounds.view.buf + 4 * k;
        for (int64_t p = ring[shape[k]]; p < ring[shape[k + 1]]; p++) {
            double x = points[2 * p], y = points[2 * p + 1];
            if (p == ring[shape[k]]) {
                sides[0] = sides[2] = x;
                sides[1] = sides[3] = y;
            }
            sides[0] = x < sides[0] ? x : sides[0];
            sides[1] = y < sides[1] ? y : sides[1];
            sides[2] = x > sides[2] ? x : sides[2];
            sides[3] = y > sides[3] ? y : sides[3];
        }
    }
    result = Py_NewRef(Py_None);
done:
    drawn_done(&drawn);
    given_done(&bounds);
    return result;
}
