// Attention of one head, in tiles
//
// The online softmax: each step of 64 keys corrects what was summed so far by exp2(old maximum - new maximum). No matrix of
// scores is ever written to memory. The query stays in registers; keys and values go through a ring of two stages.
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;
using half = tg::f16;
using matrix_in = tg::in2<half, tg::multiple_of<8>>;
using matrix_out = tg::out2<half, tg::multiple_of<8>>;

inline constexpr auto attention = tg::kernel<"attention">(
    tg::block<128>,
    [](auto block, matrix_in q, matrix_in k, matrix_in v, matrix_out o, tg::scalar<unsigned> n, tg::scalar<float> scale) {
      const auto rows_of = [&](const auto& x, const auto& at) { return tg::tile_at<64, 64>(tg::sized(x, n, 64u), at, 0_c); };
      const auto first = tg::let(block.index.x * 64_c);
      const auto query = tg::in_registers(block, tg::to_shared(block, rows_of(q, first)));
      auto out = tg::zeros<float, 64, 64>(block);
      auto peak = tg::full_per_row(out, std::numeric_limits<float>::lowest()), total = tg::full_per_row(out, 0.0f);
      tg::pipeline<2>(
          block, tg::steps(n, 64_c), [&](auto from) { return tg::stage(rows_of(k, from), rows_of(v, from)); },
          [&](auto key, auto values, auto from) {
            auto score = tg::zeros<float, 64, 64>(block);
            score += tg::dot(query, tg::transposed(key));
            score = tg::where(tg::columns_of(score, from) < n, score * (scale * 1.44269504f), -INFINITY);  // log2(e)
            const auto top = tg::eval(tg::max(peak, tg::row_max(score)));
            const auto weight = tg::eval(tg::approx::exp2_ftz(score - top));
            const auto shrink = tg::eval(tg::approx::exp2_ftz(peak - top));
            total = total * shrink + tg::row_sum(weight);
            out = out * shrink + tg::dot(tg::cast<half>(weight), values);
            peak = top;
          });
      rows_of(o, first) = tg::cast<half>(out / total);
    });

int main() {
  const unsigned n = 150, d = 64;
  std::vector<half> hq(n * d), hk(n * d), hv(n * d);
  for (unsigned i = 0; i < n * d; ++i)
    hq[i] = half(std::sin(0.3f * float(i))), hk[i] = half(std::cos(0.7f * float(i))), hv[i] = half(std::sin(0.01f * float(i)));
  tg::device gpu;
  const auto q = gpu.upload(hq), k = gpu.upload(hk), v = gpu.upload(hv);
  auto o = gpu.zeros<half>(n * d);
  gpu.launch(attention, tg::grid((n + 63) / 64), tg::matrix(q, n, d), tg::matrix(k, n, d), tg::matrix(v, n, d),
             tg::matrix(o, n, d), n, 0.125f);
  const auto found = o.to_host();
  double worst = 0;
  for (unsigned i = 0; i < n; ++i) {
    std::vector<double> sum(d), weight(n, 0);
    double all = 0;
    for (unsigned j = 0; j < n; ++j) {
      for (unsigned c = 0; c < d; ++c) weight[j] += double(hq[i * d + c]) * double(hk[j * d + c]) * 0.125;
      all += weight[j] = std::exp(weight[j]);
      for (unsigned c = 0; c < d; ++c) sum[c] += weight[j] * double(hv[j * d + c]);
    }
    for (unsigned c = 0; c < d; ++c) worst = std::fmax(worst, std::fabs(double(found[i * d + c]) - sum[c] / all));
  }
  return std::printf("largest error %.1e\n", worst), worst < 0.01 ? 0 : 1;
}
