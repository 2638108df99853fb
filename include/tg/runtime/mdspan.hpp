// A buffer seen as an array of 1 to 4 dimensions, as an argument of a launch.
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <utility>

#include <tg/runtime/buffer.hpp>

namespace tg {

/// Elements of a buffer by as many indices as `Rank`: those along the last dimension are neighbours, those along the
/// others are a stride apart, as std::mdspan with layout_right or layout_stride has them.
/// Requires: the buffer outlives it.
/// Errors: TG530 when the elements do not fit into the buffer, or rows overlap.
/// Example: gpu.launch(stencil, tg::cover(width, height), tg::mdspan(in, depth, height, width), ...);
template <class T, int Rank> class mdspan {
 public:
  static constexpr int rank = Rank;
  using element_type = T;
  using extents_type = std::array<std::size_t, Rank>;

  /// Without gaps.
  mdspan(part<T> elements, const extents_type& extents) : mdspan(elements, extents, dense_strides(extents)) {}
  /// Strides in elements, one for each dimension but the last.
  mdspan(part<T> elements, const extents_type& extents, const std::array<std::size_t, Rank - 1>& strides)
      : elements_(elements), extents_(extents) {
    for (std::size_t k = 0; k + 1 < Rank; ++k) strides_[k] = strides[k];
    strides_[Rank - 1] = 1;
    if (!fits()) [[unlikely]]
      fail();
  }
  template <std::integral... E> requires(sizeof...(E) == Rank)
  explicit mdspan(part<T> elements, E... extents) : mdspan(elements, extents_type{static_cast<std::size_t>(extents)...}) {}

  std::size_t extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  std::size_t stride(int dimension) const { return strides_[static_cast<std::size_t>(dimension)]; }
  /// Elements of the buffer.
  std::size_t size() const { return elements_.size(); }
  driver::device_address native() const { return elements_.native(); }
  runtime::context* context() const { return elements_.context(); }

  /// Whether no element of the buffer lies between those of the array.
  bool is_dense() const {
    std::size_t own = 1;
    for (std::size_t k = Rank; k-- > 0; own *= extents_[k])
      if (strides_[k] != own) return false;
    return true;
  }
  /// Elements of the array.
  std::size_t count() const {
    std::size_t out = 1;
    for (const std::size_t n : extents_) out *= n;
    return out;
  }

 private:
  static std::array<std::size_t, Rank - 1> dense_strides(const extents_type& extents) {
    std::array<std::size_t, Rank - 1> out{};
    std::size_t own = 1;
    for (std::size_t k = Rank - 1; k > 0; --k)
      if (__builtin_mul_overflow(own, extents[k], &own)) out[k - 1] = own = ~std::size_t{0};
      else out[k - 1] = own;
    return out;
  }

  // The last element is inside the buffer, and none has two places.
  bool fits() const {
    std::size_t last = 0, inner = 1;  // elements up to the last one of what is inside
    for (std::size_t k = Rank; k-- > 0;) {
      std::size_t far;
      if (extents_[k] == 0) return true;
      if (strides_[k] < inner || __builtin_mul_overflow(extents_[k] - 1, strides_[k], &far) ||
          __builtin_add_overflow(last, far, &last))
        return false;
      if (__builtin_mul_overflow(extents_[k], strides_[k], &inner)) return extents_[k] == 1 && last < size();
    }
    return last < size();
  }
  [[noreturn]] void fail() const {
    const auto list = [](const auto& numbers, std::size_t count) {
      std::string out;
      for (std::size_t k = 0; k < count; ++k) out += (k == 0 ? "" : " x ") + std::to_string(numbers[k]);
      return out;
    };
    const std::string shape = Rank == 2
                                  ? "a matrix of " + std::to_string(extents_[0]) + " rows and " + std::to_string(extents_[1]) +
                                        " columns with a leading dimension of " + std::to_string(strides_[0])
                                  : "an array of " + list(extents_, Rank) + " elements with strides of " + list(strides_, Rank);
    throw error(runtime::matrix_shape, shape + " in a buffer of " + std::to_string(size()) + " elements",
                "a stride is at least the elements of what it steps over, and the last element is inside the buffer");
  }

  part<T> elements_;
  extents_type extents_;
  std::array<std::size_t, Rank> strides_;
};

namespace detail {

/// The element type of what a buffer, a part of one, managed or pooled memory gives; const where it must not be written.
template <class B> using element_of_buffer = typename decltype(std::declval<B&>().whole())::element_type;

}  // namespace detail

template <class B, std::integral... E> mdspan(B&&, E...) -> mdspan<detail::element_of_buffer<B>, sizeof...(E)>;
template <class B, std::size_t R, class... S>
mdspan(B&&, const std::array<std::size_t, R>&, S...) -> mdspan<detail::element_of_buffer<B>, R>;

/// Rows × columns in a buffer, where row r begins at element r * leading.
/// Errors: TG530.
/// Example: gpu.launch(blur, tg::cover(width, height), tg::matrix(in, height, width), tg::matrix(out, height, width));
template <class B>
mdspan<detail::element_of_buffer<B>, 2> matrix(B&& elements, std::size_t rows, std::size_t columns, std::size_t leading) {
  return {elements.whole(), {rows, columns}, std::array{leading}};
}
template <class B> mdspan<detail::element_of_buffer<B>, 2> matrix(B&& elements, std::size_t rows, std::size_t columns) {
  return tg::matrix(elements, rows, columns, columns);
}

}  // namespace tg
