// Runs a random kernel on the host: every thread by itself, until the threads that it waits for have come. Nothing of
// the library takes part.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "host_expressions.hpp"

namespace judge {

/// Runs a kernel.
class host : host_expressions {
 public:
  /// `most_steps`: statements and iterations of one thread; then it stops, and so does its block.
  host(const kernel& k, const launch& l, plant broken = plant::none, int most_steps = 20000)
      : host_expressions(k, l, broken, most_steps) {}

  outcome operator()() {
    for (std::size_t n = 0; n < kernel_.objects.size(); ++n)
      out_.memory.push_back(kernel_.objects[n].what == object::kind::tile
                                ? std::vector<std::uint8_t>{}
                                : first_contents(kernel_, static_cast<int>(n), launch_));
    const auto& g = launch_.grid;
    names_ = count_names(kernel_.body) + 1;
    optional_ = optional_names(kernel_);
    needs_fibers_ = waits(kernel_.body);
    for (std::uint32_t b = 0; b < g[0] * g[1] * g[2]; ++b) run_block(b);
    return std::move(out_);
  }

 private:
  static int count_names(const std::vector<stmt>& body) {
    int out = 0;
    for (const stmt& s : body) out = std::max({out, s.index + s.times, count_names(s.body), count_names(s.otherwise)});
    return out;
  }
  static bool waits(const expr& e) {
    return is_collective(e.what) || std::any_of(e.in.begin(), e.in.end(), [](const expr& x) { return waits(x); });
  }
  static bool waits(const std::vector<stmt>& body) {
    return std::any_of(body.begin(), body.end(), [](const stmt& s) {
      return (s.what >= stmt::kind::sync && s.what <= stmt::kind::warp_sync) || waits(s.body) || waits(s.otherwise) ||
             std::any_of(s.in.begin(), s.in.end(), [](const expr& x) { return waits(x); });
    });
  }

  void run_block(std::uint32_t b) {
    block_ = b;
    const auto& g = launch_.grid;
    block_at_ = {b % g[0], b / g[0] % g[1], b / g[0] / g[1]};
    tiles_.assign(kernel_.objects.size(), {});
    for (std::size_t n = 0; n < tiles_.size(); ++n)
      if (kernel_.objects[n].what == object::kind::tile)
        tiles_[n].assign(static_cast<std::size_t>(kernel_.objects[n].elements * bytes_of(kernel_.objects[n].of)), 0);
    const auto count = static_cast<std::uint32_t>(threads_of(kernel_));
    const auto& shape = shapes[static_cast<std::size_t>(kernel_.shape)];
    const std::vector<std::uint32_t>* const nothing_seen = &out_.epochs.emplace_back(count, 0);
    threads_.clear();
    threads_.resize(count);
    arrived_.clear();
    visits_.clear();
    for (std::uint32_t t = 0; t < count; ++t) {
      thread& own = threads_[t];
      own.id = t;
      own.at = {t % static_cast<std::uint32_t>(shape[0]),
                t / static_cast<std::uint32_t>(shape[0]) % static_cast<std::uint32_t>(shape[1]),
                t / static_cast<std::uint32_t>(shape[0] * shape[1])};
      own.names.resize(static_cast<std::size_t>(names_));
      own.is_named.resize(static_cast<std::size_t>(names_));
      own.seen = nothing_seen;
    }
    if (!needs_fibers_) {
      for (thread& t : threads_) start(t);
    } else {
      run_together();
    }
    for (const thread& t : threads_) {
      if (!t.failure.empty()) throw malformed(t.failure);
      out_.is_cut_short |= t.is_stopped;
      out_.has_wrapped |= t.has_wrapped;
    }
    if (!out_.is_cut_short) refuse_parts_of_warps();
  }

  void start(thread& t) {
    try {
      run(t, kernel_.body);
      finish_copies(t, t.groups + 1);
    } catch (const stopped&) { t.is_stopped = true; } catch (const std::exception& e) {
      t.failure = e.what();
    }
    t.waits = waiting::over;
  }

  // Fibers.
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;  // frames are long where a sanitizer is in them
  static void enter(host* self) {
    thread& own = *self->running_;
    own.stack->has_begun();
    self->start(own);
    own.stack->go_to(self->scheduler_);
  }

  void run_together() {
    static std::deque<fiber> stacks;
    while (stacks.size() < threads_.size()) stacks.emplace_back(stack_bytes);
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      threads_[t].stack = &stacks[t];
      stacks[t].prepare<&host::enter>(this);
    }
    while (true) {
      for (thread& t : threads_)
        if (t.waits == waiting::nothing) resume(t);
      if (std::any_of(threads_.begin(), threads_.end(), [](const thread& t) { return !t.failure.empty(); })) return;
      if (std::any_of(threads_.begin(), threads_.end(), [](const thread& t) { return t.is_stopped; })) return;
      if (std::all_of(threads_.begin(), threads_.end(), [](const thread& t) { return t.waits == waiting::over; })) return;
      if (!release()) {
        for (const thread& t : threads_)
          if (t.waits != waiting::over && std::find(out_.missed.begin(), out_.missed.end(), t.line) == out_.missed.end())
            out_.missed.push_back(t.line);
        return;
      }
    }
  }

  // Statements.
  struct stopped {};
  void step(thread& t) {
    if (++t.steps > most_steps_) throw stopped{};
  }

  // What a statement says about those behind it.
  enum class flow { on, leave, go_on, finish };

  flow run(thread& t, const std::vector<stmt>& body) {
    for (const stmt& s : body)
      if (const flow f = run(t, s); f != flow::on) return f;
    return flow::on;
  }

  flow run(thread& t, const stmt& s) {
    step(t);
    switch (s.what) {
      case stmt::kind::branch: return run(t, decided(t, of(t, s.in[0])) ? s.body : s.otherwise);
      case stmt::kind::chain:
        if (decided(t, of(t, s.in[0]))) return run(t, s.body);
        return decided(t, of(t, s.in[1])) ? run(t, s.otherwise) : flow::on;
      case stmt::kind::match: {
        const number n = of(t, s.in[0]);
        t.has_wrapped |= n.has_wrapped;
        return run(t, n.n < static_cast<bits>(s.times) ? s.body : s.otherwise);
      }
      case stmt::kind::leave: return broken_ == plant::breaks_go_on ? flow::go_on : flow::leave;
      case stmt::kind::go_on: return flow::go_on;
      case stmt::kind::finish: return flow::finish;
      case stmt::kind::count: return count(t, s);
      case stmt::kind::repeat_while:
        for (turn_of own(t); decided(t, of(t, s.in[0])); own.next()) {
          step(t);
          const flow f = run(t, s.body);
          if (f == flow::finish) return f;
          if (f == flow::leave) break;
        }
        return flow::on;
      case stmt::kind::unroll: {
        turn_of own(t);
        for (int n = 0; n < s.times; ++n, own.next()) {
          declare(t, s.index, {static_cast<bits>(n), false});
          if (const flow f = run(t, s.body); f != flow::on) return f;
        }
        return flow::on;
      }
      default: perform(t, s); return flow::on;
    }
  }

  void perform(thread& t, const stmt& s) {
    switch (s.what) {
      case stmt::kind::let:
      case stmt::kind::var:
        return declare(t, s.index, optional_.contains(s.index) ? of_optional(t, s.in[0], true) : of(t, s.in[0]));
      case stmt::kind::array: {
        const number first = of(t, s.in[0]);
        for (int n = 0; n < s.times; ++n) declare(t, s.index + n, first);
        return;
      }
      case stmt::kind::assign: {
        const number n = of(t, s.in[0]);
        named(t, s.index) = n;
        return;
      }
      case stmt::kind::add_assign: {
        expr sum = node(op::add, s.in[0].of);
        const number x = of(t, s.in[0]);
        number& own = named(t, s.index);
        own = arithmetic(sum, own, x, {});
        return;
      }
      case stmt::kind::store: {
        const number at = of(t, s.in[0]), x = of(t, s.in[1]);
        write(t, s.index, s.in[0].of, at, x.n, s.line, false);
        return;
      }
      case stmt::kind::perform: of(t, s.in[0]); return;
      case stmt::kind::sync: return wait(t, waiting::barrier, s.line);
      case stmt::kind::warp_sync: return wait(t, waiting::warp, s.line);
      case stmt::kind::named_sync: come_to(t, s); return wait(t, waiting::named, s.line);
      case stmt::kind::named_arrive:
        come_to(t, s);
        arrived_[s.index].push_back({&t, t.epoch, t.seen, s.times, s.line});
        ++t.epoch;
        return;
      case stmt::kind::copy_async: return begin_copy(t, s);
      case stmt::kind::commit_wait:
        ++t.groups;
        return finish_copies(t, t.groups - std::min<std::uint32_t>(t.groups, static_cast<std::uint32_t>(s.times)));
      default: return;
    }
  }

  static bool decided(thread& t, number condition) {
    t.has_wrapped |= condition.has_wrapped;
    return condition.n != 0;
  }

  flow count(thread& t, const stmt& s) {
    number i = of(t, s.in[0]);
    const number stop = of(t, s.in[1]), by = of(t, s.in[2]);
    t.has_wrapped |= i.has_wrapped || stop.has_wrapped;
    const type own = s.in[0].of;
    if (by.n == 0) throw malformed("a loop that stands still");
    const bool goes_down = s.in[2].what == op::literal && is_signed(own) && to_signed(own, by.n) < 0;
    const auto goes_on = [&] { return detail::compared(goes_down ? op::gt : op::lt, own, i.n, stop.n); };
    const expr sum = node(op::add, own);
    for (turn_of turn(t); goes_on(); turn.next()) {
      step(t);
      declare(t, s.index, i);
      const flow f = run(t, s.body);
      if (f == flow::finish) return f;
      if (f == flow::leave) break;
      i = arithmetic(sum, i, by, {});
      t.has_wrapped |= i.has_wrapped;
    }
    return flow::on;
  }

  // Copies.
  void begin_copy(thread& t, const stmt& s) {
    const number to = of(t, s.in[0]), from = of(t, s.in[1]);
    log(t, s.other, s.in[1].of, from, s.line, false, false);
    touch& now = log(t, s.index, s.in[0].of, to, s.line, true, false);
    now.is_copy = true;
    now.epoch = now.end = 0xffffffff;
    t.copies.push_back(
        {out_.touches.size() - 1, s.index, s.other, now.offset, offset(s.other, s.in[1].of, from).n, t.groups + 1});
  }
};

}  // namespace judge
