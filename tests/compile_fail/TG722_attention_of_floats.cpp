// Attention of floats, which tensor cores do not multiply.
// expect: TG722: tg::attention takes q, k and v of f16 or bf16
#include <kernels/arrays/attention.hpp>

auto attended(const tg::array<float, 3>& q, const tg::array<float, 3>& k) {
#ifdef TG_WRONG
  return tg::attention<64>(q, k, k);
#else
  return tg::attention<64>(tg::cast<tg::bf16>(q), tg::cast<tg::bf16>(k), tg::cast<tg::bf16>(k));
#endif
}
