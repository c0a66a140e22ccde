/* Rectangles that share area, group by group. */
#include "kernel.h"

typedef struct {
    double left, top, right, bottom;
} Rectangle;

typedef struct {
    Rectangle at;
    double area;
    int64_t index;
} Placed;

static int by_left(const void *one, const void *two)
{
    double a = ((const Placed *)one)->at.left, b = ((const Placed *)two)->at.left;
    return (a > b) - (a < b);
}

static inline int share_area(const Rectangle *a, const Rectangle *b)
{
    return a->top < b->bottom && b->top < a->bottom && a->left < b->right && b->left < a->right;
}

/* Pairs with their indices, or with IoU as well, if that is above 0 and not below the least. */
typedef struct {
    Store first, second, similarity;
    int64_t found, most, budget;
    int with_iou;
    double least;
} Pairs;

enum { FINE = 0, TOO_MANY = 1, NO_MEMORY = 2 };

/* As geometry/common_area.py has it. */
static inline double iou_of(const Placed *a, const Placed *b)
{
    double width = (a->at.right < b->at.right ? a->at.right : b->at.right) - (a->at.left > b->at.left ? a->at.left : b->at.left);
    double height = (a->at.bottom < b->at.bottom ? a->at.bottom : b->at.bottom) - (a->at.top > b->at.top ? a->at.top : b->at.top);
    double common = (width > 0 ? width : 0) * (height > 0 ? height : 0), both = a->area + b->area - common;
    double share = both > 0 ? common / both : 0;
    return share < 1 ? share : 1;
}

static inline int pair_push(Pairs *pairs, const Placed *a, const Placed *b)
{
    double iou = 0;
    if (pairs->with_iou) {
        iou = iou_of(a, b);
        if (!(iou > 0 && iou >= pairs->least))
            return FINE;
    }
    if (++pairs->found > pairs->most)
        return TOO_MANY;
    if (pairs->with_iou) {
        int32_t i = (int32_t)a->index, j = (int32_t)b->index;
        if (store_push(&pairs->first, &i, sizeof i) < 0 || store_push(&pairs->second, &j, sizeof j) < 0 ||
            store_push(&pairs->similarity, &iou, sizeof iou) < 0)
            return NO_MEMORY;
        return FINE;
    }
    if (store_push(&pairs->first, &a->index, sizeof a->index) < 0 ||
        store_push(&pairs->second, &b->index, sizeof b->index) < 0)
        return NO_MEMORY;
    return FINE;
}

static int all_pairs(const Placed *one, int64_t n, const Placed *two, int64_t m, Pairs *pairs)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            if (share_area(&one[i].at, &two[j].at)) {
                int outcome = pair_push(pairs, &one[i], &two[j]);
                if (outcome)
                    return outcome;
            }
    return FINE;
}

/* Two intervals overlap when one begins within the other: sorted by where they begin, those are neighbours. */
static int sweep(Placed *one, int64_t n, Placed *two, int64_t m, Pairs *pairs)
{
    qsort(one, (size_t)n, sizeof(Placed), by_left);
    qsort(two, (size_t)m, sizeof(Placed), by_left);
    for (int turn = 0; turn < 2; turn++) {
        const Placed *begun = turn ? two : one, *others = turn ? one : two;
        int64_t size = turn ? m : n, other = turn ? n : m, low = 0;
        for (int64_t i = 0; i < size; i++) {
            double left = begun[i].at.left, right = begun[i].at.right;
            if (turn)
                while (low < other && others[low].at.left <= left)
                    low++;
            else
                while (low < other && others[low].at.left < left)
                    low++;
            int64_t j = low;
            for (; j < other && others[j].at.left < right; j++)
                if (share_area(&begun[i].at, &others[j].at)) {
                    int outcome = pair_push(pairs, turn ? &others[j] : &begun[i], turn ? &begun[i] : &others[j]);
                    if (outcome)
                        return outcome;
                }
            pairs->budget -= j - low + 1;
            if (pairs->budget < 0)
                return TOO_MANY;
        }
    }
    return FINE;
}

/* The rectangles by group: those of group g from start[g] up to start[g + 1], those without a group (-1) left out. */
typedef struct {
    Given bounds, area, group;
    Placed *placed;
    int64_t *start;
} Side;

static int side_given(PyObject *bounds, PyObject *area, PyObject *group, int64_t groups, Side *side)
{
    if (given(bounds, 8, 0, &side->bounds) < 0 || given(group, 8, 0, &side->group) < 0 ||
        (area != NULL && given(area, 8, 0, &side->area) < 0))
        return -1;
    Py_ssize_t n = side->group.count;
    const int64_t *of = side->group.view.buf;
    int fits = side->bounds.count == 4 * n && (area == NULL || side->area.count == n) && n <= INT32_MAX;
    for (Py_ssize_t i = 0; i < n && fits; i++)
        fits = of[i] >= -1 && of[i] < groups;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "rectangles and their groups do not fit");
        return -1;
    }
    side->placed = malloc((size_t)(n ? n : 1) * sizeof(Placed));
    side->start = calloc((size_t)(groups + 3), sizeof(int64_t));
    if (side->placed == NULL || side->start == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int64_t *start = side->start;
    for (Py_ssize_t i = 0; i < n; i++)
        if (of[i] >= 0)
            start[of[i] + 2]++;
    for (int64_t g = 1; g <= groups; g++)
        start[g + 1] += start[g];
    const double *b = side->bounds.view.buf, *own = area == NULL ? NULL : side->area.view.buf;
    for (Py_ssize_t i = 0; i < n; i++, b += 4)
        if (of[i] >= 0)
            side->placed[start[of[i] + 1]++] = (Placed){{b[0], b[1], b[2], b[3]}, own == NULL ? 0 : own[i], i};
    return 0;
}

static void side_done(Side *side)
{
    free(side->placed);
    free(side->start);
    given_done(&side->bounds);
    given_done(&side->area);
    given_done(&side->group);
}

enum { FEW_TESTS = 4096, GROUPS_BETWEEN_LOOKS = 256 };

/* The pairs of all groups as columns; None when there are too many. */
static PyObject *columns_of_pairs(PyObject *module, Side *one, Side *two, int64_t groups, Pairs *pairs)
{
    int outcome = FINE, stopped = 0;
    PyThreadState *saved = PyEval_SaveThread();
    for (int64_t g = 0; g < groups && !outcome && !stopped; g++) {
        int64_t n = one->start[g + 1] - one->start[g], m = two->start[g + 1] - two->start[g];
        if (n && m) {
            Placed *ours = one->placed + one->start[g], *theirs = two->placed + two->start[g];
            outcome = n <= FEW_TESTS / m ? all_pairs(ours, n, theirs, m, pairs) : sweep(ours, n, theirs, m, pairs);
        }
        if (g % GROUPS_BETWEEN_LOOKS == GROUPS_BETWEEN_LOOKS - 1)
            stopped = interrupted(&saved);
    }
    PyEval_RestoreThread(saved);
    if (outcome == NO_MEMORY)
        return PyErr_NoMemory();
    if (outcome == TOO_MANY)
        return Py_NewRef(Py_None);
    if (stopped)
        return NULL;
    PyObject *a = column_of(module, &pairs->first), *b = column_of(module, &pairs->second), *result = NULL;
    PyObject *iou = pairs->with_iou ? column_of(module, &pairs->similarity) : NULL;
    if (a && b && (iou || !pairs->with_iou))
        result = iou ? PyTuple_Pack(3, a, b, iou) : PyTuple_Pack(2, a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(iou);
    return result;
}

static int groups_fit(long long groups)
{
    if (groups >= 0 && groups <= INT64_C(1) << 40)
        return 1;
    PyErr_SetString(PyExc_ValueError, "rectangles and their groups do not fit");
    return 0;
}

static void pairs_free(Pairs *pairs)
{
    store_free(&pairs->first);
    store_free(&pairs->second);
    store_free(&pairs->similarity);
}

/* overlapping(first, group, second, group, groups, most, budget) -> (a, b), or None when there are more than most */
PyObject *kernel_overlapping(PyObject *module, PyObject *arguments)
{
    PyObject *first, *first_group, *second, *second_group, *result = NULL;
    long long groups, most, budget;
    if (!PyArg_ParseTuple(arguments, "OOOOLLL", &first, &first_group, &second, &second_group, &groups, &most, &budget) ||
        !groups_fit(groups))
        return NULL;
    Side one = {0}, two = {0};
    Pairs pairs = {.most = most, .budget = budget};
    if (side_given(first, NULL, first_group, groups, &one) == 0 &&
        side_given(second, NULL, second_group, groups, &two) == 0)
        result = columns_of_pairs(module, &one, &two, groups, &pairs);
    side_done(&one);
    side_done(&two);
    pairs_free(&pairs);
    return result;
}

/* box_candidates(first, area, group, second, area, group, groups, least, most, budget)
   -> (a: int32, b: int32, iou), or None when there are more than most */
PyObject *kernel_box_candidates(PyObject *module, PyObject *arguments)
{
    PyObject *first, *first_area, *first_group, *second, *second_area, *second_group, *result = NULL;
    long long groups, most, budget;
    double least;
    if (!PyArg_ParseTuple(arguments, "OOOOOOLdLL", &first, &first_area, &first_group, &second, &second_area,
                          &second_group, &groups, &least, &most, &budget) ||
        !groups_fit(groups))
        return NULL;
    Side one = {0}, two = {0};
    Pairs pairs = {.most = most, .budget = budget, .with_iou = 1, .least = least};
    if (side_given(first, first_area, first_group, groups, &one) == 0 &&
        side_given(second, second_area, second_group, groups, &two) == 0)
        result = columns_of_pairs(module, &one, &two, groups, &pairs);
    side_done(&one);
    side_done(&two);
    pairs_free(&pairs);
    return result;
}
