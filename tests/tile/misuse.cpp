// What people get wrong with tiles that only shows when the kernel is recorded, each with the error that tells them.
#include <tg/tile.hpp>

#include <vector>

#include <tg/tg.hpp>

#include "../misuse.hpp"

using namespace tg::literals;

namespace {

/// Adds up products of rows: those that shared memory names, or else a vote of the block stands behind the pipeline.
auto fetches(bool from_shared) {
  return tg::kernel<"k">(
      tg::block<128> | tg::for_sm<90> | tg::producer,
      [from_shared](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out2<float, tg::multiple_of<4>> y,
                    tg::scalar<unsigned> rows, tg::scalar<unsigned> depth) {
        const auto tile = tg::shared<unsigned>(tg::shape<128>);
        tile(block.thread.x) = block.thread.x;
        block.sync();
        const auto named = tg::let(tg::assume_uniform<64>(tile(0_c)));
        const auto row = tg::let(from_shared ? named : tg::assume_uniform<64>(block.index.x * 64u + 0u));
        auto sum = tg::zeros<float, 64, 64>(block);
        tg::add_products<2>(
            block, sum, tg::steps(depth, 64_c),
            [&](auto k) {
              return tg::stage(tg::tile_at<64, 64>(tg::sized(x, rows, depth), row, k),
                               tg::tile_at<64, 64>(tg::sized(x, depth, 64u), k, 0_c));
            },
            [](auto left, auto right) { return tg::dot(left, right); });
        if (!from_shared) tg::if_(tg::block_any(block, named > 3u), [&] { block.sync(); });
        tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = sum;
      });
}

/// A pipeline that goes over the depth twice. IsShown: the type of a column shows that it is a multiple.
template <bool IsShown>
constexpr auto wraps = tg::kernel<"wraps">(
    tg::block<128> | tg::for_sm<90> | tg::producer,
    [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> rows,
       tg::scalar<unsigned> turns) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::add_products<2>(
          block, sum, tg::steps(turns * 2u, 1_c),
          [&](auto turn) {
            const auto at = [&] {
              if constexpr (IsShown) return turn % turns * 64_c;
              else return turn % turns * 64u;
            }();
            return tg::stage(tg::tile_at<64, 64>(tg::sized(x, rows, turns * 64_c), block.index.x * 64_c, at),
                             tg::tile_at<64, 64>(tg::sized(x, turns * 64_c, 64u), at, 0_c));
          },
          [](auto left, auto right) { return tg::dot(left, right); });
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = sum;
    });

const std::vector<misuse> rows{
    {"an expression that is read after its tile has changed", 603,
     "TG603: an expression reads a tile that was assigned after the expression was written; name the value with "
     "tg::eval where it is written",
     [] {
       (void)tg::to_ptx(tg::kernel<"k">(tg::block<64>, [](auto block, tg::out2<float, tg::multiple_of<4>> y) {
         auto sum = tg::zeros<float, 32, 64>(block);
         const auto later = sum + 1.0f;
         sum = sum + 2.0f;
         tg::tile_at<32, 64>(tg::sized(y, 32u, 64u), 0_c, 0_c) = later;
       }));
     }},
    {"a block with a producer, of a kernel that has no pipeline", 611,
     "TG611: a block with tg::producer, and no pipeline that the producer fetches for",
     [] {
       (void)tg::to_ptx(tg::kernel<"k">(tg::block<128> | tg::for_sm<90> | tg::producer,
                                        [](auto block, tg::out<float> y) { y(block.global_index()) = 0.0f; }));
     }},
    {"a pipeline whose columns are computed with a C++ number, for a producer", 611,
     "and rectangles whose first column is a multiple of 16 bytes by its type: C++ numbers in it hide that, so write at * 32_c",
     [] { (void)tg::to_ptx(wraps<false>); }},
    {"a pipeline over rows that shared memory names, for a producer", 612,
     "TG612: the producer cannot fetch for this pipeline: what is made at misuse.cpp:",
     [] { (void)tg::to_ptx(fetches(true)); }},
    {"a vote of all threads of a block beside a producer", 199, "TG199: ", [] { (void)tg::to_ptx(fetches(false)); }},
};

}  // namespace

TEST_CASE("what only the recording of a kernel of tiles shows is a clear error") { check_misuses(rows); }

TEST_CASE("a column whose type shows a multiple is fetched by the producer") {
  CHECK(tg::to_ptx(wraps<true>).find("cp.async.bulk.tensor") != std::string::npos);
}
