#include <tg/tile/pipeline.hpp>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/value/choose.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;
using T = tg::bf16;
using view = tg::in2<T, tg::multiple_of<8>>;

/// y = a * b by tiles of 64 x 64 x 32.
template <int Stages>
constexpr auto product = tg::kernel<"product">(
    tg::block<128>, [](auto block, view a, view b, tg::out2<float, tg::multiple_of<8>> y, tg::scalar<unsigned> m,
                       tg::scalar<unsigned> n, tg::scalar<unsigned> depth, tg::out<unsigned> steps) {
      const auto row = block.index.y * 64_c, column = block.index.x * 64_c;
      auto sum = tg::zeros<float, 64, 64>(tg::warps<2, 2>(block));
      tg::var<unsigned> last = 0u;
      tg::pipeline<Stages>(
          block, tg::steps(depth, 32_c),
          [&](auto k) {
            return tg::stage(tg::tile_at<64, 32>(tg::sized(a, m, depth), row, k),
                             tg::tile_at<32, 64>(tg::sized(b, depth, n), k, column));
          },
          [&](auto left, auto right, auto k) {
            sum += tg::dot(left, right);
            last = tg::cast<unsigned>(k) + 1u;
          });
      tg::tile_at<64, 64>(tg::sized(y, m, n), row, column) = sum;
      tg::if_(block.thread.x == 0 && block.index.x == 0 && block.index.y == 0, [&] { steps(0_c) = last; });
    });

template <int Stages> void check_pipeline() {
  tg::device gpu;
  std::mt19937 random(17);
  for (const auto& size : {std::array{64u, 64u, 64u}, {63u, 65u, 31u}, {1u, 1u, 1u}, {130u, 67u, 97u}, {64u, 64u, 0u}}) {
    const unsigned m = size[0];
    const unsigned n = size[1];
    const unsigned k = size[2];

    const tiles::matrix<T> a(m, k, random), b(k, n, random);
    tiles::on_device<T> da(gpu, k == 0 ? tiles::matrix<T>(m, 8) : a), db(gpu, k == 0 ? tiles::matrix<T>(8, n) : b);
    tiles::on_device<float> dy(gpu, tiles::matrix<float>(m, n));
    auto steps = gpu.upload(std::vector<unsigned>{77});
    gpu.launch(product<Stages>, tg::grid((n + 63) / 64, (m + 63) / 64), da.argument(), db.argument(), dy.argument(), m, n, k,
               steps);
    const tiles::matrix<float> y = dy.read();
    tiles::excess excess;
    for (unsigned r = 0; r < m; ++r)
      for (unsigned c = 0; c < n; ++c) {
        double sum = 0, size = 0;
        for (unsigned d = 0; d < k; ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
        excess(y(r, c), sum, 1e-5 * size);
      }
    CAPTURE(Stages);
    CAPTURE(k);
    CHECK(excess.worst <= 1);
    CHECK(steps.to_host()[0] == (k == 0 ? 0 : (k - 1) / 32 * 32 + 1));
  }
}

/// y = a * b in two parts: the product of a step, and then its sum. `order` gets 2 * step for the first part and 2 * step + 1
/// for the second one, in the order in which they are taken.
template <int Stages>
constexpr auto product_in_parts =
    tg::kernel<"product_in_parts">(tg::block<128>, [](auto block, view a, view b, tg::out2<float, tg::multiple_of<8>> y,
                                                      tg::scalar<unsigned> depth, tg::out<unsigned> order) {
      auto sum = tg::zeros<float, 64, 64>(tg::warps<2, 2>(block));
      auto part = tg::zeros<float, 64, 64>(tg::warps<2, 2>(block));
      tg::var<unsigned> count = 0u;
      const auto note = [&](const auto& number) {
        tg::if_(block.thread.x == 0, [&] { order(tg::let(count)) = number; });
        count = count + 1u;
      };
      tg::pipeline<Stages>(
          block, tg::steps(depth, 32_c),
          [&](auto k) {
            return tg::stage(tg::tile_at<64, 32>(tg::sized(a, 64_c, depth), 0_c, k),
                             tg::tile_at<32, 64>(tg::sized(b, depth, 64_c), k, 0_c));
          },
          [&](auto left, auto right, auto k) {
            part = 0.0f;
            part += tg::dot(left, right);
            note(k / 16_c);
          },
          [&](auto, auto, auto k) {
            sum = sum + part;
            note(k / 16_c + 1u);
          });
      tg::tile_at<64, 64>(tg::sized(y, 64_c, 64_c), 0_c, 0_c) = sum;
    });

template <int Stages> void check_parts() {
  tg::device gpu;
  std::mt19937 random(29);
  for (const unsigned depth : {0u, 1u, 31u, 32u, 33u, 64u, 97u, 257u}) {
    const unsigned count = (depth + 31) / 32;
    const tiles::matrix<T> a(64, depth == 0 ? 8 : depth, random), b(depth == 0 ? 8 : depth, 64, random);
    tiles::on_device<T> da(gpu, a), db(gpu, b);
    tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, 64));
    auto order = gpu.upload(std::vector<unsigned>(2 * count + 1, 77));
    gpu.launch(product_in_parts<Stages>, tg::grid(1), da.argument(), db.argument(), dy.argument(), depth, order);
    CAPTURE(Stages);
    CAPTURE(depth);
    const tiles::matrix<float> y = dy.read();
    tiles::excess excess;
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 64; ++c) {
        double sum = 0, size = 0;
        for (unsigned d = 0; d < depth; ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
        excess(y(r, c), sum, 1e-5 * size);
      }
    CHECK(excess.worst <= 1);
    const std::vector<unsigned> found = order.to_host();
    for (unsigned n = 0; n < 2 * count; ++n) CHECK(found[n] == n);  // each part once, the first one first
    CHECK(found[2 * count] == 77);
  }
}

}  // namespace

TEST_CASE("a body in two parts: each is taken once for each step") {
  check_parts<2>();
  check_parts<3>();
  check_parts<4>();
}

TEST_CASE("the parts of neighbouring steps are proved to keep apart") {
  const tg::kernel_analysis found = tg::analyze(product_in_parts<2>);
  INFO(found.text());
  CHECK(found.refuted().empty());
  CHECK(found.barriers_met());
  for (const tg::finding& f : found.unknown()) CHECK(f.question == tg::question::global_race);  // blocks that write the same
}

TEST_CASE("pipelines of two, three and four stages compute the same") {
  check_pipeline<2>();
  check_pipeline<3>();
  check_pipeline<4>();
}

TEST_CASE("a stage of one rectangle is the rectangle") {
  constexpr auto squares = tg::kernel<"squares">(
      tg::block<128>, [](auto block, view a, tg::out2<float, tg::multiple_of<8>> y, tg::scalar<unsigned> depth) {
        auto sum = tg::zeros<float, 64, 64>(block);
        tg::pipeline<2>(
            block, tg::steps(depth, 32_c), [&](auto k) { return tg::tile_at<64, 32>(tg::sized(a, 64u, depth), 0_c, k); },
            [&](auto part) { sum += tg::dot(part, tg::transposed(part)); });
        tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = sum;
      });
  tg::device gpu;
  std::mt19937 random(19);
  const tiles::matrix<T> a(64, 72, random);
  tiles::on_device<T> da(gpu, a);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, 64));
  gpu.launch(squares, tg::grid(1), da.argument(), dy.argument(), 72u);
  const tiles::matrix<float> y = dy.read();
  tiles::excess excess;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double sum = 0, size = 0;
      for (unsigned d = 0; d < 72; ++d) sum += a(r, d) * a(c, d), size += std::abs(a(r, d) * a(c, d));
      excess(y(r, c), sum, 1e-5 * size);
    }
  CHECK(excess.worst <= 1);
}
