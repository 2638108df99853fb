// The shape of an array, and what cuts slices of it.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include <tg/array/codes.hpp>
#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/memory/full_extent.hpp>
#include <tg/runtime/grid.hpp>

namespace tg {

/// Extents of an array, outermost first: `tg::array<float, 2> x(gpu, {rows, columns})`.
template <int Rank> struct array_shape {
  static_assert(Rank >= 0 && Rank <= 8, "TG713: arrays have 0 to 8 dimensions");

  fixed_array<std::int64_t, Rank == 0 ? 1 : Rank> extents{};  // of rank 0: one that nobody reads

  constexpr array_shape() = default;
  template <std::integral... N> requires(sizeof...(N) == Rank && Rank > 0)
  constexpr array_shape(N... n) : extents{detail::to_extent(n)...} {}

  /// Extents in an array of C++: `std::array<std::int64_t, Rank>`.
  template <class Extents>
  requires(Rank > 0 && std::tuple_size<Extents>::value == Rank && std::integral<typename Extents::value_type>)
  constexpr array_shape(const Extents& all) {
    for (std::size_t k = 0; k < std::size_t{Rank}; ++k) extents[k] = detail::to_extent(all[k]);
  }

  constexpr std::int64_t operator[](int axis) const { return extents[static_cast<std::size_t>(axis)]; }
  constexpr std::int64_t& operator[](int axis) { return extents[static_cast<std::size_t>(axis)]; }
  /// Elements of an array of this shape.
  constexpr std::int64_t count() const {
    std::int64_t out = 1;
    for (int k = 0; k < Rank; ++k) out *= (*this)[k];
    return out;
  }
  friend constexpr bool operator==(const array_shape& a, const array_shape& b) {
    for (int k = 0; k < Rank; ++k)
      if (a[k] != b[k]) return false;
    return true;
  }
};
template <std::integral... N> array_shape(N...) -> array_shape<sizeof...(N)>;

namespace detail {

/// One of the extents in braces, each of any type of integers: `x.reshape({x.size() / 4, 4})`.
struct extent {
  std::int64_t number;
  template <std::integral N> constexpr extent(N n) : number(to_extent(n)) {}
};
template <std::size_t K> constexpr array_shape<static_cast<int>(K)> shape_of(const extent (&listed)[K]) {
  array_shape<static_cast<int>(K)> out;
  for (std::size_t k = 0; k < K; ++k) out.extents[k] = listed[k].number;
  return out;
}

/// "(3, 5)".
std::string shape_text(const std::int64_t* extents, int rank);

/// How many elements such a shape has. Errors: TG705 for an extent below 0, or more elements than any memory has.
std::int64_t checked_count(const std::int64_t* extents, int rank, int element_bytes, source_location where);

/// Errors: TG705 for another number of elements.
void require_elements(std::size_t given, const std::int64_t* extents, int rank, source_location where);
/// Errors: TG704.
void require_allocated(bool is_allocated, source_location where = {});

/// Errors: TG708 for the address of another library that is no multiple of an element's size.
void require_aligned(std::uint64_t address, int element_bytes, source_location where);
/// TG708.
[[noreturn]] void refuse_foreign(const std::string& fact, const std::string& fix, source_location where);

/// The strides, in elements, of an array without gaps.
inline void dense_strides(const std::int64_t* extents, int rank, std::int64_t* strides) {
  std::int64_t own = 1;
  for (int k = rank - 1; k >= 0; --k) {
    strides[k] = own;
    own *= extents[k] > 0 ? extents[k] : 1;
  }
}

}  // namespace detail

}  // namespace tg
