// Options of products in more combinations than gemm_options.cpp has: each is a kernel to compile.
#include <kernels/gemm_options.hpp>

#include <kernels/gemm.hpp>

#include "gemm_checks.hpp"

using namespace gemms;

TEST_CASE("operands that lie transposed") {
  check_options<tn, tg::bf16>(129, 65, 97);
  check_options<nt, tg::f16>(67, 257, 33);
  check_options<tt, tg::bf16>(131, 127, 41);
  check_options<tn, float>(61, 129, 17);
  check_options<nt, float>(129, 61, 33);
}
TEST_CASE("operands that lie transposed, by the warpgroups of sm_90") {
  check_options<tn, tg::bf16, 90>(129, 65, 97);
  check_options<nt, tg::bf16, 90>(67, 257, 65);
  check_options<tt, tg::bf16, 90>(131, 127, 41);
}
TEST_CASE("operands of 8 bits and tf32") {
  check_options<nt, gemm_types<tg::f8e4m3, tg::bf16>>(129, 127, 129);
  check_options<nt, gemm_types<tg::f8e5m2, float>>(17, 131, 65);
  check_options<nt, gemm_types<signed char, int>>(127, 33, 257);
  check_options<nt, gemm_types<tg::tf32, float>>(65, 129, 31);
  check_options<nt, gemm_types<tg::f8e4m3, tg::bf16>, 90>(129, 127, 129);
  check_options<nt, gemm_types<signed char, int>, 90>(127, 33, 257);
  check_options<nt, gemm_types<tg::tf32, float>, 90>(65, 129, 31);
}
TEST_CASE("many products, and products in parts") {
  check_options<batched_nt, tg::bf16>(65, 129, 33, 3);
  check_options<batched_tn, tg::bf16>(65, 129, 31, 2);
  check_options<halves, tg::bf16>(65, 129, 131);
  check_options<halves, float>(65, 129, 1);
  check_options<batched_thirds, tg::f16>(33, 65, 257, 2);
  check_options<batched_thirds, tg::f16, 90>(33, 65, 257, 2);
}
TEST_CASE("a producer fetches the operands at sm_90, and nothing changes below") {
  constexpr gemm_options fetched{.producer = true}, tn{.left_transposed = true, .producer = true},
      batched{.right_transposed = true, .batched = true, .producer = true}, nt{.right_transposed = true, .producer = true},
      thirds{.right_transposed = true, .batched = true, .split = 3, .producer = true},
      wide{.band = 2, .columns = 256, .producer = true};
  check_options<fetched, tg::bf16, 90>(129, 65, 449);
  check_options<fetched, tg::bf16, 90>(1, 1, 1);
  check_options<fetched, tg::bf16>(129, 65, 97);
  check_options<tn, tg::f16, 90>(129, 65, 97);
  check_options<batched, tg::bf16, 90>(65, 129, 193, 3);
  check_options<thirds, tg::f16, 90>(33, 65, 257, 2);
  check_options<wide, tg::bf16, 90>(257, 513, 323);
  check_options<nt, gemm_types<tg::f8e4m3, tg::bf16>, 90>(129, 127, 513);
  check_options<nt, gemm_types<signed char, int>, 90>(127, 33, 257);
  check_options<nt, gemm_types<tg::tf32, float>, 90>(65, 129, 131);
}
TEST_CASE("blocks of a cluster copy columns of B once") {
  constexpr gemm_options two{.band = 2, .producer = true, .cluster = 2},
      four{.right_transposed = true, .band = 4, .columns = 256, .producer = true, .cluster = 4},
      batched{.batched = true, .band = 2, .producer = true, .cluster = 2};
  check_options<two, tg::bf16, 90>(129, 65, 449);
  check_options<two, tg::bf16, 90>(1, 1, 1);
  check_options<two, tg::bf16, 90>(513, 130, 64);
  check_options<two, tg::bf16>(129, 65, 97);
  check_options<four, tg::f16, 90>(257, 513, 323);
  check_options<four, gemm_types<tg::f8e4m3, tg::bf16>, 90>(129, 127, 513);
  check_options<batched, tg::bf16, 90>(257, 129, 193, 3);
}
