#include <tg/dsl/recorder/repetition.hpp>

#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

TEST_CASE("what stands in a loop of the kernel is repeated, what is unrolled is not") {
  recording::of([](auto, auto p) {
    CHECK_FALSE(tg::detail::is_repeated());
    tg::var<unsigned> turns = 0u;
    tg::for_(tg::range(p.n), [&](auto) {
      CHECK(tg::detail::is_repeated());
      tg::if_(p.n < 3, [&] {
        CHECK(tg::detail::is_repeated());
        turns += 1u;
      });
    });
    CHECK_FALSE(tg::detail::is_repeated());
    tg::while_([&] { return turns < 3u; },
               [&] {
                 CHECK(tg::detail::is_repeated());
                 turns += 1u;
               });
    tg::unroll<2>([](auto) { CHECK_FALSE(tg::detail::is_repeated()); });
  });
}

TEST_CASE("a loop is open until its end is recorded") {
  const auto r = recording::of([](auto, auto p) {
    tg::for_(tg::range(p.n), [&](auto) {
      tg::for_(tg::range(p.n), [&](auto) { (void)(p.a + p.a); });
      CHECK(tg::detail::is_repeated());
    });
    CHECK_FALSE(tg::detail::is_repeated());
  });
  CHECK(r.text.find("<endloop>") != r.text.npos);
}
