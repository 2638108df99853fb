// A name for a computed value.
#pragma once

#include <tg/dsl/value/value.hpp>

namespace tg {

namespace detail {

/// How `let` reads an X: one number here, structs in the headers of structs.
template <class X> struct let_rule;
template <device_value X> struct let_rule<X> {
  TG_ALWAYS_INLINE static auto read(const X& x) { return x.get(); }
};

/// Several numbers side by side, `x.vec<4>(i)`: they are read where they are written down.
template <class X> requires requires(const X& x) { typename decltype(x.get())::vector_type; }
struct let_rule<X> {
  TG_ALWAYS_INLINE static auto read(const X& x) { return x.get(); }
};
template <class X> requires requires { typename X::vector_type; }
struct let_rule<X> {
  TG_ALWAYS_INLINE static X read(const X& x) { return x; }
};

}  // namespace detail

/// What `let` can name: a value, an element, a vector, a formula, or a struct of them.
template <class X>
concept nameable = requires(const X& x) { detail::let_rule<X>::read(x); };

/// Reads `x` now and gives the result a name: `auto i = tg::let(block.global_index())`, `auto a = tg::let(particles(i))`. What
/// the compiler knows about an index stays in the type.
template <nameable X> TG_ALWAYS_INLINE auto let(const X& x, source_location where = source_location::current()) {
  detail::tracer::current().at(where);
  return detail::let_rule<X>::read(x);
}

}  // namespace tg
