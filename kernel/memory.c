/* Growing memory, and arrays that pass between Python and C. */
#include "kernel.h"

int store_reserve(Store *store, size_t more)
{
    if (more > (size_t)PTRDIFF_MAX - store->used)
        return -1;
    size_t least = store->used + more;
    if (least <= store->room)
        return 0;
    size_t room = store->room > (size_t)PTRDIFF_MAX / 2 ? least : store->room * 2;
    if (room < least)
        room = least;
    if (room < 256)
        room = 256;
    char *bytes = realloc(store->bytes, room);
    if (bytes == NULL)
        return -1;
    store->bytes = bytes;
    store->room = room;
    return 0;
}

void store_free(Store *store)
{
    free(store->bytes);
    *store = (Store){0};
}

typedef struct {
    PyObject_HEAD
    char *bytes;
    Py_ssize_t size;
} Column;

PyObject *column_of(PyObject *module, Store *store)
{
    PyTypeObject *type = (PyTypeObject *)kernel_state(module)->column_type;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Column *column = (Column *)allocate(type, 0);
    if (column == NULL)
        return NULL;
    if (store->used) {
        char *fitting = realloc(store->bytes, store->used);
        column->bytes = fitting != NULL ? fitting : store->bytes;
        column->size = (Py_ssize_t)store->used;
    }
    else
        free(store->bytes);
    *store = (Store){0};
    return (PyObject *)column;
}

static void column_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(((Column *)self)->bytes);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static char nothing[1];

static int column_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    Column *column = (Column *)self;
    return PyBuffer_FillInfo(view, self, column->bytes ? column->bytes : nothing, column->size, 0, flags);
}

static PyType_Slot column_slots[] = {
    {Py_tp_doc, "Numbers in memory of the kernel, for numpy.frombuffer."},
    {Py_tp_dealloc, column_dealloc},
    {Py_bf_getbuffer, column_getbuffer},
    {0, NULL},
};

PyType_Spec column_spec = {
    .name = "assay._kernel.Column",
    .basicsize = sizeof(Column),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = column_slots,
};

int given(PyObject *object, size_t item, int writable, Given *array)
{
    int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, &array->view, flags) < 0) {
        array->view.obj = NULL;
        return -1;
    }
    if ((size_t)array->view.itemsize != item || array->view.len % (Py_ssize_t)item) {
        PyErr_SetString(PyExc_TypeError, "an array has items of another size");
        PyBuffer_Release(&array->view);
        array->view.obj = NULL;
        return -1;
    }
    array->count = array->view.len / (Py_ssize_t)item;
    return 0;
}

void given_done(Given *array)
{
    if (array->view.obj != NULL)
        PyBuffer_Release(&array->view);
}

/* By value, those with equal values in the order in which they are. */
void sort_keys(Key *keys, Key *spare, int64_t n)
{
    enum { FEW = 12 };
    for (int64_t begin = 0; begin < n; begin += FEW) {
        int64_t end = begin + FEW < n ? begin + FEW : n;
        for (int64_t i = begin + 1; i < end; i++) {
            Key key = keys[i];
            int64_t j = i;
            for (; j > begin && keys[j - 1].value > key.value; j--)
                keys[j] = keys[j - 1];
            keys[j] = key;
        }
    }
    for (int64_t width = FEW; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            int64_t middle = begin + width < n ? begin + width : n;
            int64_t end = begin + 2 * width < n ? begin + 2 * width : n;
            if (middle == end || keys[middle - 1].value <= keys[middle].value)
                continue;
            int64_t i = begin, j = middle, k = begin;
            memcpy(spare + begin, keys + begin, (size_t)(middle - begin) * sizeof(Key));
            while (i < middle && j < end)
                keys[k++] = keys[j].value < spare[i].value ? keys[j++] : spare[i++];
            while (i < middle)
                keys[k++] = spare[i++];
        }
    }
}

int interrupted(PyThreadState **saved)
{
    PyEval_RestoreThread(*saved);
    int stop = PyErr_CheckSignals();
    *saved = PyEval_SaveThread();
    return stop;
}
