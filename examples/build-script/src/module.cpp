#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern "C" int scale(int n, float a, float *x);

// scale(a, x): one float on the GPU.
static PyObject *py_scale(PyObject *, PyObject *args) {
    float a, x;
    if (!PyArg_ParseTuple(args, "ff", &a, &x)) return nullptr;
    if (scale(1, a, &x)) {
        PyErr_SetString(PyExc_RuntimeError, "the GPU said no");
        return nullptr;
    }
    return PyFloat_FromDouble(x);
}

static PyMethodDef methods[] = {{"scale", py_scale, METH_VARARGS, "a * x, on the GPU"}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "scaling", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit_scaling() { return PyModule_Create(&module); }
