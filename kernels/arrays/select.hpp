// Some of the elements of arrays, as many as there are: `auto kept = tg::compress(x, x > 0.0f);`. How many is known when the
// device has counted them: each of these functions waits for one number from it, and so for all work before.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/select.hpp>
#include <tg/runtime/buffer.hpp>

namespace tg {

/// What `tg::run_lengths` returns: the element of each run of equals, and how many there are.
template <class T> struct runs {
  array<T, 1> values;
  array<int, 1> lengths;
};

namespace detail {

/// Keeps indices, and not what marks that there is none.
struct is_index {
  template <class I> auto operator()(const I& i) const { return i >= 0; }
};

/// Whether X is a line of elements that `unique` and `run_lengths` compare.
template <class X> consteval bool is_line_of_runs() {
  using T = element_of_expression<X>;
  return rank_of_operand<X> == 1 && !std::is_same_v<T, bool> && (std::is_integral_v<T> || std::is_floating_point_v<T>);
}

/// The first elements of a line, in memory of their own.
template <class T> array<T, 1> first_elements(const array<T, 1>& x, std::int64_t count, source_location where) {
  return array<T, 1>(x(tg::range(0, count)), where);
}

/// The numbers of the elements of a dense line of bools that are true.
inline array<int, 1> places_of_true(const array_view<const bool, 1>& mask, source_location where) {
  device gpu = device_of_operand(mask, where);
  const unsigned n = extent_below(mask.extent(0), 0x80000000 - kernels::select_part, "elements of a mask", where);
  if (n == 0) return array<int, 1>(gpu, {0}, where);
  array<int, 1> marked(tg::where(mask, tg::index_of<0>(mask), -1), where), places(gpu, {n}, where);
  array<unsigned, 0> count(gpu, {}, where);
  auto scratch = gpu.zeros<std::uint64_t>(kernels::select_scratch(n));
  gpu.launch(kernels::select_if<int, is_index>, tg::grid(kernels::select_blocks(n), where), marked.whole(), places.whole(),
             count.whole(), scratch, n);
  return first_elements(places, count.item(), where);
}

}  // namespace detail

/// The numbers of the elements of a line that are true, in their order: `tg::nonzero(x > 0.0f)`. Errors: TG705 for 2^31 - 2048
/// elements or more, TG722.
/// Cost: a read of the mask, a write and a read of an int for each element, and a wait for the count.
template <array_like M> array<int, 1> nonzero(const M& mask, source_location where = source_location::current()) {
  constexpr bool fits = detail::rank_of_operand<M> == 1 && std::is_same_v<detail::element_of_expression<M>, bool>;
  static_assert(fits, "TG722: tg::nonzero takes an array of bool of rank 1; write x != 0 for one of numbers");
  if constexpr (!fits) {
    return array<int, 1>();
  } else {
    return detail::places_of_true(detail::dense_operand(mask, where), where);
  }
}

/// The elements of x where the mask is true, in their order. A mask of rank 1 chooses rows of x: what it has along its first
/// dimension. A mask of the shape of x chooses elements, which become a line. Elements: any.
/// Errors: TG700 where the mask has another shape, TG702, TG705 for 2^31 - 2048 elements of the mask or more, TG722.
/// Cost: that of `tg::nonzero`, and a read and a write of what is chosen.
/// Example: const auto positive = tg::compress(x, x > 0.0f);
template <array_like X, array_like M>
auto compress(const X& x, const M& mask, source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  constexpr int rank = detail::rank_of_operand<X>, mask_rank = detail::rank_of_operand<M>;
  constexpr bool fits =
      std::is_same_v<detail::element_of_expression<M>, bool> && rank > 0 && (mask_rank == 1 || mask_rank == rank);
  static_assert(fits, "TG722: tg::compress takes a mask of bool, of rank 1 or of that of x; write x != 0 for one of numbers");
  if constexpr (!fits) {
    return array<T, rank>();
  } else {
    const auto own = detail::dense_operand(x, where);
    const auto own_mask = detail::dense_operand(mask, where);
    detail::require_one_device(own, own_mask, where);
    if constexpr (mask_rank == 1) {
      detail::require_equal_shapes(array_shape<1>(own.extent(0)), own_mask.shape(), "rows and mask of tg::compress", where);
      return array<T, rank>(tg::take(own, detail::places_of_true(own_mask, where)), where);
    } else {
      detail::require_equal_shapes(own.shape(), own_mask.shape(), "elements and mask of tg::compress", where);
      const array_shape<1> line(own.size());
      const auto places = detail::places_of_true(own_mask.reshape(line), where);
      return array<T, 1>(tg::take(own.reshape(line), places), where);
    }
  }
}

/// The first element of each run of equals, as std::unique has them: `tg::unique(tg::sort(x))` has each element once. Floats
/// are equal as numbers, so that each NaN is a run. Elements: integers, float, double. Errors: TG705 for 2^31 - 2048 elements
/// or more, TG722.
/// Cost: a read of x, twice a write and once a read of what is kept, and a wait for the count.
template <array_like X>
array<detail::element_of_expression<X>, 1> unique(const X& x, source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  constexpr bool fits = detail::is_line_of_runs<X>();
  static_assert(fits,
                "TG722: tg::unique takes an array of rank 1 whose elements are integers, float or double; convert others with "
                "tg::cast<float>(x)");
  if constexpr (!fits) {
    return {};
  } else {
    const auto own = detail::dense_operand(x, where);
    device gpu = detail::device_of_operand(own, where);
    const unsigned n = detail::extent_below(own.extent(0), 0x80000000 - kernels::select_part, "elements of tg::unique", where);
    array<T, 1> all(gpu, {n}, where);
    if (n == 0) return all;
    array<unsigned, 0> count(gpu, {}, where);
    auto scratch = gpu.zeros<std::uint64_t>(kernels::select_scratch(n));
    gpu.launch(kernels::unique<T>, tg::grid(kernels::select_blocks(n), where), detail::part_of_operand(own), all.whole(),
               count.whole(), scratch, n);
    return detail::first_elements(all, count.item(), where);
  }
}

/// The runs of equal elements of a line, in their order: `.values` and `.lengths`. Elements, equality and errors: those of
/// `tg::unique`.
/// Cost: as `tg::unique`, with an int beside each element that is kept.
/// Example: const auto [values, counts] = tg::run_lengths(tg::sort(x));
template <array_like X>
runs<detail::element_of_expression<X>> run_lengths(const X& x, source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  static_assert(detail::is_line_of_runs<X>(),
                "TG722: tg::run_lengths takes an array of rank 1 whose elements are integers, float or double; convert others "
                "with tg::cast<float>(x)");
  const auto own = detail::dense_operand(x, where);
  device gpu = detail::device_of_operand(own, where);
  const unsigned n =
      detail::extent_below(own.extent(0), 0x80000000 - kernels::select_part, "elements of tg::run_lengths", where);
  array<T, 1> values(gpu, {n}, where);
  array<int, 1> lengths(gpu, {n}, where);
  if (n == 0) return {std::move(values), std::move(lengths)};
  array<unsigned, 0> count(gpu, {}, where);
  auto scratch = gpu.zeros<std::uint64_t>(kernels::run_scratch(n));
  gpu.launch(kernels::run_lengths<T>, tg::grid(kernels::select_blocks(n), where), detail::part_of_operand(own), values.whole(),
             detail::written_as<unsigned>(lengths), count.whole(), scratch, n);
  const std::int64_t found = count.item();
  return {detail::first_elements(values, found, where), detail::first_elements(lengths, found, where)};
}

}  // namespace tg
