// What functions of arrays share: their operands as memory without gaps, the device that they are on, and checks of shapes.
#pragma once

#include <cstdint>
#include <string>

#include <tg/array.hpp>
#include <tg/runtime/device.hpp>

namespace tg::detail {

/// The dimensions of an array, a view or an expression.
template <class X> inline constexpr int rank_of_operand = array_node_of<X>::rank;

/// What a function returns for operands that it does not take, beside the diagnosis.
template <class X> using refused_result = array<element_of_expression<X>, rank_of_operand<X>>;

/// The elements of an array, a view or an expression in memory without gaps that begins at a multiple of 16 bytes; the view
/// keeps that memory. Errors: TG704; those of the expression.
/// Cost: none for an array, or a view that is so already; for all else, one kernel.
template <array_like X>
array_view<const element_of_expression<X>, rank_of_operand<X>> dense_operand(const X& x, source_location where) {
  using T = element_of_expression<X>;
  constexpr int rank = rank_of_operand<X>;
  if constexpr (requires { x.native(); }) {
    require_allocated(x.context() != nullptr, where);
    const auto& leaf = x.node();
    if (is_dense(leaf.place()) && x.native() % 16 == 0) return array_view<const T, rank>(leaf);
  }
  const array<T, rank> own(x, where);
  return own.view();
}

/// The elements of an operand as an argument of a launch.
template <class T, int Rank> part<const T> part_of_operand(const array_view<const T, Rank>& x) {
  return {x.context(), x.native(), x.size()};
}
/// The elements of a result as those of another type of the same size: a kernel writes unsigned numbers where arrays have int.
template <class To, class T, int Rank> part<To> written_as(array<T, Rank>& y) {
  static_assert(sizeof(To) == sizeof(T));
  return {y.context(), y.native(), y.size()};
}

/// The device of an operand. Errors: TG704.
template <class X> device device_of_operand(const X& x, source_location where) {
  require_allocated(x.context() != nullptr, where);
  return device(x.context()->shared_from_this());
}
/// Errors: TG702 unless both are on one device.
template <class A, class B> void require_one_device(const A& a, const B& b, source_location where) {
  if (a.context() != b.context())
    throw error(devices_differ,
                "arrays of '" + a.context()->label() + "' and " + b.context()->label_beside(*a.context()) + " in one call",
                "copy one: tg::array(gpu, x.shape(), x.to_host())", where);
}

/// TG705: one shape, or a number beside it, that the function `name` does not take.
[[noreturn]] inline void refuse_shape(const std::string& fact, const std::string& fix, source_location where) {
  throw error(shape_impossible, fact, fix, where);
}
/// Errors: TG700 unless the two shapes agree; `what` names both in the message: "keys and values of tg::sort_by_key".
template <int Rank>
void require_equal_shapes(const array_shape<Rank>& a, const array_shape<Rank>& b, const char* what, source_location where) {
  if (!(a == b))
    throw error(shapes_differ,
                std::string(what) + " have the shapes " + shape_text(a.extents.data(), Rank) + " and " +
                    shape_text(b.extents.data(), Rank),
                "give arrays of one shape", where);
}
/// The number of elements along an axis as a kernel takes it. Errors: TG705 for `limit` or more.
inline unsigned extent_below(std::int64_t extent, std::int64_t limit, const char* what, source_location where) {
  if (extent >= limit)
    refuse_shape(
        std::string(what) + " are " + std::to_string(extent) + "; the kernel takes fewer than " + std::to_string(limit),
        "cut the array", where);
  return static_cast<unsigned>(extent);
}

}  // namespace tg::detail
