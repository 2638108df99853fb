// How long a buffer must be for a view: contracts that a launch checks. They go where the alignment goes and carry it.
#pragma once

#include <tg/dsl/view.hpp>

namespace tg {

/// The buffer has at least N elements: `tg::in<float, tg::at_least<256>> table`. Errors: TG566 at launch.
template <long long N, class Align = default_alignment>
struct at_least {
  static_assert(N > 0, "TG126: tg::at_least needs a positive number");
};

/// The buffer has an element for each that the launch covers; of rank 2, columns along x and rows along y.
/// Errors: TG566 at launch.
template <class Align = default_alignment>
struct covered {};

namespace detail {

template <long long N, class Align>
inline constexpr long long promised<at_least<N, Align>> = promised<Align>;
template <class Align>
inline constexpr long long promised<covered<Align>> = promised<Align>;

template <class Contract>
inline constexpr long long least_elements = 0;
template <long long N, class Align>
inline constexpr long long least_elements<at_least<N, Align>> = N;

template <class Contract>
inline constexpr bool is_covered = false;
template <class Align>
inline constexpr bool is_covered<covered<Align>> = true;

}  // namespace detail

}  // namespace tg
