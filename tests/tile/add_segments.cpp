#include <tg/tile/add_segments.hpp>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/tile.hpp>

#include "../random_seed.hpp"
#include "tiles.hpp"

namespace {

using namespace tg::literals;
using T = tg::bf16;
using view = tg::in2<T, tg::multiple_of<8>>;

/// Segment s, of s % 3 + 1 steps of 32, is the product of columns of a and rows of b; its sums are rows 64 * s and more of y.
/// `rest`: the sums behind the last whole segment.
template <int Sm>
constexpr auto sums_of_segments = tg::kernel<"sums_of_segments">(
    tg::block<128> | tg::for_sm<Sm>,
    [](auto block, view a, view b, tg::out2<float, tg::multiple_of<8>> y, tg::out2<float, tg::multiple_of<8>> rest,
       tg::scalar<unsigned> depth, tg::scalar<unsigned> rows) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::var<unsigned> segment = 0u;
      tg::add_segments<3>(
          block, sum, tg::steps(depth, 32_c),
          [&](auto k) {
            return tg::stage(tg::tile_at<64, 32>(tg::sized(a, 64_c, depth), 0_c, k),
                             tg::tile_at<32, 64>(tg::sized(b, depth, 64_c), k, 0_c));
          },
          [](auto left, auto right) { return tg::dot(left, right); },
          [&](auto at) {
            // Steps before `at` are those of whole rounds of 6, and of 0, 1 or 3 more.
            const auto within = tg::let(at / 32_c % 6_c);
            return tg::select(within == 0u, 1u, tg::select(within == 1u, 2u, 3u));
          },
          [&](auto) {
            tg::tile_at<64, 64>(tg::sized(y, rows, 64_c), tg::assume_uniform<64>(segment * 64u), 0_c) = sum;
            segment += 1u;
          });
      tg::tile_at<64, 64>(tg::sized(rest, 64_c, 64_c), 0_c, 0_c) = sum;
    });

template <int Sm> void check_segments(unsigned depth) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const tiles::matrix<T> a(64, depth, random), b(depth, 64, random);
  const unsigned most = depth / 32 + 2;
  tiles::on_device<T> da(gpu, a), db(gpu, b);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(64 * most, 64)), drest(gpu, tiles::matrix<float>(64, 64));
  gpu.launch(sums_of_segments<Sm>, tg::grid(1), da.argument(), db.argument(), dy.argument(), drest.argument(), depth,
             64 * most);
  const tiles::matrix<float> y = dy.read(), rest = drest.read();
  CAPTURE(Sm);
  CAPTURE(depth);
  tiles::excess excess;
  const auto compare = [&](const tiles::matrix<float>& found, unsigned first_row, unsigned from, unsigned end) {
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 64; ++c) {
        double sum = 0, size = 0;
        for (unsigned d = from; d < std::min(end, depth); ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
        excess(found(first_row + r, c), sum, 1e-5 * size);
      }
  };
  unsigned step = 0, segment = 0;
  const unsigned steps = (depth + 31) / 32;
  for (; step + segment % 3 + 1 <= steps; step += segment++ % 3 + 1)
    compare(y, 64 * segment, 32 * step, 32 * (step + segment % 3 + 1));
  compare(rest, 0, 32 * step, depth);
  CHECK(excess.worst <= 1);
  for (unsigned c = 0; c < 64; ++c) CHECK(std::isnan(y(64 * segment, c)));
}

/// Rows of y are products of the blocks of a by the one b: as many segments of two steps.
template <int Sm>
constexpr auto equal_segments = tg::kernel<"equal_segments">(
    tg::block<128> | tg::for_sm<Sm>,
    [](auto block, view a, view b, tg::out2<float, tg::multiple_of<8>> y, tg::scalar<unsigned> rows) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::add_segments<2>(
          block, sum, tg::steps((rows + 63_c) / 64_c * 2_c, 1_c),
          [&](auto at) {
            const auto k = tg::let(at % 2_c * 32_c);
            return tg::stage(tg::tile_at<64, 32>(tg::sized(a, rows, 64_c), at / 2_c * 64_c, k),
                             tg::tile_at<32, 64>(tg::sized(b, 64_c, 64_c), k, 0_c));
          },
          [](auto left, auto right) { return tg::dot(left, right); }, 2_c,
          [&](auto at) { tg::tile_at<64, 64>(tg::sized(y, rows, 64_c), at / 2_c * 64_c, 0_c) = sum; });
    });

template <int Sm> void check_equal_segments(unsigned rows) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const tiles::matrix<T> a(rows, 64, random), b(64, 64, random);
  tiles::on_device<T> da(gpu, a), db(gpu, b);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(rows, 64));
  gpu.launch(equal_segments<Sm>, tg::grid(1), da.argument(), db.argument(), dy.argument(), rows);
  const tiles::matrix<float> y = dy.read();
  tiles::excess excess;
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double sum = 0, size = 0;
      for (unsigned d = 0; d < 64; ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
      excess(y(r, c), sum, 1e-5 * size);
    }
  CAPTURE(Sm);
  CAPTURE(rows);
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("segments of one length") {
  for (const unsigned rows : {1u, 64u, 65u, 130u, 509u}) {
    check_equal_segments<80>(rows);
    check_equal_segments<90>(rows);
  }
}

TEST_CASE("sums of segments are taken behind their last step and begin again from zero") {
  for (const unsigned depth : {32u, 1u, 31u, 33u, 64u, 96u, 97u, 192u, 193u, 509u}) {
    check_segments<80>(depth);
    check_segments<90>(depth);
  }
}

TEST_CASE("nothing is refuted of segments, and what threads share is proved") {
  const auto check = [](const auto& kernel) {
    const tg::kernel_analysis found = tg::analyze(kernel);
    INFO(found.text());
    CHECK(found.refuted().empty());
    for (const auto& f : found.unknown()) CHECK(f.text().find("global race") != std::string::npos);
  };
  check(sums_of_segments<80>);
  check(sums_of_segments<90>);
}

TEST_CASE("in a segment, products of sm_90 are under way while the next stage is waited for, and are over where it ends") {
  const std::string text = tg::to_ptx(sums_of_segments<90>);
  const auto one_left = text.find("wgmma.wait_group.sync.aligned 1;");
  REQUIRE(one_left != text.npos);
  CHECK(text.find("wgmma.wait_group.sync.aligned 0;", one_left) != text.npos);
}

TEST_CASE("a segment of no steps: TG464 on the emulator") {
  using tg::literals::operator""_c;
  constexpr auto kernel = tg::kernel<"no_steps">(
      tg::block<128>,
      [](auto block, tg::in2<T, tg::multiple_of<8>> a, tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> length) {
        auto sum = tg::zeros<float, 64, 64>(block);
        const auto part = [&] { return tg::tile_at<64, 64>(tg::sized(a, 64_c, 64_c), 0_c, 0_c); };
        tg::add_segments<2>(
            block, sum, tg::steps(2u, 1_c), [&](auto) { return tg::stage(part(), part()); },
            [](auto left, auto right) { return tg::dot(left, right); }, [&](auto) { return length; },
            [&](auto) { tg::tile_at<64, 64>(tg::sized(y, 64_c, 64_c), 0_c, 0_c) = sum; });
      });
  tg::device gpu("emulator");
  tiles::on_device<T> a(gpu, tiles::matrix<T>(64, 64));
  tiles::on_device<float> y(gpu, tiles::matrix<float>(64, 64));
  gpu.launch(kernel, tg::grid(1), a.argument(), y.argument(), 1u);
  try {
    gpu.launch(kernel, tg::grid(1), a.argument(), y.argument(), 0u);
    (void)y.read();
    FAIL("it ran");
  } catch (const tg::error& e) { CHECK(e.number() == 464); }
}
