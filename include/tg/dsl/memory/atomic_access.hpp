// Loads and stores that other threads may make at the same time.
#pragma once

#include <tg/dsl/memory/element.hpp>
#include <tg/dsl/memory/memory_order.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

/// What an element of a view or tile holds, read as others write it: `tg::atomic_load<tg::order::acquire>(flag(0_c))`.
/// Errors: TG106, TG158. PTX: ld.relaxed or ld.acquire, sm_70; sm_90 for a cluster.
template <order O = order::relaxed, scope S = scope::gpu, scalar_type T, mode M>
value<T> atomic_load(const element<T, M>& from, source_location where = source_location::current()) {
  (void)sizeof(diagnosis::readable<detail::can_read(M), element<T, M>>);
  using found = diagnosis::ordering<O == order::relaxed || O == order::acquire, diagnosis::given_order<O>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) {
    return ptx::operand{};
  } else {
    auto& t = detail::tracer::current(where);
    t.at(where);
    const detail::place& p = from.where();
    const ptx::operand raw = t.new_register(detail::raw_register<T>);
    t.load({detail::token_of(O), detail::token_of(S), p.space, memory_type<T>}, raw, p.address, p.entry);
    return {detail::from_memory<T>(t, raw)};
  }
}

/// Writes an element that others may read or write: `tg::atomic_store<tg::order::release>(flag(0_c), 1u)`.
/// Errors: TG101, TG102, TG105, TG158. PTX: st.relaxed or st.release, sm_70; sm_90 for a cluster.
template <order O = order::relaxed, scope S = scope::gpu, scalar_type T, mode M, operand_like X>
void atomic_store(const element<T, M>& to, const X& x, source_location where = source_location::current()) {
  (void)sizeof(diagnosis::writable<detail::can_write(M), element<T, M>>);
  using found = diagnosis::ordering<O == order::relaxed || O == order::release, diagnosis::given_order<O>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    detail::place p = to.where();
    p.entry.is_write = true;
    const ptx::operand own = detail::to_memory<T>(t, detail::argument<T>(x));
    t.store({detail::token_of(O), detail::token_of(S), p.space, memory_type<T>}, p.address, own, p.entry);
  }
}

}  // namespace tg
