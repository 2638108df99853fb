// Products of tiles with their operands in every form, and their oracle.
#pragma once

#include <tg/tile/shared_rectangle.hpp>

#include "../f8_sums.hpp"
#include "tiles.hpp"

namespace products {

using namespace tg::literals;
template <class T> using view = tg::in2<T, tg::multiple_of<16>>;

enum class form { plain, transposed, registers, expression, read };

/// y = a * b for 64 x 64 tiles, where a and b lie in memory as `A` and `B` say. WR x WC warps, for sm_Sm.
template <class T, class S, form A, form B, int WR, int WC, int Sm>
constexpr auto product = tg::kernel<"product">(
    tg::block<WR * WC * 32> | tg::for_sm<Sm>, [](auto block, view<T> a, view<T> b, tg::out2<S, tg::multiple_of<8>> y) {
      const auto scope = tg::warps<WR, WC>(block);
      auto sum = tg::zeros<S, 64, 64>(scope);
      const auto left = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(a, 64u, 64u), 0_c, 0_c));
      const auto right = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(b, 64u, 64u), 0_c, 0_c));
      const auto multiply = [&](const auto& from) {
        if constexpr (B == form::transposed) sum += tg::dot(from, tg::transposed(right));
        else sum += tg::dot<S>(from, right);
      };
      if constexpr (A == form::transposed) multiply(tg::transposed(left));
      else if constexpr (A == form::registers) multiply(tg::in_registers(scope, left));
      else if constexpr (A == form::expression) {
        auto own = tg::zeros<float, 64, 64>(scope);
        const auto loaded = tg::load(block, tg::tile_at<64, 64>(tg::sized(a, 64u, 64u), 0_c, 0_c));
        multiply(tg::cast<T>(tg::cast<float>(tg::spread_like(loaded, own)) + 0.0f));
      } else if constexpr (A == form::read) {
        multiply(tg::cast<T>(tg::cast<float>(tg::tile_at<64, 64>(left, 0_c, 0_c)) + 0.0f));
      } else multiply(left);
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = sum;
    });

/// Computed: as the kernel takes the right operand, where the oracle is to take it otherwise.
template <class T, class S, form A, form B, int WR = 2, int WC = 2, form Computed = B, int Sm = 80> double check_product() {
  tg::device gpu;
  std::mt19937 random(13);
  tiles::matrix<T> a(64, 64, 16), b(64, 64, 16);
  std::normal_distribution<float> normal;
  for (auto* m : {&a, &b})
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 64; ++c) (*m)(r, c) = std::is_integral_v<T> ? T(int(normal(random) * 30)) : T(normal(random));
  tiles::on_device<T> da(gpu, a), db(gpu, b);
  tiles::on_device<S> dy(gpu, tiles::matrix<S>(64, 64));
  gpu.launch(product<T, S, A, Computed, WR, WC, Sm>, tg::grid(1), da.argument(), db.argument(), dy.argument());
  const tiles::matrix<S> y = dy.read();
  tiles::excess excess;
  const double of_f8 = sizeof(T) == 1 && Sm == 90 ? error_of_f8_sums(64) : 0;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double sum = 0, size = 0;
      for (unsigned k = 0; k < 64; ++k) {
        const double p = static_cast<const tiles::matrix<T>&>(a)(A == form::transposed ? k : r, A == form::transposed ? r : k) *
                         static_cast<const tiles::matrix<T>&>(b)(B == form::transposed ? c : k, B == form::transposed ? k : c);
        sum += p, size += std::abs(p);
      }
      excess(y(r, c), sum, std::is_integral_v<S> ? 1e-9 : (64 * 0x1p-23 + of_f8) * size);
    }
  return excess.worst;
}

}  // namespace products
