// What forms hold and cost by their evaluators, lane by lane in every warp: what all shortcuts have to agree with.
#pragma once

#include <tg/dsl/verdict/check.hpp>

namespace lane_by_lane {

namespace analysis = tg::analysis;

template <class Form> analysis::lane_value evaluate(int warp) {
  return tg::index::detail::unwrapped(tg::index::detail::evaluator<Form>::at({warp}), false);
}

template <class Form> analysis::lane_value evaluate_limited(int warp) {
  const auto limited = tg::index::detail::unwrapped(tg::index::detail::evaluator<Form>::at({warp, true}), false);
  return limited.known ? limited : evaluate<Form>(warp);
}

/// In how many warps `Said` is said to hold something else than `Form` holds: the same form, or one that is wrong.
template <class Form, class Said = Form> int count_other_values() {
  int out = 0;
  for (int w = 0; w < tg::index::block_of<Form>.warps(); ++w) {
    out += !(tg::index::evaluate<Said>(w) == evaluate<Form>(w));
    out += !(tg::index::evaluate_limited<Said>(w) == evaluate_limited<Form>(w));
  }
  return out;
}

/// In how many warps an access of `AccessBytes` to elements of `ElementBytes` at `Said` is said to cost something else.
template <class Form, int ElementBytes, int AccessBytes, class Said = Form> int count_other_costs() {
  using global = tg::detail::global_check<Said, ElementBytes, AccessBytes, 16>;
  using shared = tg::detail::shared_check<Said, ElementBytes, AccessBytes>;
  constexpr analysis::block_extent block = tg::index::block_of<Form>;
  int out = 0;
  bool is_aligned = true;
  for (int w = 0; w < block.warps(); ++w)
    is_aligned =
        is_aligned && analysis::is_aligned(evaluate<Form>(w), ElementBytes, AccessBytes, 16, analysis::active_lanes(block, w));
  const bool is_vector = AccessBytes > ElementBytes;
  if (is_vector)
    out += tg::detail::all_aligned<global, Said> != is_aligned || tg::detail::all_aligned<shared, Said> != is_aligned;
  for (int w = 0; w < block.warps(); ++w) {
    const analysis::lane_mask active = analysis::active_lanes(block, w);
    const auto own = static_cast<std::size_t>(w);
    out += !(tg::index::costs_of<global, Said>[tg::index::distinct_warps<global, Said>::like[own]] ==
             analysis::count_global(evaluate<Form>(w), ElementBytes, AccessBytes, 16, active));
    // A vector that is not aligned is refused; what it would cost does not matter.
    if (is_vector && !is_aligned) continue;
    out += !(tg::index::costs_of<shared, Said>[tg::index::distinct_warps<shared, Said>::like[own]] ==
             analysis::count_shared(evaluate_limited<Form>(w), ElementBytes, AccessBytes, 16, active));
  }
  return out;
}

/// The same for several kinds of elements and vectors.
template <class Form> int count_other_costs() {
  return count_other_costs<Form, 4, 4>() + count_other_costs<Form, 2, 2>() + count_other_costs<Form, 1, 1>() +
         count_other_costs<Form, 4, 16>() + count_other_costs<Form, 2, 4>() + count_other_costs<Form, 8, 8>();
}

template <class... Forms> struct forms {};

template <class... Forms> int count_other_values(forms<Forms...>) { return (count_other_values<Forms>() + ...); }
template <class... Forms> int count_other_costs(forms<Forms...>) { return (count_other_costs<Forms>() + ...); }

template <char Axis, int X, int Y = 1, int Z = 1> using at = tg::index::single<tg::index::thread<Axis, X, Y, Z>>;
template <long long N> using num = tg::index::number<N>;
template <long long D, bool N = false> using any = tg::index::single<tg::index::uniform<D, N>>;
template <class A, class B> using add = tg::index::plus<A, B>;
template <class A, class B> using mul = tg::index::times<A, B>;
template <class A, class B, bool S = false> using over = tg::index::node<A, B, tg::index::quotient<A, B, S>>;
template <class A, class B, bool S = false> using modulo = tg::index::node<A, B, tg::index::remainder<A, B, S>>;
template <class A, class B, bool S = false> using right = tg::index::node<A, B, tg::index::shift_right<A, B, S>>;
template <class A, class B> using both = tg::index::node<A, B, tg::index::bit_and<A, B>>;
template <class A, class B> using either = tg::index::node<A, B, tg::index::bit_or<A, B>>;
template <class A, class B> using flip = tg::index::node<A, B, tg::index::bit_xor<A, B>>;
/// x ^ (x >> Shift & Mask)
template <class A, int Shift, int Mask> using swizzled = flip<A, both<right<A, num<Shift>>, num<Mask>>>;

}  // namespace lane_by_lane
