// The blocks of a product by its options, which the kernel may not have.
// expect: TG165: a grid is counted from its kernel; write gemm_grid(kernel, m, n)
#include <kernels/gemm.hpp>

constexpr tg::kernels::gemm_options banded{.band = 8};
constexpr auto product = tg::kernels::gemm<banded, tg::bf16>(tg::kernels::gemm_sums);

#ifdef TG_WRONG
constexpr auto blocks = tg::kernels::gemm_grid<tg::kernels::gemm_options{}>(1000, 1000);
#else
constexpr auto blocks = tg::kernels::gemm_grid(product, 1000, 1000);
#endif
