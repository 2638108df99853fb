// The structs of the guide.
#include "checked.hpp"

#include <tg/dsl/structs/struct_element.hpp>

using everyday::checked_device;
using everyday::random_numbers;

struct particle { float x, y, z, m; };
template <class T> struct complex { T re, im; };
template <class T> complex<T> operator*(complex<T> a, complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
BOOST_HANA_ADAPT_STRUCT(particle, x, y, z, m);  // outside of namespaces
BOOST_HANA_ADAPT_STRUCT(complex<float>, re, im);

inline constexpr auto lift =
    tg::kernel<"lift">(tg::block<256>, [](auto block, tg::in<particle> p, tg::out<particle> q, tg::inout<complex<float>> c,
                                          tg::scalar<float> by, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] {
        const auto a = tg::let(p(i));  // one load of 16 bytes
        q(i) = a.with(&particle::z, a(&particle::z) + by / a(&particle::m));
        const auto origin = tg::let(p(0u, &particle::x));  // one field, at one address for the warp
        const auto [x, y, z, m] = a;
        c(i) = c(i) * tg::make_struct<complex<float>>(x - origin, y);  // the operator above; c(i).re is a number
      });
    });

TEST_CASE("the structs of the guide") {
  for (const unsigned n : {1u, 255u, 256u, 257u, 1009u}) {
    CAPTURE(n);
    checked_device on;
    const auto at = random_numbers(6 * n, 1, 2, 11);
    std::vector<particle> hp;
    std::vector<complex<float>> hc;
    for (unsigned i = 0; i < n; ++i) {
      hp.push_back({at[6 * i], at[6 * i + 1], at[6 * i + 2], at[6 * i + 3]});
      hc.push_back({at[6 * i + 4], at[6 * i + 5]});
    }
    const auto p = on.gpu.upload(hp);
    auto q = on.gpu.upload(std::vector<particle>(n, {0, 0, 0, 0}));
    auto c = on.gpu.upload(hc);
    on.gpu.launch(lift, tg::cover(n), p, q, c, 0.5f, n);
    const auto lifted = q.to_host();
    const auto turned = c.to_host();
    for (unsigned i = 0; i < n; ++i) {
      const complex<float> want = hc[i] * complex<float>{hp[i].x - hp[0].x, hp[i].y};
      CHECK(lifted[i].z == doctest::Approx(hp[i].z + 0.5f / hp[i].m));
      CHECK(lifted[i].x == hp[i].x);
      CHECK(lifted[i].m == hp[i].m);
      CHECK(turned[i].re == doctest::Approx(want.re).epsilon(1e-5));
      CHECK(turned[i].im == doctest::Approx(want.im).epsilon(1e-5));
    }
  }
}
