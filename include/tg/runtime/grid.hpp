// How many blocks a launch has.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tg/base/fixed_array.hpp>
#include <tg/base/source_location.hpp>
#include <tg/runtime/launch_options.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts> struct launch_grid {
  static_assert(
      Ok, "TG131: the grid of a launch is tg::cover(elements) or tg::grid(blocks), and the threads of a block are part of "
          "the kernel: gpu.launch(kernel, tg::cover(n), x, y)");
};
}  // namespace diagnosis

/// The extent of a launch, in elements (`cover`) or blocks (`grid`), the line that asked for it, and how it is to run.
/// Errors: those of the options when it is launched.
struct placement {
  fixed_array<std::int64_t, 3> extents;
  bool is_blocks;
  source_location where;
  bool has_options = false;
  launch_options options{};

  /// All blocks run at once. Errors: TG568 when they do not fit, TG570.
  constexpr placement cooperative() const {
    placement out = opted();
    out.options.is_cooperative = true;
    return out;
  }
  /// Blocks form clusters that share their shared memory. Errors: TG569, TG570.
  constexpr placement cluster(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) const {
    placement out = opted();
    out.options.cluster = {x, y, z};
    return out;
  }
  /// Shared memory of each block beside what the kernel declares. Errors: TG567.
  constexpr placement shared(std::size_t bytes) const {
    placement out = opted();
    out.options.shared_bytes = bytes;
    return out;
  }
  /// A wish, of this launch alone. Cost: three calls more on a driver before CUDA 13. Errors: TG571.
  constexpr placement carve_out(int percent) const {
    placement out = opted();
    out.options.carve_out_percent = percent;
    return out;
  }
  /// Smaller is more urgent. Errors: TG571.
  constexpr placement priority(int p) const {
    placement out = opted();
    out.options.has_priority = true;
    out.options.priority = p;
    return out;
  }
  /// Begins before the launch before it on the stream has ended; the kernel waits for it where it calls
  /// tg::wait_for_prior_grids(). Not in graphs. Errors: TG570; TG578 for a kernel without that call.
  constexpr placement overlapping() const {
    placement out = opted();
    out.options.overlaps_previous = true;
    return out;
  }

 private:
  constexpr placement opted() const {
    placement out = *this;
    out.has_options = true;
    return out;
  }
};

namespace detail {

template <std::integral N> constexpr std::int64_t to_extent(N n) {
  constexpr auto most = INT64_MAX;
  if constexpr (sizeof(N) == 8 && std::is_unsigned_v<N>) return n > N{most} ? most : static_cast<std::int64_t>(n);
  return static_cast<std::int64_t>(n);
}

}  // namespace detail

/// As many blocks along x as are needed for one thread per element.
template <std::integral N> constexpr placement cover(N elements, source_location where = source_location::current()) {
  return {{detail::to_extent(elements), 1, 1}, false, where};
}

/// As many blocks along x and y as are needed for one thread per element of a width × height picture.
template <std::integral X, std::integral Y>
constexpr placement cover(X width, Y height, source_location where = source_location::current()) {
  return {{detail::to_extent(width), detail::to_extent(height), 1}, false, where};
}

/// This many blocks.
template <std::integral X> constexpr placement grid(X x, source_location where = source_location::current()) {
  return {{detail::to_extent(x), 1, 1}, true, where};
}
template <std::integral X, std::integral Y>
constexpr placement grid(X x, Y y, source_location where = source_location::current()) {
  return {{detail::to_extent(x), detail::to_extent(y), 1}, true, where};
}
template <std::integral X, std::integral Y, std::integral Z>
constexpr placement grid(X x, Y y, Z z, source_location where = source_location::current()) {
  return {{detail::to_extent(x), detail::to_extent(y), detail::to_extent(z)}, true, where};
}

namespace runtime {

/// Blocks in x, y and z.
using block_counts = fixed_array<std::uint32_t, 3>;

/// The blocks of a launch with blocks of these threads.
/// Errors: TG521 for an empty grid or one beyond `limit`.
block_counts to_blocks(const placement& p, const fixed_array<std::uint32_t, 3>& block_threads,
                       const fixed_array<std::uint32_t, 3>& limit);

}  // namespace runtime
}  // namespace tg
