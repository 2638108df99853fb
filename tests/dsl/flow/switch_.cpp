#include <tg/dsl/flow/switch_.hpp>

#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/lazy.hpp>
#include <tg/dsl/value/var.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

namespace {

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> out;
  for (int k = -40; k < 300; ++k) out.push_back(k % 13);
  return out;
}

}  // namespace

TEST_CASE("one body for each number") {
  const auto f = [](auto v) {
    tg::var<int> s = 0;
    tg::for_(tg::range(0, 3), [&](auto j) {
      tg::switch_(v)
          .case_(-2, [&] { s += 1; })
          .case_({1, 2, 3}, [&] { s += 10 * j; })
          .case_(5, [] { tg::break_(); })
          .default_([&] { s += 100; });
      s += 1000;
    });
    return s.get();
  };
  const auto kernel = accuracy::lowered<std::int32_t, std::int32_t>(f);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  const auto x = numbers();
  const auto y = accuracy::run<std::int32_t>(kernel.ptx, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::int32_t s = 0;
    for (int j = 0; j < 3; ++j) {
      if (x[i] == 5) break;
      s += 1000 + (x[i] == -2 ? 1 : x[i] >= 1 && x[i] <= 3 ? 10 * j : 100);
    }
    CAPTURE(x[i]);
    CHECK(y[i] == s);
  }
}

TEST_CASE("TG186 for a label twice, TG122 for one that does not fit") {
  const auto twice = [](auto, recording::parameters p) {
    tg::switch_(p.n).case_(1, [&] { p.u(p.n) = 1u; }).case_({2, 1}, [&] { p.u(p.n) = 2u; });
  };
  CHECK(recording::error_of(twice) == recording::at(186, __LINE__ - 2));
  const auto negative = [](auto, recording::parameters p) { tg::switch_(p.n).case_(-1, [&] { p.u(p.n) = 1u; }); };
  CHECK(recording::error_of(negative) == recording::at(122, __LINE__ - 1));
}
