// What the type of a view says besides its elements and rank: alignment, strides, extents.
#pragma once

#include <initializer_list>
#include <type_traits>

#include <tg/analysis/integer.hpp>
#include <tg/base/config.hpp>

namespace tg {

/// Alignment in bytes that a view promises for its first element, 16 unless said; checked at launch.
template <int Bytes> struct aligned {
  static_assert(Bytes > 0 && (Bytes & (Bytes - 1)) == 0, "TG126: an alignment is a power of two");
};

/// Contract of a scalar parameter, or of the strides of a view in elements: the analysis relies on it and the launch
/// checks it. One in a view is for all its strides; with more, the first is for the outermost.
template <long long N> struct multiple_of { static_assert(N > 0, "TG126: tg::multiple_of needs a positive number"); };

/// Contract of a scalar parameter of integers, which the launch checks: what a tile in registers has room for.
template <long long N> struct at_most { static_assert(N > 0, "TG126: tg::at_most needs a positive number"); };

/// An extent, in `tg::extents`, that is known when the kernel is launched.
inline constexpr long long dynamic = -1;

/// Extents of a view, outermost first, without gaps between its rows: `tg::in2<float, tg::extents<tg::dynamic, 4>>` has
/// rows of 4 elements, 4 elements apart. The launch checks it.
template <long long... N> struct extents {
  static_assert(((N > 0 || N == dynamic) && ...), "TG126: an extent is positive or tg::dynamic");
};

namespace detail {

inline constexpr int most_ranks = 4;

/// How far neighbours along one dimension are apart.
struct dimension_step {
  long long elements = 1;
  bool is_known = true;  // else it is a multiple of `elements`, known at run time
};

/// What the options of a view say.
struct view_facts {
  int rank = 1;
  int alignment_bytes = 16;
  long long least_elements = 0;  // of the buffer
  bool is_covered = false;       // by what the launch covers
  int multiple_count = 0, extent_count = 0;
  long long multiple[most_ranks] = {};
  long long extent[most_ranks] = {};
  bool is_valid = true;

  constexpr bool has_extents() const { return extent_count != 0; }
  constexpr dimension_step step(int dimension) const {
    if (dimension + 1 >= rank) return {};
    dimension_step out{multiple_count == 0 ? 1 : multiple[multiple_count == 1 ? 0 : dimension], false};
    if (!has_extents()) return out;
    out.is_known = true;
    long long dense = 1;
    for (int k = dimension + 1; k < rank; ++k) {
      if (extent[k] == dynamic) out.is_known = false;
      else dense *= extent[k];
    }
    out.elements = out.is_known ? dense : out.elements / analysis::gcd(out.elements, dense) * dense;
    return out;
  }
};

// A contract that is itself refused promises nothing, so that its error is the only one.
template <int Bytes> constexpr void add_option(view_facts& f, std::type_identity<aligned<Bytes>>) {
  if (Bytes > 0 && (Bytes & (Bytes - 1)) == 0) f.alignment_bytes = Bytes;
}
template <long long N> constexpr void add_option(view_facts& f, std::type_identity<multiple_of<N>>) {
  if (f.multiple_count == most_ranks) f.is_valid = false;
  else f.multiple[f.multiple_count++] = N > 0 ? N : 1;
}
template <long long... N> constexpr void add_option(view_facts& f, std::type_identity<extents<N...>>) {
  f.is_valid = f.is_valid && sizeof...(N) >= 1 && sizeof...(N) <= most_ranks;
  f.extent_count = 0;
  for (const long long n : {N...})
    if (f.extent_count < most_ranks) f.extent[f.extent_count++] = n;
}

template <class Option> constexpr void try_option(view_facts& f) {
  if constexpr (requires { add_option(f, std::type_identity<Option>{}); }) add_option(f, std::type_identity<Option>{});
  else f.is_valid = false;
}

/// Where a rank is none, or there are other numbers of extents or contracts than of dimensions or strides, nothing else is
/// said, so that the error is the only one.
template <int Rank, class... Options>
inline constexpr view_facts facts_of_view = [] {
  view_facts out{.rank = Rank};
  (try_option<Options>(out), ...);
  const bool has_rank = Rank >= 1 && Rank <= most_ranks;
  if (!has_rank || (out.has_extents() && out.extent_count != Rank) ||
      (out.multiple_count > 1 && out.multiple_count != Rank - 1))
    out.is_valid = false;
  if (!out.is_valid) out = {.rank = has_rank ? Rank : 1, .is_valid = false};
  return out;
}();

/// What the contract of a scalar promises.
template <class Contract> inline constexpr long long promised = 1;
template <long long N> inline constexpr long long promised<multiple_of<N>> = N > 0 ? N : 1;
/// The most that it promises; 0: anything.
template <class Contract> inline constexpr long long promised_most = 0;
template <long long N> inline constexpr long long promised_most<at_most<N>> = N > 0 ? N : 0;

}  // namespace detail

}  // namespace tg
