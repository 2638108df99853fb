#include <tg/driver/codes.hpp>

#include <doctest/doctest.h>

using namespace tg::driver;

TEST_CASE("every code of the driver has a row, in order") {
  int last = 499;
  for (const tg::code_info& info : codes) {
    CHECK(info.number == last + 1);
    last = info.number;
    CHECK_FALSE(info.meaning.empty());
    CHECK_FALSE(info.usual_cause.empty());
    CHECK(fix_of(tg::code{info.number}) == info.what_to_do);
  }
  CHECK(last < 520);
  CHECK(fix_of(tg::code{1}).empty());
}

TEST_CASE("every result is reported under a code that has a row") {
  for (const result_info& info : results) CHECK_FALSE(fix_of(code_of(info.result)).empty());
  CHECK(code_of(result::out_of_memory) == out_of_memory);
  CHECK(code_of(result::illegal_address) == kernel_fault);
  CHECK(code_of(result::invalid_ptx) == ptx_refused);
  CHECK(code_of(result::unsupported_ptx_version) == driver_too_old);
  CHECK(code_of(result::invalid_handle) == handle_invalid);
  CHECK(code_of(result::stream_capture_invalidated) == capture_broken);
  CHECK(code_of(result::not_permitted) == call_failed);
}
