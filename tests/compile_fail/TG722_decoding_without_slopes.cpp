// Decoding with ALiBi without the slopes of the heads.
// expect: TG722: tg::attention_decode takes slopes of rank 1 where the options say alibi
#include <kernels/arrays/attention_decode.hpp>

using halves = tg::array<tg::bf16, 3>;
using places = tg::array<int, 1>;

auto decoded(const halves& q, const halves& keys, const places& table, const places& lengths,
             const tg::array<float, 1>& slopes) {
  constexpr tg::decode_options options{.alibi = true};
#ifdef TG_WRONG
  (void)slopes;
  return tg::attention_decode<64, options>(q, keys, keys, table, lengths);
#else
  return tg::attention_decode<64, options>(q, keys, keys, table, lengths, slopes);
#endif
}
