#include <tg/dsl/proof/proxy_writes.hpp>

#include <doctest/doctest.h>
#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;

namespace {

pf::path some(std::size_t first, std::size_t end) {
  pf::path out;
  out.may = {};
  for (std::size_t t = first; t < end; ++t) out.may[t] = true;
  out.must = out.may;
  return out;
}

}  // namespace

TEST_CASE("the async proxy sees what is behind a fence of the threads that wrote and behind which they met") {
  const tg::dynamic_array<pf::use> written = {{.where = {true, 4}, .writes = true, .way = some(0, 1)}};
  pf::proxy_writes all((tg::ptx::function()));
  all.add(0);
  pf::path others = some(1, 32);
  others.literals = std::make_shared<const tg::dynamic_array<pf::literal>>(1);
  all.fence(written, others, {});
  all.meet_all({}, true);
  REQUIRE(all.all().size() == 1);
  CHECK_FALSE(all.all()[0].is_ordered(0, 0));
  all.fence(written, some(0, 32), {.shared = false});
  CHECK_FALSE(all.all()[0].is_ordered(0, 0));  // a fence of global memory
  all.fence(written, some(0, 32), {.global = false});
  CHECK(all.all()[0].is_ordered(0, 0));
  CHECK_FALSE(all.all()[0].is_ordered(0, 1));
  all.meet({some(0, 2).may}, true);
  CHECK(all.all()[0].is_ordered(0, 1));
  CHECK_FALSE(all.all()[0].is_ordered(0, 2));
  all.doubt();
  CHECK(all.all()[0].is_maybe_met);
  all.meet_all({}, true);
  CHECK(all.all().empty());
}

TEST_CASE("a fence and a barrier under conditions of all threads count for what stands under the same ones") {
  const tg::dynamic_array<pf::use> written = {{.where = {true, 4}, .writes = true, .way = some(0, 1)}};
  const auto under = [](std::size_t conditions) {
    pf::path out = some(0, 32);
    out.literals = std::make_shared<const tg::dynamic_array<pf::literal>>(conditions);
    out.is_sure = false;
    return out;
  };
  const auto is_seen = [&](std::size_t fence, std::size_t barrier, std::size_t read) {
    pf::proxy_writes all((tg::ptx::function()));
    all.add(0);
    all.fence(written, under(fence), {});
    all.meet_all(under(barrier), false);
    return all.all()[0].barriers.are_passed(under(read));
  };
  CHECK(is_seen(1, 1, 1));
  CHECK(is_seen(1, 2, 3));
  CHECK_FALSE(is_seen(1, 0, 1));
  CHECK_FALSE(is_seen(2, 1, 2));
  CHECK_FALSE(is_seen(1, 2, 1));
}

TEST_CASE("writes to buffers are followed where a bulk copy may read them") {
  tg::ptx::module m;
  m.functions.emplace_back();
  CHECK(pf::proxy_writes(m.functions[0]).follows(true));
  CHECK_FALSE(pf::proxy_writes(m.functions[0]).follows(false));
  tg::ptx::builder build(m, 0);
  build.emit(tg::ptx::opcode::cp, {tg::ptx::token::async, tg::ptx::token::bulk}, {});
  CHECK(pf::proxy_writes(m.functions[0]).follows(false));
}
