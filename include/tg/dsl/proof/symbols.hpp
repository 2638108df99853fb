// The unknowns of a kernel that is proved: arguments, block numbers, iterations, data, and what is computed from them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tg/dsl/proof/form.hpp>
#include <tg/ptx/opcode.hpp>
#include <tg/ptx/special.hpp>

namespace tg::proof {

/// Who sees the same value; a later one is shared by fewer.
enum class sharing : std::uint8_t {
  launch,  // all threads of the grid
  block,   // all threads that are at the same place
  thread,
};

/// One unknown. Computed ones say from what, so that a choice of the others decides them.
struct symbol {
  sharing shared = sharing::thread;
  number low = -unbounded;
  number high = unbounded;
  bool is_free = false;  // an argument or block number: every value in its range can occur
  bool is_iteration = false;
  bool is_loose = false;   // of a loop that no barrier holds together: threads are in different iterations
  bool is_object = false;  // where a tile or a buffer begins
  ptx::special special = ptx::special::none;
  ptx::opcode op = ptx::opcode::none;  // of `left` and `right`
  form left = {};
  form right = {};
};

/// All unknowns of one kernel.
class symbols {
 public:
  explicit symbols(std::size_t threads) : threads_(threads) {}

  std::size_t threads() const { return threads_; }
  const symbol& operator[](std::uint32_t id) const { return all_[id]; }

  std::uint32_t make(symbol s) {
    all_.push_back(std::move(s));
    return static_cast<std::uint32_t>(all_.size() - 1);
  }

  /// The unknown of a special register, if it has been read.
  std::optional<std::uint32_t> find(ptx::special s) const {
    for (std::uint32_t id = 0; id < all_.size(); ++id)
      if (all_[id].special == s) return id;
    return std::nullopt;
  }

  /// The special register of the grid; made once.
  form of(ptx::special s) {
    if (const auto known = find(s)) return single(*known);
    const bool is_count = s == ptx::special::nctaid_x || s == ptx::special::nctaid_y || s == ptx::special::nctaid_z;
    return single(make({.shared = is_count ? sharing::launch : sharing::block,
                        .low = is_count ? 1 : 0,
                        .high = number{1} << 31,
                        .is_free = true,
                        .special = s}));
  }

  /// `op` of two unknowns, made once for the same operands.
  form computed(ptx::opcode op, const form& left, const form& right, number low, number high) {
    for (std::uint32_t id = static_cast<std::uint32_t>(all_.size()); id-- > 0;) {
      const symbol& s = all_[id];
      if (s.op == op && s.left == left && s.right == right) return single(id);
    }
    return single(make({.shared = std::max(shared(left), shared(right)),
                        .low = low,
                        .high = high,
                        .is_loose = is_loose(left) || is_loose(right),
                        .op = op,
                        .left = left,
                        .right = right}));
  }

  /// Who sees the same value of `f`.
  sharing shared(const form& f) const {
    sharing out = f.lanes ? sharing::thread : sharing::launch;
    for (const term& t : f.terms) out = std::max(out, all_[t.symbol].shared);
    return out;
  }

  bool is_loose(const form& f) const {
    return std::any_of(f.terms.begin(), f.terms.end(), [&](const term& t) { return all_[t.symbol].is_loose; });
  }

  /// a * b, as far as products of a number of each thread's own and an unknown do not arise.
  std::optional<form> product(const form& a, const form& b) {
    if (a.is_number()) return scaled(b, a.base);
    if (b.is_number()) return scaled(a, b.base);
    if (a.is_exact() && b.is_exact()) {
      form::column out(threads_);
      for (std::size_t t = 0; t < threads_; ++t) out[t] = a.at(t) * b.at(t);
      return each(std::move(out));
    }
    if (a.lanes || b.lanes || a.terms.size() * b.terms.size() > 4) return std::nullopt;
    form out = constant(a.base * b.base);
    out = add(out, form{a.terms, 0, nullptr}, b.base);
    out = add(out, form{b.terms, 0, nullptr}, a.base);
    for (const term& x : a.terms)
      for (const term& y : b.terms) out = add(out, product_of(x.symbol, y.symbol), x.factor * y.factor);
    return out;
  }

  number low(const term& t) const { return times(t.factor, t.factor > 0 ? all_[t.symbol].low : all_[t.symbol].high); }
  number high(const term& t) const { return times(t.factor, t.factor > 0 ? all_[t.symbol].high : all_[t.symbol].low); }

  /// Limits of what the symbols of `f` add.
  number low(const form& f) const {
    number out = 0;
    for (const term& t : f.terms) out = std::max(-unbounded, out + low(t));
    return out;
  }
  number high(const form& f) const {
    number out = 0;
    for (const term& t : f.terms) out = std::min(unbounded, out + high(t));
    return out;
  }

  static number times(number factor, number limit) {
    if (limit >= unbounded || limit <= -unbounded) return (factor > 0) == (limit > 0) ? unbounded : -unbounded;
    number out = 0;
    if (__builtin_mul_overflow(factor, limit, &out) || out > unbounded || out < -unbounded)
      return (factor > 0) == (limit > 0) ? unbounded : -unbounded;
    return out;
  }

 private:
  form product_of(std::uint32_t x, std::uint32_t y) {
    if (y < x) std::swap(x, y);
    const bool is_positive = all_[x].low >= 0 && all_[y].low >= 0;
    return computed(ptx::opcode::mul, single(x), single(y), is_positive ? 0 : -unbounded, unbounded);
  }

  std::size_t threads_;
  std::vector<symbol> all_;
};

}  // namespace tg::proof
