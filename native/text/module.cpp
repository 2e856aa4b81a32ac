// routekit._text: sentence_starts() and Vocabulary. Results are bytes of native integers, for numpy.frombuffer.
#include <Python.h>

#include <new>

#include "sentences.h"
#include "vocabulary.h"

namespace {

using routekit::kTableSize;
using routekit::Splitter;
using routekit::TermCounts;
using routekit::Vocabulary;
using routekit::WordSets;

template <class T>
PyObject* to_bytes(const std::vector<T>& values) {
    return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(values.data()),
                                     static_cast<Py_ssize_t>(values.size() * sizeof(T)));
}

bool is_table(PyObject* table) {
    if (PyBytes_GET_SIZE(table) == static_cast<Py_ssize_t>(kTableSize)) return true;
    PyErr_Format(PyExc_ValueError, "kind table of %zd bytes; allowed: %u", PyBytes_GET_SIZE(table), kTableSize);
    return false;
}

template <class Char>
PyObject* split(PyObject* text, const std::uint8_t* table, const WordSets& words) {
    Splitter<Char> splitter(text, table, words);
    return splitter.run() ? to_bytes(splitter.starts) : nullptr;
}

// sentence_starts(text, kind_table, (binding, numeric, open, starters, months)) -> bytes of int64
PyObject* sentence_starts(PyObject*, PyObject* args) {
    PyObject *text, *table;
    WordSets words;
    if (!PyArg_ParseTuple(args, "US(O!O!O!O!O!)", &text, &table, &PyFrozenSet_Type, &words.binding, &PyFrozenSet_Type,
                          &words.numeric, &PyFrozenSet_Type, &words.open, &PyFrozenSet_Type, &words.starters,
                          &PyFrozenSet_Type, &words.months) ||
        !is_table(table))
        return nullptr;
    if (PyUnicode_GET_LENGTH(text) == 0) return PyBytes_FromStringAndSize(nullptr, 0);
    const auto* kinds = reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(table));
    try {
        switch (PyUnicode_KIND(text)) {
            case PyUnicode_1BYTE_KIND: return split<Py_UCS1>(text, kinds, words);
            case PyUnicode_2BYTE_KIND: return split<Py_UCS2>(text, kinds, words);
            default: return split<Py_UCS4>(text, kinds, words);
        }
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
}

struct VocabularyObject {
    PyObject_HEAD
    Vocabulary* vocabulary;
};

PyObject* vocabulary_new(PyTypeObject* type, PyObject*, PyObject*) {
    // The interpreter's own secret: the hash of a string, random in every process unless PYTHONHASHSEED says otherwise.
    PyObject* name = PyUnicode_FromString("routekit._text.Vocabulary");
    if (!name) return nullptr;
    const auto seed = static_cast<std::uint64_t>(PyObject_Hash(name));
    Py_DECREF(name);
    auto* self = reinterpret_cast<VocabularyObject*>(type->tp_alloc(type, 0));
    if (!self) return nullptr;
    try {
        self->vocabulary = new Vocabulary(seed);
    } catch (const std::bad_alloc&) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return reinterpret_cast<PyObject*>(self);
}

void vocabulary_dealloc(PyObject* self) {
    delete reinterpret_cast<VocabularyObject*>(self)->vocabulary;
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

Py_ssize_t vocabulary_length(PyObject* self) {
    return static_cast<Py_ssize_t>(reinterpret_cast<VocabularyObject*>(self)->vocabulary->size());
}

template <class Char>
bool add_units(Vocabulary& vocabulary, PyObject* text, const std::uint8_t* table, const std::int64_t* starts,
               Py_ssize_t n_units, Py_ssize_t end, TermCounts& out) {
    const auto* characters = static_cast<const Char*>(PyUnicode_DATA(text));
    for (Py_ssize_t unit = 0; unit < n_units; ++unit) {
        const Py_ssize_t a = starts[unit], b = unit + 1 < n_units ? starts[unit + 1] : end;
        if (a < 0 || b < a || b > PyUnicode_GET_LENGTH(text)) return false;
        vocabulary.add_unit(characters, a, b, table, out);
    }
    return true;
}

bool add_to(Vocabulary& vocabulary, PyObject* text, PyObject* table, const Py_buffer& starts, Py_ssize_t end,
            TermCounts& out) {
    const auto* kinds = reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(table));
    const auto* first = static_cast<const std::int64_t*>(starts.buf);
    const auto n_units = static_cast<Py_ssize_t>(starts.len / static_cast<Py_ssize_t>(sizeof(std::int64_t)));
    switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: return add_units<Py_UCS1>(vocabulary, text, kinds, first, n_units, end, out);
        case PyUnicode_2BYTE_KIND: return add_units<Py_UCS2>(vocabulary, text, kinds, first, n_units, end, out);
        default: return add_units<Py_UCS4>(vocabulary, text, kinds, first, n_units, end, out);
    }
}

// add(text, kind_table, starts as int64 buffer, end) -> (sizes int64, terms int32, counts int32), as bytes
PyObject* vocabulary_add(PyObject* self, PyObject* args) {
    PyObject *text, *table;
    Py_buffer starts;
    Py_ssize_t end;
    if (!PyArg_ParseTuple(args, "USy*n", &text, &table, &starts, &end)) return nullptr;
    PyObject* result = nullptr;
    TermCounts out;
    try {
        if (is_table(table)) {
            if (add_to(*reinterpret_cast<VocabularyObject*>(self)->vocabulary, text, table, starts, end, out))
                result = Py_BuildValue("(NNN)", to_bytes(out.sizes), to_bytes(out.terms), to_bytes(out.counts));
            else
                PyErr_SetString(PyExc_ValueError, "starts must ascend within the text");
        }
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    }
    PyBuffer_Release(&starts);
    return result;
}

PyMethodDef kVocabularyMethods[] = {
    {"add", vocabulary_add, METH_VARARGS, "Count the terms of more units."},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot kVocabularySlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(vocabulary_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(vocabulary_dealloc)},
    {Py_sq_length, reinterpret_cast<void*>(vocabulary_length)},
    {Py_tp_methods, kVocabularyMethods},
    {0, nullptr},
};
PyType_Spec kVocabularySpec = {"routekit._text.Vocabulary", sizeof(VocabularyObject), 0, Py_TPFLAGS_DEFAULT,
                               kVocabularySlots};

PyMethodDef kMethods[] = {
    {"sentence_starts", sentence_starts, METH_VARARGS, "Return where sentences begin, as bytes of int64."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "routekit._text", "Sentences and terms, compiled.", -1, kMethods,
                       nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__text() {
    PyObject* module = PyModule_Create(&kModule);
    PyObject* type = module ? PyType_FromSpec(&kVocabularySpec) : nullptr;
    if (!type || PyModule_AddObject(module, "Vocabulary", type) < 0) {
        Py_XDECREF(type);
        Py_XDECREF(module);
        return nullptr;
    }
    return module;
}
