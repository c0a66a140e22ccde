/* The pairs that are in every optimal choice: matching/assignment.py says why. */
#include "kernel.h"

typedef struct {
    double best, next;
} TwoBest;

static inline void offer(TwoBest *of, double gain)
{
    if (gain > of->best) {
        of->next = of->best;
        of->best = gain;
    }
    else if (gain > of->next)
        of->next = gain;
}

/* plain_pairs(truth: int32, student: int32, gain, state: uint8): 1 for those that are taken, 2 for those still open

   Gains are above 0, as many as there are pairs; state is 2 throughout at first. */
PyObject *kernel_plain_pairs(PyObject *module, PyObject *arguments)
{
    (void)module;
    enum { TAKEN = 1, OPEN = 2 };
    PyObject *truth_object, *student_object, *gain_object, *state_object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OOOO", &truth_object, &student_object, &gain_object, &state_object))
        return NULL;
    Given truth = {0}, student = {0}, gains = {0}, states = {0};
    TwoBest *ours = NULL, *theirs = NULL;
    char *used = NULL;
    if (given(truth_object, 4, 0, &truth) < 0 || given(student_object, 4, 0, &student) < 0 ||
        given(gain_object, 8, 0, &gains) < 0 || given(state_object, 1, 1, &states) < 0)
        goto done;
    Py_ssize_t n = truth.count;
    const int32_t *t = truth.view.buf, *s = student.view.buf;
    const double *gain = gains.view.buf;
    char *state = states.view.buf;
    int32_t most_t = -1, most_s = -1;
    if (student.count != n || gains.count != n || states.count != n) {
        PyErr_SetString(PyExc_ValueError, "columns of pairs differ in length");
        goto done;
    }
    for (Py_ssize_t p = 0; p < n; p++) {
        if (t[p] < 0 || s[p] < 0) {
            PyErr_SetString(PyExc_IndexError, "a pair names an annotation that is not there");
            goto done;
        }
        most_t = t[p] > most_t ? t[p] : most_t;
        most_s = s[p] > most_s ? s[p] : most_s;
    }
    size_t rows = (size_t)most_t + 2, columns = (size_t)most_s + 2;
    ours = malloc(rows * sizeof(TwoBest));
    theirs = malloc(columns * sizeof(TwoBest));
    used = malloc(rows + columns);
    if (!ours || !theirs || !used) {
        PyErr_NoMemory();
        goto done;
    }
    char *used_t = used, *used_s = used + rows;
    memset(used, 0, rows + columns);
    int stopped = 0, more = n > 0;
    PyThreadState *saved = PyEval_SaveThread();
    while (more && !stopped) {
        memset(ours, 0, rows * sizeof(TwoBest));
        memset(theirs, 0, columns * sizeof(TwoBest));
        for (Py_ssize_t p = 0; p < n; p++)
            if (state[p] == OPEN) {
                offer(&ours[t[p]], gain[p]);
                offer(&theirs[s[p]], gain[p]);
            }
        more = 0;
        for (Py_ssize_t p = 0; p < n; p++) {
            const TwoBest *of_t = &ours[t[p]], *of_s = &theirs[s[p]];
            if (state[p] == OPEN && gain[p] == of_t->best && gain[p] == of_s->best &&
                gain[p] > (of_t->next + of_s->next) * (1 + 1e-12)) { /* sums are rounded: a lead by less may be a tie */
                state[p] = TAKEN;
                used_t[t[p]] = used_s[s[p]] = more = 1;
            }
        }
        if (more)
            for (Py_ssize_t p = 0; p < n; p++)
                if (state[p] == OPEN && (used_t[t[p]] || used_s[s[p]]))
                    state[p] = 0;
        stopped = interrupted(&saved);
    }
    PyEval_RestoreThread(saved);
    if (!stopped)
        result = Py_NewRef(Py_None);
done:
    free(ours);
    free(theirs);
    free(used);
    given_done(&truth);
    given_done(&student);
    given_done(&gains);
    given_done(&states);
    return result;
}
