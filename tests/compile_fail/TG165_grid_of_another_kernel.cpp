// The blocks of attention counted from a product.
// expect: TG165: a grid is counted from its kernel
// expect: attention_tiles_grid(kernel, queries, heads, sequences)
#include <kernels/attention_tiles.hpp>
#include <kernels/sgemm.hpp>

constexpr auto product = tg::kernels::sgemm<128, 128>([](auto sum, auto) { return sum; });
constexpr auto& attention = tg::kernels::attention_tiles<tg::bf16, 64>;

#ifdef TG_WRONG
constexpr auto blocks = tg::kernels::attention_tiles_grid(product, 1000, 8, 1);
#else
constexpr auto blocks = tg::kernels::attention_tiles_grid(attention, 1000, 8, 1);
#endif
