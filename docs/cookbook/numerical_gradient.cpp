// Checking a gradient numerically
//
// The loss is mean((tanh(x w) - t)^2) for one layer; its gradient in w is written by hand and compared with central
// differences in double. Arrays of double are as easy as of float, and a hundred assignments need four kernels.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int samples = 50, inputs = 8;
  std::vector<double> hx(samples * inputs), ht(samples), hw(inputs);
  for (std::size_t k = 0; k < hx.size(); ++k) hx[k] = std::sin(double(k));
  for (std::size_t k = 0; k < ht.size(); ++k) ht[k] = std::cos(double(k)) * 0.5;
  for (std::size_t k = 0; k < hw.size(); ++k) hw[k] = 0.1 * double(k) - 0.3;

  tg::device gpu;
  const tg::array<double, 2> x(gpu, {samples, inputs}, hx);
  const tg::array<double, 1> t(gpu, ht);
  tg::array<double, 1> w(gpu, hw);

  const auto layer = [&] { return tg::eval(tg::tanh(tg::sum<1>(x * w))); };
  const auto loss = [&] {
    const auto off = layer() - t;
    return tg::eval(tg::mean(off * off)).item();
  };

  const tg::array<double, 1> y = layer();
  const tg::array<double, 1> slope = (y - t) * (1.0 - y * y) * (2.0 / samples);
  const tg::array<double, 1> gradient = tg::sum<0>(tg::expand<1>(slope) * x);

  const auto by_hand = gradient.to_host();
  double worst = 0;
  for (int k = 0; k < inputs; ++k) {
    const double step = 1e-5, own = hw[std::size_t(k)];
    w(k) = own + step;
    const double above = loss();
    w(k) = own - step;
    const double below = loss();
    w(k) = own;
    worst = std::fmax(worst, std::fabs((above - below) / (2 * step) - by_hand[std::size_t(k)]));
  }
  std::printf("%d components, largest difference %.0e\n", inputs, worst);
  return worst < 1e-7 ? 0 : 1;
}
