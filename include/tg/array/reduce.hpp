// Reductions along axes: they are part of the expression, and so of its kernel.
//
// `tg::sum<1>(x)` has a dimension fewer than x; `tg::sum<1>(x, tg::keep)` has extent 1 there, so that it stands beside x in an
// expression; `tg::sum(x)` is one number. All reductions of one expression go along the same axes (TG712).
#pragma once

#include <limits>

#include <tg/array/axes.hpp>
#include <tg/array/peak.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

/// The reduced dimensions stay, with extent 1.
struct keep_t {};
/// The second argument of a reduction: `tg::sum<1>(x, tg::keep)` has the dimensions of `x`, the reduced one with extent 1.
inline constexpr keep_t keep{};

namespace detail {

/// In what elements are added up: halves and floats of 8 bits in float, small integers in 32 bits.
template <class T>
using summed_as = std::conditional_t<is_narrow<T>, float,
                                     std::conditional_t<std::is_same_v<T, bool> || (is_small<T> && std::is_unsigned_v<T>),
                                                        unsigned, std::conditional_t<is_small<T>, int, T>>>;

/// Not above, or not below, any other number.
template <class S>
inline constexpr S below_all = is_float<S> ? -std::numeric_limits<S>::infinity() : std::numeric_limits<S>::lowest();
template <class S>
inline constexpr S above_all = is_float<S> ? std::numeric_limits<S>::infinity() : std::numeric_limits<S>::max();

/// What changes no extremum. Beside a float that is no number, the instructions choose the other.
template <class S, bool Largest>
inline constexpr S beside_all = is_float<S> ? std::numeric_limits<S>::quiet_NaN()
                                : Largest   ? below_all<S>
                                            : above_all<S>;

/// Notes that a reduction goes along `axes` of the dimensions `mask`.
constexpr void add_reduced(expression_facts& f, const axis_list& axes, std::uint32_t mask) {
  std::uint32_t own = 0;
  for (int k = 0; k < axes.count; ++k)
    if ((mask >> k & 1) != 0) own |= 1u << axes[k];
  if (f.reduced != 0 && f.reduced != own) f.is_one_kernel = false;
  f.reduced = own;
}

/// How deep the reductions from number `first` on are nested, plus 1; 0 where there are none.
constexpr int level_above(const expression_facts& f, int first) {
  int out = 0;
  for (int k = first; k < f.reduction_count; ++k) {
    const int own = f.reductions[static_cast<std::size_t>(k)].level + 1;
    out = own > out ? own : out;
  }
  return out;
}

namespace held {

struct sum_reduction {
  static constexpr const char* name = "sum";
  static constexpr bool is_total = true;
  template <class S> static constexpr S first = S(0);
  template <class T> using result = summed_as<T>;
  template <class S> static auto combine(const S& a, const S& b) { return a + b; }
};
struct product_reduction {
  static constexpr const char* name = "product";
  static constexpr bool is_total = true;
  template <class S> static constexpr S first = S(1);
  template <class T> using result = summed_as<T>;
  template <class S> static auto combine(const S& a, const S& b) { return a * b; }
};
struct max_reduction {
  static constexpr const char* name = "max";
  static constexpr bool is_total = false;
  template <class S> static constexpr S first = beside_all<S, true>;
  template <class T> using result = T;
  template <class S> static auto combine(const S& a, const S& b) { return tg::max(a, b); }
};
struct min_reduction {
  static constexpr const char* name = "min";
  static constexpr bool is_total = false;
  template <class S> static constexpr S first = beside_all<S, false>;
  template <class T> using result = T;
  template <class S> static auto combine(const S& a, const S& b) { return tg::min(a, b); }
};
struct any_reduction {
  static constexpr const char* name = "any";
  static constexpr bool is_total = true;
  template <class S> static constexpr S first = S(0);
  template <class T> using result = T;
  template <class S> static auto combine(const S& a, const S& b) { return a | b; }
};
struct all_reduction {
  static constexpr const char* name = "all";
  static constexpr bool is_total = true;
  template <class S> static constexpr S first = S(1);
  template <class T> using result = T;
  template <class S> static auto combine(const S& a, const S& b) { return a & b; }
};

/// What all reductions have in common. `Own`: the node, which says how states are made.
template <class Own, class A, std::uint32_t Mask, class... More> struct reduction_node : array_node {
  static constexpr int rank = A::rank;
  static constexpr tree_counts counts = (A::counts + ... + More::counts) + tree_counts{0, 0, 1, 0};
  static constexpr char kind_of_reduction = 0;  // its address is the kind

  static constexpr void add_to(expression_facts& f, const axis_list& axes, bool) {
    add_reduced(f, axes, Mask);
    const tree_counts first = f.counts();
    A::add_to(f, axes, true);
    (More::add_to(f, axis_list{}, true), ...);
    const int level = level_above(f, first.reductions);
    for (int k = first.reductions; k < f.reduction_count; ++k)
      f.has_nested_scan = f.has_nested_scan || f.reductions[static_cast<std::size_t>(k)].is_scan;
    if (f.reduction_count == most_reductions) {
      f.fits = false;
    } else {
      reduction_facts& own = f.reductions[static_cast<std::size_t>(f.reduction_count++)];
      own = Own::facts();
      own.kind = &kind_of_reduction;
      own.first = first;
      own.counts = (A::counts + ... + More::counts);
      own.level = level;
      f.scan_count += own.is_scan;
    }
    f.level_count = level + 1 > f.level_count ? level + 1 : f.level_count;
  }
  /// The state, behind everything that the operand holds.
  static const ptx::operand* take(element_reader& r) {
    constexpr tree_counts held = (A::counts + ... + More::counts);
    r.leaves += held.leaves;
    r.scalars += held.scalars;
    r.numbers += held.numbers;
    const ptx::operand* own = r.reductions + most_states * held.reductions;
    r.reductions = own + most_states;
    return own;
  }
};

/// `Op` over the elements of A along the dimensions of `Mask`, which stay with extent 1. Of a scan: over those up to each
/// element along the one dimension.
template <class Op, std::uint32_t Mask, class A, bool IsScan = false>
struct array_reduction : reduction_node<array_reduction<Op, Mask, A, IsScan>, A, Mask> {
  using T = typename A::element_type;
  using S = summed_as<T>;
  using element_type = typename Op::template result<T>;
  using operand_type = value<element_type>;

  A operand;

  explicit array_reduction(A&& a) : operand(static_cast<A&&>(a)) {}
  static constexpr reduction_facts facts() {
    reduction_facts out{nullptr,  {},    {},      0,     1,       {code_for<S>}, Op::is_total || IsScan,
                        Op::name, start, element, merge, nullptr, nullptr,       IsScan};
    if constexpr (std::is_same_v<Op, sum_reduction> && !IsScan)
      out.peak = peak_of<A>::read, out.before_peak = peak_of<A>::before;
    return out;
  }
  static void start(element_reader, ptx::operand* state) { *state = immediate<S>(Op::template first<S>); }
  static void element(element_reader r, ptx::operand* state) { *state = tg::cast<S>(A::emit(r)).operand; }
  static void merge(ptx::operand* state, const ptx::operand* other) {
    *state = Op::combine(value<S>{*state}, value<S>{*other}).operand;
  }
  static value<element_type> emit(element_reader& r) {
    return {tg::cast<element_type>(value<S>{*array_reduction::take(r)}).operand};
  }
  const array_reduction& node() const { return *this; }
  void collect(operand_list& out) const { operand.collect(out); }
};

/// F over the elements, beginning with a number.
template <class F, std::uint32_t Mask, class A>
struct array_fold : reduction_node<array_fold<F, Mask, A>, A, Mask, array_scalar<typename A::element_type>> {
  using T = typename A::element_type;
  using element_type = T;
  using operand_type = value<T>;

  A operand;
  array_scalar<T> identity;

  array_fold(A&& a, T identity) : operand(static_cast<A&&>(a)), identity(identity) {}
  static constexpr reduction_facts facts() {
    return {nullptr, {}, {}, 0, 1, {code_for<T>}, true, "reduction", start, element, merge};
  }
  static void start(element_reader r, ptx::operand* state) { *state = r.scalars[A::counts.scalars]; }
  static void element(element_reader r, ptx::operand* state) { *state = A::emit(r).operand; }
  static void merge(ptx::operand* state, const ptx::operand* other) {
    *state = argument<T>(F{}(value<T>{*state}, value<T>{*other}));
  }
  static value<T> emit(element_reader& r) { return {*array_fold::take(r)}; }
  const array_fold& node() const { return *this; }
  void collect(operand_list& out) const {
    operand.collect(out);
    identity.collect(out);
  }
};

/// Where the largest element is, counted along the reduced dimensions; of equal ones the first; 0 where none is a number.
template <bool Largest, std::uint32_t Mask, class A>
struct array_position : reduction_node<array_position<Largest, Mask, A>, A, Mask> {
  using S = summed_as<typename A::element_type>;
  using element_type = int;
  using operand_type = value<int>;
  static constexpr int nowhere = std::numeric_limits<int>::max();

  A operand;

  explicit array_position(A&& a) : operand(static_cast<A&&>(a)) {}
  static constexpr reduction_facts facts() {
    return {nullptr, {},      {},    0,       2,    {code_for<S>, element_code::s32}, false, Largest ? "argmax" : "argmin",
            start,   element, merge, prepend, shift};
  }
  static void start(element_reader, ptx::operand* state) {
    state[0] = immediate<S>(Largest ? below_all<S> : above_all<S>);
    state[1] = immediate<int>(nowhere);
  }
  // What is no number is nowhere.
  static void element(element_reader r, ptx::operand* state) {
    const value<S> own = tg::cast<S>(A::emit(r));
    const value<int> place{r.position};
    state[0] = own.operand;
    state[1] = place.operand;
    if constexpr (is_float<S>) {
      const value<bool> is_number = own == own;
      state[0] = tg::select(is_number, own, Largest ? below_all<S> : above_all<S>).operand;
      state[1] = tg::select(is_number, place, nowhere).operand;
    }
  }
  // A NaN compares false, so that it is never taken. Of equal elements, the one in front is taken.
  static void prepend(element_reader r, ptx::operand* state) {
    const value<S> own{state[0]}, its = tg::cast<S>(A::emit(r));
    const value<bool> is_its = [&] {
      if constexpr (Largest) return value<bool>(its >= own);
      else return value<bool>(its <= own);
    }();
    state[0] = tg::select(is_its, its, own).operand;
    state[1] = tg::select(is_its, value<int>{r.position}, value<int>{state[1]}).operand;
  }
  static void shift(ptx::operand* state, const ptx::operand& places) {
    const value<int> place{state[1]};
    state[1] = tg::select(place == nowhere, nowhere, place + value<int>{places}).operand;
  }
  static void merge(ptx::operand* state, const ptx::operand* other) {
    const value<S> own{state[0]}, its{other[0]};
    const value<int> own_place{state[1]}, its_place{other[1]};
    const value<bool> is_better = [&] {
      if constexpr (Largest) return value<bool>(its > own);
      else return value<bool>(its < own);
    }();
    const value<bool> is_earlier = its == own && its_place < own_place;
    const value<bool> is_its = is_better || is_earlier;
    state[0] = tg::select(is_its, its, own).operand;
    state[1] = tg::select(is_its, its_place, own_place).operand;
  }
  static value<int> emit(element_reader& r) {
    const value<int> place{array_position::take(r)[1]};
    if constexpr (is_float<S>) return {tg::select(place == nowhere, 0, place).operand};
    else return place;
  }
  const array_position& node() const { return *this; }
  void collect(operand_list& out) const { operand.collect(out); }
};

}  // namespace held

template <int... Axes, class X> auto squeezed(X&& x) {
  return with_axes<Axes...>(static_cast<X&&>(x),
                            []<class A>(A&& a, auto mask) { return array_squeeze<mask.value, A>(static_cast<A&&>(a)); });
}

template <class Op, int... Axes, class X> auto reduced(X&& x) {
  return with_axes<Axes...>(static_cast<X&&>(x),
                            []<class A>(A&& a, auto mask) { return array_reduction<Op, mask.value, A>(static_cast<A&&>(a)); });
}

}  // namespace detail

#define TG_ARRAY_REDUCTION(word, op)                                                             \
  template <int... Axes, array_like X> auto word(X&& x, keep_t) {                                \
    return detail::reduced<detail::op, Axes...>(static_cast<X&&>(x));                            \
  }                                                                                              \
  template <int... Axes, array_like X> auto word(X&& x) {                                        \
    return detail::squeezed<Axes...>(detail::reduced<detail::op, Axes...>(static_cast<X&&>(x))); \
  }
/// The sum along axes, of all where none is named. Halves and bytes are added in float, small integers in 32 bits, and give
/// that. Floats are added in no fixed order. Errors: TG713.
TG_ARRAY_REDUCTION(sum, sum_reduction)
/// The product.
TG_ARRAY_REDUCTION(product, product_reduction)
/// The largest; of a row with NaN, the largest number, NaN where there is none. Errors: TG706 for no elements.
TG_ARRAY_REDUCTION(max, max_reduction)
/// The smallest.
TG_ARRAY_REDUCTION(min, min_reduction)
#undef TG_ARRAY_REDUCTION

#define TG_ARRAY_REDUCTION(word)                                                    \
  template <int... Axes, array_like X> auto word(X&& x) {                           \
    return detail::squeezed<Axes...>(tg::word<Axes...>(static_cast<X&&>(x), keep)); \
  }
/// Whether a condition holds for any element. Requires: elements are bool.
template <int... Axes, array_like X> auto any(X&& x, keep_t) {
  return detail::reduced<detail::any_reduction, Axes...>(static_cast<X&&>(x));
}
TG_ARRAY_REDUCTION(any)
/// Whether it holds for all.
template <int... Axes, array_like X> auto all(X&& x, keep_t) {
  return detail::reduced<detail::all_reduction, Axes...>(static_cast<X&&>(x));
}
TG_ARRAY_REDUCTION(all)

/// Where the largest element is, an int, the first of equal ones; of a row without numbers 0. Along several axes counted as in
/// memory. Errors: TG706 for no elements, TG707.
template <int... Axes, array_like X> auto argmax(X&& x, keep_t) {
  return detail::with_axes<Axes...>(static_cast<X&&>(x), []<class A>(A&& a, auto mask) {
    return detail::array_position<true, mask.value, A>(static_cast<A&&>(a));
  });
}
TG_ARRAY_REDUCTION(argmax)
/// Where the smallest element is.
template <int... Axes, array_like X> auto argmin(X&& x, keep_t) {
  return detail::with_axes<Axes...>(static_cast<X&&>(x), []<class A>(A&& a, auto mask) {
    return detail::array_position<false, mask.value, A>(static_cast<A&&>(a));
  });
}
TG_ARRAY_REDUCTION(argmin)

/// `f` over the elements: `tg::reduce<1>(p, 0.0f, [](auto a, auto b) { return a + b - a * b; })`. Requires: `f` is associative
/// and commutative, captures nothing and gives the type of the elements; `f(identity, y)` is y, because how many threads start
/// from `identity` depends on the shape. Errors: TG101, TG711, TG713.
template <int... Axes, array_like X, class T, class F> auto reduce(X&& x, T identity, F, keep_t) {
  using found = diagnosis::pure_function<std::is_empty_v<F> && std::is_default_constructible_v<F>, F>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return detail::with_axes<Axes...>(static_cast<X&&>(x), [&]<class A>(A&& a, auto mask) {
      using element = typename A::element_type;
      constexpr bool fits = std::is_same_v<T, element> || (is_integer<T> && is_integer<element>);
      (void)sizeof(diagnosis::literal_fits<fits, diagnosis::types<element, T>>);
      return detail::array_fold<F, mask.value, A>(static_cast<A&&>(a), static_cast<element>(identity));
    });
  else return x.node();
}
template <int... Axes, array_like X, class T, class F> auto reduce(X&& x, T identity, F f) {
  return detail::squeezed<Axes...>(tg::reduce<Axes...>(static_cast<X&&>(x), identity, f, keep));
}

#undef TG_ARRAY_REDUCTION

}  // namespace tg
