#include "batch_server.h"

#include <algorithm>

namespace routekit::sim {

namespace {
int64_t modulo(int64_t value, int64_t divisor) {
  const int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}
}  // namespace

BatchServer::BatchServer(const Profile& profile, std::vector<Request>& requests)
    : profile_(profile), requests_(requests), phase_counts_(profile.block_tokens, 0), free_blocks_(profile.n_blocks) {}

void BatchServer::arrive(int32_t id, int64_t now_ps) {
  const bool may_join = waiting_.empty() && n_running_ < profile_.slots;
  waiting_.push_back(id);
  if (idle()) {
    start(now_ps);
  } else if (may_join) {
    // It can join at the first boundary after its arrival: the run ends there.
    int64_t low = 1, high = run_steps_;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (run_start_ps_ + run_ps(middle) > now_ps) high = middle;
      else low = middle + 1;
    }
    run_steps_ = low;
    run_end_ps_ = run_start_ps_ + run_ps(low);
  }
}

void BatchServer::pass_boundary() {
  advance();
  settle_events();
  start(run_end_ps_);
}

// Ends a boundary: preempts, admits, and plans the run up to the next event.
void BatchServer::start(int64_t now_ps) {
  const bool preempted = preempt_for_growth();
  if (!preempted) admit(now_ps);
  run_start_ps_ = now_ps;
  if (idle()) return;
  if (!await_first_.empty()) {
    const int64_t first_ps = now_ps + run_ps(1);
    for (const int32_t id : await_first_) {
      Request& request = requests_[id];
      if (request.running && request.first_ps < 0) request.first_ps = first_ps;
    }
    await_first_.clear();
  }
  while (requests_[events_.top().id].epoch != events_.top().epoch) events_.pop();
  const int64_t until_event = events_.top().step - step_;
  run_steps_ = preempted ? 1 : affordable_steps(until_event);
  run_end_ps_ = now_ps + run_ps(run_steps_);
}

void BatchServer::advance() {
  free_blocks_ -= growth_until(run_steps_);
  tokens_ += run_steps_ * n_decoding_;
  step_ += run_steps_;
  busy_ps_ += run_end_ps_ - run_start_ps_;
}

void BatchServer::settle_events() {
  while (!events_.empty() && events_.top().step == step_) {
    const Event event = events_.top();
    events_.pop();
    Request& request = requests_[event.id];
    if (request.epoch != event.epoch) continue;
    if (event.completes) {
      complete(request);
    } else {
      ++n_decoding_;
      ++phase_counts_[modulo(request.prompt + request.generated - step_, profile_.block_tokens)];
      if (request.first_ps < 0) await_first_.push_back(event.id);
    }
  }
}

void BatchServer::complete(Request& request) {
  release(request);
  request.end_ps = run_end_ps_;
  request.served_ps += run_end_ps_ - request.since_ps;
}

// Takes a sequence out of the batch, with its blocks.
void BatchServer::release(Request& request) {
  const int64_t held = tokens_held(request);
  free_blocks_ += blocks_of(held);
  tokens_ -= held;
  if (is_decoding(request)) {
    --n_decoding_;
    --phase_counts_[modulo(held - step_, profile_.block_tokens)];
  }
  --n_running_;
  request.running = false;
  ++request.epoch;
}

int64_t BatchServer::tokens_held(const Request& request) const {
  const int64_t decoded = is_decoding(request) ? step_ - request.decode_step : 0;
  return request.prompt + request.generated + decoded;
}

bool BatchServer::preempt_for_growth() {
  bool preempted = false;
  while (growth(0) > free_blocks_) {
    preempt_latest();
    preempted = true;
  }
  return preempted;
}

void BatchServer::preempt_latest() {
  while (requests_[admissions_.back().first].epoch != admissions_.back().second) admissions_.pop_back();
  const int32_t id = admissions_.back().first;
  admissions_.pop_back();
  Request& request = requests_[id];
  const int64_t held = tokens_held(request);
  release(request);
  request.generated = held - request.prompt;
  request.served_ps += run_end_ps_ - request.since_ps;
  ++request.n_preempted;
  waiting_.push_front(id);
}

bool BatchServer::admits_head() const {
  if (waiting_.empty() || n_running_ >= profile_.slots) return false;
  const Request& head = requests_[waiting_.front()];
  return blocks_of(head.prompt + head.generated) <= free_blocks_ - growth(0);
}

void BatchServer::admit(int64_t now_ps) {
  while (admits_head()) {
    const int32_t id = waiting_.front();
    waiting_.pop_front();
    Request& request = requests_[id];
    const int64_t held = request.prompt + request.generated;
    free_blocks_ -= blocks_of(held);
    tokens_ += held;
    ++n_running_;
    request.running = true;
    request.since_ps = now_ps;
    if (request.admitted_ps < 0) request.admitted_ps = now_ps;
    request.decode_step = step_ + (held + profile_.chunk_tokens - 1) / profile_.chunk_tokens;
    events_.push({request.decode_step, id, request.epoch, false});
    events_.push({request.decode_step + request.output - request.generated, id, request.epoch, true});
    admissions_.emplace_back(id, request.epoch);
  }
  if (admissions_.size() > static_cast<size_t>(4 * profile_.slots + 64)) {
    const auto stale = [this](const auto& entry) { return requests_[entry.first].epoch != entry.second; };
    admissions_.erase(std::remove_if(admissions_.begin(), admissions_.end(), stale), admissions_.end());
  }
}

int64_t BatchServer::growth(int64_t steps) const {
  return phase_counts_[modulo(-(step_ + steps), profile_.block_tokens)];
}

int64_t BatchServer::growth_until(int64_t steps) const {
  int64_t blocks = steps / profile_.block_tokens * n_decoding_;
  for (int64_t i = 0; i < steps % profile_.block_tokens; ++i) blocks += growth(i);
  return blocks;
}

int64_t BatchServer::affordable_steps(int64_t wanted) const {
  if (n_decoding_ == 0 || wanted / profile_.block_tokens * n_decoding_ + n_decoding_ <= free_blocks_) return wanted;
  const int64_t cycles = std::min(free_blocks_ / n_decoding_, wanted / profile_.block_tokens);
  int64_t steps = cycles * profile_.block_tokens;
  int64_t left = free_blocks_ - cycles * n_decoding_;
  while (steps < wanted && growth(steps) <= left) left -= growth(steps++);
  return steps;
}

int64_t BatchServer::run_ps(int64_t steps) const {
  // In 128 bits: half a square of steps times a batch times picoseconds may pass 2**63 before the sum is judged.
  const __int128 tokens = static_cast<__int128>(steps) * tokens_ +
                          static_cast<__int128>(steps) * (steps - 1) / 2 * n_decoding_;
  return static_cast<int64_t>(steps * static_cast<__int128>(profile_.base_ps) + tokens * profile_.per_token_ps);
}

}  // namespace routekit::sim
