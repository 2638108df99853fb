// What a kernel asks of its block, whatever the block's shape is.
#pragma once

#include <functional>

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/block/block_warp.hpp>

#include "device.hpp"

namespace judge {

/// The block without its shape.
struct block_words {
  device thread[3], index[3], grid[3], global_x, thread_index, lane, warp_index;
  tg::warp_handle<tg::index::data, tg::index::data> warp;
  std::function<void(tg::source_location)> sync;
  std::function<device(op, const tg::value<bool>&, tg::source_location)> vote;

  template <class Shape>
  explicit block_words(const tg::block_handle<Shape>& b)
      : thread{forget(b.thread.x), forget(b.thread.y), forget(b.thread.z)},
        index{forget(b.index.x), forget(b.index.y), forget(b.index.z)},
        grid{forget(b.grid.x), forget(b.grid.y), forget(b.grid.z)},
        global_x(forget(b.global_index())),
        thread_index(forget(b.thread_index())),
        warp(plain(tg::detail::block_warp(b))),
        sync([b](tg::source_location where) { b.sync(where); }),
        vote([b](op what, const tg::value<bool>& c, tg::source_location where) {
          return what == op::block_count ? forget(tg::block_count(b, c, where))
                 : what == op::block_any ? forget(tg::block_any(b, c, where))
                                         : forget(tg::block_all(b, c, where));
        }) {
    lane = forget(warp.lane);
    warp_index = forget(warp.index);
  }

 private:
  template <class Warp> static tg::warp_handle<tg::index::data, tg::index::data> plain(const Warp& w) {
    return {tg::value<unsigned>{w.lane.operand}, tg::value<unsigned>{w.index.operand}, w.members, w.last};
  }
};

}  // namespace judge
