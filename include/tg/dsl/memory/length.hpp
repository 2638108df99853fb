// How long a buffer must be for a view: contracts that a launch checks.
#pragma once

#include <tg/dsl/memory/view_options.hpp>

namespace tg {

/// The buffer has at least N elements: `tg::in<float, tg::at_least<256>> table`. Errors: TG566 at launch.
template <long long N> struct at_least { static_assert(N > 0, "TG126: tg::at_least needs a positive number"); };

/// The buffer has an element for each that the launch covers; of rank 2 and more, columns along x, rows along y and what
/// is outside of them along z. Errors: TG566 at launch.
struct covered {};

namespace detail {

template <long long N> constexpr void add_option(view_facts& f, std::type_identity<at_least<N>>) { f.least_elements = N; }
constexpr void add_option(view_facts& f, std::type_identity<covered>) { f.is_covered = true; }

}  // namespace detail

}  // namespace tg
