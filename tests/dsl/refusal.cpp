#include <tg/dsl/refusal.hpp>

#include <string>

#include <tg/dsl/regs.hpp>
#include <tg/dsl/vec.hpp>

#include "recording.hpp"

TEST_CASE("TG119 and TG122 have the line of the statement") {
  const auto position = [](auto, recording::parameters) {
    tg::regs<float, 4> r = 0.0f;
    int outside = 4;
    r(outside) = 1.0f;
  };
  CHECK(recording::error_of(position) == recording::at(119, __LINE__ - 4));
  const auto number = [](auto, recording::parameters p) { tg::var<unsigned> v = p.n; v = v + -1; };
  CHECK(recording::error_of(number) == recording::at(122, __LINE__ - 1));
}
