// The unknowns of a kernel that is proved: arguments, block numbers, iterations, data, and what is computed from them.
//
// A symbol stands for one integer of mathematics per execution of the instruction that made it: one for the launch, one
// for each block, one for each warp, or one for each thread, as `sharing` says. `low` and `high` hold for that integer,
// always: a range is what a type, the hardware or the operation itself guarantees, never what a program is expected to pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/form.hpp>
#include <tg/ptx/ir/special.hpp>

namespace tg::proof {

/// Who sees the same value; a later one is shared by fewer.
enum class sharing : std::uint8_t {
  launch,  // all threads of the grid
  block,   // all threads that are at the same place
  warp,    // the lanes of a warp that are at the same place
  thread,
};

/// How a symbol follows from two others, exactly: its operands are numbers, not bits.
enum class operation : std::uint8_t {
  none,
  product,
  quotient,             // rounded down
  remainder,            // of that quotient: never negative where the divisor is positive
  truncated_quotient,   // as C++ and PTX divide signed numbers
  truncated_remainder,  // has the sign of the left operand
  low_bits,             // the lowest `right` bits, as an unsigned number
  signed_bits,          // the lowest `right` bits, as a signed number
  minimum,
  maximum,
  bit_and,  // of numbers that are not negative
  bit_or,
  bit_xor,
};

/// a / b, rounded down.
inline number floor_division(number a, number b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// Nothing where the result is not defined or does not fit.
inline std::optional<number> compute(operation op, number a, number b) {
  number out = 0;
  switch (op) {
    case operation::none: return std::nullopt;
    case operation::product:
      if (__builtin_mul_overflow(a, b, &out) || std::abs(out) > largest_part) return std::nullopt;
      return out;
    case operation::quotient: return b <= 0 ? std::nullopt : std::optional(floor_division(a, b));
    case operation::remainder: return b <= 0 ? std::nullopt : std::optional(a - b * floor_division(a, b));
    case operation::truncated_quotient: return b == 0 ? std::nullopt : std::optional(a / b);
    case operation::truncated_remainder: return b == 0 ? std::nullopt : std::optional(a % b);
    case operation::low_bits:
      if (b > 60) return a < 0 ? std::nullopt : std::optional(a);
      return a & ((number{1} << b) - 1);
    case operation::signed_bits: {
      if (b > 60) return a;
      const number low = a & ((number{1} << b) - 1);
      return low >= (number{1} << (b - 1)) ? low - (number{1} << b) : low;
    }
    case operation::minimum: return std::min(a, b);
    case operation::maximum: return std::max(a, b);
    case operation::bit_and: return a & b;
    case operation::bit_or: return a | b;
    case operation::bit_xor: return a ^ b;
  }
  return std::nullopt;
}

/// One unknown. Computed ones say from what, so that a choice of the others decides them.
struct symbol {
  sharing shared = sharing::thread;
  number low = -unbounded;  // this or below: no limit
  number high = unbounded;
  bool is_free = false;  // an argument or block number: every value in its range can occur
  number example = 0;    // what examples give it where it is free; 0: any value in its range
  bool is_data = false;  // comes from memory, or from something that is not followed
  bool is_iteration = false;
  bool is_loose = false;   // of a loop that no barrier holds together: threads are in different iterations
  bool is_object = false;  // where a tile or a buffer begins
  int whole_bits = 0;      // `whole_factor` times this symbol is an argument of 64 bits
  bool is_signed = false;
  number whole_factor = 1;
  ptx::special special = ptx::special::none;
  int drawn_along = -1;  // another number from 0 on in each block along this axis, as many as there are (drawn_numbers.hpp)
  operation op = operation::none;  // of `left` and `right`
  form left = {};
  form right = {};
  form same_as = {};  // if it has terms: equal to the symbol, in other symbols
};

/// All unknowns of one kernel.
class symbols {
 public:
  explicit symbols(std::size_t threads) : threads_(threads) {}

  std::size_t threads() const { return threads_; }
  const symbol& operator[](std::uint32_t id) const { return all_[id]; }

  std::uint32_t make(symbol s) {
    if (s.special != ptx::special::none) specials_.push_back(static_cast<std::uint32_t>(all_.size()));
    all_.push_back(std::move(s));
    return static_cast<std::uint32_t>(all_.size() - 1);
  }

  /// The unknown of a special register, if it has been read.
  std::optional<std::uint32_t> find(ptx::special s) const {
    for (const std::uint32_t id : specials_)
      if (all_[id].special == s) return id;
    return std::nullopt;
  }

  /// The special register of the grid; made once. `most` is the largest number of blocks along its axis.
  form of(ptx::special s, number most = (number{1} << 31) - 1) {
    if (const auto known = find(s)) return single(*known);
    const bool is_count = s == ptx::special::nctaid_x || s == ptx::special::nctaid_y || s == ptx::special::nctaid_z;
    return single(make({.shared = is_count ? sharing::launch : sharing::block,
                        .low = is_count ? 1 : 0,
                        .high = is_count ? most : most - 1,
                        .is_free = true,
                        .special = s}));
  }

  /// The number that a block draws at a counter of the blocks along an axis.
  std::uint32_t make_drawn(int axis) {
    const auto along = [&](ptx::special x) { return static_cast<ptx::special>(static_cast<int>(x) + axis); };
    const auto blocks = find(along(ptx::special::nctaid_x)), own = find(along(ptx::special::ctaid_x));
    const number most = blocks ? all_[*blocks].high - 1 : own ? all_[*own].high : (number{1} << 31) - 2;
    drawn_.push_back(make({.shared = sharing::block, .low = 0, .high = most, .drawn_along = axis}));
    return drawn_.back();
  }
  /// All that have been made so.
  const dynamic_array<std::uint32_t>& drawn() const { return drawn_; }

  /// `op` of two unknowns, made once for the same operands.
  form computed(operation op, const form& left, const form& right, number low, number high, form same_as = {}) {
    dynamic_array<std::uint32_t>& alike = computed_[key_of(op, left, right)];
    for (const std::uint32_t id : alike)
      if (const symbol& s = all_[id]; s.op == op && s.left == left && s.right == right) return single(id);
    alike.push_back(static_cast<std::uint32_t>(all_.size()));
    return single(make({.shared = std::max(shared(left), shared(right)),
                        .low = low,
                        .high = high,
                        .is_data = is_data(left) || is_data(right),
                        .is_loose = is_loose(left) || is_loose(right),
                        .op = op,
                        .left = left,
                        .right = right,
                        .same_as = std::move(same_as)}));
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
  bool is_data(const form& f) const {
    return std::any_of(f.terms.begin(), f.terms.end(), [&](const term& t) { return all_[t.symbol].is_data; });
  }
  bool has_object(const form& f) const {
    return std::any_of(f.terms.begin(), f.terms.end(), [&](const term& t) { return all_[t.symbol].is_object; });
  }

  /// Whether blocks that differ along this axis alone have the same value of `f`, thread by thread.
  bool is_alike_along(const form& f, int axis) const {
    return !f.is_broken && std::all_of(f.terms.begin(), f.terms.end(), [&](const term& t) {
      const symbol& s = all_[t.symbol];
      if (s.op != operation::none) return is_alike_along(s.left, axis) && is_alike_along(s.right, axis);
      const auto number_of = [&](int k) { return static_cast<ptx::special>(static_cast<int>(ptx::special::ctaid_x) + k); };
      return s.shared == sharing::launch || (s.special == number_of((axis + 1) % 3)) || s.special == number_of((axis + 2) % 3);
    });
  }

  /// a * b, as far as products of a number of each thread's own and an unknown do not arise.
  std::optional<form> product(const form& a, const form& b) {
    if (a.is_broken || b.is_broken) return std::nullopt;
    if (a.is_number()) return scaled(b, a.base);
    if (b.is_number()) return scaled(a, b.base);
    if (a.is_exact() && b.is_exact()) {
      form::column out(threads_);
      for (std::size_t t = 0; t < threads_; ++t) {
        const auto x = compute(operation::product, a.at(t), b.at(t));
        if (!x) return std::nullopt;
        out[t] = *x;
      }
      return each(std::move(out));
    }
    if (a.lanes || b.lanes || a.terms.size() * b.terms.size() > 4) return std::nullopt;
    const auto whole = compute(operation::product, a.base, b.base);
    if (!whole) return std::nullopt;
    form out = constant(*whole);
    out = add(out, form{a.terms, 0, nullptr}, b.base);
    out = add(out, form{b.terms, 0, nullptr}, a.base);
    for (const term& x : a.terms)
      for (const term& y : b.terms) {
        const auto factor = compute(operation::product, x.factor, y.factor);
        if (!factor) return std::nullopt;
        out = add(out, product_of(x.symbol, y.symbol), *factor);
      }
    return out;
  }

  number low(const term& t) const { return times(t.factor, t.factor > 0 ? all_[t.symbol].low : all_[t.symbol].high); }
  number high(const term& t) const { return times(t.factor, t.factor > 0 ? all_[t.symbol].high : all_[t.symbol].low); }

  /// Limits of what the symbols of `f` add.
  number low(const form& f) const {
    number out = 0;
    for (const term& t : f.terms) {
      out = std::min(out + low(t), unbounded);
      if (out <= -unbounded || low(t) <= -unbounded) return -unbounded;
    }
    return f.is_broken ? -unbounded : out;
  }
  number high(const form& f) const {
    number out = 0;
    for (const term& t : f.terms) {
      out = std::max(out + high(t), -unbounded);
      if (out >= unbounded || high(t) >= unbounded) return unbounded;
    }
    return f.is_broken ? unbounded : out;
  }

  static number times(number factor, number limit) {
    if (limit >= unbounded || limit <= -unbounded) return (factor > 0) == (limit > 0) ? unbounded : -unbounded;
    number out = 0;
    if (__builtin_mul_overflow(factor, limit, &out) || out > unbounded || out < -unbounded)
      return (factor > 0) == (limit > 0) ? unbounded : -unbounded;
    return out;
  }

  /// `f` without the symbols that are known to be sums of others.
  form expanded(form f) const {
    for (int rounds = 0; rounds < 16; ++rounds) {
      const auto at =
          std::find_if(f.terms.begin(), f.terms.end(), [&](const term& t) { return !all_[t.symbol].same_as.terms.empty(); });
      if (at == f.terms.end()) break;
      const term t = *at;
      f = add(add(f, single(t.symbol), -t.factor), all_[t.symbol].same_as, t.factor);
    }
    return f;
  }

 private:
  static std::uint64_t key_of(operation op, const form& left, const form& right) {
    std::uint64_t out = static_cast<std::uint64_t>(op);
    const auto add = [&](std::uint64_t n) { out = (out ^ n) * 0x9e3779b97f4a7c15; };
    for (const form* f : {&left, &right}) {
      add(static_cast<std::uint64_t>(f->base));
      for (const term& t : f->terms) add(std::uint64_t{t.symbol} << 32 ^ static_cast<std::uint64_t>(t.factor));
    }
    return out;
  }

  form product_of(std::uint32_t x, std::uint32_t y) {
    if (y < x) std::swap(x, y);
    number low = unbounded, high = -unbounded;
    for (const number a : {all_[x].low, all_[x].high})
      for (const number b : {all_[y].low, all_[y].high}) {
        const bool is_zero = a == 0 || b == 0;
        const number one = is_zero ? 0 : std::abs(b) >= unbounded ? times(a, b) : times(b, a);
        low = std::min(low, one), high = std::max(high, one);
      }
    return computed(operation::product, single(x), single(y), low, high);
  }

  std::size_t threads_;
  dynamic_array<symbol> all_;
  dynamic_array<std::uint32_t> specials_;  // those of special registers
  dynamic_array<std::uint32_t> drawn_;
  std::unordered_map<std::uint64_t, dynamic_array<std::uint32_t>> computed_;
};

}  // namespace tg::proof
