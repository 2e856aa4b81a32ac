// routekit._json: the Python face of the scanner.
//   Table(grammar)                                              a compiled grammar
//   Table.scanner(capture, max_bytes, max_depth, max_segments)  a scanner for one body, as routekit.jsonscan.PythonScanner
#include <memory>
#include <new>

#include "scanner.hpp"

namespace routekit {
namespace {

struct TableObject {
  PyObject_HEAD
  Table* table;
  PyTypeObject* scanner_type;
};

struct ScannerObject {
  PyObject_HEAD
  Scanner* scanner;
  PyObject* table;
  bool is_busy;    // guards against a capture that feeds the scanner it serves, and against two threads
  bool has_failed;
};

ScannerObject* as_scanner(PyObject* self) { return reinterpret_cast<ScannerObject*>(self); }
TableObject* as_table(PyObject* self) { return reinterpret_cast<TableObject*>(self); }

// Runs what may throw, and gives `failure` with a Python exception set when it does.
template <class Result, class Body>
Result guarded(Result failure, Body body) {
  try {
    return body();
  } catch (const Raised&) {
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return failure;
}

// ---- Scanner

PyObject* run(ScannerObject* self, const Byte* data, Py_ssize_t size, bool is_end) {
  if (self->is_busy || self->has_failed) {
    PyErr_SetString(PyExc_RuntimeError, self->is_busy ? "the scanner is in use" : "the scanner has failed before");
    return nullptr;
  }
  self->is_busy = true;
  PyObject* result = guarded<PyObject*>(nullptr, [&] {
    if (is_end) {
      self->scanner->finish();
      return Py_NewRef(Py_None);
    }
    self->scanner->feed(data, size);
    return self->scanner->walk.take_events();
  });
  self->is_busy = false;
  self->has_failed = result == nullptr;
  return result;
}

PyObject* scanner_feed(PyObject* object, PyObject* chunk) {
  auto* self = as_scanner(object);
  if (PyBytes_CheckExact(chunk)) {
    return run(self, reinterpret_cast<const Byte*>(PyBytes_AS_STRING(chunk)), PyBytes_GET_SIZE(chunk), false);
  }
  Py_buffer view;
  if (PyObject_GetBuffer(chunk, &view, PyBUF_SIMPLE) < 0) return nullptr;
  PyObject* result = run(self, static_cast<const Byte*>(view.buf), view.len, false);
  PyBuffer_Release(&view);
  return result;
}

PyObject* scanner_finish(PyObject* object, PyObject*) { return run(as_scanner(object), nullptr, 0, true); }

PyObject* scanner_view(PyObject* object, PyObject* const* args, Py_ssize_t n_args) {
  auto* self = as_scanner(object);
  if (n_args != 5) {
    PyErr_SetString(PyExc_TypeError, "view() takes dialect, model, stream, tools and max_output_tokens");
    return nullptr;
  }
  if (self->is_busy || self->has_failed || !self->scanner->complete()) {
    PyErr_SetString(PyExc_RuntimeError, "view() comes after a complete body");
    return nullptr;
  }
  return guarded<PyObject*>(nullptr,
                            [&] { return self->scanner->walk.view(args[0], args[1], args[2], args[3], args[4]); });
}

PyObject* scanner_seen(PyObject* object, void*) {
  return guarded<PyObject*>(nullptr, [&] { return as_scanner(object)->scanner->walk.seen(); });
}

PyObject* scanner_model_span(PyObject* object, void*) {
  const Walk& walk = as_scanner(object)->scanner->walk;
  if (walk.model_start < 0) Py_RETURN_NONE;
  return Py_BuildValue("(nn)", walk.model_start, walk.model_end);
}

PyObject* scanner_first_brace(PyObject* object, void*) {
  return PyLong_FromSsize_t(as_scanner(object)->scanner->first_brace);
}

PyObject* scanner_complete(PyObject* object, void*) { return PyBool_FromLong(as_scanner(object)->scanner->complete()); }

PyObject* scanner_is_blank(PyObject* object, void*) { return PyBool_FromLong(as_scanner(object)->scanner->is_blank); }

int scanner_traverse(PyObject* object, visitproc visit, void* arg) {
  auto* self = as_scanner(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->table);
  if (self->scanner != nullptr) Py_VISIT(self->scanner->walk.capture());
  return 0;
}

void scanner_dealloc(PyObject* object) {
  auto* self = as_scanner(object);
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  delete self->scanner;
  Py_XDECREF(self->table);
  type->tp_free(object);
  Py_DECREF(type);
}

PyMethodDef scanner_methods[] = {
    {"feed", scanner_feed, METH_O, "feed(chunk) -> tuple of events"},
    {"finish", scanner_finish, METH_NOARGS, "finish() -> None, or raises when the body is incomplete"},
    {"view", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(scanner_view)), METH_FASTCALL,
     "view(dialect, model, stream, tools, max_output_tokens) -> RequestView of the complete body"},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef scanner_properties[] = {{"seen", scanner_seen, nullptr, nullptr, nullptr},
                                    {"model_span", scanner_model_span, nullptr, nullptr, nullptr},
                                    {"first_brace", scanner_first_brace, nullptr, nullptr, nullptr},
                                    {"complete", scanner_complete, nullptr, nullptr, nullptr},
                                    {"is_blank", scanner_is_blank, nullptr, nullptr, nullptr},
                                    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot scanner_slots[] = {
    {Py_tp_doc, const_cast<char*>("Reads one request body; made by Table.scanner(). Not for two threads at once.")},
    {Py_tp_methods, scanner_methods},
    {Py_tp_getset, scanner_properties},
    {Py_tp_traverse, reinterpret_cast<void*>(scanner_traverse)},
    {Py_tp_dealloc, reinterpret_cast<void*>(scanner_dealloc)},
    {0, nullptr}};

PyType_Spec scanner_spec = {"routekit._json.Scanner", sizeof(ScannerObject), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, scanner_slots};

// ---- Table

PyObject* table_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  PyObject* grammar = nullptr;
  static const char* names[] = {"grammar", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Table", const_cast<char**>(names), &grammar)) return nullptr;
  return guarded<PyObject*>(nullptr, [&] {
    auto table = std::make_unique<Table>(grammar);
    const Ref module = Ref::take(PyImport_ImportModule("routekit._json"));
    Ref scanner_type = Ref::take(PyObject_GetAttrString(module.get(), "Scanner"));
    Ref self = Ref::take(type->tp_alloc(type, 0));
    as_table(self.get())->table = table.release();
    as_table(self.get())->scanner_type = reinterpret_cast<PyTypeObject*>(scanner_type.release());
    return self.release();
  });
}

PyObject* table_scanner(PyObject* object, PyObject* args) {
  PyObject* capture = nullptr;
  Py_ssize_t max_bytes = 0, max_depth = 0, max_segments = 0;
  if (!PyArg_ParseTuple(args, "Onnn:scanner", &capture, &max_bytes, &max_depth, &max_segments)) return nullptr;
  if (max_bytes < 1 || max_depth < 1 || max_segments < 1) {
    PyErr_SetString(PyExc_ValueError, "the limits must be at least 1");
    return nullptr;
  }
  return guarded<PyObject*>(nullptr, [&] {
    PyTypeObject* type = as_table(object)->scanner_type;
    auto scanner = std::make_unique<Scanner>(*as_table(object)->table, capture, max_bytes, max_depth, max_segments);
    Ref self = Ref::take(type->tp_alloc(type, 0));
    as_scanner(self.get())->scanner = scanner.release();
    as_scanner(self.get())->table = Py_NewRef(object);
    return self.release();
  });
}

void table_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  delete as_table(object)->table;
  Py_XDECREF(reinterpret_cast<PyObject*>(as_table(object)->scanner_type));
  type->tp_free(object);
  Py_DECREF(type);
}

PyMethodDef table_methods[] = {
    {"scanner", table_scanner, METH_VARARGS, "scanner(capture, max_bytes, max_depth, max_segments) -> Scanner"},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot table_slots[] = {{Py_tp_doc, const_cast<char*>("A compiled routekit.grammar.Grammar; immutable, thread-safe.")},
                             {Py_tp_new, reinterpret_cast<void*>(table_new)},
                             {Py_tp_methods, table_methods},
                             {Py_tp_dealloc, reinterpret_cast<void*>(table_dealloc)},
                             {0, nullptr}};

PyType_Spec table_spec = {"routekit._json.Table", sizeof(TableObject), 0, Py_TPFLAGS_DEFAULT, table_slots};

// ---- Module

int module_exec(PyObject* module) {
  return guarded(-1, [&] {
    vocabulary().load();
    for (PyType_Spec* spec : {&scanner_spec, &table_spec}) {
      const Ref type = Ref::take(PyType_FromSpec(spec));
      if (PyModule_AddType(module, reinterpret_cast<PyTypeObject*>(type.get())) < 0) throw Raised{};
    }
    return 0;
  });
}

PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(module_exec)},
#if PY_VERSION_HEX >= 0x030C0000
                                   // The vocabulary belongs to the first interpreter.
                                   {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
                                   {0, nullptr}};

PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "routekit._json", "Incremental scanner of request bodies.", 0,
                          nullptr, module_slots, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace routekit

PyMODINIT_FUNC PyInit__json() { return PyModuleDef_Init(&routekit::module_def); }
