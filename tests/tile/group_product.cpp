#include <tg/tile/group_product.hpp>

#include "products.hpp"

#include <tg/dsl/kernel/to_ptx.hpp>

namespace {

using namespace tg::literals;
using products::form;

template <class T, class S, form A, form B, int Warps = 4, form Computed = B> double check_product() {
  return products::check_product<T, S, A, B, Warps, 1, Computed, 90>();
}

/// The text of a product of M x N x K by `Warps` warps, in a pipeline, for sm_Sm.
template <int M, int N, int K, int Warps, int Sm>
constexpr auto pipelined = tg::kernel<"pipelined">(
    tg::block<Warps * 32> | tg::for_sm<Sm>,
    [](auto block, products::view<tg::bf16> a, products::view<tg::bf16> b, tg::out2<float, tg::multiple_of<4>> y,
       tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const auto row = tg::let(block.index.y * tg::constant<M>{});
      const auto column = tg::let(block.index.x * tg::constant<N>{});
      auto sum = tg::zeros<float, M, N>(tg::warps<Warps / 2, 2>(block));
      tg::pipeline<3>(
          block, tg::steps(k, tg::constant<K>{}),
          [&](auto at) {
            return tg::stage(tg::tile_at<M, K>(tg::sized(a, m, k), row, at), tg::tile_at<K, N>(tg::sized(b, k, n), at, column));
          },
          [&](auto left, auto right) { sum += tg::dot(left, right); });
      tg::tile_at<M, N>(tg::sized(y, m, n), row, column) = sum;
    });

template <int M, int N, int K, int Warps> double check_pipeline(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  std::mt19937 random(m * 131 + n * 17 + k);
  const tiles::matrix<tg::bf16> a(m, k, random, 16), b(k, n, random, 16);
  tiles::on_device<tg::bf16> on_a(gpu, a), on_b(gpu, b);
  tiles::on_device<float> on_y(gpu, tiles::matrix<float>(m, n, 4));
  const tg::placement grid = tg::grid((n + N - 1) / N, (m + M - 1) / M);
  gpu.launch(pipelined<M, N, K, Warps, 90>, grid, on_a.argument(), on_b.argument(), on_y.argument(), m, n, k);
  const auto y = on_y.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      double sum = 0, size = 0;
      for (unsigned i = 0; i < k; ++i) sum += a(r, i) * b(i, c), size += std::abs(a(r, i) * b(i, c));
      excess(y(r, c), sum, k * 0x1p-23 * size);
    }
  return excess.worst;
}

}  // namespace

TEST_CASE("products by warpgroups, in every form of their operands") {
  CHECK(check_product<tg::bf16, float, form::plain, form::plain>() <= 1);
  CHECK(check_product<tg::bf16, float, form::plain, form::transposed>() <= 1);
  CHECK(check_product<tg::f16, float, form::transposed, form::plain>() <= 1);
  CHECK(check_product<tg::f16, float, form::transposed, form::transposed>() <= 1);
  CHECK(check_product<tg::bf16, float, form::registers, form::transposed>() <= 1);
  CHECK(check_product<tg::f16, float, form::registers, form::plain>() <= 1);
  CHECK(check_product<tg::bf16, float, form::expression, form::plain>() <= 1);
  CHECK(check_product<tg::bf16, float, form::expression, form::transposed>() <= 1);
}

TEST_CASE("products by warpgroups of 8-bit and 32-bit types") {
  CHECK(check_product<tg::tf32, float, form::plain, form::transposed>() <= 1);
  CHECK(check_product<tg::f8e4m3, float, form::plain, form::transposed>() <= 1);
  CHECK(check_product<signed char, int, form::plain, form::transposed>() <= 1);
}

TEST_CASE("a product by warpgroups with an operand the wrong way round is found") {
  CHECK(check_product<tg::bf16, float, form::plain, form::transposed, 4, form::plain>() > 1);
}

TEST_CASE("a text with warps side by side is a product of warpgroups for sm_90, of any extents") {
  CHECK(check_pipeline<128, 128, 64, 4>(128, 128, 64) <= 1);
  CHECK(check_pipeline<128, 128, 32, 4>(129, 127, 97) <= 1);
  CHECK(check_pipeline<128, 64, 64, 8>(67, 131, 61) <= 1);
  CHECK(check_pipeline<256, 128, 64, 8>(257, 5, 17) <= 1);
  CHECK(check_pipeline<64, 256, 32, 4>(1, 1, 1) <= 1);
}

TEST_CASE("the same text is mma.sync for sm_80 and wgmma for sm_90") {
  const std::string old = tg::to_ptx(pipelined<128, 128, 64, 4, 80>), own = tg::to_ptx(pipelined<128, 128, 64, 4, 90>);
  CHECK(old.find("mma.sync") != std::string::npos);
  CHECK(old.find("wgmma") == std::string::npos);
  CHECK(own.find("wgmma.mma_async") != std::string::npos);
  CHECK(own.find("mma.sync.aligned.m16") == std::string::npos);
  CHECK(own.find(".target sm_90a") != std::string::npos);
}

namespace {

/// y = (a * b of a step, rounded) * (b of the step), added up: the left operand stays in registers over all steps.
constexpr auto kept =
    tg::kernel<"kept">(tg::block<128> | tg::for_sm<90>, [](auto block, products::view<tg::bf16> a, products::view<tg::bf16> b,
                                                           tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> k) {
      const auto rows = tg::tile_at<128, 64>(tg::sized(a, 128u, 64u), 0_c, 0_c);
      const auto left = tg::in_registers(block, tg::to_shared(block, rows));
      auto sum = tg::zeros<float, 128, 64>(block);
      tg::pipeline<2>(
          block, tg::steps(k, 64_c), [&](auto at) { return tg::stage(tg::tile_at<64, 64>(tg::sized(b, k, 64u), at, 0_c)); },
          [&](auto right) {
            auto one = tg::zeros<float, 128, 64>(block);
            one += tg::dot(left, right);
            sum += tg::dot(tg::cast<tg::bf16>(one), right);
          });
      tg::tile_at<128, 64>(tg::sized(y, 128u, 64u), 0_c, 0_c) = sum;
    });

}  // namespace

TEST_CASE("a left operand in registers outlives the products of a loop") {
  tg::device gpu;
  std::mt19937 random(7);
  const unsigned k = 192;
  const tiles::matrix<tg::bf16> a(128, 64, random, 16), b(k, 64, random, 16);
  tiles::on_device<tg::bf16> on_a(gpu, a), on_b(gpu, b);
  tiles::on_device<float> on_y(gpu, tiles::matrix<float>(128, 64, 4));
  gpu.launch(kept, tg::grid(1), on_a.argument(), on_b.argument(), on_y.argument(), k);
  const auto y = on_y.read();
  tiles::excess excess;
  for (unsigned r = 0; r < 128; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double sum = 0, size = 0;
      for (unsigned step = 0; step < k; step += 64)
        for (unsigned d = 0; d < 64; ++d) {
          double one = 0, of_one = 0;
          for (unsigned i = 0; i < 64; ++i) one += a(r, i) * b(step + i, d), of_one += std::abs(a(r, i) * b(step + i, d));
          sum += one * b(step + d, c), size += (std::abs(one) + of_one * 0x1p-14) * std::abs(b(step + d, c));
        }
      excess(y(r, c), sum, 0x1p-8 * size);
    }
  CHECK(excess.worst <= 1);
}

namespace {

/// A product of what `prepare` makes of the sums and, between them, of the kernel.
template <class Prepare> std::string text_of_sum(Prepare prepare) {
  return tg::to_ptx(tg::kernel<"k">(
      tg::block<128> | tg::for_sm<90>,
      [=](auto block, products::view<tg::bf16> a, tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> n) {
        const auto left = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(a, n, n), 0_c, 0_c));
        const auto put = [&](const auto& sum) { tg::tile_at<64, 64>(tg::sized(y, n, n), 0_c, 0_c) = sum; };
        auto sum = tg::zeros<float, 64, 64>(block);
        prepare(sum, n.get(), [&] { sum += tg::dot(left, left); }, put);
        put(sum);
      }));
}
/// How often a product begins a sum, and how many sums are set to 0.
struct begun {
  int products = 0, zeros = 0;
  friend bool operator==(const begun&, const begun&) = default;
};
begun count_begun(const std::string& text) {
  begun out;
  for (auto at = text.find("wgmma.mma_async"); at != std::string::npos; at = text.find("wgmma.mma_async", at + 1)) {
    const auto line = text.substr(at, text.find('\n', at) - at);
    out.products += line.find(", 0, 1, 1,", line.find('}')) != std::string::npos;
  }
  for (auto at = text.find("mov.f32 %f"); at != std::string::npos; at = text.find("mov.f32 %f", at + 1))
    out.zeros += text.substr(at, text.find('\n', at) - at).find(", 0f00000000;") != std::string::npos;
  return out;
}

}  // namespace

TEST_CASE("the first product of a sum overwrites registers that hold 0") {
  const auto add = [](auto&, const auto&, const auto& multiply, const auto&) { multiply(); };
  CHECK(count_begun(text_of_sum(add)) == begun{1, 0});
  const auto add_two = [](auto&, const auto&, const auto& multiply, const auto&) { multiply(), multiply(); };
  CHECK(count_begun(text_of_sum(add_two)) == begun{1, 0});
  // Trap: the zeros are read, here by a store in front of the product.
  const auto read = [](auto& sum, const auto&, const auto& multiply, const auto& put) { put(sum), multiply(); };
  CHECK(count_begun(text_of_sum(read)).products <= 1);
  // Traps: other numbers, a product that may not run or runs again.
  const auto ones = [](auto& sum, const auto&, const auto& multiply, const auto&) { sum = sum + 1.0f, multiply(); };
  CHECK(count_begun(text_of_sum(ones)).products == 0);
  const auto branch = [](auto&, const auto& n, const auto& multiply, const auto&) { tg::if_(n > 3u, multiply); };
  CHECK(count_begun(text_of_sum(branch)) == begun{0, 32});
  const auto loop = [](auto&, const auto& n, const auto& multiply, const auto&) {
    tg::for_(tg::range(n), [&](auto) { multiply(); });
  };
  CHECK(count_begun(text_of_sum(loop)) == begun{0, 32});
}
