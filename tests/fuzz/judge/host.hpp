// Runs a random kernel on the host: every thread by itself, until the threads that it waits for have come. Nothing of
// the library takes part.
#pragma once

#include <ucontext.h>
#include <csetjmp>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "arithmetic.hpp"
#include "optional_names.hpp"
#include "outcome.hpp"
#include "plant.hpp"

namespace judge {

/// Runs a kernel.
class host {
 public:
  /// `most_steps`: statements and iterations of one thread; then it stops, and so does its block.
  host(const kernel& k, const launch& l, plant broken = plant::none, int most_steps = 20000)
      : kernel_(k), launch_(l), broken_(broken), most_steps_(most_steps) {}

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
  struct number {
    bits n = 0;
    bool has_wrapped = false;
  };
  enum class waiting { nothing, barrier, named, warp, over };
  struct copy {
    std::size_t touch;
    int tile, buffer;
    std::int64_t to, from;
    std::uint32_t group;
  };
  struct thread {
    std::uint32_t id = 0;
    std::array<std::uint32_t, 3> at{};
    std::vector<number> names;
    std::vector<char> is_named;
    ucontext_t context{};
    std::jmp_buf place{};
    bool is_started = false;
    waiting waits = waiting::nothing;
    int line = 0;
    const expr* collective = nullptr;
    bits own = 0, argument = 0, result = 0;
    int barrier = 0, threads = 0;
    std::uint32_t interval = 0, epoch = 0, sequence = 0, groups = 0;
    const std::vector<std::uint32_t>* seen = nullptr;
    std::vector<copy> copies;
    std::vector<std::uint32_t> turns;  // iterations done of each loop that it is in, outermost first
    int steps = 0;
    bool is_stopped = false;
    bool has_wrapped = false;  // a condition on its way did
    bool is_optional = false;  // what is computed is an operand that need not be looked at
    std::string failure;
  };

  /// The iterations of a loop that a thread is in.
  struct turn_of {
    explicit turn_of(thread& t) : t(t) { t.turns.push_back(0); }
    turn_of(const turn_of&) = delete;
    ~turn_of() { t.turns.pop_back(); }
    void next() { ++t.turns.back(); }
    thread& t;
  };
  /// Whether both have come to one barrier of the program in the same iterations. CUDA C++ programming guide, synchronization
  /// functions: a barrier in conditional code wants a condition that all threads of the block find equal.
  static bool are_together(const thread& a, const thread& b) { return a.line == b.line && a.turns == b.turns; }

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
  static constexpr std::size_t stack_bytes = std::size_t{48} << 10;
  static void enter(unsigned low, unsigned high) {
    auto* self = reinterpret_cast<host*>(static_cast<std::uintptr_t>(low) | static_cast<std::uintptr_t>(high) << 32);
    self->start(*self->running_);
    _longjmp(self->scheduler_, 1);
  }

  // A context is entered once; from then on two jumps change between it and the scheduler without a system call.
  [[gnu::noinline]] void resume(thread& t) {
    running_ = &t;
    if (_setjmp(scheduler_) != 0) return;
    if (std::exchange(t.is_started, true)) _longjmp(t.place, 1);
    setcontext(&t.context);
  }
  [[gnu::noinline]] void pause(thread& t) {
    if (_setjmp(t.place) == 0) _longjmp(scheduler_, 1);
  }

  void run_together() {
    static std::vector<std::unique_ptr<char[]>> stacks;
    while (stacks.size() < threads_.size()) stacks.push_back(std::make_unique<char[]>(stack_bytes));
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      ucontext_t& c = threads_[t].context;
      getcontext(&c);
      c.uc_stack.ss_sp = stacks[t].get();
      c.uc_stack.ss_size = stack_bytes;
      c.uc_link = nullptr;
      const auto self = reinterpret_cast<std::uintptr_t>(this);
      makecontext(&c, reinterpret_cast<void (*)()>(&host::enter), 2, static_cast<unsigned>(self),
                  static_cast<unsigned>(self >> 32));
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

  void wait(thread& t, waiting how, int line) {
    t.waits = how;
    t.line = line;
    pause(t);
  }

  // Lets go on who has met; false: nobody has.
  bool release() {
    bool any = false;
    if (std::all_of(threads_.begin(), threads_.end(), [&](const thread& t) { return t.waits == waiting::barrier; })) {
      for (const thread& t : threads_)
        if (!are_together(t, threads_[0])) return false;
      std::vector<thread*> all;
      for (thread& t : threads_) all.push_back(&t);
      if (threads_[0].collective != nullptr) vote(all);
      for (thread* t : all) ++t->interval;
      meet(all);
      any = true;
    }
    for (std::size_t first = 0; first < threads_.size(); first += 32) {
      std::vector<thread*> lanes;
      for (std::size_t t = first; t < std::min(first + 32, threads_.size()); ++t) lanes.push_back(&threads_[t]);
      if (!std::all_of(lanes.begin(), lanes.end(),
                       [&](const thread* t) { return t->waits == waiting::warp && are_together(*t, *lanes[0]); }))
        continue;
      if (lanes[0]->collective != nullptr) {
        exchange(lanes);
        for (thread* t : lanes) t->waits = waiting::nothing, t->collective = nullptr;
      } else {
        meet(lanes);
      }
      any = true;
    }
    for (int id = 1; id < 16; ++id) any |= release_named(id);
    return any;
  }

  struct arrival {
    thread* who;
    std::uint32_t epoch;
    const std::vector<std::uint32_t>* seen;
    int threads;  // that the barrier waits for
    int line;
  };

  // All threads of one phase wait for the same number of threads.
  void come_to(thread& t, const stmt& s) {
    t.barrier = s.index, t.threads = s.times;
    ++visits_[{s.line, t.id / 32}];
    const auto miss = [&](int other) { out_.missed.insert(out_.missed.end(), {s.line, other}); };
    for (const arrival& a : arrived_[s.index])
      if (a.threads != s.times) return miss(a.line);
    for (const thread& other : threads_)
      if (other.waits == waiting::named && other.barrier == s.index && other.threads != s.times) return miss(other.line);
  }

  // A named barrier counts whole warps; a warp that is not together when it comes to one is not defined.
  void refuse_parts_of_warps() const {
    for (const auto& [where, count] : visits_)
      if (count % std::min<std::size_t>(32, threads_.size() - where.second * 32) != 0)
        throw malformed("a part of a warp at a named barrier");
  }

  // As soon as enough warps have come, those go on and the barrier is free again. The last warp of a block counts whole.
  bool release_named(int id) {
    std::vector<arrival>& came = arrived_[id];
    if (!came.empty() && came.size() >= static_cast<std::size_t>(came[0].threads))
      came.erase(came.begin(), came.begin() + came[0].threads);  // those that arrive are enough
    std::size_t count = came.size();
    const auto counts = [&](const thread& t) { return &t == &threads_.back() ? 1 + (32 - threads_.size() % 32) % 32 : 1; };
    std::vector<thread*> here;
    for (thread& t : threads_) {
      if (t.waits != waiting::named || t.barrier != id) continue;
      here.push_back(&t);
      count += counts(t);
      if (count < static_cast<std::size_t>(t.threads)) continue;
      if (count > static_cast<std::size_t>(t.threads)) return false;
      meet(here, &came);
      came.clear();
      return true;
    }
    return false;
  }

  // What all have done is over for those that wait.
  void meet(const std::vector<thread*>& here, const std::vector<arrival>* came = nullptr) {
    if (broken_ == plant::barriers_separate_nothing) {
      for (thread* t : here) t->waits = waiting::nothing, t->collective = nullptr;
      return;
    }
    std::vector<std::uint32_t>* const joined = &out_.epochs.emplace_back(threads_.size(), 0);
    const auto join = [&](std::uint32_t who, std::uint32_t epoch, const std::vector<std::uint32_t>& seen) {
      for (std::size_t n = 0; n < seen.size(); ++n) (*joined)[n] = std::max((*joined)[n], seen[n]);
      (*joined)[who] = std::max((*joined)[who], epoch + 1);
    };
    if (here.size() == threads_.size())
      for (thread* t : here) (*joined)[t->id] = t->epoch + 1;
    else
      for (thread* t : here) join(t->id, t->epoch, *t->seen);
    if (came != nullptr)
      for (const arrival& a : *came) join(a.who->id, a.epoch, *a.seen);
    for (thread* t : here) {
      t->seen = joined;
      ++t->epoch;
      t->waits = waiting::nothing;
      t->collective = nullptr;
    }
  }

  void vote(const std::vector<thread*>& all) {
    const op what = all[0]->collective->what;
    bits count = 0;
    for (const thread* t : all) count += t->own;
    for (thread* t : all)
      t->result = what == op::block_count ? count : what == op::block_any ? count != 0 : count == all.size();
  }

  static void exchange(const std::vector<thread*>& lanes) {
    const auto count = static_cast<std::uint32_t>(lanes.size());
    bits ballot = 0;
    for (std::uint32_t l = 0; l < count; ++l) ballot |= (lanes[l]->own & 1) << l;
    for (std::uint32_t l = 0; l < count; ++l) {
      thread& t = *lanes[l];
      // shfl takes five bits of the lane or distance; a source outside keeps the own value.
      const auto n = static_cast<std::uint32_t>(t.argument & 31);
      const auto from = [&](std::uint32_t source, bool is_inside) { t.result = is_inside ? lanes[source]->own : t.own; };
      switch (t.collective->what) {
        case op::shuffle_idx: from(std::min(n, count - 1), n < count); break;
        case op::shuffle_up: from(l >= n ? l - n : 0, l >= n); break;
        case op::shuffle_down: from(std::min(l + n, count - 1), l + n < count); break;
        case op::shuffle_xor: from(std::min(l ^ n, count - 1), (l ^ n) < count); break;
        case op::vote_any: t.result = ballot != 0; break;
        case op::vote_all: t.result = ballot == (count == 32 ? 0xffffffffu : (bits{1} << count) - 1); break;
        default: t.result = ballot; break;
      }
    }
  }

  // Statements.
  struct stopped {};
  void step(thread& t) {
    if (++t.steps > most_steps_) throw stopped{};
  }

  number& named(thread& t, int index) {
    if (index < 0 || index >= names_ || !t.is_named[static_cast<std::size_t>(index)])
      throw malformed("a name that is not declared");
    return t.names[static_cast<std::size_t>(index)];
  }
  void declare(thread& t, int index, number n) {
    t.names[static_cast<std::size_t>(index)] = n;
    t.is_named[static_cast<std::size_t>(index)] = 1;
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

  // Numbers.
  number of_optional(thread& t, const expr& e, bool is_optional) {
    const bool before = std::exchange(t.is_optional, t.is_optional || is_optional);
    const number out = of(t, e);
    t.is_optional = before;
    return out;
  }
  // The value of an operand that is computed in any case, with all that it needs.
  number of_needed(thread& t, const expr& e) {
    const bool before = std::exchange(t.is_optional, false);
    const number out = of(t, e);
    t.is_optional = before;
    return out;
  }

  number of(thread& t, const expr& e) {
    switch (e.what) {
      case op::literal:
        if (broken_ == plant::literals_are_negative && e.of == type::u32 && (e.number >> 31) != 0)
          return {e.number & 0x7fffffff};
        return {e.number};
      case op::scalar: return {launch_.scalars.at(static_cast<std::size_t>(e.index)) & mask_of(e.of)};
      case op::name: return named(t, e.index);
      case op::thread_x: return {t.at[0]};
      case op::thread_y: return {t.at[1]};
      case op::thread_z: return {t.at[2]};
      case op::block_x: return {block_at_[0]};
      case op::block_y: return {block_at_[1]};
      case op::block_z: return {block_at_[2]};
      case op::grid_x: return {launch_.grid[0]};
      case op::grid_y: return {launch_.grid[1]};
      case op::grid_z: return {launch_.grid[2]};
      case op::global_x:
        return {block_at_[0] * static_cast<std::uint32_t>(shapes[static_cast<std::size_t>(kernel_.shape)][0]) + t.at[0]};
      case op::thread_index: return {t.id};
      case op::lane: return {t.id % 32};
      case op::warp_index: return {t.id / 32};
      case op::load: return {read(t, e.index, e.in[0].of, of(t, e.in[0]), e.line)};
      case op::atomic_add:
      case op::atomic_max:
      case op::atomic_exchange: return {atomic(t, e)};
      case op::store_relaxed:
      case op::store_release: {
        const number at = of_needed(t, e.in[0]), x = of_needed(t, e.in[1]);
        write(t, e.index, e.in[0].of, at, x.n, e.line, true);
        return {};
      }
      case op::load_relaxed:
      case op::load_acquire: return {read(t, e.index, e.in[0].of, of_needed(t, e.in[0]), e.line, true)};
      default: break;
    }
    if (is_collective(e.what)) {
      t.own = of_needed(t, e.in[0]).n;
      t.argument = e.in.size() > 1 ? of_needed(t, e.in[1]).n : 0;
      t.collective = &e;
      wait(t, is_block_wide(e.what) ? waiting::barrier : waiting::warp, e.line);
      return {t.result};
    }
    std::array<number, 3> in{};
    for (std::size_t n = 0; n < e.in.size() && n < 3; ++n)
      in[n] = n > 0 && has_optional_operands(e) ? of_optional(t, e.in[n], !is_looked_at(e, n, in[0].n != 0)) : of(t, e.in[n]);
    if (broken_ == plant::last_term_is_lost && e.what == op::add && e.in[0].what == op::add) return in[0];
    if (broken_ == plant::casts_keep_all_bits && e.what == op::cast && is_integer(e.of) && is_integer(e.in[0].of) &&
        bytes_of(e.of) < bytes_of(e.in[0].of))
      return in[0];
    return arithmetic(e, in[0], in[1], in[2]);
  }

  static bool is_looked_at(const expr& e, std::size_t operand, bool first) {
    return e.what == op::select ? (operand == 1) == first : (e.what == op::logic_and) == first;
  }

  static number arithmetic(const expr& e, number x, number y, number z) {
    number out{computed(e, x.n, y.n, z.n), x.has_wrapped || y.has_wrapped || z.has_wrapped};
    if (e.of != type::u32 && e.of != type::s32 && e.of != type::u64 && e.of != type::s64) return out;
    __extension__ using wide = __int128;
    const auto value = [&](bits n) { return is_signed(e.of) ? static_cast<wide>(to_signed(e.of, n)) : static_cast<wide>(n); };
    switch (e.what) {
      case op::add: out.has_wrapped |= value(out.n) != value(x.n) + value(y.n); break;
      case op::sub: out.has_wrapped |= value(out.n) != value(x.n) - value(y.n); break;
      case op::mul: {
        wide product = 0;
        out.has_wrapped |= __builtin_mul_overflow(value(x.n), value(y.n), &product) || value(out.n) != product;
        break;
      }
      case op::negate: out.has_wrapped |= value(out.n) != -value(x.n); break;
      case op::shl: out.has_wrapped |= y.n >= 64 || (value(out.n) >> y.n) != value(x.n); break;
      case op::cast:
        if (is_integer(e.in[0].of)) {
          const wide before = is_signed(e.in[0].of) ? static_cast<wide>(to_signed(e.in[0].of, x.n)) : static_cast<wide>(x.n);
          // A cast says aloud that it cuts; what it makes of a number that has wrapped is data.
          if (bytes_of(e.of) < bytes_of(e.in[0].of)) out.has_wrapped = false;
          else out.has_wrapped |= value(out.n) != before;
        }
        break;
      default: break;
    }
    return out;
  }

  // Memory.
  std::vector<std::uint8_t>& bytes(int object) {
    const auto n = static_cast<std::size_t>(object);
    if (n >= kernel_.objects.size()) throw malformed("an object that is not there");
    return kernel_.objects[n].what == object::kind::tile ? tiles_[n] : out_.memory[n];
  }
  struct bytes_from_start {
    std::int64_t n = 0;
    bool has_wrapped = false;
  };
  bytes_from_start offset(int object, type index, number at) const {
    const std::int64_t element = to_signed(index == type::u32 ? type::u64 : index, at.n);
    bytes_from_start out;
    out.has_wrapped =
        __builtin_mul_overflow(element, bytes_of(kernel_.objects.at(static_cast<std::size_t>(object)).of), &out.n);
    return out;
  }
  touch& log(thread& t, int object, type index, number at, int line, bool writes, bool is_atomic) {
    touch now;
    now.line = line, now.object = object, now.bytes = bytes_of(kernel_.objects.at(static_cast<std::size_t>(object)).of);
    now.reads = !writes || is_atomic, now.writes = writes, now.is_atomic = is_atomic,
    now.has_wrapped = at.has_wrapped || t.has_wrapped;
    now.is_optional = t.is_optional && !writes && !is_atomic;
    const bytes_from_start from = offset(object, index, at);
    now.block = block_, now.thread = t.id, now.offset = from.n, now.has_wrapped |= from.has_wrapped;
    // Addresses of shared memory have 32 bits.
    if (kernel_.objects[static_cast<std::size_t>(object)].what == judge::object::kind::tile && now.offset >> 32 != 0)
      now.offset &= 0xffffffff, now.has_wrapped = true;
    now.interval = t.interval, now.epoch = t.epoch, now.begin = now.end = ++t.sequence, now.seen = t.seen;
    out_.touches.push_back(std::move(now));
    return out_.touches.back();
  }
  static bool is_inside(const std::vector<std::uint8_t>& m, std::int64_t at, int count) {
    return at >= 0 && at <= static_cast<std::int64_t>(m.size()) - count;
  }
  bits peek(int object, std::int64_t at) {
    const int count = bytes_of(kernel_.objects[static_cast<std::size_t>(object)].of);
    auto& m = bytes(object);
    bits out = 0;
    if (is_inside(m, at, count)) std::memcpy(&out, m.data() + at, static_cast<std::size_t>(count));
    return out;
  }
  void poke(int object, std::int64_t at, bits n) {
    const int count = bytes_of(kernel_.objects[static_cast<std::size_t>(object)].of);
    auto& m = bytes(object);
    if (is_inside(m, at, count)) std::memcpy(m.data() + at, &n, static_cast<std::size_t>(count));
  }
  bits read(thread& t, int object, type index, number at, int line, bool is_atomic = false) {
    const std::int64_t where = log(t, object, index, at, line, false, is_atomic).offset;
    const bits out = peek(object, where);
    return kernel_.objects[static_cast<std::size_t>(object)].of == type::b ? out != 0 : out;
  }
  void write(thread& t, int object, type index, number at, bits n, int line, bool is_atomic) {
    touch& now = log(t, object, index, at, line, true, is_atomic);
    now.reads = false;
    poke(object, now.offset, n);
  }
  bits atomic(thread& t, const expr& e) {
    const number at = of_needed(t, e.in[0]), x = of_needed(t, e.in[1]);
    const std::int64_t where = log(t, e.index, e.in[0].of, at, e.line, true, true).offset;
    const bits old = peek(e.index, where);
    const op what = e.what == op::atomic_add ? op::add : op::max;
    poke(e.index, where, e.what == op::atomic_exchange ? x.n : computed(node(what, e.of), old, x.n));
    return old;
  }
  void begin_copy(thread& t, const stmt& s) {
    const number to = of(t, s.in[0]), from = of(t, s.in[1]);
    log(t, s.other, s.in[1].of, from, s.line, false, false);
    touch& now = log(t, s.index, s.in[0].of, to, s.line, true, false);
    now.is_copy = true;
    now.epoch = now.end = 0xffffffff;
    t.copies.push_back(
        {out_.touches.size() - 1, s.index, s.other, now.offset, offset(s.other, s.in[1].of, from).n, t.groups + 1});
  }
  void finish_copies(thread& t, std::uint32_t last_group) {
    ++t.sequence;
    for (std::size_t n = 0; n < t.copies.size();) {
      const copy c = t.copies[n];
      if (c.group > last_group) {
        ++n;
        continue;
      }
      poke(c.tile, c.to, peek(c.buffer, c.from));
      out_.touches[c.touch].epoch = t.epoch;
      out_.touches[c.touch].end = t.sequence;
      t.copies.erase(t.copies.begin() + static_cast<std::ptrdiff_t>(n));
    }
  }

  const kernel& kernel_;
  const launch& launch_;
  plant broken_;
  int most_steps_;
  outcome out_;
  int names_ = 0;
  std::set<int> optional_;
  bool needs_fibers_ = false;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 3> block_at_{};
  std::vector<std::vector<std::uint8_t>> tiles_;
  std::vector<thread> threads_;
  std::map<int, std::vector<arrival>> arrived_;
  std::map<std::pair<int, std::uint32_t>, std::size_t> visits_;  // of a line with a named barrier by a warp
  std::jmp_buf scheduler_{};
  thread* running_ = nullptr;
};

}  // namespace judge
