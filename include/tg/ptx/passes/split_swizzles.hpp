// Addresses of swizzled tiles: what a swizzle leaves as it is comes out of it, so that accesses which are rows, columns or
// stages apart share what it permutes.
//
//   z(x) = x ^ (x >> S & mask)    reads and writes bits of x below some 2^p
//   z(u + y) = u + z(y)           where u is a multiple of 2^p: rows further down, stages
//   z(y + c) = z(y) ^ z(c)        where y and c have no bit in common: columns further right
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/insertions.hpp>
#include <tg/ptx/passes/possible_bits.hpp>

namespace tg::ptx {

/// Writes 32-bit addresses in which swizzles can be opened as sums: what stays the same in the innermost loop, what changes
/// there, a constant. The rules hold for registers that wrap; nothing else is assumed. Requires: `uses` are those of `f`, their
/// `reads` apart.
void split_swizzles(function& f, const dynamic_array<register_use>& uses);

namespace detail {

class swizzle_splitter {
 public:
  swizzle_splitter(function& f, const dynamic_array<register_use>& uses)
      : f_(f), uses_(uses), bits_(f, uses), changes_(uses.size(), not_asked) {}

  void run() {
    if (!mark()) return;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (is_marker(i.op)) added_.forget();
      if (i.op == opcode::loop || i.op == opcode::endloop) enter(n);
      else if (i.operand_count == 3 && is_value(i[0]) && is_address_[i[0].id]) split(n);
    }
    added_.apply(f_);
  }

 private:
  static constexpr std::size_t most_terms = 16;
  static constexpr unsigned char not_asked = 2;

  /// register * factor
  struct term {
    std::uint32_t reg = 0;
    std::uint32_t factor = 1;
    bool changes = false;  // in the innermost loop
  };
  struct linear {
    dynamic_array<term> terms;
    std::uint32_t constant = 0;
    bool has_opened = false;

    void clear() {
      terms.clear();
      constant = 0;
      has_opened = false;
    }
  };
  /// x ^ (x >> shift & mask)
  struct swizzle {
    operand x;
    int shift = 0;
    std::uint32_t mask = 0;

    std::uint32_t apply(std::uint32_t c) const { return c ^ (c >> shift & mask); }
    int period_bits() const { return shift + std::bit_width(mask); }
  };

  bool is_value(const operand& o) const { return o.is_reg() && o.id < uses_.size() && uses_[o.id].is_value(); }

  // What computes a value of 32 bits.
  const instruction* definition_of(const operand& o) const {
    if (!is_value(o)) return nullptr;
    const instruction& i = f_.body[uses_[o.id].definition];
    return i.is_guarded() || i.has(token::sat) || i.has(token::cc) || width_bits(i.type()) != 32 ? nullptr : &i;
  }

  // Which registers are addresses of 32 bits. Returns: whether there are swizzles too.
  bool mark() {
    is_address_.resize(uses_.size());
    bool found = false;
    for (const instruction& i : f_.body) {
      for (const operand& o : i.operands())
        if (o.is(operand_kind::address) && o.base == operand_kind::reg)
          is_address_[o.id] = width_bits(f_.registers[o.id].type) == 32;
      found = found || swizzle_of(i).has_value();
    }
    return found;
  }

  std::optional<swizzle> swizzle_of(const instruction& i) const {
    if (!computes(i.op, calculation::bit_xor) || width_bits(i.type()) != 32) return std::nullopt;
    for (const std::size_t k : {1u, 2u}) {
      const instruction* picked = definition_of(i[3 - k]);
      if (picked == nullptr || !computes(picked->op, calculation::bit_and) || !(*picked)[2].is(operand_kind::integer)) continue;
      const instruction* moved = definition_of((*picked)[1]);
      if (moved == nullptr || !computes(moved->op, calculation::shr) || is_signed(moved->type()) || (*moved)[1] != i[k])
        continue;
      if (!(*moved)[2].is(operand_kind::integer) || (*moved)[2].value < 1 || (*moved)[2].value > 31) continue;
      const swizzle out{i[k], static_cast<int>((*moved)[2].value), static_cast<std::uint32_t>((*picked)[2].value)};
      if (is_value(out.x) && out.mask != 0 && out.period_bits() < 32) return out;
    }
    return std::nullopt;
  }

  void enter(std::uint32_t n) {
    if (f_.body[n].op == opcode::loop) loops_.push_back(n);
    else loops_.pop_back();
    std::ranges::fill(changes_, not_asked);
  }

  bool changes(const operand& o) {
    if (loops_.empty()) return false;
    if (!is_value(o)) return true;
    const std::uint32_t definition = uses_[o.id].definition;
    if (definition < loops_.back()) return false;
    if (changes_[o.id] == not_asked) {
      const instruction& i = f_.body[definition];
      bool out = i.is_guarded() || !is_pure(i);
      for_each_read(f_, i, [&](std::uint32_t r) { out = out || changes(operand::reg(r)); });
      changes_[o.id] = out;
    }
    return changes_[o.id] != 0;
  }

  // Adds `factor` times `o`. A swizzle inside a swizzle is not opened.
  void gather(std::uint32_t n, linear& out, const operand& o, std::uint32_t factor, bool is_inside = false) {
    if (o.is(operand_kind::integer)) {
      out.constant += factor * static_cast<std::uint32_t>(o.value);
      return;
    }
    const instruction* i = out.terms.size() < most_terms ? definition_of(o) : nullptr;
    if (i != nullptr) {
      const bool has_number = i->operand_count == 3 && (*i)[2].is(operand_kind::integer);
      const auto number = static_cast<std::uint32_t>((*i)[2].value);
      if (computes(i->op, calculation::add)) {
        gather(n, out, (*i)[1], factor, is_inside);
        return gather(n, out, (*i)[2], factor, is_inside);
      }
      if (computes(i->op, calculation::shl) && has_number && number < 32)
        return gather(n, out, (*i)[1], factor << number, is_inside);
      if (computes(i->op, calculation::mul) && has_number && i->has(token::lo))
        return gather(n, out, (*i)[1], factor * number, is_inside);
      if (computes(i->op, calculation::copy) && is_value((*i)[1])) return gather(n, out, (*i)[1], factor, is_inside);
      if (const auto found = is_inside ? std::nullopt : swizzle_of(*i); found && open(n, out, *found, factor)) return;
    }
    out.terms.push_back({o.id, factor, changes(o)});
  }

  std::uint32_t bits_of(const term& t) { return possible_bits::product(bits_.of(operand::reg(t.reg)), t.factor); }

  template <class Condition> static void move_if(dynamic_array<term>& from, dynamic_array<term>& to, const Condition& leaves) {
    to.clear();
    tg::erase_if(from, [&](const term& t) {
      const bool is_taken = leaves(t);
      if (is_taken) to.push_back(t);
      return is_taken;
    });
  }

  // Adds `factor` times a swizzled sum. Returns: false, and adds nothing, where nothing comes out of the swizzle.
  bool open(std::uint32_t n, linear& out, const swizzle& by, std::uint32_t factor) {
    linear& inside = inside_;
    inside.clear();
    gather(n, inside, by.x, 1, true);
    const auto stays = [&](const term& t) { return std::countr_zero(bits_of(t)) >= by.period_bits(); };
    move_if(inside.terms, apart_, stays);
    const std::uint32_t whole = inside.constant >> by.period_bits() << by.period_bits();
    inside.constant -= whole;
    std::uint32_t own = 0;
    for (const term& t : inside.terms) own = possible_bits::sum(own, bits_of(t));
    const std::uint32_t flipped = (own & inside.constant) == 0 ? std::exchange(inside.constant, 0) : 0;
    if (apart_.empty() && whole == 0 && flipped == 0) return false;

    for (const term& t : apart_) out.terms.push_back({t.reg, factor * t.factor, t.changes});
    out.constant += factor * whole;
    out.has_opened = true;
    if (inside.terms.empty()) {
      out.constant += factor * by.apply(flipped);
      return true;
    }
    const bool varies = std::ranges::any_of(inside.terms, &term::changes);
    const operand x = total(n, inside.terms, inside.constant);
    const operand picked = compute(n, operation::bit_and(token::b32),
                                   compute(n, operation::shr(token::u32), x, number(by.shift)), number(by.mask));
    operand z = compute(n, operation::bit_xor(token::b32), x, picked);
    // Multiplied before bits are flipped, so that accesses which flip others share the product.
    std::uint32_t flips = by.apply(flipped);
    if (flipped != 0 && std::has_single_bit(factor)) {
      z = multiple(n, {z.id, factor, varies});
      flips *= std::exchange(factor, 1);
    }
    if (flipped != 0) z = compute(n, operation::bit_xor(token::b32), z, number(flips));
    out.terms.push_back({z.id, factor, varies});
    return true;
  }

  void split(std::uint32_t n) {
    linear& sum = sum_;
    sum.clear();
    gather(n, sum, f_.body[n][0], 1);
    if (!sum.has_opened) return;
    move_if(sum.terms, apart_, [](const term& t) { return t.changes; });
    operand address = total(n, sum.terms, 0);
    if (sum.terms.empty()) address = total(n, apart_, 0);
    else if (!apart_.empty()) address = compute(n, operation::add(token::u32), address, total(n, apart_, 0));
    added_.compute(f_, n, type_at(n), operation::add(token::u32), {address, number(sum.constant)});
    added_.replace(f_, n);
  }

  // In the order of the registers, so that equal sums become equal instructions.
  operand total(std::uint32_t n, dynamic_array<term>& terms, std::uint32_t constant) {
    for (auto t = terms.begin(); t != terms.end(); ++t)
      std::rotate(std::ranges::upper_bound(terms.begin(), t, t->reg, {}, &term::reg), t, t + 1);
    operand out = number(constant);
    for (const term& t : terms) {
      const operand own = multiple(n, t);
      out = out == number(0) ? own : compute(n, operation::add(token::u32), own, out);
    }
    return out;
  }

  operand multiple(std::uint32_t n, const term& t) {
    const operand reg = operand::reg(t.reg);
    if (t.factor == 1) return reg;
    if (std::has_single_bit(t.factor)) return compute(n, operation::shl(token::b32), reg, number(std::countr_zero(t.factor)));
    return compute(n, operation::mul_low(token::u32), reg, number(t.factor));
  }

  template <class Integer> static operand number(Integer value) { return operand::integer(static_cast<std::int32_t>(value)); }

  operand compute(std::uint32_t n, const operation& what, const operand& a, const operand& b) {
    const instruction wanted{what, {operand{}, a, b}};
    return keeps_value(a) && keeps_value(b) ? added_.compute_once(f_, n, type_at(n), wanted)
                                            : added_.compute(f_, n, type_at(n), wanted);
  }

  // Registers that are not counted are those that this pass has added.
  bool keeps_value(const operand& o) const { return !o.is_reg() || o.id >= uses_.size() || uses_[o.id].is_value(); }

  token type_at(std::uint32_t n) const { return f_.registers[f_.body[n][0].id].type; }

  function& f_;
  const dynamic_array<register_use>& uses_;
  possible_bits bits_;
  dynamic_array<bool> is_address_;
  dynamic_array<unsigned char> changes_;  // whether in the innermost loop, or not_asked
  dynamic_array<std::uint32_t> loops_;    // open ones, outermost first
  linear sum_, inside_;                   // of the address, and of the swizzle in it: kept for their memory
  dynamic_array<term> apart_;
  insertions added_;
};

}  // namespace detail

inline void split_swizzles(function& f, const dynamic_array<register_use>& uses) {
  const auto may_swizzle = [](const instruction& i) { return computes(i.op, calculation::bit_xor); };
  if (std::any_of(f.body.begin(), f.body.end(), may_swizzle)) detail::swizzle_splitter(f, uses).run();
}

}  // namespace tg::ptx
