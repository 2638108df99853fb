// Structs as elements
//
// Boost.Hana's macro names the fields of a struct to the library, outside of namespaces. `p(i)` moves a whole struct in one
// access of 16 bytes; `p(i, &particle::m)` one field, judged as the strided access that it is. A class template with operators
// works with the values of a kernel as with numbers: `complex<float>` in memory, `complex<tg::value<float>>` in registers.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/dsl/structs/struct_element.hpp>
#include <tg/tg.hpp>

struct particle { float x, y, z, m; };
template <class T> struct complex { T re, im; };
template <class T> complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
BOOST_HANA_ADAPT_STRUCT(particle, x, y, z, m);
BOOST_HANA_ADAPT_STRUCT(complex<float>, re, im);

inline constexpr auto lift =
    tg::kernel<"lift">(tg::block<256>, [](auto block, tg::in<particle> p, tg::out<particle> q, tg::inout<complex<float>> c,
                                          tg::scalar<float> by, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] {
        const auto a = tg::let(p(i));
        q(i) = a.with(&particle::z, a(&particle::z) + by / a(&particle::m));
        const auto origin = tg::let(p(0u, &particle::x));
        const auto [x, y, z, m] = a;
        c(i) = c(i) * tg::make_struct<complex<float>>(x - origin, y);
      });
    });

int main() {
  const unsigned n = 300;
  std::vector<particle> hp(n);
  for (unsigned k = 0; k < n; ++k) hp[k] = {float(k), 2, 3, float(k % 4 + 1)};
  tg::device gpu;
  const auto p = gpu.upload(hp);
  auto q = gpu.zeros<particle>(n);
  auto c = gpu.upload(std::vector<complex<float>>(n, {0, 1}));
  gpu.launch(lift, tg::cover(n), p, q, c, 8.0f, n);

  const auto moved = q.to_host();
  const auto turned = c.to_host();
  unsigned wrong = 0;
  for (unsigned k = 0; k < n; ++k) {
    wrong += moved[k].z != 3 + 8 / hp[k].m || moved[k].x != hp[k].x;
    wrong += turned[k].re != -2 || turned[k].im != hp[k].x;  // i * (x + 2 i)
  }
  std::printf("%u structs, %u wrong\n", n, wrong);
  return wrong == 0 ? 0 : 1;
}
