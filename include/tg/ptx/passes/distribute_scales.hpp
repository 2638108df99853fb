// Addresses in loops: of base + (row * 32 + lane) * 4 a loop over rows adds row * 128 to a sum that stands in front of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/insertions.hpp>
#include <tg/ptx/passes/regroup_addresses.hpp>

namespace tg::ptx {

/// Sums of loops that get a register in front of one of them.
inline constexpr std::size_t most_distributed = 4;

/// Makes a 32-bit address in a loop one `mad.lo` of what the loop changes: sums and products wrap around, so every order gives
/// the same. Makes a 64-bit one a sum of a `mul.wide` of what the loop changes: exact by the rule of the language that an index
/// does not wrap, where no part of an unsigned index comes from a difference or from memory. In long loops addresses stay as
/// they are. What becomes dead stays for `remove_dead`. Requires: what loops do not change stands in front of them.
void distribute_scales(function& f);

namespace detail {

// Where the loops that are not long begin, in their order.
inline dynamic_array<std::uint32_t> short_loops(const function& f) {
  dynamic_array<std::uint32_t> out, open;
  for (std::uint32_t n = 0, end = f.body_size(); n < end; ++n) {
    if (f.body[n].op == opcode::loop) open.push_back(n);
    if (f.body[n].op != opcode::endloop) continue;
    if (n - open.back() <= long_loop) out.push_back(open.back());
    open.pop_back();
  }
  std::sort(out.begin(), out.end());
  return out;
}

class scale_distribution {
 public:
  scale_distribution(function& f, dynamic_array<std::uint32_t> short_loops)
      : f_(f), uses_(count_definitions(f)), is_address_(f.registers.size()), short_loops_(std::move(short_loops)) {}

  void run() {
    find();
    dynamic_array<std::uint32_t> loops;  // open ones
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (is_marker(i.op)) products_.clear(), renamed_.clear();
      if (i.op == opcode::loop) loops.push_back(n);
      else if (i.op == opcode::endloop) loops.pop_back();
      else if (!loops.empty() && is_short(loops.back())) {
        if (is_address_sum(i)) read_first(n), distribute(n, loops.back());
        else if (computes(i.op, calculation::mul) && i.has(token::wide)) note_product(n);
      }
    }
    added_.apply(f_);
  }

 private:
  /// factor * changing + the sum of `fixed`
  struct terms {
    operand changing;
    std::int64_t factor = 1;
    dynamic_array<operand> fixed;
    bool is_simple = true;  // one term changes
  };

  void find() {
    for (const instruction& i : f_.body)
      for (const operand& o : i.operands())
        if (o.is(operand_kind::address) && o.base == operand_kind::reg) is_address_[o.id] = true;
  }
  // What only 64-bit addresses ask for.
  void find_numbers() {
    if (std::exchange(has_numbers_, true)) return;
    is_read_as_number_ = dynamic_array<bool>(f_.registers.size());
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (!is_sum(i) && !(computes(i.op, calculation::mul) && i.has(token::wide)))
        for_each_read(f_, i, [&](std::uint32_t r) { is_read_as_number_[r] = true; });
      for_each_written(f_, i, [&](std::uint32_t r) {
        if (!uses_[r].is_value()) writes_.emplace_back(r, n);
      });
    }
    std::sort(writes_.begin(), writes_.end());
  }
  bool is_short(std::uint32_t loop) const { return std::binary_search(short_loops_.begin(), short_loops_.end(), loop); }

  bool is_value(const operand& o) const { return ptx::is_value(uses_, o); }
  bool is_word(const instruction& i) const {
    return !i.is_guarded() && i[0].is_reg() && is_value(i[0]) && is_integer_word(i.type());
  }
  static bool is_integer_word(token t) { return t == token::u32 || t == token::s32 || t == token::b32; }
  bool is_sum(const instruction& i) const {
    return computes(i.op, calculation::add) && i.operand_count == 3 && i.token_count == 1 && is_word(i) && is_value(i[1]) &&
           is_value(i[2]);
  }
  bool is_address_sum(const instruction& i) const {
    if (!computes(i.op, calculation::add) || i.operand_count != 3 || i.token_count != 1 || i.is_guarded()) return false;
    return is_integer(i.type()) && is_value(i[0]) && is_value(i[1]) && is_value(i[2]) && is_address_[i[0].id];
  }
  bool is_before(const operand& o, std::uint32_t loop) const { return is_value(o) && uses_[o.id].definition < loop; }

  // What computes `o` in the loop; null: something else, or in front of it.
  const instruction* inside(const operand& o, std::uint32_t loop) const {
    if (!is_value(o) || uses_[o.id].definition < loop) return nullptr;
    const instruction& i = f_.body[uses_[o.id].definition];
    return is_word(i) ? &i : nullptr;
  }
  static bool is_factor(const operand& o) { return o.is(operand_kind::integer) && o.value > 0 && o.value < 1 << 16; }
  // The constant that `i` multiplies its first source by; none: 0.
  static std::int64_t factor_of(const instruction& i) {
    if (computes(i.op, calculation::shl) && is_factor(i[2]) && i[2].value < 16) return std::int64_t{1} << i[2].value;
    if (computes(i.op, calculation::mul) && i.has(token::wide)) return is_factor(i[2]) ? i[2].value : 0;
    const bool is_product = computes(i.op, calculation::mul) || computes(i.op, calculation::mul_add);
    return is_product && i.has(token::lo) && is_factor(i[2]) ? i[2].value : 0;
  }

  void collect(const operand& o, std::uint32_t loop, terms& into) const {
    if (is_before(o, loop)) return into.fixed.push_back(o);
    const instruction* const i = inside(o, loop);
    if (i != nullptr && is_sum(*i)) {
      collect((*i)[1], loop, into);
      return collect((*i)[2], loop, into);
    }
    if (!into.changing.is(operand_kind::none) || !is_value(o)) return void(into.is_simple = false);
    const std::int64_t factor = i == nullptr ? 0 : factor_of(*i);
    if (factor == 0 || !is_value((*i)[1])) return void(into.changing = o);
    into.changing = (*i)[1], into.factor = factor;
    if (i->operand_count == 4) {
      if (is_before((*i)[3], loop)) into.fixed.push_back((*i)[3]);
      else into.is_simple = false;
    }
  }

  // Whether `o` is an unsigned number as the program means it: nothing that a difference may have wrapped.
  bool is_natural(const operand& o, int depth = 8) const {
    if (o.is(operand_kind::integer)) return o.value >= 0;
    if (o.is(operand_kind::special)) return true;
    if (!o.is_reg() || o.id >= uses_.size() || depth == 0) return false;
    if (uses_[o.id].is_value()) return is_natural(f_.body[uses_[o.id].definition], depth - 1);
    const auto first = std::lower_bound(writes_.begin(), writes_.end(), std::pair{o.id, 0u});
    for (auto w = first; w != writes_.end() && w->first == o.id; ++w)
      if (w - first > 3 || !is_natural_step(f_.body[w->second], o, depth - 1)) return false;
    return first != writes_.end();
  }
  bool is_natural(const instruction& i, int depth) const {
    if (i.is_guarded() || is_float(i.type()) || width_bits(i.type()) != 32) return false;
    if (is_load(i.op)) return i.has(token::param);
    const calculation c = calculation_of(i.op);
    const bool grows = c == calculation::copy || c == calculation::add || c == calculation::mul || c == calculation::mul_add ||
                       c == calculation::shl ||
                       (!is_signed(i.type()) &&
                        (c == calculation::shr || c == calculation::div || c == calculation::rem || c == calculation::bit_and));
    return grows && !i.has(token::hi) &&
           std::ranges::all_of(i.operands().subspan(1), [&](const operand& o) { return is_natural(o, depth); });
  }
  // A write of a variable: a natural number, or itself and a natural number.
  bool is_natural_step(const instruction& i, const operand& variable, int depth) const {
    if (computes(i.op, calculation::add) && !i.is_guarded() && i[1] == variable) return is_natural(i[2], depth);
    if (computes(i.op, calculation::copy) && !i.is_guarded() && is_value(i[1])) {
      const instruction& made = f_.body[uses_[i[1].id].definition];
      if (computes(made.op, calculation::add) && !made.is_guarded() && is_value(made[1])) {
        const instruction& read = f_.body[uses_[made[1].id].definition];
        if (computes(read.op, calculation::copy) && read[1] == variable) return is_natural(made[2], depth);
      }
    }
    return is_natural(i, depth);
  }

  void distribute(std::uint32_t n, std::uint32_t loop) {
    const instruction& sum = f_.body[n];
    const bool is_left = is_before(sum[1], loop);
    const operand base = sum[is_left ? 1 : 2];
    const instruction* const scaled = inside(sum[is_left ? 2 : 1], loop);
    if (!is_before(base, loop) || scaled == nullptr || scaled->operand_count != 3) return;
    const bool is_wide = width_bits(sum.type()) == 64;
    if (is_wide != scaled->has(token::wide)) return;
    const std::int64_t scale = factor_of(*scaled);
    terms own;
    if (scale == 0) return;
    collect((*scaled)[1], loop, own);
    if (!own.is_simple || own.fixed.empty() || own.changing.is(operand_kind::none)) return;
    const std::int64_t factor = own.factor * scale;
    if (factor >= std::int64_t{1} << 31) return;
    if (!is_wide) {
      const operand front = in_front(n, loop, base, own.fixed, scale, token::u32);
      if (!front.is(operand_kind::none))
        replace(n, {opcode::mad, {token::lo, token::u32}, {sum[0], own.changing, operand::integer(factor), front}});
      return;
    }
    // An index that is a number elsewhere too is computed in any case.
    const token type = scaled->type();
    find_numbers();
    if (is_read_as_number_[(*scaled)[1].id]) return;
    const auto natural = [&](const operand& o) { return is_natural(o); };
    if (!is_signed(type) && !(natural(own.changing) && std::ranges::all_of(own.fixed, natural))) return;
    const operand front = in_front(n, loop, base, own.fixed, scale, type);
    if (front.is(operand_kind::none)) return;
    replace(n, {operation::add(token::s64), {sum[0], front, product(n, own.changing, factor, type)}});
  }
  void replace(std::uint32_t n, instruction joined) {
    joined.where = f_.body[n].where;
    f_.body[n] = std::move(joined);
  }

  struct wide_product {
    operand changing;
    std::int64_t factor = 1;
    token type = token::u32;
    operand result;
  };
  // Sums read the first of equal products.
  void note_product(std::uint32_t n) {
    const instruction& i = f_.body[n];
    if (i.is_guarded() || !is_value(i[0]) || !is_value(i[1]) || !is_factor(i[2])) return;
    for (const wide_product& p : products_)
      if (p.changing == i[1] && p.factor == i[2].value && p.type == i.type()) return renamed_.push_back({i[0], p.result});
    products_.push_back({i[1], i[2].value, i.type(), i[0]});
  }
  void read_first(std::uint32_t n) {
    for (operand& o : f_.body[n].operands().subspan(1))
      for (const auto& [from, to] : renamed_)
        if (o == from) o = to;
  }
  operand product(std::uint32_t n, const operand& changing, std::int64_t factor, token type) {
    for (const wide_product& p : products_)
      if (p.changing == changing && p.factor == factor && p.type == type) return p.result;
    const operand made = insert(n, n, {operation::mul_wide(type), {operand{}, changing, operand::integer(factor)}}, token::b64);
    products_.push_back({changing, factor, type, made});
    return made;
  }

  struct front_sum {
    std::uint32_t loop = 0;
    operand base;
    dynamic_array<operand> fixed;
    std::int64_t scale = 1;
    token type = token::u32;
    operand result;
  };

  // base + the sum of `fixed` * scale, in front of a loop; none, where that has enough of them.
  operand in_front(std::uint32_t n, std::uint32_t loop, const operand& base, const dynamic_array<operand>& fixed,
                   std::int64_t scale, token type) {
    std::size_t of_loop = 0;
    for (const front_sum& s : fronts_) {
      if (s.loop != loop) continue;
      if (s.base == base && s.fixed == fixed && s.scale == scale && s.type == type) return s.result;
      ++of_loop;
    }
    if (of_loop == most_distributed) return {};
    operand all = fixed[0];
    for (std::size_t k = 1; k < fixed.size(); ++k)
      all = insert(n, loop, {operation::add(token::u32), {operand{}, all, fixed[k]}}, token::b32);
    if (width_bits(f_.registers[base.id].type) == 64) {
      const operand bytes = insert(n, loop, {operation::mul_wide(type), {operand{}, all, operand::integer(scale)}}, token::b64);
      all = insert(n, loop, {operation::add(token::s64), {operand{}, base, bytes}}, token::b64);
    } else {
      all =
          insert(n, loop, {opcode::mad, {token::lo, token::u32}, {operand{}, all, operand::integer(scale), base}}, token::b32);
    }
    fronts_.push_back({loop, base, fixed, scale, type, all});
    return all;
  }
  operand insert(std::uint32_t line_of, std::uint32_t position, instruction wanted, token type) {
    return added_.compute(f_, position, line_of, type, std::move(wanted));
  }

  function& f_;
  dynamic_array<register_use> uses_;
  dynamic_array<bool> is_address_;
  dynamic_array<bool> is_read_as_number_;                          // by another instruction than a sum or a product that widens
  dynamic_array<std::pair<std::uint32_t, std::uint32_t>> writes_;  // of variables, with their positions
  bool has_numbers_ = false;
  dynamic_array<std::uint32_t> short_loops_;
  dynamic_array<front_sum> fronts_;
  dynamic_array<wide_product> products_;                // of this region
  dynamic_array<std::pair<operand, operand>> renamed_;  // of this region: products that are equal to earlier ones
  unordered_insertions added_;
};

}  // namespace detail

inline void distribute_scales(function& f) {
  dynamic_array<std::uint32_t> short_loops = detail::short_loops(f);
  if (!short_loops.empty()) detail::scale_distribution(f, std::move(short_loops)).run();
}

}  // namespace tg::ptx
