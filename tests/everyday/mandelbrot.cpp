// The Mandelbrot set with complex numbers that have operators of their own: one template for the host and the GPU.
#include "checked.hpp"

#include <tg/dsl/structs/struct_element.hpp>

using everyday::checked_device;
using everyday::random_numbers;

namespace everyday {

template <class T> struct complex { T re, im; };
template <class T> complex<T> operator+(const complex<T>& a, const complex<T>& b) { return {a.re + b.re, a.im + b.im}; }
template <class T> complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T> T norm(const complex<T>& a) { return a.re * a.re + a.im * a.im; }

}  // namespace everyday

BOOST_HANA_ADAPT_STRUCT(everyday::complex<float>, re, im);

namespace {

using everyday::complex;
using point = complex<float>;
using value = complex<tg::value<float>>;

constexpr unsigned most_steps = 24;

inline constexpr auto mandelbrot = tg::kernel<"mandelbrot">(
    tg::block<64>, [](auto block, tg::in<point> c, tg::inout<point> z, tg::out<unsigned> steps, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] {
        const value start = c(i), first = z(i);
        tg::var<float> re = first.re, im = first.im;
        tg::var<unsigned> count = 0u;
        tg::while_([&] { return count < most_steps && norm(value{re, im}) <= 4.0f; },
                   [&] {
                     const value own{re, im}, next = own * own + start;
                     re = next.re;
                     im = next.im;
                     ++count;
                   });
        z(i) = value{re, im};
        steps(i) = count;
      });
    });

inline constexpr auto scale =
    tg::kernel<"scale">(tg::block<64>, [](auto block, tg::inout<point> z, tg::in<point> by, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] {
        z(i) += by(0u);
        z(i) *= by(i);
      });
    });

}  // namespace

TEST_CASE("the Mandelbrot set by complex numbers") {
  for (const unsigned n : {1u, 63u, 64u, 65u, 211u}) {
    CAPTURE(n);
    checked_device on;
    const auto at = random_numbers(2 * n, -1.5, 0.75, 9);
    std::vector<point> h;
    for (unsigned i = 0; i < n; ++i) h.push_back({at[2 * i], at[2 * i + 1] + 0.4f});
    const auto c = on.gpu.upload(h);
    auto z = on.gpu.upload(std::vector<point>(n, {0, 0}));
    auto steps = on.gpu.upload(std::vector<unsigned>(n, 999u));
    on.gpu.launch(mandelbrot, tg::cover(n), c, z, steps, n);
    const auto counted = steps.to_host();
    const auto end = z.to_host();
    for (unsigned i = 0; i < n; ++i) {
      complex<double> own{0, 0};
      unsigned k = 0;
      bool is_close = false;  // to the border, where float and double may differ
      for (; k < most_steps && norm(own) <= 4.0; ++k) {
        own = own * own + complex<double>{h[i].re, h[i].im};
        is_close = is_close || std::abs(norm(own) - 4.0) < 1e-2;
      }
      if (!is_close) CHECK(counted[i] == k);
      if (!is_close && norm(own) < 1e3) CHECK(end[i].re == doctest::Approx(own.re).epsilon(1e-2));
    }
  }
}

TEST_CASE("elements that the struct's own operators combine") {
  for (const unsigned n : {1u, 63u, 64u, 65u, 211u}) {
    CAPTURE(n);
    checked_device on;
    const auto at = random_numbers(4 * n, -1, 1, 10);
    std::vector<point> h, by;
    for (unsigned i = 0; i < n; ++i) {
      h.push_back({at[4 * i], at[4 * i + 1]});
      by.push_back({at[4 * i + 2], at[4 * i + 3]});
    }
    auto z = on.gpu.upload(h);
    on.gpu.launch(scale, tg::cover(n), z, on.gpu.upload(by), n);
    const auto out = z.to_host();
    for (unsigned i = 0; i < n; ++i) {
      const point want = (h[i] + by[0]) * by[i];
      CHECK(out[i].re == doctest::Approx(want.re).epsilon(1e-5));
      CHECK(out[i].im == doctest::Approx(want.im).epsilon(1e-5));
    }
  }
}
