// The blocks of attention by the size of a head, which is not that of the kernel.
// expect: TG165: a grid is counted from its kernel
// expect: attention_tiles_grid(kernel, queries, heads, sequences)
#include <kernels/attention_tiles.hpp>

constexpr auto& attention = tg::kernels::attention_tiles<tg::bf16, 128>;

#ifdef TG_WRONG
constexpr auto blocks = tg::kernels::attention_tiles_grid<64>(1000, 8, 1);
#else
constexpr auto blocks = tg::kernels::attention_tiles_grid(attention, 1000, 8, 1);
#endif
