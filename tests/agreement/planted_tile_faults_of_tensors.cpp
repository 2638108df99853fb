// Tensor copies, both ways, and the arrays that launches make maps of.
#include "planted_tile_faults.hpp"

#include <tg/dsl/bulk/tensor_copy.hpp>
#include <tg/runtime/tensor_map.hpp>

namespace planted_tiles {

namespace {

using namespace tg::literals;
using in_rows = tg::in_map<float, tg::shape<8, 32>, tg::swizzle<3, 2, 3>>;
using out_rows = tg::out_map<float, tg::shape<8, 32>, tg::swizzle<3, 2, 3>>;

/// What can go wrong on the way of a box through a tile: in, changed by threads, out.
enum class boxing { right, no_wait, no_fence, fence_behind_barrier, no_barrier, no_wait_for_store, odd_start, odd_pitch };

verdict boxed(boxing how) {
  return judge(
      [=] {
        return tg::kernel<"planted">(tg::block<256>, [=](auto block, in_rows in, out_rows out, tg::inout<float> y) {
          const auto tile = tg::shared<float>(tg::shape<8, 32>, tg::swizzle<3, 2, 3>);
          const auto t = block.thread.x;
          const auto row = t / 32_c;
          const auto column = t % 32_c;
          auto full = tg::mbarriers<1>(block, 1);
          block.sync();
          auto phase = full.phase(0_c);
          tg::if_(t == 0u, [&] { full.expect(0, tg::tensor_copy(tile, in(block.index.x * 8_c, 0_c))); });
          if (how == boxing::no_wait) block.sync();
          else (void)phase.wait();
          const auto own = tg::let(tile(row, column));
          y(block.global_index()) = own;
          tile(row, column) = own * 2.0f;
          const bool fences = how != boxing::no_fence && how != boxing::fence_behind_barrier;
          if (fences) tg::fence_async_proxy();
          if (how != boxing::no_barrier) block.sync();
          if (how == boxing::fence_behind_barrier) tg::fence_async_proxy();
          tg::if_(t == 0u, [&] {
            tg::tensor_store(out(block.index.x * 8_c, 0_c), tile);
            auto group = tg::bulk_groups<>().commit();
            if (how != boxing::no_wait_for_store) group.wait();
          });
          block.sync();
          if (how == boxing::no_wait_for_store) tile(row, column) = 0.0f;
        });
      },
      [=](buffers& b, const auto& kernel) {
        const std::size_t pitch = how == boxing::odd_pitch ? 34 : 32;
        auto z = b.gpu.upload(std::vector<float>(buffers::elements, 0.0f));
        const auto first = how == boxing::odd_start ? b.x.part(1, 4096) : b.x.whole();
        b.gpu.launch(kernel, tg::grid(2), tg::matrix(first, 16, 32, pitch), tg::matrix(z, 16, 32), b.y);
      });
}

/// A tile half of which no copy brings.
verdict half_filled(bool is_faulty) {
  using map = tg::in_map<float, tg::shape<4, 32>>;
  return judge(
      [=] {
        return tg::kernel<"planted">(tg::block<64>, [=](auto block, map in, tg::inout<float> y) {
          const auto tiles = tg::stages<float, 2>(tg::shape<4, 32>);
          auto full = tg::mbarriers<1>(block, 1);
          block.sync();
          auto phase = full.phase(0_c);
          tg::if_(block.thread.x == 0u, [&] {
            if (is_faulty) full.expect(0, tg::tensor_copy(tiles.fill(0_c), in(0_c, 0_c)));
            else full.expect(0, tg::tensor_copy(tiles.fill(0_c), in(0_c, 0_c)), tg::tensor_copy(tiles.fill(1_c), in(4_c, 0_c)));
          });
          (void)phase.wait();
          y(block.thread.x) = tiles.all()(block.thread.x / 32_c + 4_c, block.thread.x % 32_c);
        });
      },
      [](buffers& b, const auto& kernel) { b.gpu.launch(kernel, tg::grid(1), tg::matrix(b.x, 64, 32), b.y); });
}

std::function<verdict(bool)> either(boxing faulty) {
  return [=](bool is_faulty) { return boxed(is_faulty ? faulty : boxing::right); };
}

}  // namespace

std::vector<fault> faults_of_tensors() {
  using b = boxing;
  return {
      {"tensor copy: no wait", either(b::no_wait)},
      {"tensor copy: a tile of which one half is filled", half_filled},
      {"tensor store: no fence.proxy.async", either(b::no_fence)},
      {"tensor store: fence.proxy.async behind the barrier", either(b::fence_behind_barrier)},
      {"tensor store: no barrier", either(b::no_barrier)},
      {"tensor store: a tile that is written again before it was read", either(b::no_wait_for_store)},
      {"tensor map: an array that begins at 4 bytes", either(b::odd_start)},
      {"tensor map: rows of 136 bytes", either(b::odd_pitch)},
  };
}

}  // namespace planted_tiles
