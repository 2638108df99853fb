// The blocks of a product by the extents of its result alone.
// expect: TG165: a grid is counted from its kernel; write gemm_grid(kernel, m, n)
#include <kernels/gemm.hpp>

constexpr tg::kernels::gemm_options wide{.columns = 256};
constexpr auto product = tg::kernels::gemm<wide, tg::bf16>(tg::kernels::gemm_sums);

#ifdef TG_WRONG
constexpr auto blocks = tg::kernels::gemm_grid(1000, 1000);
#else
constexpr auto blocks = tg::kernels::gemm_grid(product, 1000, 1000);
#endif
