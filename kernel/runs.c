/* Masks as runs of pixels down the columns of a window, background first. */
#include "kernel.h"

/* Bounds and area of one mask whose window begins at 0, 0; zeros when it has no pixel. */
void mask_figures(const uint32_t *runs, size_t count, int64_t height, MaskFigures *figures)
{
    int64_t place = 0, area = 0, first = -1, last = -1, low = height, high = 0;
    for (size_t k = 0; k + 1 < count; k += 2) {
        place += runs[k];
        int64_t length = runs[k + 1];
        if (length == 0)
            continue;
        int64_t end = place + length;
        int64_t column = place / height, last_column = (end - 1) / height;
        if (first < 0)
            first = column;
        last = last_column;
        if (column < last_column) {
            low = 0;
            high = height;
        }
        else {
            int64_t top = place - column * height, bottom = end - column * height;
            if (top < low)
                low = top;
            if (bottom > high)
                high = bottom;
        }
        area += length;
        place = end;
    }
    if (first < 0)
        *figures = (MaskFigures){0};
    else
        *figures = (MaskFigures){(double)area, (double)first, (double)low, (double)(last + 1), (double)high};
}

/* The masks of one side, as Python gives them. */
typedef struct {
    Given runs, start, count, left, top, height;
} Masks;

static int masks_given(PyObject *tuple, Masks *masks)
{
    memset(masks, 0, sizeof *masks);
    PyObject *runs, *start, *count, *left, *top, *height;
    if (!PyArg_ParseTuple(tuple, "OOOOOO", &runs, &start, &count, &left, &top, &height))
        return -1;
    if (given(runs, 4, 0, &masks->runs) < 0 || given(start, 8, 0, &masks->start) < 0 ||
        given(count, 8, 0, &masks->count) < 0 || given(left, 8, 0, &masks->left) < 0 ||
        given(top, 8, 0, &masks->top) < 0 || given(height, 8, 0, &masks->height) < 0)
        return -1;
    Py_ssize_t n = masks->start.count;
    if (masks->count.count != n || masks->left.count != n || masks->top.count != n || masks->height.count != n) {
        PyErr_SetString(PyExc_ValueError, "columns of masks differ in length");
        return -1;
    }
    const int64_t *first = masks->start.view.buf, *amount = masks->count.view.buf, *rows = masks->height.view.buf;
    const int64_t *x = masks->left.view.buf, *y = masks->top.view.buf, furthest = (int64_t)1 << 40;
    for (Py_ssize_t k = 0; k < n; k++)
        if (first[k] < 0 || amount[k] < 0 || first[k] > masks->runs.count || amount[k] > masks->runs.count - first[k] ||
            rows[k] <= 0 || rows[k] > furthest || x[k] > furthest || x[k] < -furthest || y[k] > furthest ||
            y[k] < -furthest) {
            PyErr_SetString(PyExc_ValueError, "a mask lies outside of its runs");
            return -1;
        }
    return 0;
}

static void masks_done(Masks *masks)
{
    given_done(&masks->runs);
    given_done(&masks->start);
    given_done(&masks->count);
    given_done(&masks->left);
    given_done(&masks->top);
    given_done(&masks->height);
}

/* mask_figures(masks, area, bounds) */
PyObject *kernel_mask_figures(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *tuple, *area_object, *bounds_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOO", &tuple, &area_object, &bounds_object))
        return NULL;
    Masks masks;
    Given area = {0}, bounds = {0};
    if (masks_given(tuple, &masks) < 0 || given(area_object, 8, 1, &area) < 0 || given(bounds_object, 8, 1, &bounds) < 0)
        goto done;
    Py_ssize_t n = masks.start.count;
    if (area.count != n || bounds.count != 4 * n) {
        PyErr_SetString(PyExc_ValueError, "columns of masks differ in length");
        goto done;
    }
    const uint32_t *runs = masks.runs.view.buf;
    const int64_t *start = masks.start.view.buf, *count = masks.count.view.buf, *height = masks.height.view.buf;
    const int64_t *left = masks.left.view.buf, *top = masks.top.view.buf;
    double *to_area = area.view.buf, *to_bounds = bounds.view.buf;
    for (Py_ssize_t k = 0; k < n; k++) {
        MaskFigures found;
        mask_figures(runs + start[k], (size_t)count[k], height[k], &found);
        double x = found.area > 0 ? (double)left[k] : 0, y = found.area > 0 ? (double)top[k] : 0;
        to_area[k] = found.area;
        to_bounds[4 * k] = found.left + x;
        to_bounds[4 * k + 1] = found.top + y;
        to_bounds[4 * k + 2] = found.right + x;
        to_bounds[4 * k + 3] = found.bottom + y;
    }
    result = Py_NewRef(Py_None);
done:
    masks_done(&masks);
    given_done(&area);
    given_done(&bounds);
    return result;
}

/* Two masks of windows of one height that begin at one place: their runs, walked side by side. */
static int64_t common_of_alike(const uint32_t *a, int64_t n, const uint32_t *b, int64_t m)
{
    int64_t common = 0, i = 1, j = 1;
    if (n < 2 || m < 2)
        return 0;
    int64_t from_a = a[0], to_a = from_a + a[1], from_b = b[0], to_b = from_b + b[1];
    for (;;) {
        int64_t low = from_a > from_b ? from_a : from_b, high = to_a < to_b ? to_a : to_b;
        if (high > low)
            common += high - low;
        if (to_a <= to_b) {
            i += 2;
            if (i >= n)
                return common;
            from_a = to_a + a[i - 1];
            to_a = from_a + a[i];
        }
        else {
            j += 2;
            if (j >= m)
                return common;
            from_b = to_b + b[j - 1];
            to_b = from_b + b[j];
        }
    }
}

/* One stretch of a column after the other, in the coordinates of the image. */
typedef struct {
    const uint32_t *runs;
    int64_t count, next, place, end, left, top, height;
    int64_t column, from, to;
} Walk;

static int walk_on(Walk *walk)
{
    while (walk->place >= walk->end) {
        if (walk->next + 1 >= walk->count)
            return 0;
        walk->place = walk->end + walk->runs[walk->next];
        walk->end = walk->place + walk->runs[walk->next + 1];
        walk->next += 2;
    }
    int64_t column = walk->place / walk->height, bottom = (column + 1) * walk->height;
    int64_t to = walk->end < bottom ? walk->end : bottom;
    walk->column = column + walk->left;
    walk->from = walk->place - column * walk->height + walk->top;
    walk->to = to - column * walk->height + walk->top;
    walk->place = to;
    return 1;
}

/* -1 when there are more stretches than the budget has left. */
static int64_t common_of_any(Walk *a, Walk *b, int64_t *budget)
{
    int64_t common = 0;
    if (!walk_on(a) || !walk_on(b))
        return 0;
    while ((*budget)-- > 0) {
        int a_first = a->column != b->column ? a->column < b->column : a->to <= b->to;
        if (a->column == b->column) {
            int64_t low = a->from > b->from ? a->from : b->from, high = a->to < b->to ? a->to : b->to;
            if (high > low)
                common += high - low;
        }
        if (!walk_on(a_first ? a : b))
            return common;
    }
    return -1;
}

enum { PAIRS_BETWEEN_LOOKS = 4096, MOST_STRETCHES = 1 << 28 };

/* common_pixels(first, second, a, b, common) */
PyObject *kernel_common_pixels(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *first_tuple, *second_tuple, *a_object, *b_object, *common_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &first_tuple, &second_tuple, &a_object, &b_object, &common_object))
        return NULL;
    Masks first, second = {0};
    Given a = {0}, b = {0}, common = {0};
    if (masks_given(first_tuple, &first) < 0 || masks_given(second_tuple, &second) < 0 || given(a_object, 8, 0, &a) < 0 ||
        given(b_object, 8, 0, &b) < 0 || given(common_object, 8, 1, &common) < 0)
        goto done;
    if (b.count != a.count || common.count != a.count) {
        PyErr_SetString(PyExc_ValueError, "columns of pairs differ in length");
        goto done;
    }
    const int64_t *left = a.view.buf, *right = b.view.buf;
    double *to = common.view.buf;
    for (Py_ssize_t p = 0; p < a.count; p++)
        if (left[p] < 0 || left[p] >= first.start.count || right[p] < 0 || right[p] >= second.start.count) {
            PyErr_SetString(PyExc_IndexError, "a pair names a mask that is not there");
            goto done;
        }
    int stopped = 0, exhausted = 0;
    int64_t budget = MOST_STRETCHES;
    Py_ssize_t pairs = a.count;
    PyThreadState *saved = PyEval_SaveThread();
    for (Py_ssize_t p = 0; p < pairs && !stopped && !exhausted; p++) {
        int64_t i = left[p], j = right[p];
        const uint32_t *runs_1 = (const uint32_t *)first.runs.view.buf + ((int64_t *)first.start.view.buf)[i];
        const uint32_t *runs_2 = (const uint32_t *)second.runs.view.buf + ((int64_t *)second.start.view.buf)[j];
        int64_t n = ((int64_t *)first.count.view.buf)[i], m = ((int64_t *)second.count.view.buf)[j];
        int64_t x_1 = ((int64_t *)first.left.view.buf)[i], x_2 = ((int64_t *)second.left.view.buf)[j];
        int64_t y_1 = ((int64_t *)first.top.view.buf)[i], y_2 = ((int64_t *)second.top.view.buf)[j];
        int64_t h_1 = ((int64_t *)first.height.view.buf)[i], h_2 = ((int64_t *)second.height.view.buf)[j];
        if (x_1 == x_2 && y_1 == y_2 && h_1 == h_2)
            to[p] = (double)common_of_alike(runs_1, n, runs_2, m);
        else {
            Walk one = {.runs = runs_1, .count = n, .left = x_1, .top = y_1, .height = h_1};
            Walk two = {.runs = runs_2, .count = m, .left = x_2, .top = y_2, .height = h_2};
            int64_t shared = common_of_any(&one, &two, &budget);
            to[p] = (double)shared;
            exhausted = shared < 0;
        }
        if (p % PAIRS_BETWEEN_LOOKS == PAIRS_BETWEEN_LOOKS - 1)
            stopped = interrupted(&saved);
    }
    PyEval_RestoreThread(saved);
    if (exhausted)
        PyErr_SetString(PyExc_ValueError, "masks of different sizes are too large to compare");
    else if (!stopped)
        result = Py_NewRef(Py_None);
done:
    masks_done(&first);
    masks_done(&second);
    given_done(&a);
    given_done(&b);
    given_done(&common);
    return result;
}

/* One number of COCO's compressed text, read from *at up to end; 0, or -1 when there is none that can be used. */
static int run_of_text(const unsigned char **at, const unsigned char *end, int64_t *value)
{
    uint64_t bits = 0;
    for (int k = 0; k < 12; k++) {
        if (*at == end)
            return -1;
        unsigned code = *(*at)++ - 48u;
        if (code > 63)
            return -1;
        bits |= (uint64_t)(code & 0x1f) << (5 * k);
        if (!(code & 0x20)) {
            *value = (int64_t)bits;
            if (code & 0x10)
                *value -= (int64_t)1 << (5 * (k + 1));
            return 0;
        }
    }
    return -1;
}

/* Adds the runs of a text to a store of uint32; 0, -1 when the text is odd, -2 when there is no memory. */
int runs_of_text(const unsigned char *text, size_t length, Store *runs)
{
    const unsigned char *end = text + length;
    int64_t before[2] = {0, 0}; /* the last number and the last but one */
    for (size_t m = 0; text < end; m++) {
        int64_t value;
        if (run_of_text(&text, end, &value) < 0)
            return -1;
        if (m > 2)
            value += before[1];
        if (value < 0 || value > (int64_t)1 << 31)
            return -1;
        before[1] = before[0];
        before[0] = value;
        uint32_t run = (uint32_t)value;
        if (store_push(runs, &run, sizeof run) < 0)
            return -2;
    }
    return 0;
}

/* runs_of_text(text: bytes) -> Column | None */
PyObject *kernel_runs_of_text(PyObject *module, PyObject *arguments)
{
    const char *text;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(arguments, "y#", &text, &length))
        return NULL;
    Store runs = {0};
    int outcome = runs_of_text((const unsigned char *)text, (size_t)length, &runs);
    if (outcome == 0)
        return column_of(module, &runs);
    store_free(&runs);
    return outcome == -2 ? PyErr_NoMemory() : Py_NewRef(Py_None);
}
