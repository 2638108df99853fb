#include <tg/dsl/math/float_operand.hpp>

#include "../accuracy.hpp"

TEST_CASE("an operand is read once and has no index form") {
  const auto f = [](auto x) {
    const auto v = tg::detail::float_operand(x);
    static_assert(std::is_same_v<decltype(v), const tg::value<float>>);
    return v;
  };
  const auto kernel = accuracy::lowered<float>(f);
  CHECK(accuracy::run<float>(kernel.ptx, std::vector<float>{1, -2}) == std::vector<float>{1, -2});
  CHECK(kernel.ptx.find("ld.global") == kernel.ptx.rfind("ld.global"));
}
