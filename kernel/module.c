/* assay._kernel: what Python sees of it. _kernel.pyi has the signatures. */
#include "kernel.h"

KernelState *kernel_state(PyObject *module)
{
    return (KernelState *)PyModule_GetState(module);
}

static PyMethodDef methods[] = {
    {"mask_figures", kernel_mask_figures, METH_VARARGS, "Area and bounds of masks."},
    {"common_pixels", kernel_common_pixels, METH_VARARGS, "The pixels that pairs of masks share."},
    {"runs_of_text", kernel_runs_of_text, METH_VARARGS, "The runs in COCO's compressed text; None when it is odd."},
    {"outline_figures", kernel_outline_figures, METH_VARARGS, "Edges, area and extent of outlines."},
    {"winding", kernel_winding, METH_VARARGS, "The area of each outline with itself."},
    {"common_areas", kernel_common_areas, METH_VARARGS, "The area that pairs of outlines share."},
    {"self_crossing", kernel_self_crossing, METH_VARARGS, "Which rings cross or touch themselves."},
    {"bounds", kernel_bounds, METH_VARARGS, "Bounds of outlines."},
    {"box_candidates", kernel_box_candidates, METH_VARARGS, "Pairs of rectangles with their IoU."},
    {"plain_pairs", kernel_plain_pairs, METH_VARARGS, "Pairs that are in every optimal choice."},
    {"keypoint_exponents", kernel_keypoint_exponents, METH_VARARGS, "Exponents of OKS."},
    {"near_skeletons", kernel_near_skeletons, METH_VARARGS, "Pairs of skeletons that may be alike."},
    {"poses", kernel_poses, METH_VARARGS, "Bounds of skeletons."},
    {"overlapping", kernel_overlapping, METH_VARARGS, "Pairs of rectangles of one group that share area."},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    KernelState *state = kernel_state(module);
    state->column_type = PyType_FromModuleAndSpec(module, &column_spec, NULL);
    state->scan_type = PyType_FromModuleAndSpec(module, &scan_spec, NULL);
    if (state->column_type == NULL || state->scan_type == NULL)
        return -1;
    return PyModule_AddObjectRef(module, "Scan", state->scan_type);
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    KernelState *state = kernel_state(module);
    Py_VISIT(state->column_type);
    Py_VISIT(state->scan_type);
    return 0;
}

static int clear(PyObject *module)
{
    KernelState *state = kernel_state(module);
    Py_CLEAR(state->column_type);
    Py_CLEAR(state->scan_type);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "assay._kernel",
    .m_doc = "Reads and compares annotations without Python objects.",
    .m_size = sizeof(KernelState),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
