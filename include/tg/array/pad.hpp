// Arrays with a border around them.
#pragma once

#include <tg/array/array.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/tree/functions.hpp>

namespace tg {

namespace detail {

namespace held {

/// The elements of an array in the middle of a larger shape, and a number around them.
template <class T, int Rank> struct array_padding : array_node {
  using element_type = T;
  using operand_type = value<T>;
  static constexpr int rank = Rank;
  static constexpr tree_counts counts{2, 3 * Rank + 1, 0, Rank};

  array_leaf<T, Rank> inner;
  array_shape<Rank> before, extents, no_strides;
  array_scalar<T> around;
  std::uint64_t origin = new_scalar_origin(3 * Rank);

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    if (f.leaf_count + counts.leaves > most_leaves || f.scalar_count + counts.scalars > most_scalars ||
        f.number_count + counts.numbers > most_numbers) {
      f.fits = false;
      return;
    }
    axis_list none;
    for (int k = 0; k < Rank; ++k) none.add(no_axis);
    const auto add_leaf = [&](const axis_list& own, leaf_use use) {
      f.leaves[static_cast<std::size_t>(f.leaf_count++)] = {code_for<T>, own, is_reduced, use};
    };
    const auto add_scalar = [&](element_code code) { f.scalars[static_cast<std::size_t>(f.scalar_count++)] = code; };
    add_leaf(none, leaf_use::address);
    add_leaf(axes.last(Rank), leaf_use::shape);
    for (int k = 0; k < Rank; ++k) {
      add_scalar(element_code::s64);  // bytes from an element to the next
      add_scalar(element_code::s32);  // elements before
      add_scalar(element_code::u32);  // elements of the array
      f.numbers[static_cast<std::size_t>(f.number_count++)] = {axes.last(Rank)[k], is_reduced, f.leaf_count - 1, k};
    }
    add_scalar(code_for<T>);
  }
  static value<T> emit(element_reader& r) {
    auto& t = tracer::current();
    ptx::operand address = r.leaves[0];
    r.leaves += counts.leaves;
    value<bool> is_inside{ptx::operand{}};
    for (int k = 0; k < Rank; ++k) {
      const value<std::int64_t> stride{*r.scalars++};
      const value<int> first{*r.scalars++}, place = value<int>{*r.numbers++} - first;
      const value<unsigned> extent{*r.scalars++}, own{place.operand};  // of an element in front it is a large number
      const value<bool> is_here = own < extent;
      is_inside.operand = k == 0 ? is_here.operand : (is_inside & is_here).operand;
      const value<std::int64_t> offset = tg::cast<std::int64_t>(tg::select(is_here, own, 0u)) * stride;
      address = t.compute(ptx::token::b64, ptx::operation::add(ptx::token::s64), {address, offset.operand});
    }
    place at{.address = ptx::operand::address(address), .space = ptx::token::global, .cache = ptx::token::nc, .entry = {}};
    at.entry.where = t.where();
    at.entry.verdict = verdict::gather;
    at.entry.element_bytes = at.entry.access_bytes = sizeof(T);
    ptx::operand found;
    load_elements(code_for<T>, at, 1, &found);
    return {select_element(code_for<T>, is_inside.operand, found, *r.scalars++)};
  }
  const array_padding& node() const { return *this; }
  void collect(operand_list& out) const {
    inner.collect(out);
    out.leaves[static_cast<std::size_t>(out.leaf_count++)] = {inner.context, 0, extents.extents.data(),
                                                              no_strides.extents.data(), Rank};
    std::uint64_t own = origin;
    const auto add = [&](const auto& number) { out.add_scalar(&number, sizeof number, own++); };
    for (int k = 0; k < Rank; ++k) {
      add(inner.strides[k] * std::int64_t{sizeof(T)});
      add(static_cast<std::int32_t>(before[k]));
      add(static_cast<std::uint32_t>(inner.extents[k]));
    }
    around.collect(out);
  }
};

}  // namespace held

}  // namespace detail

/// x with `before` elements in front of it and `behind` elements behind it along each dimension, all of them `around`:
/// `y = tg::pad(x, {1, 1}, {1, 1})` of a matrix, as convolutions want it. It is part of its expression's kernel; the numbers
/// are arguments of it. Cost: a read for each element, no vectors. Errors: TG103, TG701, TG705 where x has no elements or a
/// number is below 0, TG707, TG723.
template <array_like X>
auto pad(const X& x, const array_shape<X::rank>& before, const array_shape<X::rank>& behind,
         typename std::remove_cvref_t<decltype(std::declval<const X&>().node())>::element_type around = {},
         source_location where = source_location::current()) {
  using memory = detail::memory_check<X>;
  if constexpr (!diagnosis::is_ok<sizeof(memory), memory>) {
    return x.node();
  } else {
    using leaf = std::remove_cvref_t<decltype(x.node())>;
    array_shape<leaf::rank> extents = x.shape();
    bool fits = extents.count() > 0;
    for (int k = 0; k < leaf::rank; ++k) {
      fits = fits && before[k] >= 0 && before[k] <= INT32_MAX && behind[k] >= 0 && behind[k] <= INT32_MAX;
      extents[k] += before[k] + behind[k];
    }
    if (!fits)
      throw error(detail::shape_impossible,
                  "tg::pad of an array of shape " + detail::shape_text(x.shape().extents.data(), leaf::rank) + " by " +
                      detail::shape_text(before.extents.data(), leaf::rank) + " and " +
                      detail::shape_text(behind.extents.data(), leaf::rank),
                  "an array with elements, and numbers from 0 on", where);
    return detail::array_padding<typename leaf::element_type, leaf::rank>{{},      x.node(), before,
                                                                          extents, {},       detail::array_scalar(around)};
  }
}

}  // namespace tg
