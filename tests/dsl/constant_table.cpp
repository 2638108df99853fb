#include <tg/dsl/constant_table.hpp>

#include "accuracy.hpp"

namespace {

constexpr std::array<unsigned, 5> squares = {0, 1, 4, 9, 16};

}  // namespace

TEST_CASE("numbers are found at their positions") {
  const auto f = [](auto x) {
    const auto two = tg::detail::look_up<unsigned, 2>("squares", squares, x);
    return two[0] * 100u + two[1];
  };
  CHECK(accuracy::apply<unsigned>(f, {0, 1, 2, 3}) == std::vector<unsigned>{1, 104, 409, 916});
}

TEST_CASE("a table is in the module once") {
  const auto f = [](auto x) {
    return tg::detail::look_up<unsigned, 1>("squares", squares, x)[0] + tg::detail::look_up<unsigned, 1>("squares", squares, x + 1u)[0];
  };
  const auto kernel = accuracy::lowered<unsigned>(f);
  CHECK(kernel.module.variables.size() == 1);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  CHECK(accuracy::run<unsigned>(kernel.ptx, std::vector<unsigned>{3}) == std::vector<unsigned>{25});
}
