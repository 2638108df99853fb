// Atomics that order other accesses around them, and those that wrap:
// `tg::atomic_add<tg::order::release, tg::scope::system>(done(0_c), 1u)`. Without an order they are those of
// atomic.hpp.
#pragma once

#include <tg/dsl/memory/atomic.hpp>
#include <tg/dsl/memory/memory_order.hpp>

namespace tg {

namespace detail {

template <order O, scope S> atomic_form ordered(ptx::token operation) {
  (void)sizeof(diagnosis::ordering<O != order::sequential, diagnosis::given_order<O>>);
  return {operation, token_of(O), token_of(S)};
}

}  // namespace detail

/// Adds to an element and returns what it held; of the types of the other. Errors: TG105, TG118, TG158; so for all
/// that follow.
/// PTX: atom.relaxed, .acquire, .release or .acq_rel, sm_70; sm_90 for a cluster.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_add(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::add>(detail::ordered<O, S>(ptx::token::add), target, where, x);
}
/// Replaces an element by the smaller of itself and `x`; integers. Returns: what it held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_min(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::minimum>(detail::ordered<O, S>(ptx::token::min), target, where, x);
}
/// Replaces an element by the larger of itself and `x`; integers. Returns: what it held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_max(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::maximum>(detail::ordered<O, S>(ptx::token::max), target, where, x);
}
/// Bitwise and. Returns: what the element held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_and(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::bits>(detail::ordered<O, S>(ptx::token::and_), target, where, x);
}
/// Bitwise or. Returns: what the element held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_or(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::bits>(detail::ordered<O, S>(ptx::token::or_), target, where, x);
}
/// Bitwise exclusive or. Returns: what the element held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_xor(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::bits>(detail::ordered<O, S>(ptx::token::xor_), target, where, x);
}
/// Stores `x`. Returns: what the element held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_exchange(const element<T, M>& target, const X& x, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::exchange>(detail::ordered<O, S>(ptx::token::exch), target, where, x);
}
/// Stores `desired` if the element holds `expected`, bit for bit. Returns: what it held.
template <order O, scope S = scope::gpu, scalar_type T, mode M, operand_like E, operand_like D>
value<T> atomic_compare_exchange(const element<T, M>& target, const E& expected, const D& desired,
                                 source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::compare>(detail::ordered<O, S>(ptx::token::cas), target, where, expected, desired);
}
/// Counts up to `last` and then from 0 again; unsigned. Returns: what the element held. PTX: atom.inc.
template <order O = order::relaxed, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_increment(const element<T, M>& target, const X& last, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::wrapping>(detail::ordered<O, S>(ptx::token::inc), target, where, last);
}
/// Counts down to 0 and then from `last` again, from where it also goes on if it was above; unsigned.
/// Returns: what the element held. PTX: atom.dec.
template <order O = order::relaxed, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
value<T> atomic_decrement(const element<T, M>& target, const X& last, source_location where = source_location::current()) {
  return detail::atomic<detail::atomic_kind::wrapping>(detail::ordered<O, S>(ptx::token::dec), target, where, last);
}

}  // namespace tg
