#include <tg/dsl/async/async_groups.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace { using one_pending = decltype(std::declval<tg::async_groups<>&>().commit()); }  // namespace

static_assert(one_pending::pending == 1 && one_pending::landed == 0);
static_assert(decltype(std::declval<tg::async_groups<3>&>().wait(1_c))::pending == 1);
static_assert(decltype(std::declval<tg::async_groups<3>&>().wait(1_c))::landed == 2);
static_assert(!std::is_copy_constructible_v<tg::async_groups<1>> && !std::is_default_constructible_v<tg::async_groups<1>>);

TEST_CASE("groups are committed and waited for") {
  CHECK(recording::of([](auto, recording::parameters) {
          tg::async_groups start;
          auto one = start.commit();
          auto two = one.commit();
          auto ready = two.wait(1_c);
          (void)ready.wait();
        }).text == "cp.async.commit_group cp.async.commit_group cp.async.wait_group cp.async.wait_group");
}

TEST_CASE("a loop finds and leaves the same groups") {
  const auto r = recording::of([](auto, recording::parameters p) {
    tg::async_groups start;
    auto rest = tg::for_groups(tg::range(p.n), start.commit(), [](auto, auto groups) {
      auto two = groups.commit();
      auto ready = two.wait();
      return ready.commit();
    });
    static_assert(decltype(rest)::pending == 1);
    (void)rest.wait();
  });
  CHECK(r.text.find("cp.async.commit_group cp.async.wait_group cp.async.commit_group") != std::string::npos);
  CHECK(r.text.ends_with("<endif> cp.async.wait_group"));
}

TEST_CASE("a state is left once") {
  const auto twice = [](auto, recording::parameters) {
    tg::async_groups start;
    (void)start.commit();
    (void)start.commit();
  };
  CHECK(recording::error_of(twice) == recording::at(144, __LINE__ - 2));
  const auto moved = [](auto, recording::parameters) {
    tg::async_groups start;
    const auto other = std::move(start);
    static_assert(decltype(other)::pending == 0);
    (void)start.commit();
  };
  CHECK(recording::error_of(moved) == recording::at(144, __LINE__ - 2));
}

TEST_CASE("a loop may wait for the older group last: what landed is forgotten from round to round") {
  const auto r = recording::of([](auto, recording::parameters p) {
    tg::async_groups start;
    auto rest = tg::for_groups(tg::range(p.n), start.commit(), [](auto, auto groups) {
      auto two = groups.commit();
      return two.wait(1_c);
    });
    static_assert(decltype(rest)::pending == 1 && decltype(rest)::landed == 0);
    (void)rest.wait();
  });
  CHECK(r.text.find("cp.async.commit_group cp.async.wait_group") != std::string::npos);
  CHECK(r.text.ends_with("<endif> cp.async.wait_group"));
}
