// Sorts of arrays: `auto s = tg::sort(x);`, `auto order = tg::argsort(x, {.descending = true});`. Radix sorts, all stable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/radix_sort.hpp>
#include <tg/runtime/buffer.hpp>

namespace tg {

/// What a sort is asked for: `tg::sort(x, {.descending = true})`.
struct sort_options {
  bool descending = false;  ///< The largest first; equal keys keep their order all the same.
};

/// What `tg::sort_by_key` returns.
template <class Key, class Value, int Rank> struct sorted_by_key {
  array<Key, 1> keys;
  array<Value, Rank> values;
};

namespace detail {

/// Elements that a radix sort has as keys.
template <class T>
inline constexpr bool is_sort_key =
    !std::is_same_v<T, bool> && (std::is_integral_v<T> || std::is_floating_point_v<T>) && (sizeof(T) == 4 || sizeof(T) == 8);

/// Whether X is a line of keys.
template <class X> consteval bool is_line_of_keys() {
  if constexpr (rank_of_operand<X> == 1) return is_sort_key<element_of_expression<X>>;
  else return false;
}

/// Keys whose order is the reverse: all bits of an integer, the sign of a float. Twice is once.
struct reversed_key {
  template <class K> auto operator()(const K& key) const {
    using T = device_type_of<K>;
    if constexpr (std::is_floating_point_v<T>) {
      using word = std::conditional_t<sizeof(T) == 4, unsigned, std::uint64_t>;
      return tg::bit_cast<T>(tg::bit_cast<word>(key) ^ word{word{1} << (8 * sizeof(T) - 1)});
    } else {
      return ~key;
    }
  }
};

/// The keys of x in memory of their own, reversed where the largest come first.
template <class X> auto keys_to_sort(const X& x, const sort_options& options, source_location where) {
  using own = array<element_of_expression<X>, 1>;
  return options.descending ? own(tg::map(reversed_key{}, x), where) : own(x, where);
}

/// Keys to sort, as many as a kernel takes. Errors: TG705.
inline unsigned keys_in(std::int64_t extent, source_location where) {
  return extent_below(extent, std::int64_t{1} << 30, "keys of a sort", where);
}
/// Scratch memory for a sort by all bits of n keys.
template <class Key> buffer<unsigned> sort_scratch(device& gpu, unsigned n, std::size_t element_bytes) {
  return gpu.allocate<unsigned>(kernels::radix_scratch(n, element_bytes, 0, 8 * sizeof(Key)));
}

/// Whether a sort by all bits of a key ends where it began: an even number of passes.
template <class Key> inline constexpr bool ends_in_first = kernels::radix_passes(0, 8 * sizeof(Key)) % 2 == 0;

/// Sorts keys where they are. Errors: TG705.
template <class Key> void sort_keys(array<Key, 1>& keys, source_location where) {
  static_assert(ends_in_first<Key>);
  const unsigned n = keys_in(keys.extent(0), where);
  if (n < 2) return;
  device gpu = device_of_operand(keys, where);
  auto scratch = sort_scratch<Key>(gpu, n, sizeof(Key));
  array<Key, 1> other(gpu, {keys.extent(0)}, where);
  part<Key> first = keys.whole(), second = other.whole();
  (void)kernels::radix_sort<Key>(gpu, first, second, scratch, n);
}
/// Sorts keys, and the values beside them with them. Errors: TG705.
template <class Key, class Value> void sort_pairs(array<Key, 1>& keys, array<Value, 1>& values, source_location where) {
  static_assert(ends_in_first<Key>);
  const unsigned n = keys_in(keys.extent(0), where);
  if (n < 2) return;
  device gpu = device_of_operand(keys, where);
  auto scratch = sort_scratch<Key>(gpu, n, std::max(sizeof(Key), sizeof(Value)));
  array<Key, 1> other(gpu, {keys.extent(0)}, where);
  array<Value, 1> other_values(gpu, {keys.extent(0)}, where);
  part<Key> first = keys.whole(), second = other.whole();
  part<Value> first_values = values.whole(), second_values = other_values.whole();
  (void)kernels::radix_sort_pairs<Key, Value>(gpu, first, second, first_values, second_values, scratch, n);
}

}  // namespace detail

/// The elements of a line in ascending order, or in descending. Elements: integers of 32 and 64 bits, float, double; floats lie
/// as -NaN, -infinity, ..., -0, +0, ..., infinity, NaN. Errors: TG705 for 2^30 elements or more, TG722.
/// Cost: a copy of x, a read of all keys, then a read and a write for each 8 bits of a key.
/// Example: const auto s = tg::sort(x * 2.0f);
template <array_like X>
array<detail::element_of_expression<X>, 1> sort(const X& x, const sort_options& options = {},
                                                source_location where = source_location::current()) {
  constexpr bool fits = detail::is_line_of_keys<X>();
  static_assert(fits, "TG722: tg::sort sorts an array of rank 1 whose elements are integers of 32 or 64 bits, float or double; "
                      "convert others with tg::cast<float>(x)");
  if constexpr (fits) {
    auto keys = detail::keys_to_sort(x, options, where);
    detail::sort_keys(keys, where);
    if (options.descending) keys = tg::map(detail::reversed_key{}, keys);
    return keys;
  }
  return {};
}

/// Where the elements of a sorted line were: `tg::take(x, tg::argsort(x))` is `tg::sort(x)`. Equal elements keep their order.
/// Keys: those of `tg::sort`. Errors: TG705 for 2^30 elements or more, TG722.
/// Cost: that of `tg::sort`, with an int beside each key.
template <array_like X>
array<int, 1> argsort(const X& x, const sort_options& options = {}, source_location where = source_location::current()) {
  constexpr bool fits = detail::is_line_of_keys<X>();
  static_assert(fits, "TG722: tg::argsort sorts an array of rank 1 whose elements are integers of 32 or 64 bits, float or "
                      "double; convert others with tg::cast<float>(x)");
  if constexpr (fits) {
    auto keys = detail::keys_to_sort(x, options, where);
    array<int, 1> places(tg::index_of<0>(keys), where);
    detail::sort_pairs(keys, places, where);
    return places;
  }
  return {};
}

/// Sorts keys, and values go where their keys go: of rank 1 a value for each key, of a higher rank a row. Equal keys keep their
/// order. Keys: those of `tg::sort`; values: any. Returns: `.keys` and `.values`. Errors: TG700 unless there is a value for
/// each key, TG702, TG705 for 2^30 keys or more, TG722.
/// Cost: values of rank 1 with 4 or 8 bytes move with the keys; others once more, by the order of the keys.
/// Example: const auto sorted = tg::sort_by_key(scores, embeddings, {.descending = true});
template <array_like K, array_like V>
auto sort_by_key(const K& keys, const V& values, const sort_options& options = {},
                 source_location where = source_location::current()) {
  using Key = detail::element_of_expression<K>;
  using Value = detail::element_of_expression<V>;
  constexpr int rank = detail::rank_of_operand<V>;
  constexpr bool fits = detail::is_line_of_keys<K>() && rank > 0;
  static_assert(fits,
                "TG722: tg::sort_by_key sorts by an array of rank 1 whose elements are integers of 32 or 64 bits, float or "
                "double, and moves values of rank 1 or more; convert keys with tg::cast<float>(keys)");
  if constexpr (!fits) {
    return sorted_by_key<Key, Value, rank>();
  } else {
    auto sorted = detail::keys_to_sort(keys, options, where);
    const auto own = detail::dense_operand(values, where);
    detail::require_one_device(sorted, own, where);
    detail::require_equal_shapes(array_shape<1>(sorted.extent(0)), array_shape<1>(own.extent(0)),
                                 "keys and values of tg::sort_by_key", where);
    array<Value, rank> moved;
    if constexpr (rank == 1 && detail::is_sort_key<Value>) {
      moved = array<Value, 1>(own, where);
      detail::sort_pairs(sorted, moved, where);
    } else {
      array<int, 1> places(tg::index_of<0>(sorted), where);
      detail::sort_pairs(sorted, places, where);
      moved = array<Value, rank>(tg::take(own, places), where);
    }
    if (options.descending) sorted = tg::map(detail::reversed_key{}, sorted);
    return sorted_by_key<Key, Value, rank>{std::move(sorted), std::move(moved)};
  }
}

}  // namespace tg
