// Tiles: rectangles that overlap or leave their memory, expressions that read what has changed, teams that are not whole.
#include "planted_tile_faults.hpp"

#include <tg/tile.hpp>

namespace planted_tiles {

namespace {

using namespace tg::literals;
using rows = tg::in2<float, tg::multiple_of<4>>;
using result = tg::inout2<float, tg::multiple_of<4>>;

/// What can go wrong with a kernel that writes a function of its input's rectangles, a block for each.
enum class tiling {
  right,
  overlapping,
  one_for_all,
  changed,
  read_of_others,
  in_place,
  short_buffer,
  odd_pitch,
  pitch_below_columns,
  sum_in_branch
};

verdict tiled(tiling how) {
  return judge(
      [=] {
        return tg::kernel<"planted">(tg::block<128>, [=](auto block, rows x, result y, tg::scalar<unsigned> n) {
          using t = tiling;
          const auto from = tg::sized(x, 64u, n);
          const auto to = tg::sized(y, 64u, n);
          const auto column = block.index.x * 32_c;
          const auto part = tg::tile_at<64, 32>(from, 0_c, column);
          auto own = tg::full_like_load<float>(block, part, 0.0f);
          own = tg::eval(tg::load(block, part));
          const auto twice = own * 2.0f;
          if (how == t::changed) own = own + 1.0f;
          if (how == t::sum_in_branch) tg::if_(block.thread.x < 48u, [&] { own = own - tg::column_sum(own); });
          if (how == t::overlapping) tg::tile_at<64, 32>(to, 0_c, block.index.x * 16_c) = twice;
          else if (how == t::one_for_all) tg::tile_at<64, 32>(to, 0_c, 0_c) = twice;
          else if (how == t::sum_in_branch) tg::tile_at<64, 32>(to, 0_c, column) = own;
          else tg::tile_at<64, 32>(to, 0_c, column) = twice;
          if (how == t::read_of_others) {
            const auto other = tg::eval(tg::load(block, tg::tile_at<32, 64>(to, 0_c, column)));
            tg::tile_at<32, 64>(tg::sized(y, 128u, n), 64_c, column) = other;
          }
        });
      },
      [=](buffers& b, const auto& kernel) {
        using t = tiling;
        auto z = b.gpu.upload(std::vector<float>(buffers::elements, 0.0f));
        const std::size_t pitch = how == t::odd_pitch ? 65 : how == t::pitch_below_columns ? 32 : 64;
        const auto view = how == t::short_buffer ? b.x.part(0, 2048) : b.x.whole();
        if (how == t::in_place) b.gpu.launch(kernel, tg::grid(2), tg::matrix(z, 64, 64), tg::matrix(z, 64, 64), 64u);
        else b.gpu.launch(kernel, tg::grid(2), tg::matrix(view, 64, 64, pitch), tg::matrix(z, 64, 64), 64u);
      });
}

/// A rectangle of shared memory that ends outside of it, its first row known while the kernel is recorded.
verdict outside_of_shared(bool is_faulty) {
  return judge(
      [=] {
        return tg::kernel<"planted">(tg::block<128>, [=](auto block, rows x, result y) {
          const auto held = tg::to_shared(block, tg::tile_at<64, 32>(tg::sized(x, 64u, 32u), 0_c, 0_c));
          const auto like = tg::full_like_load<float>(block, tg::tile_at<32, 32>(tg::sized(y, 32u, 32u), 0_c, 0_c), 0.0f);
          tg::tile_at<32, 32>(tg::sized(y, 32u, 32u), 0_c, 0_c) =
              tg::eval_like(tg::tile_at<32, 32>(held, is_faulty ? 48u : 32u, 0_c), like);
        });
      },
      [](buffers& b, const auto& kernel) {
        auto z = b.gpu.upload(std::vector<float>(buffers::elements, 0.0f));
        b.gpu.launch(kernel, tg::grid(1), tg::matrix(b.x, 64, 32), tg::matrix(z, 32, 32));
      });
}

/// A pipeline that half of the block runs.
verdict half_of_a_pipeline(bool is_faulty) {
  return judge(
      [=] {
        return tg::kernel<"planted">(tg::block<128>, [=](auto block, rows x, result y, tg::scalar<unsigned> n) {
          auto sum = tg::zeros<float, 32, 64>(tg::warps<4, 1, tg::cuda_cores>(block));
          const auto all = [&] {
            tg::pipeline<2>(
                block, tg::steps(n, 32_c),
                [&](auto k) {
                  return tg::stage(tg::tile_at<32, 32>(tg::sized(x, 32u, n), 0_c, k),
                                   tg::tile_at<32, 64>(tg::sized(x, n, 64u), k, 0_c));
                },
                [&](auto left, auto right) { sum += tg::dot(left, right); });
          };
          if (is_faulty) tg::if_(block.thread.x < 64u, all);
          else all();
          tg::tile_at<32, 64>(tg::sized(y, 32u, 64u), 0_c, 0_c) = sum;
        });
      },
      [](buffers& b, const auto& kernel) {
        auto z = b.gpu.upload(std::vector<float>(buffers::elements, 0.0f));
        b.gpu.launch(kernel, tg::grid(1), tg::matrix(b.x, 64, 64), tg::matrix(z, 32, 64), 64u);
      });
}

std::function<verdict(bool)> either(tiling faulty) {
  return [=](bool is_faulty) { return tiled(is_faulty ? faulty : tiling::right); };
}

}  // namespace

std::vector<fault> faults_of_tiles() {
  using t = tiling;
  return {
      {"tile: rectangles of blocks that overlap", either(t::overlapping)},
      {"tile: one rectangle for all blocks", either(t::one_for_all)},
      {"tile: an expression that reads a tile which has changed since", either(t::changed)},
      {"tile: a read of what other threads wrote to memory", either(t::read_of_others)},
      {"tile: a view that is read and written under two names", either(t::in_place)},
      {"tile: a buffer shorter than its matrix", either(t::short_buffer)},
      {"tile: rows that break their contract", either(t::odd_pitch)},
      {"tile: rows closer than they are long", either(t::pitch_below_columns)},
      {"tile: a sum across warps that half of the block makes", either(t::sum_in_branch)},
      {"tile: a rectangle of shared memory that ends outside", outside_of_shared},
      {"tile: a pipeline that half of the block runs", half_of_a_pipeline},
  };
}

}  // namespace planted_tiles
