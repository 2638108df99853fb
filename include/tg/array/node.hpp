// Expressions over arrays: trees of types that hold their operands by value. Nothing is computed until the tree is assigned to
// an array; then the type of the tree becomes one kernel, and its arrays and numbers become the arguments of a launch.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/array/diagnosis.hpp>
#include <tg/base/fixed_array.hpp>

#include <concepts>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include <tg/array/facts.hpp>
#include <tg/array/shape.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/runtime/context.hpp>
#include <tg/tree/tree.hpp>

namespace tg {

namespace detail {

struct array_kind;

namespace held {

/// What every node of a tree of arrays derives from.
struct array_node : tree_node {
  using kind = array_kind;

  /// Refuses `if (x > 0.0f)`. Errors: TG717.
  template <class Dummy = int> explicit operator bool() const { return sizeof(diagnosis::host_array<sizeof(Dummy) == 0>) != 0; }
  /// Refuses `float s = tg::sum(x)`. Errors: TG717.
  template <class T> requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  operator T() const {
    return sizeof(diagnosis::host_number_of_array<sizeof(T) == 0, T>);
  }
};

}  // namespace held

}  // namespace detail

/// An array, or an expression of arrays.
template <class X>
concept array_like = std::derived_from<std::remove_cvref_t<X>, detail::array_node>;

namespace detail {

/// Memory for a dense array, which is given back with the last owner; its address, 0 where it has no elements; and its strides.
/// Errors: TG701; those of the driver.
std::shared_ptr<const void> allocate_elements(runtime::context& context, const std::int64_t* extents, int rank,
                                              int element_bytes, driver::device_address& address, std::int64_t* strides,
                                              source_location where);
/// Keeps memory of others that arrays see, and the device that it is on.
std::shared_ptr<const void> keep_foreign(std::shared_ptr<runtime::context> context, std::shared_ptr<const void> owner);
/// Copies bytes of the host to an array. Errors: those of the driver.
void copy_to_elements(runtime::context& context, driver::device_address to, const void* from, std::size_t bytes);

/// Where the elements of an array are. Strides in elements.
struct array_place {
  runtime::context* context;
  driver::device_address address;
  const std::int64_t* extents;
  const std::int64_t* strides;
  int rank;
};

/// The arrays and numbers of one expression, in its order. What is behind the counts is not set.
struct operand_list {
  fixed_array<array_place, most_leaves> leaves;
  fixed_array<std::uint64_t, most_scalars> scalars;
  fixed_array<std::uint64_t, most_scalars> origins;  // of the numbers
  int leaf_count = 0, scalar_count = 0;

  void add_scalar(const void* number, std::size_t bytes, std::uint64_t origin) {
    const auto k = static_cast<std::size_t>(scalar_count++);
    scalars[k] = 0;
    std::memcpy(&scalars[k], number, bytes);
    origins[k] = origin;
  }
  /// Which earlier number number `k` is: one that stands in the expression twice is one parameter. `k` if it is none.
  std::size_t same_scalar(std::size_t k) const {
    std::size_t other = 0;
    while (other < k && (origins[other] != origins[k] || scalars[other] != scalars[k])) ++other;
    return other;
  }
};

/// The origin of the first of `count` numbers, the others follow: copies of a number have its origin, and no other number has
/// it.
std::uint64_t new_scalar_origin(int count = 1);

/// Keeps an array's memory from being given back.
class memory_owner {
 public:
  memory_owner() = default;
  memory_owner(const memory_owner& other) : owner_(is_borrowed_ ? std::shared_ptr<const void>() : other.owner_) {}
  memory_owner(memory_owner&&) = default;
  memory_owner& operator=(const memory_owner&) = default;
  memory_owner& operator=(memory_owner&&) = default;
  template <class T> memory_owner& operator=(const std::shared_ptr<T>& owner) {
    owner_ = owner;
    return *this;
  }
  ~memory_owner() = default;

 private:
  friend class borrowed_copies;
  static inline constinit thread_local bool is_borrowed_ = false;
  std::shared_ptr<const void> owner_;
};

/// While it lives, what this thread copies of trees keeps no memory. Requires: what is copied becomes a part of the tree that
/// the copies are in; then an array that stands in it several times is kept once, which costs one atomic count, not many.
class borrowed_copies {
 public:
  borrowed_copies() : before_(memory_owner::is_borrowed_) { memory_owner::is_borrowed_ = true; }
  borrowed_copies(const borrowed_copies&) = delete;
  borrowed_copies& operator=(const borrowed_copies&) = delete;
  ~borrowed_copies() { memory_owner::is_borrowed_ = before_; }

 private:
  bool before_;
};

/// What an array cannot stand beside: text, pointers, complex numbers, structs.
template <class X>
concept no_array_operand = !tree_operand<X> && !host_elements<X>;

namespace held {

/// An array as an operand.
template <class T, int Rank> struct array_leaf : array_node {
  using element_type = T;
  using operand_type = value<T>;
  static constexpr int rank = Rank;
  static constexpr tree_counts counts{1, 0, 0, 0};

  memory_owner memory;
  runtime::context* context = nullptr;
  driver::device_address address = 0;
  array_shape<Rank> extents;
  array_shape<Rank> strides;  // in elements

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    if (f.leaf_count == most_leaves) f.fits = false;
    else f.leaves[static_cast<std::size_t>(f.leaf_count++)] = {code_for<T>, axes.last(Rank), is_reduced};
  }
  static value<T> emit(element_reader& r) { return {*r.leaves++}; }

  const array_leaf& node() const { return *this; }
  array_place place() const { return {context, address, extents.extents.data(), strides.extents.data(), Rank}; }
  void collect(operand_list& out) const { out.leaves[static_cast<std::size_t>(out.leaf_count++)] = place(); }
};

/// A C++ number, which is an argument of the kernel: another number is not another kernel.
template <class T> struct array_scalar : array_node {
  using element_type = T;
  using operand_type = value<T>;
  static constexpr int rank = 0;
  static constexpr tree_counts counts{0, 1, 0, 0};

  T number;
  std::uint64_t origin = new_scalar_origin();

  explicit array_scalar(T number) : number(number) {}
  static constexpr void add_to(expression_facts& f, const axis_list&, bool) {
    if (f.scalar_count == most_scalars) f.fits = false;
    else f.scalars[static_cast<std::size_t>(f.scalar_count++)] = code_for<T>;
  }
  static value<T> emit(element_reader& r) { return {*r.scalars++}; }

  const array_scalar& node() const { return *this; }
  void collect(operand_list& out) const { out.add_scalar(&number, sizeof number, origin); }
};

/// A number that is part of the kernel: `x * 2_c`.
template <class C> struct array_constant : array_node {
  using element_type = void;
  using operand_type = C;
  static constexpr int rank = 0;
  static constexpr tree_counts counts{};

  static constexpr void add_to(expression_facts&, const axis_list&, bool) {}
  static C emit(element_reader&) { return {}; }
  const array_constant& node() const { return *this; }
  void collect(operand_list&) const {}
};

}  // namespace held

/// Calls F with arguments that were evaluated in their order. A C++ number that F gives is a T.
template <class F, class T> struct call_of_elements {
  ptx::operand result;
  template <class... X> explicit call_of_elements(const X&... x) : result(to_value<T>(F{}(x...)).operand) {}
};

/// The type of elements that a function gives: of a C++ number, or where there is an error in the function, that of an operand.
template <class Result, class First, class... Rest> struct element_of_result { using type = First; };
template <class Result, class... Rest> struct element_of_result<Result, void, Rest...> : element_of_result<Result, Rest...> {};
template <device_value Result, class First, class... Rest> struct element_of_result<Result, First, Rest...> {
  using type = device_type_of<Result>;
};
template <device_value Result, class... Rest> struct element_of_result<Result, void, Rest...> {
  using type = device_type_of<Result>;
};

/// Dimensions that reductions took away: as bits, of so many.
struct dropped_dimensions {
  std::uint32_t mask = 0;
  int rank = 0;
};
/// What the expression's first reduction took away, on its way to the result.
template <class Node> constexpr dropped_dimensions dropped_by() {
  if constexpr (requires { Node::dropped; }) return Node::dropped;
  else return {};
}

constexpr int largest(std::initializer_list<int> numbers) {
  int out = 0;
  for (const int n : numbers) out = n > out ? n : out;
  return out;
}

namespace held {

/// F of corresponding elements.
template <class F, class... A> struct array_map : array_node {
  using result_type = std::remove_cvref_t<decltype(std::declval<F>()(std::declval<typename A::operand_type>()...))>;
  using element_type = typename element_of_result<result_type, typename A::element_type...>::type;
  using operand_type = value<element_type>;
  static constexpr int rank = largest({A::rank...});
  static constexpr tree_counts counts = (tree_counts{} + ... + A::counts);
  static constexpr dropped_dimensions dropped = [] {
    dropped_dimensions out;
    ((out = out.mask != 0 ? out : dropped_by<A>()), ...);
    return out;
  }();

  node_operands<A...> operands;

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool is_reduced) {
    (A::add_to(f, axes.last(A::rank), is_reduced), ...);
  }
  static value<element_type> emit(element_reader& r) { return {call_of_elements<F, element_type>{A::emit(r)...}.result}; }

  const array_map& node() const { return *this; }
  void collect(operand_list& out) const {
    operands.pass_to([&](const auto&... a) { (a.collect(out), ...); });
  }
};

/// Elements as another type.
template <class T> struct cast_of_element {
  template <class X> auto operator()(const X& x) const { return tg::cast<T>(x); }
};

}  // namespace held

/// The type of the first operand that has elements of a kind that `Wanted` names; `Otherwise` where none has.
template <template <class> class Wanted, class Otherwise, class... X> struct first_element { using type = Otherwise; };
template <class T> struct element_or_none { using type = void; };
template <array_like X> struct element_or_none<X> {
  using type = typename std::remove_cvref_t<decltype(std::declval<const X&>().node())>::element_type;
};
template <class X> using element_of_operand = typename element_or_none<X>::type;

template <class T> struct is_integer_type : std::bool_constant<is_integer<T>> {};
template <template <class> class Wanted, class Otherwise, class First, class... Rest>
struct first_element<Wanted, Otherwise, First, Rest...>
    : std::conditional_t<Wanted<element_of_operand<First>>::value, std::type_identity<element_of_operand<First>>,
                         first_element<Wanted, Otherwise, Rest...>> {};

template <class X> struct node_of_operand { template <class...> using type = array_scalar<X>; };
template <array_like X> struct node_of_operand<X> {
  template <class...> using type = std::remove_cvref_t<decltype(std::declval<const X&>().node())>;
};
template <class X> requires is_constant<X>
struct node_of_operand<X> {
  template <class...> using type = array_constant<X>;
};
template <class X> requires is_integer<X>
struct node_of_operand<X> {
  template <class... All> using type = array_scalar<typename first_element<is_integer_type, X, All...>::type>;
};
template <class X, class... All> using array_node_of = typename node_of_operand<std::remove_cvref_t<X>>::template type<All...>;

/// The node of an operand of a function whose operands are `All`. A tree that nobody else has is moved. A C++ integer beside an
/// array of integers has the type of its elements. Errors: TG122 where it does not fit.
template <class... All, class X> array_node_of<X, All...> to_array_node(X&& x) {
  using node = array_node_of<X, All...>;
  if constexpr (std::is_same_v<X, node>) return static_cast<X&&>(x);
  else if constexpr (array_like<X>) return x.node();
  else if constexpr (is_constant<std::remove_cvref_t<X>>) return {};
  else if constexpr (is_integer<std::remove_cvref_t<X>>) return node(checked_number<typename node::element_type>(x));
  else return node(x);
}

template <class T> struct is_number_type : std::bool_constant<!std::is_void_v<T> && !std::is_same_v<T, bool>> {};
/// Whether X may stand beside arrays of T in one of the language's own functions; a user's may mix types.
template <class F, class T, class X> constexpr bool is_literal_beside() {
  if constexpr (!std::derived_from<F, element_word> || std::is_void_v<T> || !host_number<X> || std::is_same_v<X, bool>)
    return true;
  else return is_literal_of<T, X>();
}

/// Whether F, which is not one of the language's own functions, takes elements of these operands.
template <class F, class... Node> constexpr bool takes_operands() {
  if constexpr (std::derived_from<F, element_word>) return true;
  else return std::is_invocable_v<F, typename Node::operand_type...>;
}

/// Stands for an expression that was refused, so that its error is the only one.
template <class First, class... Rest> const auto& first_array(const First& first, const Rest&... rest) {
  if constexpr (array_like<First>) return first.node();
  else return first_array(rest...);
}

/// Makes nodes of trees of arrays.
struct array_kind {
  template <class F, class... X> static auto map(F, X&&... x) {
    using pure = diagnosis::pure_function<std::is_empty_v<F> && std::is_default_constructible_v<F>, F>;
    using T = typename first_element<is_number_type, void, std::remove_cvref_t<X>...>::type;
    using literals = diagnosis::literal_fits<(is_literal_beside<F, T, std::remove_cvref_t<X>>() && ...),
                                             diagnosis::types<T, std::remove_cvref_t<X>...>>;
    using operands = diagnosis::array_operands<(!host_elements<X> && ...), diagnosis::types<std::remove_cvref_t<X>...>>;
    if constexpr (diagnosis::is_ok<sizeof(pure), pure> && diagnosis::is_ok<sizeof(literals), literals> &&
                  diagnosis::is_ok<sizeof(operands), operands>) {
      using count = diagnosis::operand_count<takes_operands<F, array_node_of<X, std::remove_cvref_t<X>...>...>(),
                                             diagnosis::types<F, std::remove_cvref_t<X>...>>;
      if constexpr (diagnosis::is_ok<sizeof(count), count>)
        return array_map<F, array_node_of<X, std::remove_cvref_t<X>...>...>{
            {}, {to_array_node<std::remove_cvref_t<X>...>(static_cast<X&&>(x))...}};
      else return first_array(x...);
    } else {
      return first_array(x...);
    }
  }
  template <class T, class X> static auto cast(X&& x) { return map(cast_of_element<T>{}, static_cast<X&&>(x)); }
};

}  // namespace detail

}  // namespace tg
