#include <tg/dsl/verdict/lane_leaves.hpp>

#include <doctest/doctest.h>
#include <tg/analysis/arithmetic.hpp>

namespace an = tg::analysis;

TEST_CASE("leaves are kept once, and are alike where they differ by a multiple of their unit") {
  const auto reg = tg::ptx::operand::reg(3);
  const auto lanes_from = [](std::int64_t first) {
    an::lane_value v = an::constant(first);
    for (std::size_t l = 0; l < v.offset.size(); ++l) v.offset[l] += static_cast<std::int64_t>(l);
    return v;
  };
  tg::detail::lane_leaves leaves;
  leaves.add(reg, lanes_from(5), 32);
  leaves.add(reg, lanes_from(5), 32);
  leaves.add(tg::ptx::operand::integer(7), lanes_from(0), 0);
  REQUIRE(leaves.all().size() == 1);
  CHECK(leaves.all()[0].lanes == lanes_from(5));

  const auto alike = [&](std::int64_t first) {
    auto here = [&](const tg::ptx::operand&) { return lanes_from(first); };
    return tg::detail::lane_leaves().are_like(leaves.all(), here);
  };
  CHECK(alike(5));
  CHECK(alike(37));
  CHECK(alike(-27));
  CHECK_FALSE(alike(6));
}

TEST_CASE("lanes less a multiple of a unit begin below it") {
  CHECK(tg::detail::less(an::constant(100), 32).offset[0] == 4);
  CHECK(tg::detail::less(an::constant(-1), 32).offset[0] == 31);
  CHECK(tg::detail::less(an::constant(100), 0).offset[0] == 100);
}
