#include <tg/emulator/image/async_use.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/image/image.hpp>

#include "../runner.hpp"

TEST_CASE("the decoder says what an asynchronous operation is asked to do") {
  using namespace runner;
  using tg::emulator::async_act;
  bench b(kernel_text(
      ".shared .align 16 .b8 tile[64]; .shared .b64 bar;\n"
      "cp.async.cg.shared.global [tile], [%rd0], 16, 4; cp.async.wait_group 3;\n"
      "mbarrier.arrive.noComplete.shared.b64 %rd9, [bar], 2; mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 1;"));
  const auto& uses = b.program().image().async_uses;
  REQUIRE(uses.size() == 4);
  CHECK(uses[0].act == async_act::copy);
  CHECK(uses[0].bytes == 16);
  CHECK(uses[0].has_size);
  CHECK(uses[0].address_count == 2);
  CHECK(uses[1].act == async_act::wait_group);
  CHECK(uses[1].number == 3);
  CHECK(uses[2].act == async_act::mbarrier_arrive);
  CHECK(uses[2].has_state);
  CHECK_FALSE(uses[2].may_complete);
  CHECK(uses[3].act == async_act::mbarrier_wait);
  CHECK(uses[3].is_parity);
}
