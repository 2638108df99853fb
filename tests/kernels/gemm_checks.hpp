// A product with options beside the exact one.
#pragma once

#include <random>
#include <type_traits>

#include <kernels/gemm_options.hpp>

#include <kernels/gemm.hpp>

#include "../f8_sums.hpp"
#include "../gpu_machine.hpp"
#include "../random_seed.hpp"
#include "gemms.hpp"

namespace gemms {

template <gemm_options Options, class T, int Sm = 80>
void check_options(unsigned m, unsigned n, unsigned k, unsigned count = 1) {
  using in = typename gemm_elements<T>::in;
  using out = typename gemm_elements<T>::out;
  using written = gemm_result<Options, T>;
  tg::device gpu;
  std::mt19937 random(random_seed());
  const auto a = make<in>(count * (Options.left_transposed ? k : m), Options.left_transposed ? m : k, random);
  const auto b = make<in>(count * (Options.right_transposed ? n : k), Options.right_transposed ? k : n, random);
  tiles::on_device<in> da(gpu, a), db(gpu, b);
  tiles::on_device<written> dc(gpu, tiles::matrix<written>(count * Options.split * m, n, apart<written>));
  constexpr auto product = gemm<Options, T>(gemm_sums, tg::for_sm<Sm>);
  gpu.launch(product, gemm_grid(product, m, n, count), da.argument(), db.argument(), dc.argument(), m, n, k);
  tiles::matrix<out> c(0, 0);
  if constexpr (Options.split > 1) {
    tiles::on_device<out> joined(gpu, tiles::matrix<out>(count * m, n, apart<out>));
    gpu.launch(gemm_join<Options, T>(gemm_sums), gemm_join_grid(m, n, count), dc.argument(), joined.argument(), m, n);
    c = joined.read();
  } else {
    c = dc.read();
  }
  const tiles::matrix<out>& found = c;
  const exact_product<Options, in> exact{a, b, n, k};
  const double of_f8 = sizeof(in) == 1 && Sm == 90 ? error_of_f8_sums(static_cast<int>(k)) : 0;
  tiles::excess excess;
  for (unsigned p = 0; p < count; ++p)
    for (unsigned r = 0; r < m; ++r)
      for (unsigned j = 0; j < n; ++j) {
        const auto [sum, size] = exact(p * (Options.left_transposed ? k : m), p * (Options.right_transposed ? n : k), r, j);
        excess(found(p * m + r, j), sum,
               tiles::rounding<out>(sum) + (std::is_integral_v<out> ? 0 : ((k + 4) * 0x1p-23 + of_f8) * size));
      }
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CHECK(excess.worst <= 1);
}

inline constexpr gemm_options tn{.left_transposed = true}, nt{.right_transposed = true},
    tt{.left_transposed = true, .right_transposed = true}, batched_nt{.right_transposed = true, .batched = true},
    batched_tn{.left_transposed = true, .batched = true}, halves{.split = 2},
    batched_thirds{.right_transposed = true, .batched = true, .split = 3}, banded{.band = 4}, wide{.band = 4, .columns = 256};

}  // namespace gemms
