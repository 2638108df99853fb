#include <tg/dsl/verdict/lane_comparison.hpp>

#include <doctest/doctest.h>
#include <tg/analysis/arithmetic.hpp>

namespace an = tg::analysis;
using tg::ptx::token;

namespace {

/// In which lanes `l < bound` holds, or another comparison.
std::optional<an::lane_mask> lanes(token order, std::int64_t bound, token type = token::u32) {
  an::lane_value l = an::constant(0);
  for (std::size_t k = 0; k < l.offset.size(); ++k) l.offset[k] = static_cast<std::int64_t>(k);
  tg::ptx::instruction i;
  i.op = tg::ptx::opcode::setp;
  i.add(order);
  i.add(type);
  return tg::detail::lanes_where(i, l, an::constant(bound));
}

}  // namespace

TEST_CASE("a comparison of known lanes holds in a mask") {
  CHECK(lanes(token::lt, 4) == 0xfu);
  CHECK(lanes(token::le, 4) == 0x1fu);
  CHECK(lanes(token::gt, 30) == 0x80000000u);
  CHECK(lanes(token::ge, 32) == 0u);
  CHECK(lanes(token::eq, 1) == 2u);
  CHECK(lanes(token::ne, 0, token::s32) == 0xfffffffeu);
}

TEST_CASE("a comparison that depends on signs, or on lanes that are not known, tells nothing") {
  CHECK_FALSE(lanes(token::lt, -1).has_value());
  CHECK_FALSE(lanes(token::lt, std::int64_t{1} << 31).has_value());
  CHECK_FALSE(lanes(token::lt, 4, token::u64).has_value());
  tg::ptx::instruction i;
  i.op = tg::ptx::opcode::setp;
  i.add(token::lt);
  i.add(token::u32);
  CHECK_FALSE(tg::detail::lanes_where(i, an::unknown(), an::constant(4)).has_value());
}
