#include <tg/emulator/libcuda/refuse.hpp>

#include <doctest/doctest.h>

#include <string>

#include "../driver_table/session.hpp"
#include "standard_error.hpp"

TEST_CASE("a call that is not there says so once") {
  const driver_session::context c;
  const standard_error heard;
  for (int i = 0; i < 3; ++i)
    CHECK(tg::emulator::libcuda::refuse<"cuOnlyInThisTest">() == driver_session::result::not_supported);
  CHECK(heard.text() == "tg emulator: cuOnlyInThisTest is not supported\n");
}
