#include <tg/tile/change_count.hpp>

#include <doctest/doctest.h>

#include <type_traits>

#include "../dsl/recording.hpp"

static_assert(std::is_trivially_copyable_v<tg::detail::change_count>);

TEST_CASE("copies of a count share it") {
  recording::of([](auto, auto) {
    const auto first = tg::detail::change_count::start(), other = tg::detail::change_count::start();
    tg::detail::change_count second = first, none;
    CHECK(!none);
    CHECK(none.count() == 0);
    first.add({});
    CHECK(second.count() == 1);
    second.add({"here.cpp", 7});
    CHECK(first.count() == 2);
    CHECK(first.where().line == 7);
    CHECK(other.count() == 0);
    CHECK(first.is_shared_with(second));
    CHECK(!first.is_shared_with(other));
    CHECK(!none.is_shared_with(none));
    second = none;
    CHECK(!second);
  });
}

TEST_CASE("a count of another recording is refused") {
  tg::detail::change_count kept;
  recording::of([&](auto, auto) { kept = tg::detail::change_count::start(); });
  CHECK(recording::error_of([&](auto, auto) { (void)kept.count(); }).starts_with("121"));
}
