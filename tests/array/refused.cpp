#include <tg/array/refused.hpp>

#include <ranges>
#include <sstream>
#include <vector>

#include "arrays.hpp"

namespace {

/// Another library's type, with operators of its own for whatever stands behind it.
struct others {
  template <class X> int operator<<(const X&) const { return 1; }
  template <class X> friend int operator==(const others&, const X&) { return 2; }
};
/// A program's type, with an operator of its own for arrays.
struct scale { float number; };
auto operator*(const scale& a, const tg::array<float, 1>& x) { return tg::eval(x * a.number); }

}  // namespace

TEST_CASE("what is refused takes no operator from others") {
  tg::device gpu;
  tg::array<float, 1> x(gpu, std::vector<float>{1, 2, 3});
  std::ostringstream text;
  text << x;
  CHECK(text.str() == "[1. 2. 3.]");
  CHECK((others{} << x) == 1);
  CHECK((others{} == x) == 2);
  CHECK((scale{2} * x).to_host() == std::vector<float>{2, 4, 6});
  CHECK(tg::eval(tg::clamp(x, 1.5f, 2.5f)).to_host() == std::vector<float>{1.5f, 2, 2.5f});
}

TEST_CASE("an array is no range of the host") {
  CHECK(!std::ranges::range<tg::array<float, 1>>);
  CHECK(!tg::detail::host_range<tg::array<float, 1>>);
}
