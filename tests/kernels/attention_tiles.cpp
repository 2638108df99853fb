#include <kernels/attention_tiles.hpp>

#include "../tile/tiles.hpp"

namespace {

struct shape { unsigned queries, keys, heads, group, batch; };

template <class T, int Size, bool Causal, int Sm = 80> double check_attention(const shape& s) {
  tg::device gpu;
  std::mt19937 random(s.queries * 37 + s.keys);
  const unsigned width = s.heads * Size, key_width = s.heads / s.group * Size;
  const tiles::matrix<T> q(s.batch * s.queries, width, random), k(s.batch * s.keys, key_width, random),
      v(s.batch * s.keys, key_width, random);
  tiles::on_device<T> dq(gpu, q), dk(gpu, k), dv(gpu, v), d_out(gpu, tiles::matrix<T>(s.batch * s.queries, width));
  const float scale = 1 / std::sqrt(float(Size));
  gpu.launch(tg::kernels::attention_tiles<T, Size, Causal, Sm>,
             tg::kernels::attention_tiles_grid<Size>(s.queries, s.heads, s.batch), dq.argument(), dk.argument(), dv.argument(),
             d_out.argument(), s.queries, s.keys, s.group, scale);
  const tiles::matrix<T> o = d_out.read();
  tiles::excess excess;
  std::vector<double> weight(s.keys);
  for (unsigned b = 0; b < s.batch; ++b)
    for (unsigned h = 0; h < s.heads; ++h)
      for (unsigned i = 0; i < s.queries; ++i) {
        const unsigned row = b * s.queries + i, left = h * Size, key_left = h / s.group * Size;
        double largest = -std::numeric_limits<double>::infinity(), total = 0;
        for (unsigned j = 0; j < s.keys; ++j) {
          double score = 0;
          for (unsigned d = 0; d < Size; ++d) score += q(row, left + d) * k(b * s.keys + j, key_left + d);
          const bool is_seen = !Causal || j + s.queries <= i + s.keys;
          weight[j] = is_seen ? score * scale : -std::numeric_limits<double>::infinity();
          largest = std::max(largest, weight[j]);
        }
        for (double& w : weight) total += w = std::isinf(w) ? 0 : std::exp(w - largest);
        for (unsigned d = 0; d < Size; ++d) {
          double sum = 0, size = 0;
          for (unsigned j = 0; j < s.keys; ++j) {
            const double term = total == 0 ? 0 : weight[j] / total * v(b * s.keys + j, key_left + d);
            sum += term, size += std::abs(term);
          }
          // Weights and the result are rounded to T.
          const double unit = std::is_same_v<T, tg::bf16> ? 0x1p-8 : 0x1p-11;
          excess(o(row, left + d), sum, unit * std::abs(sum) + 2 * unit * size + 1e-6);
        }
      }
  return excess.worst;
}

}  // namespace

TEST_CASE("attention in tiles") {
  CHECK(check_attention<tg::bf16, 64, false>({128, 64, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, false>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, false>({1, 1, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, false>({65, 131, 2, 1, 1}) <= 1);
}

TEST_CASE("causal attention in tiles, with fewer and with more keys than queries") {
  CHECK(check_attention<tg::bf16, 64, true>({129, 129, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, true>({67, 131, 2, 1, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, true>({100, 50, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, true>({64, 63, 1, 1, 1}) <= 1);
}

TEST_CASE("the same text by the warpgroups of sm_90") {
  CHECK(check_attention<tg::bf16, 64, false, 90>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, true, 90>({67, 131, 2, 1, 2}) <= 1);
  CHECK(check_attention<tg::f16, 128, true, 90>({64, 63, 1, 1, 1}) <= 1);
}
