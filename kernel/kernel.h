/* The compiled kernel: reads and compares annotations of which there may be a million, without Python objects.

   Everything here may come from a stranger's file. Sizes are checked before memory is asked for, nothing calls
   itself, and whatever is out of the ordinary is handed back for Python to look at. */
#ifndef ASSAY_KERNEL_H
#define ASSAY_KERNEL_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Memory that grows; realloc moves pages and not bytes, so what is never written costs nothing. */
typedef struct {
    char *bytes;
    size_t used, room;
} Store;

int store_reserve(Store *store, size_t more);  /* 0, or -1 when there is no memory */
void store_free(Store *store);

static inline int store_push(Store *store, const void *item, size_t size)
{
    if (store->room - store->used < size && store_reserve(store, size) < 0)
        return -1;
    memcpy(store->bytes + store->used, item, size);
    store->used += size;
    return 0;
}

/* A finished store as a Python object that numpy looks into without a copy; the store is empty afterwards. */
PyObject *column_of(PyObject *module, Store *store);

/* An array given by Python: contiguous, of items of one size. */
typedef struct {
    Py_buffer view;
    Py_ssize_t count;
} Given;

int given(PyObject *object, size_t item, int writable, Given *array);  /* 0, or -1 with an exception */
void given_done(Given *array);

/* Numbers to be sorted with what they belong to; spare has room for as many. */
typedef struct {
    double value;
    int64_t item;
} Key;

void sort_keys(Key *keys, Key *spare, int64_t n);

/* Lets other threads run, and hears Ctrl-C: to be called now and then between SAVE and RESTORE of the GIL. */
int interrupted(PyThreadState **saved);

typedef struct {
    PyObject *column_type, *scan_type;
} KernelState;

KernelState *kernel_state(PyObject *module);

extern PyType_Spec column_spec, scan_spec;

/* Areas, bounds and sums of runs: see runs.c. */
typedef struct {
    double area, left, top, right, bottom;
} MaskFigures;
void mask_figures(const uint32_t *runs, size_t count, int64_t height, MaskFigures *figures);

PyObject *kernel_mask_figures(PyObject *module, PyObject *arguments);
PyObject *kernel_common_pixels(PyObject *module, PyObject *arguments);
PyObject *kernel_runs_of_text(PyObject *module, PyObject *arguments);
PyObject *kernel_outline_figures(PyObject *module, PyObject *arguments);
PyObject *kernel_winding(PyObject *module, PyObject *arguments);
PyObject *kernel_common_areas(PyObject *module, PyObject *arguments);
PyObject *kernel_self_crossing(PyObject *module, PyObject *arguments);
PyObject *kernel_bounds(PyObject *module, PyObject *arguments);
PyObject *kernel_box_candidates(PyObject *module, PyObject *arguments);
PyObject *kernel_plain_pairs(PyObject *module, PyObject *arguments);
PyObject *kernel_keypoint_exponents(PyObject *module, PyObject *arguments);
PyObject *kernel_near_skeletons(PyObject *module, PyObject *arguments);
PyObject *kernel_poses(PyObject *module, PyObject *arguments);
PyObject *kernel_overlapping(PyObject *module, PyObject *arguments);

#endif
