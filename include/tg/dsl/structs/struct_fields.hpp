// What a struct of the host consists of: its fields, as Boost.Hana's adaptation names them, and where they lie.
//
//   struct particle { float x, y, z, m; };
//   BOOST_HANA_ADAPT_STRUCT(particle, x, y, z, m);   // outside of namespaces
//
// Structs may hold numbers of the language, other adapted structs and std::array of both.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

#include <boost/hana/accessors.hpp>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/tuple.hpp>

#include <tg/analysis/alignment.hpp>
#include <tg/analysis/struct_piece.hpp>
#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/memory/element.hpp>

namespace tg {

namespace diagnosis {

template <bool Ok, class Facts = void> struct plain_struct {
  static_assert(Ok, "TG193: a struct in device memory is an aggregate that is trivially copyable and of standard layout: no "
                    "constructors, no private or virtual members, no base classes with fields");
};
template <bool Ok, class Facts = void> struct field_type {
  static_assert(Ok,
                "TG194: a field is a number of the language, a struct adapted with BOOST_HANA_ADAPT_STRUCT, or a std::array of "
                "these; write std::array<float, 3> in place of float[3]");
};
template <bool Ok, class Facts = void> struct struct_layout {
  static_assert(Ok,
                "TG195: the adapted fields are not all fields of the struct in their order, or it is packed; name each once in "
                "BOOST_HANA_ADAPT_STRUCT");
};

}  // namespace diagnosis

namespace detail {

template <class T> inline constexpr bool is_field_array = false;
template <class T, std::size_t N> inline constexpr bool is_field_array<std::array<T, N>> = true;

template <class... T> struct type_list { static constexpr std::size_t size = sizeof...(T); };

/// How Hana reaches field number K.
template <class S, std::size_t K> constexpr auto accessor() {
  return boost::hana::second(boost::hana::at_c<K>(boost::hana::accessors<S>()));
}

/// The types of the fields, in order.
template <class S> struct fields_in {
  template <class Numbers> struct list;
  template <std::size_t... K> struct list<detail::index_sequence<K...>> {
    using type = type_list<std::remove_cvref_t<decltype(accessor<S, K>()(std::declval<S&>()))>...>;
  };
  static constexpr std::size_t count = decltype(boost::hana::length(boost::hana::accessors<S>()))::value;
  using type = typename list<detail::make_index_sequence<count>>::type;
};
template <class T, std::size_t N> struct fields_in<std::array<T, N>> {
  template <class Numbers> struct list;
  template <std::size_t... K> struct list<detail::index_sequence<K...>> {
    template <std::size_t> using own = T;
    using type = type_list<own<K>...>;
  };
  static constexpr std::size_t count = N;
  using type = typename list<detail::make_index_sequence<N>>::type;
};
template <class S> using fields_of = typename fields_in<S>::type;

/// Structs and arrays that elements can be.
template <class T>
concept struct_like = is_field_array<T> || boost::hana::Struct<T>::value;

/// Where fields of these types lie one behind the other, and what they have together.
template <class... T> constexpr fixed_array<int, sizeof...(T) + 1> offsets_of(type_list<T...>) {
  fixed_array<int, sizeof...(T) + 1> out{};
  int end = 0;
  std::size_t k = 0;
  const auto add = [&](int bytes, int align) {
    out[k++] = (end + align - 1) / align * align;
    end = out[k - 1] + bytes;
  };
  (add(sizeof(T), alignof(T)), ...);
  out[k] = end;
  return out;
}
template <class S> inline constexpr auto field_offsets = offsets_of(fields_of<S>{});

/// Stands for anything when the fields of a struct of the host are counted.
struct any_number { template <class T> operator T() const; };
template <class S, class Numbers> inline constexpr bool takes_numbers = false;
template <class S, std::size_t... K>
inline constexpr bool takes_numbers<S, detail::index_sequence<K...>> = requires { S{((void)K, any_number{})...}; };
template <class S, std::size_t Count>
inline constexpr bool has_exactly =
    takes_numbers<S, detail::make_index_sequence<Count>> && !takes_numbers<S, detail::make_index_sequence<Count + 1>>;

template <class... T> constexpr auto check_fields(type_list<T...>) {
  constexpr bool fit = (is_element<T> && ...);
  if constexpr (fit) return std::type_identity<diagnosis::none>{};
  else return std::type_identity<diagnosis::field_type<false, diagnosis::types<T...>>>{};
}

template <struct_like S> struct element_check<S> {
  static consteval auto pick() {
    if constexpr (!std::is_aggregate_v<S> || !std::is_trivially_copyable_v<S> || !std::is_standard_layout_v<S>) {
      return std::type_identity<diagnosis::plain_struct<false, diagnosis::types<S>>>{};
    } else if constexpr (fields_of<S>::size == 0) {
      return std::type_identity<diagnosis::struct_layout<false, diagnosis::types<S>>>{};
    } else {
      using fields = decltype(check_fields(fields_of<S>{}));
      constexpr int end = field_offsets<S>.back(), align = alignof(S);
      if constexpr (!std::is_same_v<fields, std::type_identity<diagnosis::none>>) return fields{};
      else if constexpr (is_field_array<S>) return fields{};
      else if constexpr (!has_exactly<S, fields_of<S>::size> || (end + align - 1) / align * align != int{sizeof(S)})
        return std::type_identity<diagnosis::struct_layout<false, diagnosis::types<S>>>{};
      else return fields{};
    }
  }
  using type = typename decltype(pick())::type;
};

/// Structs that elements are: nothing is wrong with them.
template <class T>
concept element_struct = struct_like<T> && is_element<T>;

/// Errors: TG195 where a field is not where its type puts it: it has an alignment of its own.
template <class S> void require_layout(source_location where) {
  if constexpr (!is_field_array<S>) {
    const S probe{};
    const auto* const begin = reinterpret_cast<const char*>(&probe);
    [&]<std::size_t... K>(detail::index_sequence<K...>) {
      const auto check = [&](const char* at, int expected) {
        if (at - begin != expected)
          throw error(code{195},
                      "a field of a struct begins at byte " + std::to_string(at - begin) + ", its type puts it at " +
                          std::to_string(expected),
                      "leave alignas off the fields; alignas of the whole struct may stay", where);
      };
      (check(reinterpret_cast<const char*>(&accessor<S, K>()(probe)), field_offsets<S>[K]), ...);
    }(detail::make_index_sequence<fields_of<S>::size>{});
  }
}

/// One number of a struct, at any depth.
struct struct_leaf {
  int offset_bytes = 0;
  int bytes = 0;
};

template <class T> struct leaf_count;
template <class... T> constexpr std::size_t count_leaves(type_list<T...>) { return (leaf_count<T>::value + ... + 0); }
template <class T> struct leaf_count { static constexpr std::size_t value = count_leaves(fields_of<T>{}); };
template <scalar_type T> struct leaf_count<T> { static constexpr std::size_t value = 1; };

template <class T> constexpr struct_leaf* add_leaves(struct_leaf* to, int offset) {
  if constexpr (scalar_type<T>) {
    *to = {offset, sizeof(T)};
    return to + 1;
  } else {
    [&]<class... F>(type_list<F...>) {
      std::size_t k = 0;
      ((to = add_leaves<F>(to, offset + field_offsets<T>[k]), ++k), ...);
    }(fields_of<T>{});
    return to;
  }
}

/// All numbers of T, in order.
template <class T>
inline constexpr auto leaves_of = [] {
  fixed_array<struct_leaf, leaf_count<T>::value> out{};
  add_leaves<T>(out.data(), 0);
  return out;
}();

/// The widest pieces of aligned memory that cover a struct, 16 bytes at most. Bytes between fields are moved where a piece
/// has fields on it.
template <class T, int AlignBytes>
constexpr int widest_piece = [] {
  int bytes = 1;
  while (bytes < analysis::widest_access_bytes && AlignBytes % (2 * bytes) == 0 && sizeof(T) % (2 * bytes) == 0) bytes *= 2;
  return bytes;
}();

template <class T, int Bytes> constexpr bool holds_field(int first) {
  for (const struct_leaf& l : leaves_of<T>)
    if (l.offset_bytes < first + Bytes && l.offset_bytes + l.bytes > first) return true;
  return false;
}

template <element_struct T, int AlignBytes>
inline constexpr auto struct_pieces<T, AlignBytes> = [] {
  constexpr int bytes = widest_piece<T, AlignBytes>;
  constexpr auto count = [] {
    std::size_t out = 0;
    for (int first = 0; first < int{sizeof(T)}; first += bytes) out += holds_field<T, bytes>(first);
    return out;
  }();
  fixed_array<analysis::struct_piece, count> out{};
  std::size_t k = 0;
  for (int first = 0; first < int{sizeof(T)}; first += bytes)
    if (holds_field<T, bytes>(first)) out[k++] = {first, bytes};
  return out;
}();

}  // namespace detail

}  // namespace tg
