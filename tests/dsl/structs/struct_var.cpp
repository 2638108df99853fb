#include <tg/dsl/structs/struct_var.hpp>

#include "../structs.hpp"

#include <tg/dsl/flow/for_.hpp>

#include "../accuracy.hpp"

namespace {

using structs::complex;
using structs::particle;

template <class T, class F> std::vector<T> run(const std::vector<T>& x, F change) {
  const auto kernel = accuracy::lowered<T>(change);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  return accuracy::run<T>(kernel.ptx, x);
}

}  // namespace

TEST_CASE("a struct that a loop changes, by field and whole") {
  std::vector<particle> p;
  std::vector<complex<float>> c;
  for (int i = 0; i < 300; ++i) {
    const auto n = static_cast<float>(i % 17);
    p.push_back({n, n + 1, n + 2, n + 3});
    c.push_back({n / 16, 1 - n / 16});
  }
  auto want = p;
  for (particle& s : want) s.x += 3 * s.m, s.y = -1.0f, s.z = s.x;
  CHECK(run(p, [](const auto& start) {
          tg::struct_var<particle> s = start;
          tg::for_(tg::range(3), [&](auto) { s(&particle::x) += s(&particle::m); });
          s(&particle::y) = -1.0f;
          s = s.get().with(&particle::z, s(&particle::x));
          return s.get();
        }) == want);
  auto powers = c;
  for (complex<float>& z : powers) z = z * z * z;
  const auto got = run(c, [](const auto& start) {
    tg::struct_var<complex<float>> z = start;
    tg::for_(tg::range(2), [&](auto) { z = z.get() * start; });
    return z.get();
  });
  for (std::size_t i = 0; i < c.size(); ++i) {
    CHECK(std::fabs(got[i].re - powers[i].re) < 1e-5f);
    CHECK(std::fabs(got[i].im - powers[i].im) < 1e-5f);
  }
}
