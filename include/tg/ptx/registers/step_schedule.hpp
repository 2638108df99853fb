// An order for the steps of one basic block like the one ptxas finds: what others wait for long comes early, until
// registers get scarce.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/registers/machine_steps.hpp>

namespace tg::ptx {

/// Registers of a set and how many of the machine they take.
class live_set {
 public:
  explicit live_set(const dynamic_array<std::uint8_t>& widths) : widths_(&widths), words_((widths.size() + 63) / 64) {}

  bool has(std::uint32_t r) const { return (words_[r / 64] >> (r % 64) & 1) != 0; }
  void insert(std::uint32_t r) {
    if (!has(r)) taken_ += (*widths_)[r];
    words_[r / 64] |= std::uint64_t{1} << (r % 64);
  }
  void erase(std::uint32_t r) {
    if (has(r)) taken_ -= (*widths_)[r];
    words_[r / 64] &= ~(std::uint64_t{1} << (r % 64));
  }
  int taken() const { return taken_; }

  /// Adds what is in `other`; returns whether that was more.
  bool add(const live_set& other) {
    bool is_more = false;
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t rest = other.words_[w] & ~words_[w]; rest != 0; rest &= rest - 1) {
        insert(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
        is_more = true;
      }
    return is_more;
  }

 private:
  const dynamic_array<std::uint8_t>* widths_;
  dynamic_array<std::uint64_t> words_;
  int taken_ = 0;
};

/// The most registers that a block needs at one place.
struct block_pressure {
  int live = 0;  ///< values
  int held = 0;  ///< the same with operands that accesses on their way may still read, which ptxas does not reuse soon
  int odd = 0;   ///< so many that pairs and stored words find their odd numbers, held ones too

  void add(const block_pressure& o) {
    live = std::max(live, o.live);
    held = std::max(held, o.held);
    odd = std::max(odd, o.odd);
  }
};

namespace detail {

/// List scheduling of one block, with the pressure that it leads to.
class step_scheduler {
 public:
  /// Registers begin to be saved at `limit`.
  step_scheduler(std::span<const machine_step> steps, const dynamic_array<std::uint8_t>& widths,
                 const dynamic_array<std::uint8_t>& odd, int limit)
      : steps_(steps), widths_(widths), odd_(odd), limit_(limit), nodes_(steps.size()), reads_left_(widths.size()) {
    find_dependences();
    for (std::size_t n = steps.size(); n-- > 0;) {
      int after = 0;
      for (const std::uint32_t s : nodes_[n].successors) after = std::max(after, nodes_[s].height);
      nodes_[n].height = steps_[n].latency + after;
    }
    for (const machine_step& s : steps_)
      for (const std::uint32_t r : s.reads) ++reads_left_[r];
  }

  /// The most registers at one place, from `live` before the block to `out` behind it.
  block_pressure peak(live_set live, const live_set& out) {
    live_set odd(odd_);
    for (std::uint32_t r = 0; r < widths_.size(); ++r)
      if (live.has(r)) odd.insert(r);
    block_pressure peak{live.taken(), live.taken(), 2 * odd.taken() + 2};
    int now = 0;
    dynamic_array<held> in_flight;
    dynamic_array<std::uint32_t> ready;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].waits_for == 0) ready.push_back(n);
    while (!ready.empty()) {
      const std::size_t k = choose(ready, live, out, now);
      const std::uint32_t n = ready[k];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k));
      now = std::max(now + 1, nodes_[n].earliest);
      const machine_step& s = steps_[n];
      if (s.is_called) in_flight.clear();
      tg::erase_if(in_flight, [&](const held& h) { return h.until < now; });
      int reused = 0;  // a result may take the place of an operand
      for (const std::uint32_t r : s.writes) reused += widths_[r];
      for (const std::uint32_t r : s.reads) {
        if (--reads_left_[r] != 0 || out.has(r)) continue;
        const int left = std::max(0, widths_[r] - reused);
        reused = std::max(0, reused - widths_[r]);
        if (s.is_access() && live.has(r) && left > 0)
          in_flight.push_back({now + (s.writes.empty() ? store_time : s.latency), left, std::min<int>(left, odd_[r])});
        live.erase(r);
        odd.erase(r);
      }
      for (const std::uint32_t r : s.writes) live.insert(r), odd.insert(r);
      held all{0, 0, 0};
      for (const held& h : in_flight) all.registers += h.registers, all.odd += h.odd;
      peak.add({live.taken() + s.temporaries, live.taken() + s.temporaries + all.registers, 2 * (odd.taken() + all.odd) + 2});
      for (const std::uint32_t r : s.writes)
        if (reads_left_[r] == 0 && !out.has(r)) live.erase(r), odd.erase(r);
      for (const std::uint32_t next : nodes_[n].successors) {
        nodes_[next].earliest = std::max(nodes_[next].earliest, now + (feeds(s, steps_[next]) ? s.latency : 1));
        if (--nodes_[next].waits_for == 0) ready.push_back(next);
      }
    }
    return peak;
  }

 private:
  static constexpr int store_time = 120;  // cycles for which a store may still read its operands

  struct held { int until, registers, odd; };
  struct node {
    dynamic_array<std::uint32_t> successors;
    int waits_for = 0, height = 0, earliest = 0;
  };

  static bool feeds(const machine_step& from, const machine_step& to) {
    return std::any_of(from.writes.begin(), from.writes.end(),
                       [&](std::uint32_t r) { return std::find(to.reads.begin(), to.reads.end(), r) != to.reads.end(); });
  }

  void depend(std::uint32_t on, std::uint32_t n) {
    if (on == n) return;
    nodes_[on].successors.push_back(n);
    ++nodes_[n].waits_for;
  }

  // An access, and how often its base has been written before it.
  struct access { std::uint32_t step, version; };

  bool may_meet(const access& first, const access& second) const {
    const machine_step &a = steps_[first.step], &b = steps_[second.step];
    if (a.space != b.space || (a.order == step_order::load && b.order == step_order::load)) return false;
    if (a.bytes == 0 || b.bytes == 0 || a.base == no_index || b.base == no_index) return true;
    if (a.base != b.base) return a.base < machine_step::variables || b.base < machine_step::variables;
    return first.version != second.version || (a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes);
  }

  void find_dependences() {
    dynamic_array<std::uint32_t> writer(widths_.size(), no_index);
    dynamic_array<dynamic_array<std::uint32_t>> readers(widths_.size());
    dynamic_array<access> memory;  // since the last fence
    dynamic_array<std::uint32_t> versions(widths_.size());
    std::uint32_t fence = no_index, exchange = no_index;
    for (std::uint32_t n = 0; n < steps_.size(); ++n) {
      const machine_step& s = steps_[n];
      for (const std::uint32_t r : s.reads) {
        if (writer[r] != no_index) depend(writer[r], n);
        readers[r].push_back(n);
      }
      for (const std::uint32_t r : s.writes) {
        for (const std::uint32_t reader : readers[r]) depend(reader, n);
        if (writer[r] != no_index) depend(writer[r], n);
        writer[r] = n;
        ++versions[r];
        readers[r].clear();
      }
      const bool is_last = n + 1 == steps_.size();
      if (s.order == step_order::fence || is_last) {
        for (std::uint32_t before = fence == no_index ? 0 : fence; before < n; ++before) depend(before, n);
        fence = n, exchange = no_index;
        memory.clear();
        continue;
      }
      if (fence != no_index) depend(fence, n);
      if (s.order == step_order::exchange) {
        if (exchange != no_index) depend(exchange, n);
        exchange = n;
      }
      if (s.order != step_order::load && s.order != step_order::store) continue;
      const access own{n, s.base < versions.size() ? versions[s.base] : 0};
      for (const access& other : memory)
        if (may_meet(other, own)) depend(other.step, n);
      memory.push_back(own);
    }
  }

  // What running step n adds to the registers that are taken.
  int growth(const machine_step& s, const live_set& live, const live_set& out) const {
    int by = 0;
    for (const std::uint32_t r : s.writes)
      if (!live.has(r)) by += widths_[r];
    for (const std::uint32_t r : s.reads)
      if (reads_left_[r] == 1 && live.has(r) && !out.has(r)) by -= widths_[r];
    return by;
  }

  std::size_t choose(const dynamic_array<std::uint32_t>& ready, const live_set& live, const live_set& out, int& now) const {
    if (live.taken() >= limit_) {
      const auto rank = [&](std::uint32_t n) { return std::max(growth(steps_[n], live, out), -1); };
      std::size_t best = 0;
      for (std::size_t k = 1; k < ready.size(); ++k) {
        const int a = rank(ready[k]), b = rank(ready[best]);
        if (a < b || (a == b && ready[k] < ready[best])) best = k;
      }
      return best;
    }
    int soonest = nodes_[ready[0]].earliest;
    for (const std::uint32_t n : ready) soonest = std::min(soonest, nodes_[n].earliest);
    now = std::max(now, soonest);
    std::size_t best = ready.size();
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const node& own = nodes_[ready[k]];
      if (own.earliest > now) continue;
      if (best == ready.size() || own.height > nodes_[ready[best]].height ||
          (own.height == nodes_[ready[best]].height && ready[k] < ready[best]))
        best = k;
    }
    return best;
  }

  std::span<const machine_step> steps_;
  const dynamic_array<std::uint8_t>& widths_;
  const dynamic_array<std::uint8_t>& odd_;
  int limit_;
  dynamic_array<node> nodes_;
  dynamic_array<int> reads_left_;
};

}  // namespace detail

}  // namespace tg::ptx
