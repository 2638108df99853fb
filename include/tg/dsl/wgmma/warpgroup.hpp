// The warpgroups of a block: four warps, 128 threads, which multiply matrices together.
#pragma once

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/wgmma/group_shape.hpp>

namespace tg {

/// The warpgroup of the calling thread; from `block.warpgroup()`.
template <class ThreadForm, class IndexForm> struct warpgroup_handle {
  value<unsigned, ThreadForm> thread;  ///< 0 to 127
  value<unsigned, IndexForm> index;    ///< which warpgroup of the block

  /// The warp of this thread, 0 to 3 in the warpgroup.
  auto warp() const {
    const auto lane = thread % constant<32>{};
    const auto number = thread / constant<32>{};
    return warp_handle<typename decltype(lane)::form, typename decltype(number)::form>{lane, number};
  }
};

namespace detail {

template <class Shape> struct warpgroup_maker<block_handle<Shape>> {
  static auto make(const block_handle<Shape>& block) {
    (void)sizeof(diagnosis::whole_warpgroups<Shape::threads % 128 == 0, Shape>);
    const auto linear = block.thread_index();
    const auto thread = linear % constant<128>{};
    const auto number = linear / constant<128>{};
    return warpgroup_handle<typename decltype(thread)::form, typename decltype(number)::form>{thread, number};
  }
};

}  // namespace detail

}  // namespace tg
