// Which shared or local variable each access is aimed at, as far as the instructions that make its address tell: then
// an access that reaches a neighbour of the variable is found, too. A register counts when every instruction that
// writes it adds plain numbers to the address of one and the same variable.
#pragma once

#include <cstdint>
#include <optional>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/decode/decoder.hpp>
#include <tg/emulator/image/call_graph.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/integer_meaning.hpp>

namespace tg::emulator::check {

namespace detail {

/// What a register holds, from nothing known over a number or an address inside one variable to anything.
class origin {
 public:
  static constexpr std::uint64_t unset = 0, number = 1, anything = ~std::uint64_t{0};
  static constexpr std::uint64_t variable(bool is_local, std::uint32_t id) {
    return std::uint64_t{2} + is_local + 2 * std::uint64_t{id};
  }
  static constexpr bool is_variable(std::uint64_t o) { return o > number && o != anything; }

  /// Either of two values.
  static constexpr std::uint64_t join(std::uint64_t a, std::uint64_t b) {
    return a == b || b == unset ? a : a == unset ? b : anything;
  }
  /// The sum of two values.
  static constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    if (a == anything || b == anything || (is_variable(a) && is_variable(b))) return anything;
    return is_variable(a) ? a : is_variable(b) ? b : a == unset || b == unset ? unset : number;
  }
};

/// An address keeps its variable where a number is added to it. Nothing is said of other operations.
struct origin_domain : ptx::blank_domain<std::optional<std::uint64_t>> {
  value copy(const value& a) const { return a; }
  value convert(const value& a, ptx::token, ptx::token) const { return a; }
  value add(const value& a, const value& b) const { return a && b ? value(origin::sum(*a, *b)) : value(); }
  value bit_or(const value& a, const value& b) const { return add(a, b); }
  value sub(const value& a, const value& b) const { return origin::is_variable(*b) ? value(origin::anything) : add(a, b); }
  value mul_low(const value& a, const value& b, ptx::word_type) const { return product(*a, *b); }
  value mul_high(const value& a, const value& b, ptx::word_type) const { return product(*a, *b); }
  value mul_wide(const value& a, const value& b, ptx::word_type) const { return product(*a, *b); }

 private:
  static value product(std::uint64_t a, std::uint64_t b) {
    return origin::is_variable(a) || origin::is_variable(b) ? origin::anything : origin::sum(a, b);
  }
};

class origins {
 public:
  explicit origins(const ptx::function& f) : f_(f), registers_(f.registers.size(), origin::unset) {
    for (bool changes = true; changes;) {
      changes = false;
      for (const ptx::instruction& i : f.body) changes = follow(i) || changes;
    }
  }

  std::uint64_t of(ptx::operand_kind kind, std::uint32_t id) const {
    if (kind == ptx::operand_kind::reg) return registers_[id];
    if (kind == ptx::operand_kind::variable) return origin::variable(false, id);
    return kind == ptx::operand_kind::local ? origin::variable(true, id) : origin::number;
  }

 private:
  std::uint64_t of(const ptx::operand& o) const { return of(o.kind == ptx::operand_kind::address ? o.base : o.kind, o.id); }

  std::uint64_t result(const ptx::instruction& i) const {
    if (ptx::computes(i.op, ptx::calculation::convert_address)) return of(i[1]);
    if (ptx::computes(i.op, ptx::calculation::select)) return origin::join(of(i[1]), of(i[2]));
    if (ptx::is_load(i.op) || i.op == ptx::opcode::atom) return origin::number;
    const auto known = ptx::integer_result(i, origin_domain(), [&](std::size_t k) { return std::optional(of(i[k])); });
    if (known) return *known;
    for (const ptx::operand& o : i.operands().subspan(1))
      if (const std::uint64_t from = of(o); from == origin::anything || origin::is_variable(from)) return origin::anything;
    return origin::number;
  }

  bool follow(const ptx::instruction& i) {
    if (i.operand_count == 0) return false;
    const ptx::operand& to = i[0];
    const bool is_list = to.kind == ptx::operand_kind::vector || to.kind == ptx::operand_kind::pair;
    if (!to.is_reg() && !is_list) return false;
    const bool is_plain = to.is_reg() && i.operand_count > 1;
    std::uint64_t made = is_plain ? result(i) : ptx::is_load(i.op) ? origin::number : origin::anything;
    if (ptx::has_trait(i.op, ptx::trait::calls)) made = origin::anything;
    bool changes = false;
    const auto write = [&](const ptx::operand& o) {
      if (!o.is_reg()) return;
      const std::uint64_t joined = origin::join(registers_[o.id], made);
      changes = changes || joined != registers_[o.id];
      registers_[o.id] = joined;
    };
    if (to.is_reg()) write(to);
    else
      for (const ptx::operand& o : f_.parts(to)) write(o);
    return changes;
  }

  const ptx::function& f_;
  dynamic_array<std::uint64_t> registers_;
};

}  // namespace detail

/// Fills in `memory_access::extent_begin` and `extent_end` of the loads, stores and atomics of the module.
inline void find_extents(const ptx::module& module, const dynamic_array<placement>& where, emulator::detail::image& image) {
  dynamic_array<dynamic_array<const operation*>> of_function(module.functions.size());
  for (const operation& o : image.code)
    if (o.act == action::load || o.act == action::store || o.act == action::atomic)
      of_function[image.instructions[o.instruction].function].push_back(&o);
  for (std::uint32_t id = 0; id < of_function.size(); ++id) {
    const ptx::function& f = module.functions[id];
    if (of_function[id].empty() || where[id].is_stacked) continue;
    const detail::origins from(f);
    for (const operation* o : of_function[id]) {
      const instruction_info& info = image.instructions[o->instruction];
      if (info.index >= f.body.size()) continue;
      const ptx::instruction& i = f.body[info.index];
      for (const ptx::operand& address : i.operands()) {
        if (address.kind != ptx::operand_kind::address) continue;
        const std::uint64_t origin = from.of(address.base, address.id);
        if (!detail::origin::is_variable(origin)) break;
        const bool is_local = (origin - 2) % 2 != 0;
        const auto variable = static_cast<std::size_t>((origin - 2) / 2);
        const ptx::variable& v = is_local ? f.locals[variable] : module.variables[variable];
        const placement::place& p = is_local ? where[id].locals[variable] : where[id].variables[variable];
        if ((v.space != ptx::token::shared && v.space != ptx::token::local) || !p.is_placed || p.is_dynamic || p.in_frame)
          break;
        memory_access& access = image.accesses[o->detail];
        access.extent_begin = p.address;
        access.extent_end = p.address + emulator::detail::size_bytes(v);
        break;
      }
    }
  }
}

}  // namespace tg::emulator::check
