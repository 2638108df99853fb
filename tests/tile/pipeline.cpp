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

/// y = a * b where steps within `begin` to before `end` are inner ones; `kind` of a step: 1 inner, 2 edge.
template <int Stages, bool IsFromStart>
constexpr auto product_with_edges = tg::kernel<"product_with_edges">(
    tg::block<128>, [](auto block, view a, view b, tg::out2<float, tg::multiple_of<8>> y, tg::scalar<unsigned> depth,
                       tg::scalar<unsigned> begin, tg::scalar<unsigned> end, tg::out<unsigned> kind) {
      auto sum = tg::zeros<float, 64, 64>(tg::warps<2, 2>(block));
      tg::pipeline<Stages>(
          block, tg::steps(depth, 32_c).with_inner(tg::choose<IsFromStart>(0_c, begin.get()), end),
          [&](auto k) {
            return tg::stage(tg::tile_at<64, 32>(tg::sized(a, 64_c, depth), 0_c, k),
                             tg::tile_at<32, 64>(tg::sized(b, depth, 64_c), k, 0_c));
          },
          [&](auto left, auto right, auto k, bool is_edge) {
            sum += tg::dot(left, right);
            tg::if_(block.thread.x == 0, [&] { kind(k / 32_c) = is_edge ? 2u : 1u; });
          });
      tg::tile_at<64, 64>(tg::sized(y, 64_c, 64_c), 0_c, 0_c) = sum;
    });

template <int Stages, bool IsFromStart> void check_edges() {
  tg::device gpu;
  std::mt19937 random(29);
  for (const auto& sizes : {std::array{257u, 33u, 257u},
                            {257u, 0u, 256u},
                            {256u, 1u, 255u},
                            {65u, 0u, 64u},
                            {256u, 200u, 100u},
                            {224u, 0u, 9999u},
                            {31u, 0u, 31u},
                            {256u, 300u, 400u},
                            {0u, 0u, 0u}}) {
    const unsigned depth = sizes[0], begin = IsFromStart ? 0 : sizes[1], end = sizes[2], count = (depth + 31) / 32;
    const tiles::matrix<T> a(64, depth == 0 ? 8 : depth, random), b(depth == 0 ? 8 : depth, 64, random);
    tiles::on_device<T> da(gpu, a), db(gpu, b);
    tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, 64));
    auto kind = gpu.upload(std::vector<unsigned>(count + 1, 77));
    gpu.launch(product_with_edges<Stages, IsFromStart>, tg::grid(1), da.argument(), db.argument(), dy.argument(), depth, begin,
               end, kind);
    CAPTURE(Stages);
    CAPTURE(depth);
    CAPTURE(begin);
    CAPTURE(end);
    const tiles::matrix<float> y = dy.read();
    tiles::excess excess;
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 64; ++c) {
        double sum = 0, size = 0;
        for (unsigned d = 0; d < depth; ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
        excess(y(r, c), sum, 1e-5 * size);
      }
    CHECK(excess.worst <= 1);
    // Of the inner steps, as many as fill the stages again and again are in the loop of their own.
    const unsigned last = std::min(end / 32, count), first = std::min((begin + 31) / 32, last);
    const unsigned inner = (last - first) / Stages * Stages;
    const std::vector<unsigned> found = kind.to_host();
    for (unsigned s = 0; s < count; ++s) CHECK(found[s] == (s >= first && s < first + inner ? 1 : 2));
    CHECK(found[count] == 77);
  }
}

}  // namespace

TEST_CASE("inner steps have a loop of their own, and every step is taken once") {
  check_edges<2, true>();
  check_edges<2, false>();
  check_edges<3, false>();
  check_edges<4, true>();
}

TEST_CASE("loops over inner steps and over edges are proved to keep apart") {
  const tg::kernel_analysis found = tg::analyze(product_with_edges<2, false>);
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
