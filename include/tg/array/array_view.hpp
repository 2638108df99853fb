// Views of arrays: slices, other orders, other memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/array/expression.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/runtime/device.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

template <class T, int Rank> class array;

namespace detail {

/// A dimension of a slice: an index, or a range of them.
struct array_cut {
  std::int64_t first = 0, count = 0, step = 1;
  bool is_index = false, is_all = false;
};

template <class X> inline constexpr bool is_cut = std::is_same_v<X, full_extent_t> || std::is_integral_v<X> || is_constant<X>;
template <class A, class B, class C>
inline constexpr bool is_cut<range_t<A, B, C>> = !device_value<A> && !device_value<B> && !device_value<C>;

template <class X> std::int64_t to_number(const X& x) {
  if constexpr (is_constant<X>) return X::value;
  else return to_extent(x);
}
template <class X> array_cut to_cut(const X& x) {
  if constexpr (std::is_same_v<X, full_extent_t>) return {.is_all = true};
  else if constexpr (requires { x.start; })
    return {to_number(x.start), to_number(x.stop) - to_number(x.start), to_number(x.step)};
  else return {.first = to_number(x), .count = 1, .is_index = true};
}
template <class X> inline constexpr bool is_index_cut = std::is_integral_v<X> || is_constant<X>;

/// Cuts a dimension; moves `address` to the first element. Errors: TG703.
void cut_dimension(array_cut cut, int axis, std::int64_t& extent, std::int64_t& stride, driver::device_address& address,
                   int element_bytes);
/// Errors: TG705 unless a view of `extents` can have these strides; fills in the strides of the new shape.
void reshape_dense(const array_place& from, const std::int64_t* extents, int rank, std::int64_t* strides);
/// Errors: TG700 unless `from` broadcasts to these extents; fills in the strides.
void broadcast_to(const array_place& from, const std::int64_t* extents, int rank, std::int64_t* strides);
/// Copies all elements to dense memory on the host, in order.
void copy_to_host(const array_place& from, int element_bytes, void* to);

bool is_dense(const array_place& place);

/// Elements of the host, one after the other: a container, a span, a C array.
template <class R>
concept host_range = requires(const R& r) { std::begin(r) != std::end(r); };
template <host_range R> using element_of_range = std::remove_cvref_t<decltype(*std::begin(std::declval<const R&>()))>;
/// How an element is written in a list.
template <class T> using listed_element = std::conditional_t<std::is_arithmetic_v<T>, T, float>;
/// The result of an expression whose elements have type T.
template <class X> using element_of_expression = typename array_node_of<X>::element_type;

}  // namespace detail

/// Elements of an array, or of other memory: all, a slice, a transposed order. Assignment writes the elements. A view of an
/// array keeps its memory alive. Views of const T are read only.
template <class T, int Rank> class array_view : public detail::array_node, public detail::read_by_call<array_view<T, Rank>> {
  static_assert(sizeof(diagnosis::array_element<detail::is_array_element<std::remove_const_t<T>>, T>) != 0);
  using own_type = detail::element_or_float<std::remove_const_t<T>>;
  using leaf = detail::array_leaf<own_type, Rank>;
  using assigned = detail::assigned_expression<own_type, Rank>;

 public:
  using element_type = own_type;
  static constexpr int rank = Rank;

  explicit array_view(const leaf& l) : leaf_(l) {}
  /// Other memory: a part of a buffer, which outlives the view. Errors: TG705 for another number of elements.
  array_view(tg::part<T> elements, const array_shape<Rank>& shape, source_location where = source_location::current()) {
    leaf_.context = elements.context();
    leaf_.address = elements.native();
    leaf_.extents = shape;
    detail::dense_strides(shape.extents.data(), Rank, leaf_.strides.extents.data());
    detail::require_elements(elements.size(), shape.extents.data(), Rank, where);
  }
  /// Memory of another library on this device, without gaps. Requires: it outlives the view. Errors: TG705; TG708
  /// where it does not begin at a multiple of an element's size.
  array_view(const device& gpu, T* first, const array_shape<Rank>& shape, source_location where = source_location::current())
      : array_view(gpu, first, shape, {}, nullptr, where) {
    detail::dense_strides(shape.extents.data(), Rank, leaf_.strides.extents.data());
  }
  /// Memory of another library with strides in elements. `owner`: keeps it; given back with the last view.
  array_view(const device& gpu, T* first, const array_shape<Rank>& shape, const array_shape<Rank>& strides,
             std::shared_ptr<const void> owner, source_location where = source_location::current()) {
    leaf_.memory = detail::keep_foreign(gpu.context(), std::move(owner));
    leaf_.context = gpu.context().get();
    leaf_.address = reinterpret_cast<driver::device_address>(first);
    leaf_.extents = shape;
    leaf_.strides = strides;
    (void)detail::checked_count(shape.extents.data(), Rank, sizeof(own_type), where);
    detail::require_aligned(leaf_.address, sizeof(own_type), where);
  }
  array_view(const array_view&) = default;
  operator array_view<const T, Rank>() const requires(!std::is_const_v<T>)
  {
    return array_view<const T, Rank>(leaf_);
  }

  const array_shape<Rank>& shape() const { return leaf_.extents; }
  const array_shape<Rank>& strides() const { return leaf_.strides; }
  std::int64_t extent(int axis) const { return leaf_.extents[axis]; }
  /// Elements.
  std::size_t size() const { return static_cast<std::size_t>(leaf_.extents.count()); }
  bool is_dense() const { return detail::is_dense(leaf_.place()); }
  /// The device's address of the first element.
  driver::device_address native() const { return leaf_.address; }
  runtime::context* context() const { return leaf_.context; }
  const leaf& node() const { return leaf_; }

  /// Some of the elements: `x(3, tg::range(1, n))`, `x(tg::full_extent, tg::range(0, n, 2))`. A dimension with a number
  /// goes. Errors: TG703, TG714.
  template <class... I> auto operator()(const I&... i) const {
    constexpr bool fits = sizeof...(I) == Rank && (detail::is_cut<I> && ...);
    using found = diagnosis::array_indices<fits, diagnosis::types<diagnosis::rank_of_array<Rank>, diagnosis::types<I...>>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      constexpr int left = Rank - (0 + ... + int(detail::is_index_cut<I>));
      detail::array_leaf<own_type, left> out;
      out.memory = leaf_.memory;
      out.context = leaf_.context;
      out.address = leaf_.address;
      int axis = 0, kept = 0;
      const auto cut = [&](const detail::array_cut& c) {
        std::int64_t extent = leaf_.extents[axis], stride = leaf_.strides[axis];
        detail::cut_dimension(c, axis++, extent, stride, out.address, sizeof(own_type));
        if (c.is_index) return;
        out.extents[kept] = extent;
        out.strides[kept++] = stride;
      };
      (cut(detail::to_cut(i)), ...);
      return array_view<T, left>(out);
    } else {
      return *this;
    }
  }

  /// The dimensions in reverse order.
  array_view transpose() const {
    leaf out = leaf_;
    for (int k = 0; k < Rank; ++k) {
      out.extents[k] = leaf_.extents[Rank - 1 - k];
      out.strides[k] = leaf_.strides[Rank - 1 - k];
    }
    return array_view(out);
  }
  /// The dimensions in another order: dimension k is dimension `Order[k]` of this view. Errors: TG713.
  template <int... Order> array_view permute() const {
    constexpr bool fits = sizeof...(Order) == Rank && detail::are_axes(detail::axis_mask({Order...}, Rank));
    using found = diagnosis::array_axis<fits, diagnosis::types<diagnosis::rank_of_array<Rank>, diagnosis::argument<Order>...>>;
    leaf out = leaf_;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      int k = 0;
      ((out.extents[k] = leaf_.extents[Order], out.strides[k++] = leaf_.strides[Order]), ...);
    }
    return array_view(out);
  }
  /// The elements in their order, by other indices: `x.reshape({rows, 4})`. Errors: TG705 for another number of elements, or
  /// where that would take a copy.
  template <int Other> array_view<T, Other> reshape(const array_shape<Other>& shape) const {
    detail::array_leaf<own_type, Other> out{{}, leaf_.memory, leaf_.context, leaf_.address, shape, {}};
    detail::reshape_dense(leaf_.place(), shape.extents.data(), Other, out.strides.extents.data());
    return array_view<T, Other>(out);
  }
  template <class = void, std::size_t K> auto reshape(const detail::extent (&shape)[K]) const {
    return reshape(detail::shape_of(shape));
  }
  /// A dimension of extent 1 becomes any; read only. Errors: TG700.
  template <int Other> array_view<const T, Other> broadcast(const array_shape<Other>& shape) const {
    detail::array_leaf<own_type, Other> out{{}, leaf_.memory, leaf_.context, leaf_.address, shape, {}};
    detail::broadcast_to(leaf_.place(), shape.extents.data(), Other, out.strides.extents.data());
    return array_view<const T, Other>(out);
  }
  template <class = void, std::size_t K> auto broadcast(const detail::extent (&shape)[K]) const {
    return broadcast(detail::shape_of(shape));
  }

  // Assignment writes elements. Errors: TG103, TG105, TG700 to TG707, TG710, TG712, TG715.
  const array_view& operator=(const array_view& other) const { return *this = assigned(other, source_location{}); }
  template <std::same_as<array<own_type, Rank>> Array> const array_view& operator=(const Array& other) const {
    return *this = assigned(other, source_location{});
  }
  const array_view& operator=(const assigned& x) const {
    (void)sizeof(diagnosis::written_array<!std::is_const_v<T>, array_view>);
    x.evaluate(leaf_.place());
    return *this;
  }
  /// Does not compile. Errors: TG138.
  template <detail::host_range Range> const array_view& operator=(const Range&) const {
    (void)sizeof(diagnosis::assigned_range<sizeof(Range) == 0, Range>);
    return *this;
  }
  /// Does not compile. Errors: TG138.
  const array_view& operator=(std::initializer_list<detail::listed_element<own_type>>) const {
    (void)sizeof(diagnosis::assigned_list<sizeof(T) == 0, array_view>);
    return *this;
  }
  /// Does not compile. Errors: TG724.
  template <detail::no_array_operand X> requires(!detail::host_range<X>)
  const array_view& operator=(const X&) const {
    (void)sizeof(diagnosis::array_operand_type<sizeof(X) == 0, X>);
    return *this;
  }
  template <class X> const array_view& operator+=(const X& x) const { return *this = assigned(*this + x, source_location{}); }
  template <class X> const array_view& operator-=(const X& x) const { return *this = assigned(*this - x, source_location{}); }
  template <class X> const array_view& operator*=(const X& x) const { return *this = assigned(*this * x, source_location{}); }
  template <class X> const array_view& operator/=(const X& x) const { return *this = assigned(*this / x, source_location{}); }
  template <class X> const array_view& operator%=(const X& x) const { return *this = assigned(*this % x, source_location{}); }
  template <class X> const array_view& operator&=(const X& x) const { return *this = assigned(*this & x, source_location{}); }
  template <class X> const array_view& operator|=(const X& x) const { return *this = assigned(*this | x, source_location{}); }
  template <class X> const array_view& operator^=(const X& x) const { return *this = assigned(*this ^ x, source_location{}); }
  template <class X> const array_view& operator<<=(const X& x) const { return *this = assigned(*this << x, source_location{}); }
  template <class X> const array_view& operator>>=(const X& x) const { return *this = assigned(*this >> x, source_location{}); }

  /// All elements in their order, after all work before.
  std::vector<own_type> to_host() const {
    if constexpr (std::is_same_v<own_type, bool>) {
      return to<std::vector<bool>>();
    } else {
      std::vector<own_type> out(size());
      detail::copy_to_host(leaf_.place(), sizeof(own_type), out.data());
      return out;
    }
  }
  /// All elements in their order in a container: `x.to<std::vector>()`, `mask.to<std::deque>()`.
  template <template <class...> class Container> Container<own_type> to() const { return to<Container<own_type>>(); }
  /// All elements in a container whose elements may have another type: `x.to<std::vector<double>>()`.
  /// Errors: TG138.
  template <class Container> Container to() const {
    if constexpr (runtime::holds_elements<Container, own_type>()) {
      const std::unique_ptr<own_type[]> out(new own_type[size()]);
      detail::copy_to_host(leaf_.place(), sizeof(own_type), out.get());
      return Container(out.get(), out.get() + size());
    }
  }
  /// The element of an array of rank 0, or of one element.
  own_type item() const requires(Rank == 0)
  {
    own_type out;
    detail::copy_to_host(leaf_.place(), sizeof(own_type), &out);
    return out;
  }

 private:
  leaf leaf_;
};

}  // namespace tg
