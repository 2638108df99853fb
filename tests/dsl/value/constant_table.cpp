#include <tg/dsl/value/constant_table.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

namespace { constexpr tg::fixed_array<unsigned, 5> squares = {0, 1, 4, 9, 16}; }  // namespace

TEST_CASE("numbers are found at their positions") {
  const auto f = [](auto x) {
    const auto two = tg::detail::look_up<unsigned, 2>("squares", squares, x);
    return two[0] * 100u + two[1];
  };
  CHECK(accuracy::apply<unsigned>(f, {0, 1, 2, 3}) == std::vector<unsigned>{1, 104, 409, 916});
}

TEST_CASE("a table is in the module once") {
  const auto f = [](auto x) {
    return tg::detail::look_up<unsigned, 1>("squares", squares, x)[0] +
           tg::detail::look_up<unsigned, 1>("squares", squares, x + 1u)[0];
  };
  const auto kernel = accuracy::lowered<unsigned>(f);
  CHECK(kernel.module.variables.size() == 1);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  CHECK(accuracy::run<unsigned>(kernel.ptx, std::vector<unsigned>{3}) == std::vector<unsigned>{25});
}

namespace {

constexpr auto halves = tg::constant_table<"halves">(std::array{0.5f, 1.5f, 2.5f, 3.5f});
constexpr auto wide = tg::constant_table<"wide">(std::array{1ull << 40, 3ull});
constexpr auto other_halves = tg::constant_table<"halves">(std::array{0.25f});

}  // namespace

TEST_CASE("a table is called with a position") {
  CHECK(accuracy::apply<unsigned, float>([](auto i) { return halves(i) + halves(1); }, {0, 3, 2}) ==
        std::vector<float>{2.0f, 5.0f, 4.0f});
  CHECK(accuracy::apply<unsigned, unsigned long long>([](auto i) { return wide(i); }, {1, 0}) ==
        std::vector<unsigned long long>{3, 1ull << 40});
  CHECK(accuracy::complaints_about(accuracy::lowered<unsigned, float>([](auto i) { return halves(i); }).ptx) == "");
}

TEST_CASE("TG187: two tables of one name with different numbers") {
  const auto twice = [](auto, recording::parameters p) { p.y(p.n) = halves(p.n) + other_halves(p.n); };
  CHECK(recording::error_of(twice) == recording::at(187, __LINE__ - 1));
  const auto same = [](auto, recording::parameters p) { p.y(p.n) = halves(p.n) + halves(0); };
  CHECK(recording::error_of(same) == "none");
}
