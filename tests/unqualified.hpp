// What an unqualified call of a user's function meets: C++ also looks in the namespaces of its arguments' types, and tg::detail
// must not be among them.
#pragma once

namespace tg::detail {
template <class X> void only_in_detail(const X&) {}
}  // namespace tg::detail

namespace unqualified {

/// Whether a call with an X finds functions of tg::detail.
template <class X>
concept reaches_detail = requires(const X& x) { only_in_detail(x); };

/// Fails to compile where a call with one of the values finds functions of tg::detail.
template <class... X> void require_no_detail(const X&...) { static_assert(!(reaches_detail<X> || ...)); }

}  // namespace unqualified
