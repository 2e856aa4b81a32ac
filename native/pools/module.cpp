// routekit._pools.bind(class, names): a callable that makes instances of a slotted class by filling the named slots.
//
// A frozen dataclass sets every field through object.__setattr__; three of them make up two thirds of the time of a
// pool decision. This writes the slots, whose offsets the member descriptors of the class tell.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <new>
#include <vector>

namespace {

struct Constructor {
  PyObject_HEAD
  vectorcallfunc call;
  PyTypeObject* made;
  std::vector<Py_ssize_t> offsets;
};

PyObject* construct(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
  const auto* constructor = reinterpret_cast<Constructor*>(self);
  const auto n = static_cast<size_t>(PyVectorcall_NARGS(flags));
  if (names != nullptr || n != constructor->offsets.size())
    return PyErr_Format(PyExc_TypeError, "%s takes %zu positional arguments, one for each field",
                        constructor->made->tp_name, constructor->offsets.size());
  PyObject* made = constructor->made->tp_alloc(constructor->made, 0);  // slots are zeroed
  if (made == nullptr) return nullptr;
  for (size_t i = 0; i < n; ++i) {
    Py_INCREF(args[i]);
    *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(made) + constructor->offsets[i]) = args[i];
  }
  return made;
}

void deallocate(PyObject* self) {
  auto* constructor = reinterpret_cast<Constructor*>(self);
  PyTypeObject* type = Py_TYPE(self);
  constructor->offsets.~vector();
  Py_XDECREF(constructor->made);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef constructor_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Constructor, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};
PyType_Slot constructor_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_members, constructor_members},
    {0, nullptr},
};
PyType_Spec constructor_spec = {"routekit._pools.Constructor", sizeof(Constructor), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, constructor_slots};

// Gives the offset of a slot, or -1 with an error unless the class itself defines it as one.
Py_ssize_t slot_offset(PyTypeObject* type, PyObject* name) {
  PyObject* found = PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name);
  if (found == nullptr) return -1;
  Py_ssize_t offset = -1;
  if (Py_TYPE(found) == &PyMemberDescr_Type && PyDescr_TYPE(found) == type) {
    const PyMemberDef* member = reinterpret_cast<PyMemberDescrObject*>(found)->d_member;
    if (member->type == T_OBJECT_EX) offset = member->offset;
  }
  Py_DECREF(found);
  if (offset < 0) PyErr_Format(PyExc_TypeError, "%R is not a slot of %s", name, type->tp_name);
  return offset;
}

// bind(class, names)
PyObject* bind(PyObject* module, PyObject* args) {
  PyObject *type_object, *names;
  if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &type_object, &PyTuple_Type, &names)) return nullptr;
  auto* type = reinterpret_cast<PyTypeObject*>(type_object);
  try {
    std::vector<Py_ssize_t> offsets;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
      const Py_ssize_t offset = slot_offset(type, PyTuple_GET_ITEM(names, i));
      if (offset < 0) return nullptr;
      offsets.push_back(offset);
    }
    auto* constructor_type = *static_cast<PyTypeObject**>(PyModule_GetState(module));
    auto* made = reinterpret_cast<Constructor*>(constructor_type->tp_alloc(constructor_type, 0));
    if (made == nullptr) return nullptr;
    new (&made->offsets) std::vector<Py_ssize_t>(std::move(offsets));
    made->call = construct;
    Py_INCREF(type);
    made->made = type;
    return reinterpret_cast<PyObject*>(made);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
}

PyMethodDef module_methods[] = {
    {"bind", bind, METH_VARARGS, "Make a constructor that fills the named slots of a class."},
    {nullptr, nullptr, 0, nullptr},
};
int module_exec(PyObject* module) {
  auto** state = static_cast<PyTypeObject**>(PyModule_GetState(module));
  *state = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&constructor_spec));
  return *state == nullptr ? -1 : 0;
}
int module_clear(PyObject* module) {
  Py_CLEAR(*static_cast<PyTypeObject**>(PyModule_GetState(module)));
  return 0;
}
PyModuleDef_Slot module_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(module_exec)}, {0, nullptr}};
PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "routekit._pools", "Constructors of slotted values.",
                          sizeof(PyTypeObject*), module_methods, module_slots, nullptr, module_clear, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__pools() { return PyModuleDef_Init(&module_def); }
