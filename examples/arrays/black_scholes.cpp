// Prices of options by Black and Scholes
//
// Call and put are two results of one kernel, which reads three arrays. `tg::erf` is a word of its own header.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>
#include <tg/dsl/math/erf.hpp>

int main() {
  tg::device gpu;
  const int n = 5000;
  std::vector<float> spot(n), strike(n), years(n);
  for (std::size_t k = 0; k < n; ++k) {
    spot[k] = 80 + static_cast<float>(k % 41);
    strike[k] = 90 + static_cast<float>(k % 17);
    years[k] = 0.25f + static_cast<float>(k % 8) * 0.25f;
  }
  const tg::array s(gpu, spot), x(gpu, strike), t(gpu, years);
  tg::array<float, 1> call(gpu, {n}), put(gpu, {n});
  const float rate = 0.02f, volatility = 0.3f;

  const auto normal = [](const auto& z) { return (tg::erf(z * 0.70710678f) + 1.0f) * 0.5f; };
  const auto root = tg::sqrt(t) * volatility;
  const auto d1 = (tg::log(s / x) + t * (rate + 0.5f * volatility * volatility)) / root;
  const auto d2 = d1 - root;
  const auto discounted = x * tg::exp(-t * rate);
  tg::assign(tg::into(call) = s * normal(d1) - discounted * normal(d2),
             tg::into(put) = discounted * normal(-d2) - s * normal(-d1));

  // Call and put differ by what is sure.
  const float apart = tg::eval(tg::max(tg::abs(call - put - (s - discounted)))).item();
  std::printf("a call at %.2f; parity holds within %.1e\n", static_cast<double>(call(7).item()), static_cast<double>(apart));
  return apart < 1e-3f && call(7).item() > 0 ? 0 : 1;
}
