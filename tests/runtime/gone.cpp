#include <tg/runtime/gone.hpp>

#include "hand_written.hpp"

TEST_CASE("what is used after it was moved from is named: TG532") {
  const auto gone = hand_written::error_of([] { tg::runtime::fail_gone("an event"); });
  CHECK(gone.number == 532);
  CHECK(gone.says("an event is used after it was moved from"));
}
