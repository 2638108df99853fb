// Arrays on a device: elements in memory, by as many indices as dimensions. `y = tg::gelu(x * w + b)` is one kernel.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/array/array_view.hpp>
#include <tg/runtime/mdspan.hpp>

namespace tg {

/// Elements on a device, owned: a copy has memory of its own. A default-constructed array gets memory by its first assignment.
/// An expression is written to the elements, of the shape that is there; another array, or what `tg::eval` gives, takes their
/// place. Errors: TG504, TG705.
template <class T, int Rank> class array : public detail::array_node, public detail::read_by_call<array<T, Rank>> {
  static_assert(sizeof(diagnosis::array_element<detail::is_array_element<T>, T>) != 0);
  using own_type = detail::element_or_float<T>;
  using view_type = array_view<own_type, Rank>;
  using leaf = detail::array_leaf<own_type, Rank>;
  using assigned = detail::assigned_expression<own_type, Rank>;

 public:
  using element_type = T;
  static constexpr int rank = Rank;

  array() = default;
  /// Contents not defined.
  array(const device& gpu, const array_shape<Rank>& shape, source_location where = source_location::current()) {
    allocate(*gpu.context(), shape, where);
  }
  /// One element, not defined.
  explicit array(const device& gpu) requires(Rank == 0)
      : array(gpu, array_shape<0>(), source_location{}) {}
  /// Copies elements of the host: a vector, a span, an array, any range without dimensions of its own.
  /// Errors: TG138; TG705 for another number of elements.
  template <detail::host_range Range>
  array(const device& gpu, const array_shape<Rank>& shape, const Range& elements,
        source_location where = source_location::current())
      : array(gpu, shape, where) {
    fill_from(collected(elements), where);
  }
  /// Copies listed elements: `tg::array<float, 2> m(gpu, {2, 2}, {1, 0, 0, 1})`. Errors: TG705 for another number of them.
  array(const device& gpu, const array_shape<Rank>& shape, std::initializer_list<detail::listed_element<own_type>> elements,
        source_location where = source_location::current())
      : array(gpu, shape, where) {
    fill_from(collected(elements), where);
  }
  template <detail::host_range Range> requires(Rank == 1)
  array(const device& gpu, const Range& elements, source_location where = source_location::current()) {
    const std::vector<stored> own = collected(elements);
    allocate(*gpu.context(), array_shape<1>(own.size()), where);
    fill_from(own, where);
  }
  /// Does not compile: extents are as many as the type says. Errors: TG714.
  template <detail::host_range Range> requires(Rank != 1 && !std::is_convertible_v<const Range&, array_shape<Rank>>)
  array(const device&, const Range&) {
    (void)sizeof(diagnosis::listed_shape<sizeof(Range) == 0, diagnosis::types<diagnosis::rank_of_array<Rank>, Range>>);
  }
  template <class N, std::size_t K> requires(std::is_arithmetic_v<N> && (K != Rank || !std::is_integral_v<N>))
  array(const device&, N (&&)[K]) {
    (void)sizeof(diagnosis::listed_shape<sizeof(N) == 0, diagnosis::types<diagnosis::rank_of_array<Rank>, N[K]>>);
  }
  template <std::integral First, std::integral... N> requires(sizeof...(N) > 0)
  array(const device&, First, N...) {
    (void)sizeof(diagnosis::listed_shape<sizeof(First) == 0, diagnosis::types<diagnosis::rank_of_array<Rank>, First, N...>>);
  }
  /// Does not compile: a shape has a device before it. Errors: TG714.
  template <std::integral First, std::integral... N> explicit array(First, N...) {
    (void)sizeof(diagnosis::shape_without_device<sizeof(First) == 0, diagnosis::types<First, N...>>);
  }
  /// Does not compile: a shape has a device before it. Errors: TG714.
  template <std::integral N, std::size_t K> explicit array(N (&&)[K]) {
    (void)sizeof(diagnosis::shape_without_device<sizeof(N) == 0, N[K]>);
  }
  /// The elements of an expression, in an array of its shape: `tg::array<float, 2> y = tg::exp(x);`. Errors: TG103, TG700 to
  /// TG707, TG710, TG712, TG715.
  template <array_like X> array(const X& x, source_location where = source_location::current()) { set(assigned(x, where)); }
  array(const array& other) {
    if (other.is_allocated()) set(assigned(other, source_location{}));
  }
  array(array&& other) noexcept : leaf_(std::exchange(other.leaf_, leaf{})) {}

  /// Writes elements; of an array without memory, makes it. Errors: TG103, TG700 to TG707, TG710, TG712, TG715.
  array& operator=(const assigned& x) {
    set(x);
    return *this;
  }
  /// Becomes a copy, of another shape where the other has one; of an array without memory, one without.
  template <std::same_as<array> Other> array& operator=(const Other& other) {
    if (this == &other) return *this;
    if (is_allocated() && leaf_.context == other.leaf_.context && shape() == other.shape())
      set(assigned(other, source_location{}));
    else leaf_ = array(other).leaf_;
    return *this;
  }
  /// Takes the memory of the other, and its shape.
  template <std::same_as<array> Other> array& operator=(Other&& other) noexcept {
    leaf_ = std::exchange(other.leaf_, leaf{});
    return *this;
  }
  /// Does not compile. Errors: TG138.
  template <detail::host_range Range> array& operator=(const Range&) {
    (void)sizeof(diagnosis::assigned_range<sizeof(Range) == 0, Range>);
    return *this;
  }
  /// Does not compile. Errors: TG138.
  array& operator=(std::initializer_list<detail::listed_element<own_type>>) {
    (void)sizeof(diagnosis::assigned_list<sizeof(T) == 0, array>);
    return *this;
  }
  /// Does not compile. Errors: TG724.
  template <detail::no_array_operand X> requires(!detail::host_range<X>)
  array& operator=(const X&) {
    (void)sizeof(diagnosis::array_operand_type<sizeof(X) == 0, X>);
    return *this;
  }
  /// Does not compile: a const array is read only. Errors: TG105.
  const array& operator=(const assigned&) const {
    (void)sizeof(diagnosis::written_array<sizeof(T) == 0, array>);
    return *this;
  }
  // Never called: an expression would become an array by them, and lose its line.
  array& operator=(const array&) requires(Rank < 0);
  array& operator=(array&&) requires(Rank < 0);
  template <class X> array& operator+=(const X& x) { return *this = assigned(*this + x, source_location{}); }
  template <class X> array& operator-=(const X& x) { return *this = assigned(*this - x, source_location{}); }
  template <class X> array& operator*=(const X& x) { return *this = assigned(*this * x, source_location{}); }
  template <class X> array& operator/=(const X& x) { return *this = assigned(*this / x, source_location{}); }
  template <class X> array& operator%=(const X& x) { return *this = assigned(*this % x, source_location{}); }
  template <class X> array& operator&=(const X& x) { return *this = assigned(*this & x, source_location{}); }
  template <class X> array& operator|=(const X& x) { return *this = assigned(*this | x, source_location{}); }
  template <class X> array& operator^=(const X& x) { return *this = assigned(*this ^ x, source_location{}); }
  template <class X> array& operator<<=(const X& x) { return *this = assigned(*this << x, source_location{}); }
  template <class X> array& operator>>=(const X& x) { return *this = assigned(*this >> x, source_location{}); }
  operator array_view<own_type, Rank>() { return view(); }
  operator array_view<const own_type, Rank>() const { return view(); }

  bool is_allocated() const { return leaf_.context != nullptr; }
  const array_shape<Rank>& shape() const { return leaf_.extents; }
  std::int64_t extent(int axis) const { return leaf_.extents[axis]; }
  /// Elements.
  std::size_t size() const { return is_allocated() ? static_cast<std::size_t>(leaf_.extents.count()) : 0; }
  driver::device_address native() const { return leaf_.address; }
  runtime::context* context() const { return leaf_.context; }
  const leaf& node() const { return leaf_; }

  view_type view() { return view_type(leaf_); }
  array_view<const own_type, Rank> view() const { return array_view<const own_type, Rank>(leaf_); }
  /// See array_view.
  template <class... I> auto operator()(const I&... i) {
    detail::require_allocated(is_allocated());
    return view()(i...);
  }
  template <class... I> auto operator()(const I&... i) const {
    detail::require_allocated(is_allocated());
    return view()(i...);
  }
  auto transpose() { return view().transpose(); }
  auto transpose() const { return view().transpose(); }
  template <int... Order> auto permute() { return view().template permute<Order...>(); }
  template <int... Order> auto permute() const { return view().template permute<Order...>(); }
  template <int Other> auto reshape(const array_shape<Other>& shape) { return view().reshape(shape); }
  template <int Other> auto reshape(const array_shape<Other>& shape) const { return view().reshape(shape); }
  template <class = void, std::size_t K> auto reshape(const detail::extent (&shape)[K]) { return view().reshape(shape); }
  template <class = void, std::size_t K> auto reshape(const detail::extent (&shape)[K]) const { return view().reshape(shape); }
  template <int Other> auto broadcast(const array_shape<Other>& shape) const { return view().broadcast(shape); }
  template <class = void, std::size_t K> auto broadcast(const detail::extent (&shape)[K]) const {
    return view().broadcast(shape);
  }
  /// Writes elements of the host over all elements. Errors: TG138; TG704 without memory; TG705 for another number of them.
  template <detail::host_range Range>
  void copy_from(const Range& elements, source_location where = source_location::current()) {
    detail::require_allocated(is_allocated(), where);
    fill_from(collected(elements), where);
  }
  std::vector<own_type> to_host() const { return view().to_host(); }
  template <template <class...> class Container> auto to() const { return view().template to<Container>(); }
  template <class Container> Container to() const { return view().template to<Container>(); }
  T item() const requires(Rank == 0)
  {
    return view().item();
  }
  /// The elements as an argument of a launch.
  tg::part<T> whole() { return {leaf_.context, leaf_.address, size()}; }
  tg::part<const T> whole() const { return {leaf_.context, leaf_.address, size()}; }
  /// The elements by their indices, as an argument of a launch: what a view of this rank takes where it is given the array.
  mdspan<T, Rank> span() requires(Rank >= 2 && Rank <= 4)
  {
    return {whole(), extents()};
  }
  mdspan<const T, Rank> span() const requires(Rank >= 2 && Rank <= 4)
  {
    return {whole(), extents()};
  }

 private:
  void allocate(runtime::context& context, const array_shape<Rank>& shape, source_location where) {
    leaf_.memory = detail::allocate_elements(context, shape.extents.data(), Rank, sizeof(T), leaf_.address,
                                             leaf_.strides.extents.data(), where);
    leaf_.context = &context;
    leaf_.extents = shape;
  }
  std::array<std::size_t, Rank> extents() const {
    std::array<std::size_t, Rank> out;
    for (std::size_t k = 0; k < Rank; ++k) out[k] = static_cast<std::size_t>(shape()[static_cast<int>(k)]);
    return out;
  }
  // A bool is a byte in memory, and std::vector<bool> has none.
  using stored = std::conditional_t<std::is_same_v<own_type, bool>, unsigned char, own_type>;
  template <class Range> static std::vector<stored> collected(const Range& elements) {
    std::vector<stored> out;
    using element = detail::element_of_range<Range>;
    using found = diagnosis::range_of_elements<std::is_constructible_v<own_type, element>, element>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      for (auto&& each : elements) out.push_back(static_cast<stored>(static_cast<own_type>(each)));
    return out;
  }
  void fill_from(const std::vector<stored>& elements, source_location where) {
    detail::require_elements(elements.size(), leaf_.extents.extents.data(), Rank, where);
    if (!elements.empty())
      detail::copy_to_elements(*leaf_.context, leaf_.address, elements.data(), elements.size() * sizeof(stored));
  }
  void set(const assigned& x) {
    if (!is_allocated()) allocate(detail::device_of(x.operands, x.where), x.shape(), x.where);
    x.evaluate(leaf_.place());
  }

  leaf leaf_;
};

template <detail::host_range Range> array(const device&, const Range&) -> array<detail::element_of_range<Range>, 1>;
// Refused by the constructor.
template <std::floating_point N, std::size_t K> array(const device&, N (&&)[K]) -> array<N, 1>;
template <array_like X> array(const X&) -> array<detail::element_of_expression<X>, detail::array_node_of<X>::rank>;

namespace detail {
/// The array that an expression becomes. Of what is no array nothing is asked: other floors have a `tg::eval` of their own, and
/// clang++ 14 looks at the type of a function's result before its constraints.
template <class X> struct array_of_expression {};
template <array_like X> struct array_of_expression<X> { using type = array<element_of_expression<X>, array_node_of<X>::rank>; };
}  // namespace detail

/// An array with the elements of an expression.
template <array_like X>
typename detail::array_of_expression<X>::type eval(const X& x, source_location where = source_location::current()) {
  return {x, where};
}

}  // namespace tg
