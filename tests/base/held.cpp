#include <tg/base/held.hpp>

#include <tg/base/narrow_float.hpp>

#include "../unqualified.hpp"

using unqualified::reaches_detail;

namespace tg {
namespace detail {
struct bare {};
namespace held {
struct kept {};
template <class X> struct node_of_kept {};
}  // namespace held
}  // namespace detail
struct public_of_bare : detail::bare {};
struct public_of_kept : detail::kept {};
}  // namespace tg

// A type of tg::detail is found by each way that C++ looks: as itself, as a base, as an argument of a template.
static_assert(reaches_detail<tg::detail::bare> && reaches_detail<tg::public_of_bare>);
static_assert(reaches_detail<tg::detail::node_of_kept<tg::detail::bare>>);
static_assert(!reaches_detail<tg::detail::kept> && !reaches_detail<tg::public_of_kept>);
static_assert(!reaches_detail<tg::detail::node_of_kept<tg::public_of_kept>>);

static_assert(!reaches_detail<tg::f16> && !reaches_detail<tg::bf16> && !reaches_detail<tg::tf32> &&
              !reaches_detail<tg::f8e4m3> && !reaches_detail<tg::f8e5m2>);
