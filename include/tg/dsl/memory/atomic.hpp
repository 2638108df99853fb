// Read-modify-write in one step, seen by the whole grid.
#pragma once

#include <tg/dsl/memory/element.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace detail {

enum class atomic_kind { add, minimum, maximum, bits, exchange, compare, wrapping };

/// Which atomic, and what it orders where it says so.
struct atomic_form {
  atomic_form(ptx::token which, ptx::token ordering = ptx::token::none, ptx::token whom = ptx::token::none)
      : operation(which), order(ordering), scope(whom) {}

  ptx::token operation, order, scope;
};

template <class T> constexpr bool has_atomic(atomic_kind kind) {
  if constexpr (is_half<T> || is_half_pair<T>) return kind == atomic_kind::add || kind == atomic_kind::compare;
  else if constexpr (std::is_same_v<T, bool> || is_small<T> || is_narrow<T>) return false;
  else if constexpr (is_float<T>)
    return kind == atomic_kind::add || kind == atomic_kind::exchange || kind == atomic_kind::compare;
  else return kind != atomic_kind::wrapping || std::is_same_v<T, unsigned>;
}

// 64-bit addition has no signed form, halves are added by their name, exchange and logic work on bits.
template <class T> constexpr ptx::token atomic_type(atomic_kind kind) {
  switch (kind) {
    case atomic_kind::add:
      return is_narrow<T> ? compute_type<T> : memory_type<T> == ptx::token::s64 ? ptx::token::u64 : memory_type<T>;
    case atomic_kind::minimum:
    case atomic_kind::maximum:
    case atomic_kind::wrapping: return memory_type<T>;
    default: return sizeof(T) == 2 ? ptx::token::b16 : sizeof(T) == 4 ? ptx::token::b32 : ptx::token::b64;
  }
}

template <class T> ptx::operand as_bits(tracer& t, ptx::operand x) {
  if constexpr (!is_float<T>) return x;
  else return t.copy(bits_type<T>, bits_type<T>, x);
}

template <atomic_kind Kind, class T, mode Mode, class... X>
value<T> atomic(atomic_form form, const element<T, Mode>& target, source_location where, const X&... x) {
  (void)sizeof(diagnosis::writable<can_write(Mode), element<T, Mode>>);
  (void)sizeof(diagnosis::atomic_operation<has_atomic<T>(Kind), T>);
  auto& t = tracer::current(where);
  t.at(where);
  place p = target.where();
  p.entry.is_write = true;
  constexpr ptx::token type = atomic_type<T>(Kind);
  constexpr bool on_bits = is_float<T> && Kind != atomic_kind::add;
  const auto source = [&](const auto& own) {
    const ptx::operand o = argument<T>(own);
    return on_bits ? as_bits<T>(t, o) : o;
  };
  const ptx::operand sources[] = {source(x)...};
  const ptx::operand old = t.new_register(on_bits ? bits_type<T> : register_type<T>);
  constexpr ptx::token subnormals = is_narrow<T> && Kind == atomic_kind::add ? ptx::token::noftz : ptx::token::none;
  t.emit_access(ptx::opcode::atom, {form.order, form.scope, p.space, form.operation, subnormals, type}, {old, p.address},
                p.entry);
  for (const ptx::operand& s : sources) t.append(s);
  if constexpr (!on_bits) return {old};
  else return {t.copy(register_type<T>, bits_type<T>, old)};
}

}  // namespace detail

/// Adds to an element of a view or tile and returns what it held: `tg::atomic_add(bins(tg::scatter(b)), 1)`.
/// Relaxed, at the scope of the device. Integers, float, double; with <tg/dsl/vector/narrow_float.hpp> f16 and bf16, with
/// <tg/dsl/vector/packed.hpp> pairs of them, whose halves are added each by itself. Errors: TG105, TG118.
/// PTX: atom.global or atom.shared; .add.noftz of f16 sm_70, of f16x2 sm_60, of bf16 and bf16x2 sm_90.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_add(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::add>(ptx::token::add, target, where, x);
}
/// Replaces an element by the smaller of itself and `x`; integers. Returns: what it held.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_min(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::minimum>(ptx::token::min, target, where, x);
}
/// Replaces an element by the larger of itself and `x`; integers. Returns: what it held.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_max(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::maximum>(ptx::token::max, target, where, x);
}
/// Bitwise and. Returns: what the element held.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_and(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::bits>(ptx::token::and_, target, where, x);
}
/// Bitwise or. Returns: what the element held.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_or(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::bits>(ptx::token::or_, target, where, x);
}
/// Bitwise exclusive or. Returns: what the element held.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_xor(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::bits>(ptx::token::xor_, target, where, x);
}
/// Stores `x`. Returns: what the element held.
template <scalar_type T, mode M, operand_like X>
value<T> atomic_exchange(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::exchange>(ptx::token::exch, target, where, x);
}
/// Stores `desired` if the element holds `expected`, bit for bit: -0.0f is not 0.0f, and a NaN is one of the same bits.
/// Integers, float, double; f16, bf16 and pairs of them. Returns: what it held. Any atomic is a loop of it; the largest of
/// floats: `tg::var<float> seen = tg::atomic_load(y(0_c)); tg::while_([&] { return seen < x; }, [&] { const auto held =
/// tg::atomic_compare_exchange(y(0_c), seen, x); seen = tg::select(tg::bit_cast<unsigned>(held) ==
/// tg::bit_cast<unsigned>(seen), x, held); });` PTX: atom.cas; .b16 for halves, sm_70.
template <scalar_type T, mode M, operand_like E, operand_like D>
value<T> atomic_compare_exchange(const element<T, M>& target, const E& expected, const D& desired,
                                 source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::compare>(ptx::token::cas, target, where, expected, desired);
}

}  // namespace tg
