// One server that batches continuously: the rules of routekit/sim/plain.py, run from event to event instead of from
// iteration to iteration. Between events every decoding sequence grows by one token an iteration, so the time and the
// blocks that k iterations take have closed forms. All times are integer picoseconds: results are exact.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace routekit::sim {

struct Profile {
  int64_t base_ps;       // of an iteration
  int64_t per_token_ps;  // of an iteration, for each token held
  int64_t chunk_tokens;  // prompt tokens of a sequence in one iteration
  int64_t block_tokens;
  int64_t n_blocks;
  int64_t slots;
};

// A request: what is asked, and what became of it.
struct Request {
  int64_t prompt = 0, output = 0;
  int64_t admitted_ps = -1, first_ps = -1, end_ps = -1, served_ps = 0;
  int64_t n_preempted = 0;
  // While it runs:
  int64_t generated = 0;     // tokens before this admission
  int64_t since_ps = 0;      // of this admission
  int64_t decode_step = 0;   // first step in which it decodes
  int32_t epoch = 0;         // admissions so far; marks events of earlier ones as stale
  bool running = false;
};

class BatchServer {
 public:
  BatchServer(const Profile& profile, std::vector<Request>& requests);

  // Takes a request at a time no earlier than the last; boundaries up to then were passed.
  void arrive(int32_t id, int64_t now_ps);
  // Passes the boundary at which the planned run ends.
  void pass_boundary();

  bool idle() const { return n_running_ == 0; }
  int64_t next_boundary_ps() const { return run_end_ps_; }
  int64_t n_waiting() const { return static_cast<int64_t>(waiting_.size()); }
  int64_t n_outstanding() const { return n_running_ + n_waiting(); }
  int64_t busy_ps() const { return busy_ps_; }
  int64_t n_iterations() const { return step_; }

 private:
  struct Event {
    int64_t step;
    int32_t id;
    int32_t epoch;
    bool completes;  // else the prompt is read
    bool operator>(const Event& other) const { return step > other.step; }
  };

  int64_t blocks_of(int64_t tokens) const { return (tokens + profile_.block_tokens - 1) / profile_.block_tokens; }
  int64_t tokens_held(const Request& request) const;
  bool is_decoding(const Request& request) const { return step_ >= request.decode_step; }
  // Sequences that need a block in the iteration `steps` from now.
  int64_t growth(int64_t steps) const;
  int64_t growth_until(int64_t steps) const;
  int64_t affordable_steps(int64_t wanted) const;
  int64_t run_ps(int64_t steps) const;

  void start(int64_t now_ps);
  void advance();
  void settle_events();
  void complete(Request& request);
  bool preempt_for_growth();
  void preempt_latest();
  void admit(int64_t now_ps);
  bool admits_head() const;
  void release(Request& request);

  Profile profile_;
  std::vector<Request>& requests_;
  std::deque<int32_t> waiting_;
  std::vector<std::pair<int32_t, int32_t>> admissions_;  // id and epoch, latest last; stale ones are skipped
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
  std::vector<int32_t> await_first_;
  std::vector<int64_t> phase_counts_;  // decoding sequences by (tokens - step) modulo the block

  int64_t step_ = 0, n_running_ = 0, n_decoding_ = 0, tokens_ = 0, free_blocks_;
  int64_t run_start_ps_ = 0, run_end_ps_ = 0, run_steps_ = 0, busy_ps_ = 0;
};

}  // namespace routekit::sim
