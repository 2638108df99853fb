// The blocks of a product by the extents of a tile, which are not those of the kernel.
// expect: TG165: a grid is counted from its kernel
// expect: sgemm_grid(kernel, m, n)
#include <kernels/sgemm.hpp>

constexpr auto product = tg::kernels::sgemm<128, 256>([](auto sum, auto) { return sum; });

#ifdef TG_WRONG
constexpr auto blocks = tg::kernels::sgemm_grid<128, 128>(1000, 1000);
#else
constexpr auto blocks = tg::kernels::sgemm_grid(product, 1000, 1000);
#endif
