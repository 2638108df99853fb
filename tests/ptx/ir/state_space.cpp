#include <tg/ptx/ir/state_space.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

using namespace tg::ptx;

TEST_CASE("an instruction names one space, more closely or not, or none") {
  const auto space = [](std::initializer_list<token> tokens) { return named_space({opcode::ld, tokens, {}}); };
  for (const token t : {token::global, token::shared, token::local, token::const_, token::param})
    CHECK(space({token::volatile_, t, token::u32}) == t);
  CHECK(space({token::shared_cta, token::u32}) == token::shared);
  CHECK(space({token::shared_cluster, token::u32}) == token::shared);
  CHECK(space({token::param_entry, token::u32}) == token::param);
  CHECK(space({token::param_func, token::u32}) == token::param);
  CHECK(space({token::u32}) == token::none);
  CHECK(space({token::global, token::shared_cta}) == token::global);
}
