// The warps of a block that an index has to be judged for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/index/evaluate.hpp>
#include <tg/dsl/index/swizzled.hpp>

namespace tg::index {

namespace detail {

/// Whether costs are those of whole words in shared memory.
template <class Check> inline constexpr bool has_words = false;
template <class Check> requires(Check::word_elems != 0)
inline constexpr bool has_words<Check> = true;

/// Whether an xor with a multiple of the period changes no cost of the lanes of `Form`: that of words in shared memory.
template <class Check, class Form> inline constexpr bool may_rename = false;
template <class Check, class Form> requires(has_words<Check> && !has_limit<Form> && is_based<Form>)
inline constexpr bool may_rename<Check, Form> =
    based<Form>::mask == 0 && based<Form>::divisor % Check::word_elems == 0 && !based<Form>::numbers.any_below_0;

/// Whether rows that are whole periods apart cost the same: those of matrices in global memory.
template <class Check> inline constexpr bool takes_rows = false;
template <class Check> requires(Check::compares_rows)
inline constexpr bool takes_rows<Check> = true;

/// Whether warps are alike where the numbers of a based form are apart by one multiple of the period, and those of rows.
template <class Check, class Form> inline constexpr bool has_numbers = is_based<Form>;
template <class Check, class Form> requires(takes_rows<Check> && !is_based<Form>)
inline constexpr bool has_numbers<Check, Form> = has_rows<Form>;
template <class Check, class Form> inline constexpr bool uses_numbers = false;
template <class Check, class Form> requires(Check::template compares_numbers<Form>)
inline constexpr bool uses_numbers<Check, Form> = has_numbers<Check, Form>;

template <class Check, class Form> struct warps_near_zero {
  static constexpr analysis::block_extent block = index::block_of<Form>;

 private:
  struct list {
    fixed_array<int, analysis::max_block_warps> warp{};
    fixed_array<std::uint8_t, analysis::max_block_warps> like{};
    int count = 0;

    // Warp `w` is like the distinct warp `s`, or the next distinct one.
    constexpr void add(int w, int s) {
      like[w] = static_cast<std::uint8_t>(s);
      if (s == count) warp[count++] = w;
    }
  };
  static constexpr bool are_alike(int a, int b) {
    if constexpr (is_based<Form>)
      // Beside a mask numbers stay where they are.
      return based<Form>::numbers.are_apart(a, b, based<Form>::mask != 0 ? number_limit : Check::period) ||
             (may_rename<Check, Form> && based<Form>::numbers.are_renamed(a, b, Check::period));
    else return are_rows_apart<Form>(a, b, Check::period);
  }
  static constexpr list found = [] {
    list out;
    if constexpr (block.warps() == 1) {
      out.add(0, 0);
    } else if constexpr (is_small_affine<Form> && is_moved_by_warps(block)) {
      // Sums move with their coordinates: a shift tells the warps apart.
      fixed_array<std::int64_t, analysis::max_block_warps> shift{};
      for (int w = 0; w < block.warps(); ++w) {
        const std::int64_t own = left_of(parts_of<Form>.first_of_warp(block, w), Check::period);
        int s = 0;
        while (s < out.count && shift[s] != own) ++s;
        shift[s] = own;
        out.add(w, s);
      }
    } else if constexpr (uses_numbers<Check, Form>) {
      for (int w = 0; w < block.warps(); ++w) {
        int s = 0;
        while (s < out.count && !are_alike(out.warp[s], w)) ++s;
        out.add(w, s);
      }
    } else {
      fixed_array<analysis::lane_value, analysis::max_block_warps> seen{};
      for (int w = 0; w < block.warps(); ++w) {
        if (const int first = alike_of<Form>[static_cast<std::size_t>(w)]; first < w) {
          out.add(w, out.like[first]);
          continue;
        }
        const analysis::lane_value own = Check::canonical(w);
        int s = 0;
        while (s < out.count &&
               !(seen[s] == own && analysis::active_lanes(block, w) == analysis::active_lanes(block, out.warp[s])))
          ++s;
        if (s == out.count) seen[s] = own;
        out.add(w, s);
      }
    }
    return out;
  }();

 public:
  static constexpr int count = found.count;
  static constexpr auto warp = found.warp;
  /// For each warp of the block, the number of the distinct warp that it is like.
  static constexpr auto like = found.like;
};

// `Check` about the form near zero, and that form.
template <class Check, class Form> constexpr auto pick_form() {
  if constexpr (takes_rows<Check>) {
    return std::type_identity<typename rows_near_zero<Form, Check::period>::type>{};
  } else if constexpr (!has_words<Check>) {
    return std::type_identity<Form>{};
  } else {
    // The renamed form has the base of `Form` and some of its bits, so it answers for both. Forms that differ by the number
    // alone ask the same one, whose lanes are computed once.
    using other = index::renamed<Form, Check::period>;
    if constexpr (std::is_same_v<other, Form>) return std::type_identity<Form>{};
    else return std::type_identity<std::conditional_t<may_rename<Check, other>, other, Form>>{};
  }
}
template <class Check, class Form>
using form_of_check = typename decltype(pick_form<Check, near_zero<Form, Check::period>>())::type;
template <class Check, class Form> using check_near_zero = typename Check::template with<form_of_check<Check, Form>>;

template <class Check, class Warps, class Numbers> inline constexpr auto listed_costs = nullptr;
template <class Check, class Warps, int... N>
inline constexpr auto listed_costs<Check, Warps, tg::detail::integer_sequence<int, N...>> =
    fixed_array{Check::template of_warp<Warps::warp[N]>...};
template <class Check, class Warps>
inline constexpr const auto& costs = listed_costs<Check, Warps, tg::detail::make_integer_sequence<int, Warps::count>>;

template <class Check, class Warps> constexpr auto find_worst() {
  auto out = costs<Check, Warps>[0];
  for (int n = 1; n < Warps::count; ++n) out = Check::worse(out, costs<Check, Warps>[n]);
  return out;
}
template <class Check, class Warps> inline constexpr auto worst = find_worst<Check, Warps>();
template <class Check, class Warps> requires(Warps::count == 1)
inline constexpr const auto& worst<Check, Warps> = costs<Check, Warps>[0];

}  // namespace detail

/// Warps whose requests may cost differently: those whose lanes differ by more than what `Check::canonical(warp)` takes away,
/// which is at least a shift of all lanes by `Check::period`.
template <class Check, class Form>
using distinct_warps = detail::warps_near_zero<detail::check_near_zero<Check, Form>, detail::form_of_check<Check, Form>>;

/// `Check::template of_warp<w>` of the distinct warps; each is a constant expression of its own.
template <class Check, class Form>
inline constexpr const auto& costs_of = detail::costs<detail::check_near_zero<Check, Form>, distinct_warps<Check, Form>>;

/// The worst of them by `Check::worse`, the first of equals.
template <class Check, class Form>
inline constexpr const auto& worst_of = detail::worst<detail::check_near_zero<Check, Form>, distinct_warps<Check, Form>>;

}  // namespace tg::index
