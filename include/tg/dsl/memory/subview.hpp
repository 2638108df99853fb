// Parts of views and tiles, by one slice for each dimension, as std::submdspan has them.
#pragma once

#include <cstddef>

#include <tg/base/integer_sequence.hpp>
#include <tg/base/tuple.hpp>
#include <tg/dsl/memory/full_extent.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace diagnosis {

template <bool Ok, class Facts = void> struct subview_slices {
  static_assert(Ok, "TG191: tg::subview takes a slice for each dimension: an index, tg::full_extent, tg::slice or tg::strided");
};
template <bool Ok, class Facts = void> struct subview_vector {
  static_assert(Ok, "TG191: a vector of a part holds neighbours along the last dimension; keep that with tg::full_extent or "
                    "tg::slice");
};

}  // namespace diagnosis

/// Elements offset, offset + stride, ... of a dimension; made by `slice` and `strided`.
template <class Offset, class Stride> struct strided_slice {
  Offset offset;
  Stride stride;
};

namespace detail {

template <class X> inline constexpr bool is_strided = false;
template <class O, class S> inline constexpr bool is_strided<strided_slice<O, S>> = true;
template <class X> inline constexpr bool is_unit_strided = std::is_same_v<X, full_extent_t>;
template <class O> inline constexpr bool is_unit_strided<strided_slice<O, constant<1>>> = true;
template <class X>
concept slice_like = index_like<X> || std::is_same_v<X, full_extent_t> || is_strided<X>;

// What is kept of an index: what a variable or an element holds now.
template <class X> auto kept_index(const X& x) {
  if constexpr (device_value<X>) return x.get();
  else return x;
}

template <class O, class S, class I> auto index_in(const strided_slice<O, S>& s, const I& i) {
  if constexpr (is_data_index<I>) {
    return gather(index_in(s, value<index_type<I>>{i.operand}));
  } else if constexpr (std::is_same_v<S, constant<1>>) {
    return s.offset + i;
  } else {
    return s.offset + i * s.stride;
  }
}

}  // namespace detail

/// From an element on: `tg::subview(x, tg::slice(first))(i)` is `x(first + i)`.
template <index_like O> auto slice(const O& offset) {
  return strided_slice<decltype(detail::kept_index(offset)), constant<1>>{detail::kept_index(offset), {}};
}
/// Every `stride`-th element from `offset` on.
template <index_like O, index_like S> auto strided(const O& offset, const S& stride) {
  return strided_slice<decltype(detail::kept_index(offset)), decltype(detail::kept_index(stride))>{detail::kept_index(offset),
                                                                                                   detail::kept_index(stride)};
}

/// A part of a view, a tile or another part; made by `subview`. Its accesses are those of the whole and judged as such.
template <class Whole, class... Slices> class subview_t {
 public:
  using element_type = typename Whole::element_type;
  static constexpr int rank = (0 + ... + int(!index_like<Slices>));

  subview_t(const Whole& whole, const Slices&... slices) : whole_(share(whole)), slices_{{{slices}...}} {}
  subview_t(const subview_t& other) : whole_(share(other.whole_)), slices_(other.slices_) {}
  /// What it is a part of.
  const Whole& whole() const { return whole_; }

  // Errors: TG127.
  void operator=(const subview_t&) { (void)sizeof(diagnosis::fixed_handle<sizeof(Whole) == 0, subview_t>); }

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return element(excuse, where, i);
  }
  template <index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, Excuse excuse = {}, source_location where = source_location::current()) const {
    return element(excuse, where, i, j);
  }
  template <index_like I, index_like J, index_like K, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, const K& k, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return element(excuse, where, i, j, k);
  }
  template <index_like I, index_like J, index_like K, index_like L, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, const K& k, const L& l, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return element(excuse, where, i, j, k, l);
  }

  /// One field of a struct. Errors: those of the whole.
  template <index_like I, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, Field Struct::* field, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return field_of(field, excuse, where, i);
  }
  template <index_like I, index_like J, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, Field Struct::* field, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return field_of(field, excuse, where, i, j);
  }
  template <index_like I, index_like J, index_like K, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, const K& k, Field Struct::* field, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return field_of(field, excuse, where, i, j, k);
  }

  /// N consecutive elements of the last dimension in one instruction. Errors: TG191, and those of the whole.
  template <int N, index_like I, detail::excuse_like Excuse = detail::checked>
  auto vec(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return vector<N>(excuse, where, i);
  }
  template <int N, index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  auto vec(const I& i, const J& j, Excuse excuse = {}, source_location where = source_location::current()) const {
    return vector<N>(excuse, where, i, j);
  }
  template <int N, index_like I, index_like J, index_like K, detail::excuse_like Excuse = detail::checked>
  auto vec(const I& i, const J& j, const K& k, Excuse excuse = {}, source_location where = source_location::current()) const {
    return vector<N>(excuse, where, i, j, k);
  }

 private:
  using slice_list = detail::tuple<Slices...>;
  using last = detail::tuple_element<sizeof...(Slices) - 1, slice_list>;

  static Whole share(const Whole& whole) {
    if constexpr (std::is_constructible_v<Whole, const Whole&, detail::same_memory>) return Whole(whole, detail::same_memory{});
    else return whole;
  }

  template <int Given>
  using right_rank = diagnosis::rank<Given == rank, diagnosis::types<subview_t, diagnosis::given_count<Given>>>;

  template <class Excuse, class... I> auto element(const Excuse& excuse, source_location where, const I&... i) const {
    using found = right_rank<sizeof...(I)>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return expand([&](const auto&... all) { return whole_(all..., excuse, where); }, i...);
  }
  template <class Field, class Struct, class Excuse, class... I>
  auto field_of(Field Struct::* field, const Excuse& excuse, source_location where, const I&... i) const {
    using found = right_rank<sizeof...(I)>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return expand([&](const auto&... all) { return whole_(all..., field, excuse, where); }, i...);
  }
  template <int N, class Excuse, class... I> auto vector(const Excuse& excuse, source_location where, const I&... i) const {
    using found = right_rank<sizeof...(I)>;
    using run = diagnosis::subview_vector<detail::is_unit_strided<last>, diagnosis::types<last>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found> && diagnosis::is_ok<sizeof(run), run>)
      return expand([&](const auto&... all) { return whole_.template vec<N>(all..., excuse, where); }, i...);
  }

  // Calls `access` with an index for each dimension of the whole.
  template <class Access, class... I> auto expand(const Access& access, const I&... given) const {
    return [&]<std::size_t... K>(detail::index_sequence<K...>) {
      return access(index<K>(detail::tuple<const I&...>{{{given}...}})...);
    }(detail::index_sequence_for<Slices...>());
  }

  template <std::size_t K, class Given> auto index(const Given& given) const {
    using own = detail::tuple_element<K, slice_list>;
    constexpr std::size_t place = [] {
      constexpr bool kept[] = {!index_like<Slices>...};
      std::size_t n = 0;
      for (std::size_t k = 0; k < K; ++k) n += kept[k];
      return n;
    }();
    if constexpr (index_like<own>) return detail::get<K>(slices_);
    else if constexpr (std::is_same_v<own, full_extent_t>) return detail::get<place>(given);
    else return detail::index_in(detail::get<K>(slices_), detail::get<place>(given));
  }

  Whole whole_;
  slice_list slices_;
};

/// The part of a view, tile or part that the slices leave: an index takes a dimension away, `tg::full_extent` keeps it,
/// `tg::slice` and `tg::strided` keep elements of it. `tg::subview(m, row, tg::full_extent)(i)` is `m(row, i)`.
/// Errors: TG191.
template <class Whole, detail::slice_like... S> auto subview(const Whole& whole, const S&... slices) {
  using found = diagnosis::subview_slices<sizeof...(S) == Whole::rank, diagnosis::types<S...>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return subview_t<Whole, decltype(detail::kept_index(slices))...>(whole, detail::kept_index(slices)...);
}

/// What an index of the first dimension leaves: `tg::row(m, r)(i)` is `m(r, i)`.
template <class Whole, index_like R> auto row(const Whole& whole, const R& r) {
  return [&]<std::size_t... K>(detail::index_sequence<K...>) {
    return subview(whole, r, (static_cast<void>(K), full_extent)...);
  }(detail::make_index_sequence<Whole::rank - 1>());
}

}  // namespace tg
