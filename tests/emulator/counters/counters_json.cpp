#include <tg/emulator/counters/counters_json.hpp>

#include <doctest/doctest.h>

#include "../../base/comma_locale.hpp"
#include "../runner.hpp"

TEST_CASE("counters as JSON hold totals, lines and the instructions that ran") {
  runner::bench b(
      runner::kernel_text("ld.global.f32 %f1, [%rd0]; add.f32 %f1, %f1, %f1; bra end; mul.f32 %f1, %f1, %f1; end:"));
  runner::counters all;
  b.run({{1}, {32}}, {b.upload(std::vector<float>(1))}, {}, &all);
  const std::string text = tg::emulator::to_json(all);
  for (const char* part : {"\"flops\": {\"f16\": 0, \"f32\": 32, \"f64\": 0}", "\"arithmetic_intensity\": 1.000000",
                           "\"global\": {\"requests\": 1, \"bytes\": 128, \"sectors\": 1", "\"opcode\": \"add\"",
                           "\"sectors_per_request\": 1.000000", "\"function\": \"k\""})
    CHECK_MESSAGE(runner::has(text, part), part, " in\n", text);
  CHECK_FALSE(runner::has(text, "\"opcode\": \"mul\""));
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    CHECK_GE(depth, 0);
  }
  CHECK_EQ(depth, 0);
}

TEST_CASE("a copy says what it writes beside what it reads") {
  runner::bench b(runner::kernel_text(
      ".shared .align 16 .b8 s[16]; mov.u32 %r2, s; cp.async.cg.shared.global [%r2], [%rd0], 16, 4; cp.async.wait_all;"));
  runner::counters all;
  b.run({{1}, {32}}, {b.upload(std::vector<float>(4))}, {}, &all);
  const std::string text = tg::emulator::to_json(all);
  CHECK_MESSAGE(runner::has(text, "\"copied_bytes\": 512"), text);
  CHECK_MESSAGE(runner::has(text, "\"shared\": {\"requests\": 1, \"bytes\": 512, \"sectors\": 0, \"wavefronts\": 4"), text);
}

TEST_CASE("counters as JSON have points where the locale has commas") {
  tg::emulator::counters all;
  const std::string plain = tg::emulator::to_json(all);
  const comma_locale here;
  CHECK(tg::emulator::to_json(all) == plain);
  CHECK(runner::has(plain, "\"arithmetic_intensity\": 0.000000"));
}
