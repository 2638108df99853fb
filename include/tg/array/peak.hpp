// Sums of exp(x - p) where p is the largest x of the row, or column. Where elements are read once for each pass, such a sum
// needs no pass of its own: with the largest element so far in place of p, and made smaller each time that a larger one comes.
//
// Source of the algorithm: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.
#pragma once

#include <cstdint>

#include <tg/array/node.hpp>
#include <tg/tree/functions.hpp>

namespace tg::detail {

namespace held {
template <class Op, std::uint32_t Mask, class A, bool IsScan> struct array_reduction;
struct max_reduction;
}  // namespace held

/// Whether R is the largest element of X, or that where a condition does not put another number in its place.
template <class R, class X> inline constexpr bool is_peak = false;
template <std::uint32_t Mask, class X> inline constexpr bool is_peak<array_reduction<max_reduction, Mask, X, false>, X> = true;
template <class C, class A, class R, class X>
inline constexpr bool is_peak<array_map<selected_element, C, A, R>, X> = is_peak<R, X>;

/// The peak of a sum of A; none for most A.
template <class A> struct peak_of {
  static constexpr tree_counts before{};
  static constexpr ptx::operand (*read)(element_reader) = nullptr;
};
template <class X, class R> requires(is_peak<R, X> && X::counts.reductions == 0 && is_float<typename X::element_type>)
struct peak_of<array_map<exp_of_element, array_map<difference_of, X, R>>> {
  static constexpr tree_counts before = X::counts;
  static ptx::operand read(element_reader r) { return R::emit(r).operand; }
};

}  // namespace tg::detail
