// routekit._sim: fifo() and batch(), over buffers of int64. Everything is checked in routekit/sim before it comes here;
// sizes are checked again. The interpreter lock is released while they run.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <new>
#include <queue>
#include <vector>

#include "batch_server.h"

namespace {

using routekit::sim::BatchServer;
using routekit::sim::Profile;
using routekit::sim::Request;

// A buffer of int64, held for as long as it is read or written.
class Int64s {
 public:
  Int64s() = default;
  Int64s(const Int64s&) = delete;
  ~Int64s() {
    if (view_.obj) PyBuffer_Release(&view_);
  }
  bool take(PyObject* object, bool writable) {
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, &view_, flags) < 0) return false;
    if (view_.len % static_cast<Py_ssize_t>(sizeof(int64_t)) == 0) return true;
    PyErr_SetString(PyExc_ValueError, "buffers must hold int64");
    return false;
  }
  Py_ssize_t size() const { return view_.len / static_cast<Py_ssize_t>(sizeof(int64_t)); }
  int64_t& operator[](Py_ssize_t i) const { return static_cast<int64_t*>(view_.buf)[i]; }

 private:
  Py_buffer view_{};
};

bool same_size(const Int64s& first, const Int64s& second) {
  if (first.size() == second.size()) return true;
  PyErr_SetString(PyExc_ValueError, "buffers must be of one length");
  return false;
}

// The server that is free first takes the next request.
void run_fifo(const Int64s& arrivals, const Int64s& services, const Int64s& starts, std::vector<int64_t> free_at) {
  const auto n_servers = free_at.size();
  for (Py_ssize_t i = 0; i < arrivals.size(); ++i) {
    const int64_t start = std::max(arrivals[i], free_at[0]);
    starts[i] = start;
    // Replaces the top of the binary heap and lets it sink.
    const int64_t end = start + services[i];
    size_t at = 0;
    for (size_t child = 1; child < n_servers; child = 2 * at + 1) {
      if (child + 1 < n_servers && free_at[child + 1] < free_at[child]) ++child;
      if (free_at[child] >= end) break;
      free_at[at] = free_at[child];
      at = child;
    }
    free_at[at] = end;
  }
}

// fifo(arrivals, services, starts, n_servers)
PyObject* fifo(PyObject*, PyObject* args) {
  PyObject *arrivals_object, *services_object, *starts_object;
  Py_ssize_t n_servers;
  if (!PyArg_ParseTuple(args, "OOOn", &arrivals_object, &services_object, &starts_object, &n_servers)) return nullptr;
  Int64s arrivals, services, starts;
  if (!arrivals.take(arrivals_object, false) || !services.take(services_object, false) ||
      !starts.take(starts_object, true) || !same_size(arrivals, services) || !same_size(arrivals, starts))
    return nullptr;
  if (n_servers < 1) return PyErr_Format(PyExc_ValueError, "n_servers must be at least 1");
  try {
    std::vector<int64_t> free_at(static_cast<size_t>(n_servers), INT64_MIN);
    Py_BEGIN_ALLOW_THREADS;
    run_fifo(arrivals, services, starts, std::move(free_at));
    Py_END_ALLOW_THREADS;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  Py_RETURN_NONE;
}

struct Boundary {
  int64_t at_ps;
  int32_t server;
  bool operator>(const Boundary& other) const {
    return at_ps != other.at_ps ? at_ps > other.at_ps : server > other.server;
  }
};

// Servers behind one dispatcher: each request goes to the one with the fewest outstanding, or in turn.
class Pool {
 public:
  Pool(const Profile& profile, int64_t n_servers, int64_t max_waiting, bool in_turn, std::vector<Request>& requests)
      : max_waiting_(max_waiting), in_turn_(in_turn), outstanding_(n_servers, 0) {
    servers_.reserve(n_servers);
    for (int64_t i = 0; i < n_servers; ++i) servers_.emplace_back(profile, requests);
  }

  // Gives the server, or -1 when it turned the request away.
  int64_t arrive(int32_t id, int64_t now_ps) {
    pass_until(now_ps);
    const auto server = choose();
    if (max_waiting_ > 0 && servers_[server].n_waiting() >= max_waiting_) return -1;
    const int64_t before_ps = servers_[server].idle() ? -1 : servers_[server].next_boundary_ps();
    servers_[server].arrive(id, now_ps);
    ++outstanding_[server];
    if (servers_[server].next_boundary_ps() != before_ps) plan(server);
    return server;
  }

  // Passes all boundaries up to a time, which come before an arrival at that time.
  void pass_until(int64_t now_ps) {
    while (!boundaries_.empty() && boundaries_.top().at_ps <= now_ps) {
      const Boundary boundary = boundaries_.top();
      boundaries_.pop();
      BatchServer& server = servers_[boundary.server];
      if (server.idle() || server.next_boundary_ps() != boundary.at_ps) continue;  // the run was cut since
      server.pass_boundary();
      outstanding_[boundary.server] = static_cast<int32_t>(server.n_outstanding());
      if (!server.idle()) plan(boundary.server);
    }
  }

  const std::vector<BatchServer>& servers() const { return servers_; }

 private:
  int32_t choose() {
    if (in_turn_) return static_cast<int32_t>(next_++ % servers_.size());
    return static_cast<int32_t>(std::min_element(outstanding_.begin(), outstanding_.end()) - outstanding_.begin());
  }
  void plan(int32_t server) { boundaries_.push({servers_[server].next_boundary_ps(), server}); }

  int64_t max_waiting_;
  bool in_turn_;
  size_t next_ = 0;
  std::vector<BatchServer> servers_;
  std::vector<int32_t> outstanding_;
  std::priority_queue<Boundary, std::vector<Boundary>, std::greater<Boundary>> boundaries_;
};

// Columns of the result, in the order in which the caller gives them.
enum Column { kAdmitted, kFirst, kEnd, kServed, kPreempted, kServer, kColumns };

void run_batch(Pool& pool, const Int64s& arrivals, std::vector<Request>& requests, const Int64s& out) {
  const Py_ssize_t n = arrivals.size();
  for (Py_ssize_t i = 0; i < n; ++i) out[i * kColumns + kServer] = pool.arrive(static_cast<int32_t>(i), arrivals[i]);
  pool.pass_until(INT64_MAX);
  for (Py_ssize_t i = 0; i < n; ++i) {
    const Request& request = requests[i];
    int64_t* row = &out[i * kColumns];
    row[kAdmitted] = request.admitted_ps;
    row[kFirst] = request.first_ps;
    row[kEnd] = request.end_ps;
    row[kServed] = request.served_ps;
    row[kPreempted] = request.n_preempted;
  }
}

// batch(arrivals, prompts, outputs, out of n x 6, servers out of n_servers x 2, n_servers, max_waiting, in_turn,
//       (base_ps, per_token_ps, chunk_tokens, block_tokens, n_blocks, slots))
PyObject* batch(PyObject*, PyObject* args) {
  PyObject *arrivals_object, *prompts_object, *outputs_object, *out_object, *servers_object;
  long long n_servers, max_waiting;
  int in_turn;
  long long p[6];
  if (!PyArg_ParseTuple(args, "OOOOOLLp(LLLLLL)", &arrivals_object, &prompts_object, &outputs_object, &out_object,
                        &servers_object, &n_servers, &max_waiting, &in_turn, p, p + 1, p + 2, p + 3, p + 4, p + 5))
    return nullptr;
  Int64s arrivals, prompts, outputs, out, servers;
  if (!arrivals.take(arrivals_object, false) || !prompts.take(prompts_object, false) ||
      !outputs.take(outputs_object, false) || !out.take(out_object, true) || !servers.take(servers_object, true) ||
      !same_size(arrivals, prompts) || !same_size(arrivals, outputs))
    return nullptr;
  const bool sizes = out.size() == arrivals.size() * kColumns && n_servers > 0 && servers.size() == 2 * n_servers;
  if (!sizes || arrivals.size() > INT32_MAX || *std::min_element(p, p + 6) < 1)
    return PyErr_Format(PyExc_ValueError, "sizes of the result or numbers of the profile are out of range");
  const Profile profile{p[0], p[1], p[2], p[3], p[4], p[5]};
  for (Py_ssize_t i = 0; i < arrivals.size(); ++i) {
    const int64_t most = profile.n_blocks * profile.block_tokens;
    if (prompts[i] < 1 || outputs[i] < 1 || prompts[i] > most || outputs[i] > most - prompts[i])
      return PyErr_Format(PyExc_ValueError, "request %zd does not fit into a server", i);
  }
  try {
    Py_BEGIN_ALLOW_THREADS;
    try {
      std::vector<Request> requests(static_cast<size_t>(arrivals.size()));
      for (Py_ssize_t i = 0; i < arrivals.size(); ++i) {
        requests[i].prompt = prompts[i];
        requests[i].output = outputs[i];
      }
      Pool pool(profile, n_servers, max_waiting, in_turn != 0, requests);
      run_batch(pool, arrivals, requests, out);
      for (long long i = 0; i < n_servers; ++i) {
        servers[2 * i] = pool.servers()[i].busy_ps();
        servers[2 * i + 1] = pool.servers()[i].n_iterations();
      }
    } catch (...) {
      Py_BLOCK_THREADS;
      throw;
    }
    Py_END_ALLOW_THREADS;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  Py_RETURN_NONE;
}

PyMethodDef kMethods[] = {
    {"fifo", fifo, METH_VARARGS, "Serve requests in order of arrival by servers that take one at a time."},
    {"batch", batch, METH_VARARGS, "Serve requests by servers that batch continuously."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef kModule = {PyModuleDef_HEAD_INIT, "routekit._sim", "Event loops of routekit.sim, compiled.", -1, kMethods,
                       nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__sim() { return PyModule_Create(&kModule); }
