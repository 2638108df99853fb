// Expressions of arrays, one kernel each.
#include <cmath>

#include <bench/gpu/parts.hpp>
#include <tg/array.hpp>

namespace {

template <int Rank> tg::array<float, Rank> random_array(tg::device& gpu, const tg::array_shape<Rank>& shape, unsigned seed) {
  tg::array<float, Rank> out(gpu, shape);
  out = tg::uniform(out, seed) * 2.0f - 1.0f;
  return out;
}

}  // namespace

void bench::time_arrays(gpu_run& run) {
  tg::device& gpu = run.gpu;
  const std::int64_t rows = run.extent(16384, 16), columns = run.extent(4096, 128);
  const double all = double(rows) * double(columns);
  const auto x = random_array<2>(gpu, {rows, columns}, 1), z = random_array<2>(gpu, {rows, columns}, 2);
  const auto w = random_array<1>(gpu, {columns}, 3), b = random_array<1>(gpu, {columns}, 4);
  tg::array<float, 2> y(gpu, x.shape());
  tg::array<float, 1> of_rows(gpu, {rows}), variances(gpu, {rows}), of_columns(gpu, {columns});
  tg::array<float, 0> total(gpu, {});
  run.add_moving("x * a + z", 12 * all, [&] { y = x * 0.5f + z; });
  run.add_moving("relu(x * w + b)", 8 * all, [&] { y = tg::relu(x * w + b); });
  run.add_moving("gelu(x * w + b) + z", 12 * all, [&] { y = tg::gelu(x * w + b) + z; });
  run.add_moving("array softmax", 8 * all, [&] { y = tg::softmax<1>(x); });
  run.add_moving("array LayerNorm", 8 * all,
                 [&] { y = (x - tg::mean<1>(x, tg::keep)) * tg::rsqrt(tg::variance<1>(x, tg::keep) + 1e-5f) * w + b; });
  run.add_moving("sum of rows", 4 * all, [&] { of_rows = tg::sum<1>(x); });
  run.add_moving("sum of columns", 4 * all, [&] { of_columns = tg::sum<0>(x); });
  run.add_moving("sum of everything", 4 * all, [&] { total = tg::sum(x); });
  run.add_moving("mean and variance of rows", 4 * all,
                 [&] { tg::assign(tg::into(of_rows) = tg::mean<1>(x), tg::into(variances) = tg::variance<1>(x)); });
  run.add_moving("copy of a transposed array", 8 * all, [&] { y = tg::transpose(tg::transpose(x)) + 0.0f; });
  {
    const std::int64_t count = run.extent(1u << 26, 4096);
    const auto g = random_array<1>(gpu, {count}, 5);
    auto weights = random_array<1>(gpu, {count}, 6), m = random_array<1>(gpu, {count}, 7);
    tg::array<float, 1> v = m * m;
    const float beta1 = 0.9f, beta2 = 0.999f, fix1 = 10, fix2 = 1000, rate = 1e-4f;
    run.add_moving("Adam", 28.0 * double(count), [&] {
      const auto m_new = m * beta1 + g * (1 - beta1);
      const auto v_new = v * beta2 + g * g * (1 - beta2);
      tg::assign(tg::into(weights) = weights - m_new * fix1 / (tg::sqrt(v_new * fix2) + 1e-8f) * rate, tg::into(m) = m_new,
                 tg::into(v) = v_new);
    });
    const auto price = random_array<1>(gpu, {count}, 8);
    tg::array<float, 1> spot = price * 20.0f + 100.0f, strike = g * 20.0f + 100.0f, call(gpu, {count});
    run.add_moving("Black-Scholes", 12.0 * double(count), [&] {
      const auto normal = [](const auto& t) { return 0.5f * (1.0f + tg::erf(t * 0.70710678f)); };
      const auto d1 = (tg::log(spot / strike) + 0.06f) / 0.4f;
      call = spot * normal(d1) - strike * 0.98f * normal(d1 - 0.4f);
    });
    run.add_moving("normal random numbers", 4.0 * double(count), [&] { call = tg::normal(call, 9); });
  }
}
