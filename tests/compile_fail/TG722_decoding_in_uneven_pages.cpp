// Pages of a number of keys that is no power of two.
// expect: attention_decode_options: a page is a power of two of 16 keys or more
#include <kernels/arrays/attention_decode.hpp>

#ifdef TG_WRONG
constexpr tg::decode_options options{.page = 24};
#else
constexpr tg::decode_options options{.page = 32};
#endif

auto decoded(const tg::array<tg::bf16, 3>& q, const tg::array<tg::bf16, 4>& keys, const tg::array<int, 2>& table,
             const tg::array<int, 1>& lengths) {
  return tg::attention_decode<64, options>(q, keys, keys, table, lengths);
}
