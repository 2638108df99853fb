#include <tg/dsl/verdict/allow.hpp>

#include <tg/dsl/value/let.hpp>

#include "../recording.hpp"

using namespace tg::literals;

using tg::detail::checked;
using tg::detail::excused_code;
using tg::detail::is_excuse;

static_assert(excused_code<checked> == 0 && excused_code<tg::allow<tg::TG201>> == 201 &&
              excused_code<tg::allow<tg::TG202>> == 202);
static_assert(is_excuse<checked> && is_excuse<tg::allow<tg::TG202>>);
static_assert(tg::detail::excuse_like<checked> && tg::detail::excuse_like<tg::allow<tg::TG201>> &&
              !tg::detail::excuse_like<int>);

TEST_CASE("an excused access is recorded with its reason and its cost") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    (void)tg::let(p.x(block.thread.x * 2_c, tg::allow<tg::TG202>("the other half is read next")));
    (void)tg::let(p.x(block.thread.x));
  });
  REQUIRE(r.accesses.size() == 2);
  CHECK(r.accesses[0].verdict == tg::verdict::allowed);
  CHECK(std::string_view(r.accesses[0].reason) == "the other half is read next");
  CHECK(r.accesses[0].global.sectors == 9);
  CHECK(r.accesses[0].global.ideal_sectors == 4);
  CHECK(r.accesses[1].verdict == tg::verdict::proved);
  CHECK(std::string_view(r.accesses[1].reason).empty());
}

TEST_CASE("an excuse where nothing is wrong changes nothing") {
  const auto r = recording::of(
      [](auto block, recording::parameters p) { (void)tg::let(p.x(block.thread.x, tg::allow<tg::TG202>("in case"))); });
  CHECK(r.accesses[0].verdict == tg::verdict::proved);
}
