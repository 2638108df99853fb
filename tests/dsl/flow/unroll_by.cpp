#include <tg/dsl/flow/unroll_by.hpp>

#include <numeric>

#include <tg/dsl/value/var.hpp>

#include "../accuracy.hpp"

namespace {

using u32 = std::uint32_t;

template <int N, int Step> tg::lowered_kernel sum() {
  return accuracy::lowered<u32>([](auto v) {
    tg::var<unsigned> s = 7u;
    tg::unroll_by<N>(tg::range(v / 16u, v, tg::constant<Step>{}), [&](auto j) {
      s = s * 5u + j;
      tg::if_(s % 3u == 0u, [&] { s += 1u; });
    });
    return s.get();
  });
}

template <int N, int Step> void check() {
  std::vector<u32> x(200);
  std::iota(x.begin(), x.end(), 0u);
  const auto kernel = sum<N, Step>();
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  const auto y = accuracy::run<u32>(kernel.ptx, x);
  for (const u32 v : x) {
    u32 s = 7;
    for (u32 j = v / 16; j < v; j += Step) {
      s = s * 5 + j;
      if (s % 3 == 0) s += 1;
    }
    CAPTURE(v);
    CHECK(y[v] == s);
  }
}

/// How often the body's multiplication stands in the text.
template <int N> long copies() {
  const auto kernel = sum<N, 1>();
  long n = 0;
  for (const auto& i : kernel.module.functions[0].body)
    n += (i.op == tg::ptx::opcode::mad || i.op == tg::ptx::opcode::mul) && i.operand_count > 2 && i[2].value == 5;
  return n;
}

}  // namespace

TEST_CASE("loops of every length give what they gave") {
  check<1, 1>();
  check<2, 1>();
  check<3, 2>();
  check<8, 1>();
  check<8, 7>();
}

TEST_CASE("the body stands once for each iteration, and once for the rest") {
  CHECK(copies<1>() == 1);
  CHECK(copies<2>() == 3);
  CHECK(copies<8>() == 9);
}
