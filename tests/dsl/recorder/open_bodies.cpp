#include <tg/dsl/recorder/open_bodies.hpp>

#include <doctest/doctest.h>

using tg::detail::open_body;
using tg::detail::outcome;

TEST_CASE("what becomes of the lanes of a body") {
  open_body b;
  CHECK(b.result() == outcome::all_arrive);
  b.is_mixed = true;
  CHECK(b.result() == outcome::some_jump);
  b.has_ended = true;
  CHECK(b.result() == outcome::all_jump);
  b.has_exited = true;
  CHECK(b.result() == outcome::all_jump);
  b.is_mixed = false;
  CHECK(b.result() == outcome::all_arrive);  // who is gone needs no branch around the rest
}

TEST_CASE("the innermost loop, and when a statement needs a look") {
  tg::detail::open_bodies bodies;
  CHECK(bodies.innermost_loop() == 0);
  open_body loop;
  loop.is_loop = true;
  bodies.push(loop);
  bodies.push(open_body{});
  CHECK(bodies.innermost_loop() == 1);
  CHECK_FALSE(bodies.needs_care());
  bodies.top().has_ended = true;
  bodies.look();
  CHECK(bodies.needs_care());
  bodies.pop();
  CHECK_FALSE(bodies.needs_care());
  CHECK(bodies.last().has_ended);
}
