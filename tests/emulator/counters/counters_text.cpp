#include <tg/emulator/counters/counters_text.hpp>

#include <doctest/doctest.h>

#include "../../base/comma_locale.hpp"
#include "../runner.hpp"

TEST_CASE("the table of counters names what a profiler would") {
  tg::emulator::counters all;
  tg::emulator::instruction_counters c;
  c.function = "k";
  c.file = "a.cu";
  c.line = 7;
  c.op = tg::ptx::opcode::ld;
  c.space = tg::ptx::token::global;
  c.executions = 4;
  c.active_lanes = 96;
  c.requests = 4;
  c.bytes = 384;
  c.sectors = 18;
  all.instructions.push_back(c);
  all.warp_instructions = 4;
  all.flops_f32 = 288;
  all.memory_read_bytes = 576;
  all.memory_least_bytes = 544;
  all.multiply_adds[tg::ptx::token::s8] = 4096;
  const std::string text = tg::emulator::to_text(all);
  for (const char* part : {"4 warp instructions", "flops f32: 288",
                           "behind the cache: 576 bytes read, 0 bytes written; 544 bytes in all if it lost nothing",
                           "matrix multiply-adds s8: 4096", "global memory: 4 requests, 384 bytes, 18 sectors",
                           "arithmetic intensity: 0.500", "24.0", "4.50", "a.cu:7"})
    CHECK_MESSAGE(runner::has(text, part), part, " in\n", text);
  CHECK_FALSE(runner::has(text, "f64"));
}

TEST_CASE("the table has points where the locale has commas") {
  tg::emulator::counters all;
  tg::emulator::instruction_counters c;
  c.function = "k";
  c.executions = 2;
  c.active_lanes = 33;
  all.instructions.push_back(c);
  const comma_locale here;
  CHECK(runner::has(tg::emulator::to_text(all), " 16.5 "));
}
